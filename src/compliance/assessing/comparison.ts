import type { ControlStatus } from './assessment.ts';

/** A control whose status has changed. `before` is undefined if the standard did not have the control at the earlier check. */
export interface ControlChange {
  readonly standard: string;
  readonly control: string;
  readonly title: string;
  readonly before?: ControlStatus;
  readonly now: ControlStatus;
  /** Reason why a control that was decided before is now undecided. This change is not an improvement. */
  readonly reason?: string;
}

export interface Comparison {
  readonly since: string;
  readonly lacked: readonly NewlyCheckedStandard[];
  readonly changes: readonly ControlChange[];
  /** Fingerprints of findings that count only now, although the earlier check examined their file or target. */
  readonly appeared: readonly string[];
  /** Fingerprints of findings that counted before and do not exist now, although this check examined their file or target. */
  readonly gone: readonly string[];
  /** Fingerprints of findings that counted in the earlier check and that a person has accepted since then. */
  readonly accepted: readonly string[];
  readonly unknown: readonly IncomparableFinding[];
}

/** A standard compared with the earlier check `since`. If `since` is undefined, the standard is checked for the first time. */
export interface NewlyCheckedStandard {
  readonly standard: string;
  readonly since?: string;
}

export interface IncomparableFinding {
  readonly fingerprint: string;
  readonly reason: string;
}
