import type { RuleTexts } from '../../findings/finding.ts';
import type { CredentialKind } from './credential-name.ts';
import rules from './rules.json' with { type: 'json' };
import type { SecretStrength } from './secret-strength.ts';

export interface SecretRule extends Omit<RuleTexts, 'fix'> {
  /** Rule id in the form `secrets/<kebab-name>`. */
  readonly id: string;
  readonly revoke: string;
}

export interface SecretHit extends SecretRule {
  readonly secret: string;
  readonly start: number;
  readonly end: number;
  readonly random: boolean;
  readonly name?: string;
}

export const SECRET_RULES_BY_NAME = rules as Readonly<Record<keyof typeof rules, SecretRule>>;

export function nameBasedRuleFor(kind: CredentialKind, strength: SecretStrength): SecretRule {
  if (kind === 'secret') return SECRET_RULES_BY_NAME.secret;
  return SECRET_RULES_BY_NAME[strength === 'random' ? 'randomPassword' : 'password'];
}
