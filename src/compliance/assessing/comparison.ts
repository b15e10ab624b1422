import type { ControlStatus } from './assessment.ts';

/** A control whose status has changed. `before` is undefined if its standard did not have the control then. */
export interface ControlChange {
  readonly standard: string;
  readonly control: string;
  readonly title: string;
  readonly before?: ControlStatus;
  readonly now: ControlStatus;
  /** Reason why a control that had been decided is now undecided, which is not an improvement. */
  readonly reason?: string;
}

export interface Comparison {
  readonly since: string;
  readonly lacked: readonly NewlyCheckedStandard[];
  readonly changes: readonly ControlChange[];
  /** Fingerprints of findings that count now and not before, although the earlier check examined their file or target. */
  readonly appeared: readonly string[];
  /** Fingerprints of findings that counted before and no longer exist, although this check examined their file or target. */
  readonly gone: readonly string[];
  /** Fingerprints of findings that counted before, still exist, and have been accepted since. */
  readonly accepted: readonly string[];
  readonly unknown: readonly IncomparableFinding[];
}

/** A standard compared with the check `since`, or checked for the first time if `since` is undefined. */
export interface NewlyCheckedStandard {
  readonly standard: string;
  readonly since?: string;
}

export interface IncomparableFinding {
  readonly fingerprint: string;
  readonly reason: string;
}
