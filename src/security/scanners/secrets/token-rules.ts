import { basicCredentials, checksumDoubt, describeJwtExpiry, isJsonWebToken } from './checksums.ts';
import type { TokenRule } from './rule.ts';
import written from './token-rules.json' with { type: 'json' };

/** Checks of a token that a pattern cannot express, by the name under `check` in `token-rules.json`. */
const CHECKS: Readonly<Record<string, Pick<TokenRule, 'valid' | 'doubt'>>> = {
  checksum: { doubt: checksumDoubt },
  'basic-credentials': { valid: (secret) => basicCredentials(secret) !== undefined },
  'json-web-token': { valid: isJsonWebToken, doubt: describeJwtExpiry },
  'encoded-json-web-token': {
    valid: (secret) => isJsonWebToken(decodeBase64(secret)),
    doubt: (secret) => describeJwtExpiry(decodeBase64(secret)),
  },
  // Nearly all random tokens of these lengths contain two digits; names contain fewer.
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

function decodeBase64(secret: string): string {
  return Buffer.from(secret, 'base64').toString('latin1');
}
