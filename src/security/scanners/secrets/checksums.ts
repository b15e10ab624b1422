import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_CHARACTERS = 6;

export function checksumDoubt(token: string): string | undefined {
  return hasBase62Checksum(token)
    ? undefined
    : 'Its checksum does not fit: it is made up or mistyped, unless its form has changed';
}

/** True if the last six base-62 digits of a token are the CRC-32 of the text after its prefix, as in GitHub's tokens. */
function hasBase62Checksum(token: string): boolean {
  const body = token.slice(token.indexOf('_') + 1, -CHECKSUM_CHARACTERS);
  let number = crc32(body);
  let digits = '';
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    digits = `${BASE62[number % 62]}${digits}`;
    number = Math.floor(number / 62);
  }
  return token.endsWith(digits);
}

export function isJsonWebToken(token: string): boolean {
  const parts = token.split('.');
  return parts.length === 3 && parts.slice(0, 2).every((part) => jsonObject(part) !== undefined);
}

export function describeJwtExpiry(token: string): string | undefined {
  const { exp } = jsonObject(token.split('.')[1] ?? '') ?? {};
  if (typeof exp !== 'number' || exp * 1000 > Date.now() || !Number.isFinite(exp)) return undefined;
  const end = new Date(Math.max(0, exp * 1000)).toISOString().slice(0, 10);
  return `It ended on ${end}`;
}

function jsonObject(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Decodes `user:password` from base64, as in HTTP basic authentication. Returns undefined for other texts. */
export function basicCredentials(text: string): { user: string; password: string } | undefined {
  if (!/^[A-Za-z0-9+/_-]{6,400}={0,2}$/.test(text)) return undefined;
  const decoded = Buffer.from(text, 'base64').toString('utf8');
  const [, user, password] = /^([^\p{Cc}\uFFFD:]{1,100}):([^\p{Cc}\uFFFD]{1,300})$/u.exec(decoded) ?? [];
  return user === undefined || password === undefined ? undefined : { user, password };
}
