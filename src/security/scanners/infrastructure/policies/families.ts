import type { Severity } from '../../../../lib/severity.ts';
import families from '../families.json' with { type: 'json' };
import type { InfrastructurePolicy } from './policy.ts';

export interface PolicyFamily {
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: string;
  readonly danger: string;
  readonly fix: string;
}

export const POLICY_FAMILIES = families as Readonly<Record<string, PolicyFamily>>;

/** Returns the family of a policy. Throws Error for an unknown family: a mistake in the policy data. */
export function policyFamilyOf({ id, family }: InfrastructurePolicy): PolicyFamily {
  const found = POLICY_FAMILIES[family];
  if (!found) throw new Error(`${id} is of an unknown family: ${JSON.stringify(family)}`);
  return found;
}
