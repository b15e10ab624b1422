import type { Status } from './assessment.ts';

/** A control whose status is another than before; `before` is left out for one that its standard did not have then. */
export interface ControlChange {
  readonly standard: string;
  readonly control: string;
  readonly title: string;
  readonly before?: Status;
  readonly now: Status;
  /** Why nothing is known now of what was judged before: it is no better for that. */
  readonly reason?: string;
}

/** What is other than at an earlier check. */
export interface Comparison {
  readonly since: string;
  /** Standards that the check `since` did not have. */
  readonly lacked: readonly Lacked[];
  readonly changes: readonly ControlChange[];
  /** Fingerprints of findings that count now, and were looked for then and not there. */
  readonly appeared: readonly string[];
  /** The other way round. */
  readonly gone: readonly string[];
  /** They counted then, are there still, and somebody has accepted them. */
  readonly accepted: readonly string[];
  /** Found at one of both checks, and not looked for at the other. */
  readonly unknown: readonly Unknown[];
}

/** Its controls are held against the check `since`; where that is left out it is checked for the first time. */
export interface Lacked {
  readonly standard: string;
  readonly since?: string;
}

export interface Unknown {
  readonly fingerprint: string;
  readonly reason: string;
}
