import type { Severity } from '../../../../lib/severity.ts';

/** A requirement on a resource. `is` to `closed` test the value at a path; the other fields combine requirements. */
export interface PolicyCondition {
  readonly at?: string;
  /** The value must be one of these texts. `*` inside a longer text matches anything. */
  readonly is?: readonly string[];
  readonly not?: readonly string[];
  readonly set?: true;
  readonly unset?: true;
  /** Minimum of a numeric value. `most` is the maximum. */
  readonly least?: number;
  readonly most?: number;
  readonly has?: readonly string[];
  /** True if the value must not be a network range that includes all addresses. */
  readonly closed?: true;
  /** Result if the resource lacks the attribute. The default is `bad` for `is`, `set`, `least` and `has`. */
  readonly absent?: 'fine' | 'bad';
  readonly when?: PolicyCondition;
  readonly any?: readonly PolicyCondition[];
  readonly all?: readonly PolicyCondition[];
  /** Path of values that must all meet `all`. If the path has no value, `absent` decides. */
  readonly each?: string;
  readonly some?: string;
  readonly never?: true;
  /** Types of resources, one of which must meet `all` and refer to this resource in the same file. */
  readonly beside?: readonly string[];
}

/** A condition for resources of some types, with an example that violates it and one that meets it. */
export interface PolicyCheck extends PolicyCondition {
  readonly types: readonly string[];
  /** Attributes of the example that violates the condition, as in a manifest. */
  readonly bad: Readonly<Record<string, unknown>>;
  readonly good?: Readonly<Record<string, unknown>>;
}

export interface Policy {
  /** Policy id of the family and the resource: `unencrypted-rds-instance`. */
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
