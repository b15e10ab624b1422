import type { Severity } from '../../../../lib/severity.ts';
import type { RuleTexts } from '../../../findings/finding.ts';
import families from '../families.json' with { type: 'json' };

/** A condition on the value at `at`. The fields from `when` to `beside` combine other conditions. */
export interface PolicyCondition {
  readonly at?: string;
  readonly is?: readonly string[];
  readonly not?: readonly string[];
  readonly set?: true;
  readonly unset?: true;
  readonly least?: number;
  readonly most?: number;
  readonly has?: readonly string[];
  readonly closed?: true;
  /** Result if the value is missing. Default: `bad` with `is`, `set`, `least`, `has` or `some`, else `fine`. */
  readonly absent?: 'fine' | 'bad';
  readonly when?: PolicyCondition;
  readonly any?: readonly PolicyCondition[];
  readonly all?: readonly PolicyCondition[];
  /** Path to values. Each value must meet all conditions in `all`. */
  readonly each?: string;
  readonly some?: string;
  readonly never?: true;
  /** A resource of one of these types must refer to the tested resource and meet all conditions in `all`. */
  readonly beside?: readonly string[];
}

export interface PolicyCheck extends PolicyCondition {
  readonly types: readonly string[];
  readonly bad: Readonly<Record<string, unknown>>;
  readonly good?: Readonly<Record<string, unknown>>;
}

export interface InfrastructurePolicy {
  /** Id of the policy: family and kind of resource, such as `unencrypted-rds-instance`. */
  readonly id: string;
  readonly family: string;
  readonly title: string;
  readonly severity?: Severity;
  readonly cwe?: string;
  readonly danger?: string;
  readonly fix?: string;
  readonly checkov?: readonly string[];
  readonly checks: readonly PolicyCheck[];
}

export const POLICY_FAMILIES = families as Readonly<Record<string, RuleTexts>>;

/** Returns the family of a policy. Throws Error for an unknown family, which is a mistake in the policy data. */
export function policyFamilyOf({ id, family }: InfrastructurePolicy): RuleTexts {
  const found = POLICY_FAMILIES[family];
  if (!found) throw new Error(`${id} is of an unknown family: ${JSON.stringify(family)}`);
  return found;
}
