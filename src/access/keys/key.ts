import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The form of a key: `magpie_`, 32 characters of randomness (190 bits), and 6 of a CRC-32 of all before
 * them, in base 62. Scanners for secrets know it by `\bmagpie_[0-9A-Za-z]{38}\b` and the checksum.
 */

const START = 'magpie_';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARS = 32;
const CHECKSUM_CHARS = 6;
const FORM = new RegExp(`^${START}[${DIGITS}]{${RANDOM_CHARS + CHECKSUM_CHARS}}$`);
/** Characters of a key that its list shows. */
const SHOWN_CHARS = START.length + 4;
/** Lower case without those that are mistaken for each other: ids are read aloud and typed. */
const ID_DIGITS = '23456789abcdefghjkmnpqrstuvwxyz';
const ID_CHARS = 10;

/** A new key. */
export function makeKey(): string {
  const body = START + randomText(DIGITS, RANDOM_CHARS);
  return body + checksum(body);
}

/** A new id of a key, which is not secret. */
export function makeId(): string {
  return `k${randomText(ID_DIGITS, ID_CHARS - 1)}`;
}

/** What a text is by its form alone: `mistyped` begins like a key, but has a wrong checksum or length. */
export function keyForm(text: string): 'key' | 'mistyped' | 'other' {
  if (!text.startsWith(START)) return 'other';
  const body = text.slice(0, -CHECKSUM_CHARS);
  return FORM.test(text) && checksum(body) === text.slice(-CHECKSUM_CHARS) ? 'key' : 'mistyped';
}

/** What a list shows of a key. */
export function prefixOf(key: string): string {
  return key.slice(0, SHOWN_CHARS);
}

function checksum(body: string): string {
  let rest = crc32(body);
  let out = '';
  for (let place = 0; place < CHECKSUM_CHARS; place++) {
    out = DIGITS.charAt(rest % DIGITS.length) + out;
    rest = Math.floor(rest / DIGITS.length);
  }
  return out;
}

/** Bytes past the last whole multiple are thrown away: with them some digits would come more often than others. */
function randomText(digits: string, length: number): string {
  const fair = 256 - (256 % digits.length);
  let out = '';
  while (out.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < fair && out.length < length) out += digits.charAt(byte % digits.length);
    }
  }
  return out;
}
