import type { ControlStatus } from './assessment.ts';

export interface ControlChange {
  readonly standard: string;
  readonly control: string;
  readonly title: string;
  readonly before?: ControlStatus;
  readonly now: ControlStatus;
  /** Set if the control had a result before and is now `manual` or `not_assessed`: why it has no result. */
  readonly reason?: string;
}

export interface AssessmentComparison {
  readonly since: string;
  readonly lacked: readonly NewlyCheckedStandard[];
  readonly changes: readonly ControlChange[];
  /** Fingerprints of new findings in files or targets that the earlier assessment also examined. */
  readonly appeared: readonly string[];
  /** Fingerprints of findings that no longer exist, although their files or targets were examined again. */
  readonly gone: readonly string[];
  readonly accepted: readonly string[];
  readonly unknown: readonly { readonly fingerprint: string; readonly reason: string }[];
}

/** A standard that the previous assessment lacks. `since` is the id of an older assessment that has it. */
export interface NewlyCheckedStandard {
  readonly standard: string;
  readonly since?: string;
}
