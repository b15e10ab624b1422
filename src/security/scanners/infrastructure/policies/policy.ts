import type { Severity } from '../../../../lib/severity.ts';

/** A requirement on a resource. `is` to `closed` test the value at a path; `any`, `all`, `each`, `some` combine. */
export interface PolicyCondition {
  readonly at?: string;
  /** The value is one of these. `*` inside a longer text matches anything. */
  readonly is?: readonly string[];
  readonly not?: readonly string[];
  readonly set?: true;
  readonly unset?: true;
  /** Minimum and maximum of a number. */
  readonly least?: number;
  readonly most?: number;
  readonly has?: readonly string[];
  /** The value is not a network range that includes all addresses. */
  readonly closed?: true;
  /** Result if the attribute is absent; the default is `bad` for `is`, `set`, `least` and `has`. */
  readonly absent?: 'fine' | 'bad';
  readonly when?: PolicyCondition;
  readonly any?: readonly PolicyCondition[];
  readonly all?: readonly PolicyCondition[];
  /** Every value at this path meets `all`; without any value, `absent` decides. */
  readonly each?: string;
  readonly some?: string;
  readonly never?: true;
  /** Another resource of the file, of one of these types, meets `all` and refers to this one. */
  readonly beside?: readonly string[];
}

/** A condition for resources of some types, with an example that violates it and one that meets it. */
export interface PolicyCheck extends PolicyCondition {
  readonly types: readonly string[];
  /** Attributes of the violating example, as in a manifest. */
  readonly bad: Readonly<Record<string, unknown>>;
  readonly good?: Readonly<Record<string, unknown>>;
}

export interface Policy {
  /** Family and resource: `unencrypted-rds-instance`. */
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
