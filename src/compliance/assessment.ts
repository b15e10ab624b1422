import type { Severity } from '../lib/severity.ts';
import type { Coverage, StandardName } from './catalogue.ts';
import type { EvidenceFinding, Practice, Probe, Subject } from './evidence.ts';

/**
 * `pass`: checks see all that the control asks for, and saw that it is so. `no_findings`: they searched for what would break it,
 * and found nothing, which is evidence and no proof. `not_applicable`: the scope has nothing that the control is about.
 */
export const STATUSES = ['pass', 'fail', 'no_findings', 'not_applicable', 'manual', 'not_assessed'] as const;
export type Status = (typeof STATUSES)[number];

/** What a check says about one control, and on what evidence. */
export interface ControlResult {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  /** The full statement of a control that failed, where its title is only a part of it. */
  readonly text?: string;
  readonly status: Status;
  /** Why it is so, or what a person has to inspect, in plain words. */
  readonly reason: string;
  readonly reach?: Coverage['reach'];
  /** Ids of the checks that decide it, and weaknesses (`CWE-89`) that count against it whichever check finds them. */
  readonly checks: readonly string[];
  /** Fingerprints of the findings that count against it, worst first; at most 100 of `found`. */
  readonly findings: readonly string[];
  readonly found: number;
  /** Findings that were accepted, each with a reason in the evidence. */
  readonly accepted: number;
  /** The worst of its findings. */
  readonly severity?: Severity;
  /** When the newest of its evidence was gathered, in milliseconds. */
  readonly at?: number;
}

export type StatusCounts = Readonly<Record<Status, number>>;

export interface StandardResult {
  readonly standard: StandardName;
  readonly counts: StatusCounts;
  /** Controls in all. */
  readonly total: number;
  readonly controls: readonly ControlResult[];
}

/** A check as it is stored. */
export interface Assessment {
  readonly id: string;
  /** In milliseconds. */
  readonly createdAt: number;
  readonly scope: string;
  readonly subjects: readonly Subject[];
  readonly standards: readonly StandardResult[];
  /** The findings that the controls' fingerprints stand for, worst first. */
  readonly findings: readonly EvidenceFinding[];
  /** Called `looks` in the stored form and in reports. */
  readonly looks: readonly Probe[];
  readonly practices: readonly Practice[];
  /** Version of the Magpie that made it. */
  readonly version: string;
}

/** A check in a list. */
export interface AssessmentName {
  readonly id: string;
  readonly createdAt: number;
  readonly scope: string;
  readonly standards: readonly string[];
  readonly counts: StatusCounts;
}

/** Counts of no control at all. */
export const NO_CONTROLS: StatusCounts = {
  pass: 0,
  fail: 0,
  no_findings: 0,
  not_applicable: 0,
  manual: 0,
  not_assessed: 0,
};

/** Share of the controls that checks could judge, 0 to 1: those that passed or failed. */
export function judged({ counts, total }: Pick<StandardResult, 'counts' | 'total'>): number {
  return total === 0 ? 0 : (counts.pass + counts.fail) / total;
}

/** Counts over several standards. */
export function sumOf(counts: Iterable<StatusCounts>): StatusCounts {
  const sum = { ...NO_CONTROLS };
  for (const one of counts) for (const status of STATUSES) sum[status] += one[status];
  return sum;
}
