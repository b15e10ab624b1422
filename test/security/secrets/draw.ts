import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * A text with a token of every rule, and one that only resembles it. Made here and not written out, so that nothing
 * in this repository resembles a live credential to anyone who scans it.
 */
export interface TokenSample {
  readonly found: string;
  readonly not: string;
}

export const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
export const LOWER = UPPER.toLowerCase();
export const DIGITS = '0123456789';
export const HEX = `${DIGITS}abcdef`;
export const WORD = UPPER + LOWER + DIGITS;
export const BASE32 = `${UPPER}234567`;

let drawn = 0;
/** Characters that look drawn at random and are the same in every run. */
export function draw(alphabet: string, length: number): string {
  let text = '';
  for (let block = 0; text.length < length; block++) {
    const bytes = createHash('sha512').update(`${drawn}/${block}`).digest();
    for (const byte of bytes) text += alphabet[byte % alphabet.length];
  }
  drawn++;
  return text.slice(0, length);
}

export function checked(prefix: string): string {
  const body = draw(WORD, 30);
  const digits = DIGITS + UPPER + LOWER;
  let number = crc32(body);
  let sum = '';
  for (let i = 0; i < 6; i++) {
    sum = `${digits[number % 62]}${sum}`;
    number = Math.floor(number / 62);
  }
  return `${prefix}_${body}${sum}`;
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

export function jwt(claims: object = { sub: '4711', iat: 1_700_000_000 }): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.${draw(WORD, 43)}`;
}

export function sample(found: string, not: string): TokenSample {
  return { found: `value ${found}\n`, not: `value ${not}\n` };
}

export function uuid(): string {
  return [8, 4, 4, 4, 12].map((length) => draw(HEX, length)).join('-');
}
