import { crc32 } from 'node:zlib';
import { parseJsonOrNothing } from '../../../lib/text/parse-json-or-nothing.ts';
import { SECRET_RULES_BY_NAME, type SecretRule } from './hit.ts';
import written from './token-rules.json' with { type: 'json' };

export interface TokenRule extends SecretRule {
  readonly keywords: readonly string[];
  /** Global pattern with the token as group 1. Bounded or disjoint repetitions make it run in linear time. */
  readonly pattern: RegExp;
  /** Minimum Shannon entropy of a token in bits per character. If undefined, each match counts. */
  readonly entropy?: number;
  readonly valid?: (secret: string) => boolean;
  /** Returns why the token is probably useless, for example expired. The finding shows this text with low severity. */
  readonly doubt?: (secret: string) => string | undefined;
}

/** Checks that a pattern cannot express. A rule in `token-rules.json` names its check under `check`. */
const CHECKS: Readonly<Record<string, Pick<TokenRule, 'valid' | 'doubt'>>> = {
  checksum: { doubt: checksumDoubt },
  'basic-credentials': { valid: (secret) => basicCredentials(secret) !== undefined },
  'json-web-token': { valid: isJsonWebToken, doubt: describeJwtExpiry },
  'encoded-json-web-token': {
    valid: (secret) => isJsonWebToken(decodeBase64(secret)),
    doubt: (secret) => describeJwtExpiry(decodeBase64(secret)),
  },
  // Random tokens of 24 or more characters nearly always contain two digits. Names usually do not.
  digits: { valid: (secret) => (secret.match(/\d/g)?.length ?? 0) >= 2 },
};

export const TOKEN_RULES: readonly TokenRule[] = written.map(({ id, pattern, severity, check, ...rule }) => ({
  cwe: 'CWE-798',
  danger: 'Anyone who reads this file can act with it',
  ...rule,
  ...(check === undefined ? {} : CHECKS[check]),
  severity: (severity ?? 'high') as TokenRule['severity'],
  id: `secrets/${id}`,
  pattern: new RegExp(pattern, 'g'),
}));

const decodeBase64 = (secret: string): string => Buffer.from(secret, 'base64').toString('latin1');

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_CHARACTERS = 6;

function checksumDoubt(token: string): string | undefined {
  return hasBase62Checksum(token)
    ? undefined
    : 'Its checksum does not fit: it is made up or mistyped, unless its form has changed';
}

/** True if the last six base-62 digits of a token are the CRC-32 of its text after the prefix, as for GitHub. */
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

function isJsonWebToken(token: string): boolean {
  const parts = token.split('.');
  return parts.length === 3 && parts.slice(0, 2).every((part) => jsonObject(part) !== undefined);
}

function describeJwtExpiry(token: string): string | undefined {
  const { exp } = jsonObject(token.split('.')[1] ?? '') ?? {};
  if (typeof exp !== 'number' || exp * 1000 > Date.now() || !Number.isFinite(exp)) return undefined;
  const end = new Date(Math.max(0, exp * 1000)).toISOString().slice(0, 10);
  return `It ended on ${end}`;
}

function jsonObject(part: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJsonOrNothing(Buffer.from(part, 'base64url').toString('utf8'));
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}

/** Decodes `user:password` from base64, as in HTTP basic authentication. Returns undefined for other texts. */
function basicCredentials(text: string): { user: string; password: string } | undefined {
  if (!/^[A-Za-z0-9+/_-]{6,400}={0,2}$/.test(text)) return undefined;
  const decoded = Buffer.from(text, 'base64').toString('utf8');
  const [, user, password] = /^([^\p{Cc}\uFFFD:]{1,100}):([^\p{Cc}\uFFFD]{1,300})$/u.exec(decoded) ?? [];
  return user === undefined || password === undefined ? undefined : { user, password };
}

export const SECRET_RULES: readonly SecretRule[] = [...TOKEN_RULES, ...Object.values(SECRET_RULES_BY_NAME)];
