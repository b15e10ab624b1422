import type { Severity } from '../../../../lib/severity.ts';

/** A requirement on a resource. `is` to `closed` test the value at a path; `any`, `all`, `each`, `some` combine. */
export interface PolicyCondition {
  readonly at?: string;
  /** The value must be one of these texts. `*` inside a longer text matches anything. */
  readonly is?: readonly string[];
  readonly not?: readonly string[];
  readonly set?: true;
  readonly unset?: true;
  /** Minimum of a number; the next field is its maximum. */
  readonly least?: number;
  readonly most?: number;
  readonly has?: readonly string[];
  /** True if the value must not be a network range that includes all addresses. */
  readonly closed?: true;
  /** Result if the attribute is absent; the default is `bad` for `is`, `set`, `least` and `has`. */
  readonly absent?: 'fine' | 'bad';
  readonly when?: PolicyCondition;
  readonly any?: readonly PolicyCondition[];
  readonly all?: readonly PolicyCondition[];
  /** Path of values that must all meet `all`; if there is no value, `absent` decides. */
  readonly each?: string;
  readonly some?: string;
  readonly never?: true;
  /** Resource types: another resource of the file, of one of these types, must meet `all` and refer to this resource. */
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
