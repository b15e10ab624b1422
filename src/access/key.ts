import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The form of a key: `magpie_`, 32 characters of randomness (190 bits), and 6 of a CRC-32 of all before
 * them, in base 62. Scanners for secrets know it by `\bmagpie_[0-9A-Za-z]{38}\b` and the checksum.
 */

const START = 'magpie_';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM = 32;
const CHECKSUM = 6;
const FORM = new RegExp(`^${START}[${DIGITS}]{${RANDOM + CHECKSUM}}$`);
/** Characters of a key that its list shows. */
const SHOWN = START.length + 4;
/** Lower case without those that are taken for each other: ids are read out and typed. */
const ID_DIGITS = '23456789abcdefghjkmnpqrstuvwxyz';
const ID = 10;

/** A new key. */
export function makeKey(): string {
  const body = START + randomText(DIGITS, RANDOM);
  return body + checksum(body);
}

/** A new id of a key, which is no secret. */
export function makeId(): string {
  return `k${randomText(ID_DIGITS, ID - 1)}`;
}

/** What a text is by its form alone: `mistyped` begins like a key, and its checksum or length is wrong. */
export function keyForm(text: string): 'key' | 'mistyped' | 'other' {
  if (!text.startsWith(START)) return 'other';
  const body = text.slice(0, -CHECKSUM);
  return FORM.test(text) && checksum(body) === text.slice(-CHECKSUM) ? 'key' : 'mistyped';
}

/** What a list shows of a key. */
export function prefixOf(key: string): string {
  return key.slice(0, SHOWN);
}

function checksum(body: string): string {
  let rest = crc32(body);
  let out = '';
  for (let place = 0; place < CHECKSUM; place++) {
    out = DIGITS.charAt(rest % DIGITS.length) + out;
    rest = Math.floor(rest / DIGITS.length);
  }
  return out;
}

/** Bytes past the last whole multiple are thrown away: with them some digits would come more often. */
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
