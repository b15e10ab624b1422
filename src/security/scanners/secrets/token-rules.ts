import type { Severity } from '../../../lib/severity.ts';
import { basicCredentials, checksumDoubt, describeJwtExpiry, isJsonWebToken } from './checksums.ts';
import type { TokenRule } from './rule.ts';
import tokens from './token-rules.json' with { type: 'json' };

/** A rule as `token-rules.json` states it. */
interface StatedToken extends Pick<TokenRule, 'title' | 'keywords' | 'entropy' | 'revoke'> {
  readonly pattern: string;
  /** By default high. */
  readonly severity?: Severity;
  /** By default CWE-798. */
  readonly cwe?: string;
  /** A name in `CHECKS`. */
  readonly check?: string;
  /** A name in `DANGERS`, or a text of its own. */
  readonly danger?: string;
}

const DANGERS: Readonly<Record<string, string>> = {
  cloud: 'Anyone who reads this file can act in the cloud account: read its data, and run up costs',
  code: 'Anyone who reads this file can read private code, or change it',
  money: 'Anyone who reads this file can see and make payments',
  mail: 'Anyone who reads this file can send messages in your name',
  secrets: 'Anyone who reads this file can read the secrets that are kept there',
  training: 'Anyone who reads this file can act in a test account: what is made up there, and its limits',
};
const DEFAULT_DANGER = 'Anyone who reads this file can act with it';

const CHECKS: Readonly<Record<string, Pick<TokenRule, 'valid' | 'doubt'>>> = {
  checksum: { doubt: checksumDoubt },
  digits: { valid: hasDigits },
  'basic-credentials': { valid: (secret) => basicCredentials(secret) !== undefined },
  'json-web-token': { valid: isJsonWebToken, doubt: describeJwtExpiry },
  'json-web-token-in-base64': {
    valid: (secret) => isJsonWebToken(decoded(secret)),
    doubt: (secret) => describeJwtExpiry(decoded(secret)),
  },
};

/** Token rules by provider. The providers document the token formats, or they were observed in tokens. */
export const TOKEN_RULES: readonly TokenRule[] = Object.entries(
  tokens as Readonly<Record<string, StatedToken>>,
).map(([id, { pattern, check, danger = DEFAULT_DANGER, ...stated }]) => ({
  severity: 'high',
  cwe: 'CWE-798',
  ...stated,
  ...(check !== undefined && CHECKS[check]),
  id: `secrets/${id}`,
  pattern: new RegExp(pattern, 'g'),
  danger: DANGERS[danger] ?? danger,
}));

/** True for at least two digits: nearly all random tokens of these lengths have them; program names have one or none. */
function hasDigits(secret: string): boolean {
  return (secret.match(/\d/g)?.length ?? 0) >= 2;
}

function decoded(secret: string): string {
  return Buffer.from(secret, 'base64').toString('latin1');
}
