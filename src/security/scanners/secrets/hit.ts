import type { Severity } from '../../../lib/severity.ts';
import type { CredentialKind } from './credential-name.ts';
import type { Strength } from './secret-strength.ts';

export interface SecretRule {
  /** Rule id in the form `secrets/<kebab-name>`. */
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: string;
  readonly danger: string;
  readonly revoke: string;
}

export interface SecretHit extends SecretRule {
  readonly secret: string;
  readonly start: number;
  readonly end: number;
  readonly random: boolean;
  readonly name?: string;
}

const PASSWORD = {
  cwe: 'CWE-798',
  danger: 'Anyone who reads this file can log in with it',
  revoke: 'Change the password',
};
const SECRET = {
  cwe: 'CWE-798',
  danger: 'Anyone who reads this file can act with it',
  revoke: 'Make a new one where it was issued, and end this one',
};

export const NAME_BASED_RULES = {
  password: { id: 'secrets/password', title: 'Password', severity: 'medium', ...PASSWORD },
  'random password': { id: 'secrets/random-password', title: 'Password', severity: 'high', ...PASSWORD },
  secret: { id: 'secrets/assigned-secret', title: 'Secret key or token', severity: 'high', ...SECRET },
} as const satisfies Record<string, SecretRule>;

export function nameBasedRuleFor(kind: CredentialKind, strength: Strength): SecretRule {
  if (kind === 'secret') return NAME_BASED_RULES.secret;
  return NAME_BASED_RULES[strength === 'random' ? 'random password' : 'password'];
}
