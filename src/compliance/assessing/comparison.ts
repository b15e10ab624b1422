import type { ControlStatus } from './assessment.ts';

/** A control whose status has changed. `before` is undefined if its standard did not have the control then. */
export interface ControlChange {
  readonly standard: string;
  readonly control: string;
  readonly title: string;
  readonly before?: ControlStatus;
  readonly now: ControlStatus;
  /** Reason why a control that was decided before is not decided now, which is not an improvement. */
  readonly reason?: string;
}

export interface Comparison {
  readonly since: string;
  readonly lacked: readonly NewlyCheckedStandard[];
  readonly changes: readonly ControlChange[];
  /** Fingerprints of findings that count now and were absent then, although the earlier check covered their place. */
  readonly appeared: readonly string[];
  /** Fingerprints of findings that counted then and are absent now, although this check covered their place. */
  readonly gone: readonly string[];
  /** Fingerprints of findings that counted then, still exist, and have been accepted since. */
  readonly accepted: readonly string[];
  readonly unknown: readonly IncomparableFinding[];
}

/** A standard that was compared with the check `since`, or was checked for the first time if `since` is undefined. */
export interface NewlyCheckedStandard {
  readonly standard: string;
  readonly since?: string;
}

export interface IncomparableFinding {
  readonly fingerprint: string;
  readonly reason: string;
}
