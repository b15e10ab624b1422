import type { Severity } from '../../../../lib/severity.ts';

/**
 * A requirement on a resource. `is` to `closed` test the value at a path (`settings.ip_configuration`; each item of a list on the
 * path is tested); `any`, `all`, `each` and `some` combine conditions.
 */
export interface Condition {
  /** Path of the attribute; absent for the resource itself. */
  readonly at?: string;
  /** The value is one of these. `*` inside a longer text matches anything. */
  readonly is?: readonly string[];
  /** The value is none of these. */
  readonly not?: readonly string[];
  /** The value exists and is not empty. */
  readonly set?: true;
  /** The value does not exist. */
  readonly unset?: true;
  /** Minimum and maximum of a number. */
  readonly least?: number;
  readonly most?: number;
  /** The list contains all of these. */
  readonly has?: readonly string[];
  /** The value is no network range that includes all addresses. */
  readonly closed?: true;
  /** Result if the attribute is absent; the default is `bad` for `is`, `set`, `least` and `has`. */
  readonly absent?: 'fine' | 'bad';
  /** The condition applies only if this one is met. */
  readonly when?: Condition;
  readonly any?: readonly Condition[];
  readonly all?: readonly Condition[];
  /** Every value at this path meets `all`; without any value, `absent` decides. */
  readonly each?: string;
  /** At least one value at this path meets `all`. */
  readonly some?: string;
  /** Resources of this type must not exist. */
  readonly never?: true;
  /** Another resource of the file, of one of these types, meets `all` and refers to this one. */
  readonly beside?: readonly string[];
}

/** A condition for resources of some types, with an example that violates it and one that meets it. */
export interface PolicyCheck extends Condition {
  readonly types: readonly string[];
  /** Attributes of the violating example, as in a manifest. */
  readonly bad: Readonly<Record<string, unknown>>;
  /** Absent if no resource of this type meets the condition by itself. */
  readonly good?: Readonly<Record<string, unknown>>;
}

/** One entry of the files in `policies/`. */
export interface Policy {
  /** Family and resource: `unencrypted-rds-instance`. */
  readonly id: string;
  readonly family: string;
  readonly title: string;
  /** Given if it differs from the family's. */
  readonly severity?: Severity;
  readonly cwe?: string;
  readonly danger?: string;
  readonly fix?: string;
  /** Ids of the same check in checkov. */
  readonly checkov?: readonly string[];
  readonly checks: readonly PolicyCheck[];
}
