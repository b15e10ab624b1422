import type { Status } from './assessment.ts';

/** A control whose status has changed; `before` is left out where its standard did not have the control then. */
export interface ControlChange {
  readonly standard: string;
  readonly control: string;
  readonly title: string;
  readonly before?: Status;
  readonly now: Status;
  /** Why a control that was judged before is not judged now: this is not an improvement. */
  readonly reason?: string;
}

/** What has changed since an earlier check. */
export interface Comparison {
  readonly since: string;
  /** Standards that the check `since` did not have. */
  readonly lacked: readonly Lacked[];
  readonly changes: readonly ControlChange[];
  /** Fingerprints of findings that count now and were absent then, although the earlier check covered their place. */
  readonly appeared: readonly string[];
  /** Fingerprints of findings that counted then and are absent now, although this check covered their place. */
  readonly gone: readonly string[];
  /** Findings that counted then, still exist, and have been accepted since. */
  readonly accepted: readonly string[];
  /** Findings of one check whose place the other check did not cover. */
  readonly unknown: readonly Unknown[];
}

/** A standard that is compared with the check `since`; where that is left out, it was checked for the first time. */
export interface Lacked {
  readonly standard: string;
  readonly since?: string;
}

export interface Unknown {
  readonly fingerprint: string;
  readonly reason: string;
}
