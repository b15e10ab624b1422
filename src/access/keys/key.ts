import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A key is `magpie_`, 32 random base 62 characters and their CRC-32 in 6 characters: `\bmagpie_[0-9A-Za-z]{38}\b`. */

const START = 'magpie_';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARS = 32;
const CHECKSUM_CHARS = 6;
const FORM = new RegExp(`^${START}[${DIGITS}]{${RANDOM_CHARS + CHECKSUM_CHARS}}$`);
const SHOWN_CHARS = START.length + 4;
/** Characters of ids, without similar ones such as `0` and `o`: people read ids aloud and type them. */
const ID_DIGITS = '23456789abcdefghjkmnpqrstuvwxyz';
const ID_CHARS = 10;

export function generateAccessKey(): string {
  const body = START + randomText(DIGITS, RANDOM_CHARS);
  return body + checksum(body);
}

export const generateKeyId = (): string => `k${randomText(ID_DIGITS, ID_CHARS - 1)}`;

/** A `mistyped` text begins like a key, but has a wrong checksum or length. */
export function classifyKeyText(text: string): 'key' | 'mistyped' | 'other' {
  if (!text.startsWith(START)) return 'other';
  const body = text.slice(0, -CHECKSUM_CHARS);
  return FORM.test(text) && checksum(body) === text.slice(-CHECKSUM_CHARS) ? 'key' : 'mistyped';
}

export const getKeyPrefix = (key: string): string => key.slice(0, SHOWN_CHARS);

function checksum(body: string): string {
  let rest = crc32(body);
  let out = '';
  for (let place = 0; place < CHECKSUM_CHARS; place++) {
    out = DIGITS.charAt(rest % DIGITS.length) + out;
    rest = Math.floor(rest / DIGITS.length);
  }
  return out;
}

/** Skips bytes that are `fair` or larger, so that all digits are equally likely. */
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
