import type { ControlStatus } from './assessment.ts';

/** `before` is undefined if the earlier assessment did not have the control. */
export interface ControlChange {
  readonly standard: string;
  readonly control: string;
  readonly title: string;
  readonly before?: ControlStatus;
  readonly now: ControlStatus;
  /** Why the control is no longer decided. Reports must not show this as an improvement. */
  readonly reason?: string;
}

export interface Comparison {
  readonly since: string;
  readonly lacked: readonly NewlyCheckedStandard[];
  readonly changes: readonly ControlChange[];
  /** Fingerprints of new findings in files or targets that the earlier assessment also examined. */
  readonly appeared: readonly string[];
  /** Fingerprints of findings that no longer exist in files or targets examined again. */
  readonly gone: readonly string[];
  /** Fingerprints of findings that a person has accepted since. */
  readonly accepted: readonly string[];
  readonly unknown: readonly IncomparableFinding[];
}

/** The previous assessment lacks this standard. `since` is an older assessment with it. */
export interface NewlyCheckedStandard {
  readonly standard: string;
  readonly since?: string;
}

export interface IncomparableFinding {
  readonly fingerprint: string;
  readonly reason: string;
}
