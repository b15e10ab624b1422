import type { ControlStatus } from './assessment.ts';

/** A control whose status has changed. `before` is undefined if the earlier assessment did not have the control. */
export interface ControlChange {
  readonly standard: string;
  readonly control: string;
  readonly title: string;
  readonly before?: ControlStatus;
  readonly now: ControlStatus;
  /** Why the control is no longer decided, if it was decided before. Reports must not show such a change as an improvement. */
  readonly reason?: string;
}

export interface Comparison {
  readonly since: string;
  readonly lacked: readonly NewlyCheckedStandard[];
  readonly changes: readonly ControlChange[];
  /** Fingerprints of new findings in files or targets that the earlier assessment also examined. */
  readonly appeared: readonly string[];
  /** Fingerprints of findings that counted in the earlier assessment and no longer exist in files or targets examined again. */
  readonly gone: readonly string[];
  /** Fingerprints of findings that counted in the earlier assessment and that a person has accepted since. */
  readonly accepted: readonly string[];
  readonly unknown: readonly IncomparableFinding[];
}

/** A standard that the previous assessment lacks. `since` is an older assessment that has the standard, if there is one. */
export interface NewlyCheckedStandard {
  readonly standard: string;
  readonly since?: string;
}

export interface IncomparableFinding {
  readonly fingerprint: string;
  readonly reason: string;
}
