import type { Severity } from '../../../../lib/severity.ts';

/**
 * What a resource must be like. One of `is` to `open` says it of what stands at a path (`settings.ip_configuration`; lists
 * on the way are gone through); `any`, `all`, `each` and `some` combine such demands.
 */
export interface Condition {
  /** Path of the attribute; left out for the resource itself. */
  readonly at?: string;
  /** It is one of these; `*` in a longer one stands for anything. */
  readonly is?: readonly string[];
  /** It is none of these. */
  readonly not?: readonly string[];
  /** It is there and not empty. */
  readonly set?: true;
  /** It is not there. */
  readonly unset?: true;
  /** A number of at least, at most so much. */
  readonly least?: number;
  readonly most?: number;
  /** A list with all of these. */
  readonly has?: readonly string[];
  /** It names no network that holds every address. */
  readonly closed?: true;
  /** What it means that the attribute is not there: by default bad for `is`, `set`, `least` and `has`. */
  readonly absent?: 'fine' | 'bad';
  /** The demand holds only where this is met. */
  readonly when?: Condition;
  readonly any?: readonly Condition[];
  readonly all?: readonly Condition[];
  /** Every place at this path meets `all`; where there is none, `absent` says. */
  readonly each?: string;
  /** One place at this path meets `all`. */
  readonly some?: string;
  /** No resource of this type should be there. */
  readonly never?: true;
  /** Another resource of the file, of this type and meeting `all`, refers to this one. */
  readonly beside?: readonly string[];
}

/** The demand on resources of some types, with a resource that breaks it and one that does not. */
export interface PolicyCheck extends Condition {
  readonly types: readonly string[];
  /** Attributes, as in a manifest. */
  readonly bad: Readonly<Record<string, unknown>>;
  /** Left out where no resource of this type is right by itself. */
  readonly good?: Readonly<Record<string, unknown>>;
}

/** One entry of the files in `policies/`. */
export interface Policy {
  /** Family and resource: `unencrypted-rds-instance`. */
  readonly id: string;
  readonly family: string;
  readonly title: string;
  /** Where it is another than the family's. */
  readonly severity?: Severity;
  readonly cwe?: string;
  readonly danger?: string;
  readonly fix?: string;
  /** The same check of checkov, by its ids. */
  readonly checkov?: readonly string[];
  readonly checks: readonly PolicyCheck[];
}
