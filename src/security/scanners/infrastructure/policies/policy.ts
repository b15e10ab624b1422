import type { Severity } from '../../../../lib/severity.ts';

/** Condition on a resource. The fields from `is` to `closed` test a value; those from `when` on combine conditions. */
export interface PolicyCondition {
  readonly at?: string;
  /** Allowed texts. A `*` inside a longer text stands for any characters. */
  readonly is?: readonly string[];
  readonly not?: readonly string[];
  readonly set?: true;
  readonly unset?: true;
  readonly least?: number;
  readonly most?: number;
  readonly has?: readonly string[];
  /** If true, a network range that includes all addresses violates the condition. */
  readonly closed?: true;
  /** Result for a missing value. The default is `bad` with `is`, `set`, `least`, `has` or `some`, else `fine`. */
  readonly absent?: 'fine' | 'bad';
  readonly when?: PolicyCondition;
  readonly any?: readonly PolicyCondition[];
  readonly all?: readonly PolicyCondition[];
  /** Path of values, each of which must meet all conditions in `all`. */
  readonly each?: string;
  readonly some?: string;
  readonly never?: true;
  /** Resource types. The file must have a resource of such a type that refers to this resource and meets `all`. */
  readonly beside?: readonly string[];
}

export interface PolicyCheck extends PolicyCondition {
  readonly types: readonly string[];
  readonly bad: Readonly<Record<string, unknown>>;
  readonly good?: Readonly<Record<string, unknown>>;
}

export interface Policy {
  /** Policy id: the family and the kind of resource, such as `unencrypted-rds-instance`. */
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
