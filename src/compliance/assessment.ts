import type { Severity } from '../lib/severity.ts';
import type { Coverage, StandardName } from './catalogue.ts';
import type { EvidenceFinding, Practice, Probe, Subject } from './evidence.ts';

export const STATUSES = ['pass', 'fail', 'manual', 'not_assessed'] as const;
export type Status = (typeof STATUSES)[number];

/** What a check says of one control, and by what. */
export interface ControlResult {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  /** The statement of one that failed, where its title is not all of it. */
  readonly text?: string;
  readonly status: Status;
  /** Why it is so, or what somebody has to look at, in plain words. */
  readonly reason: string;
  readonly reach?: Coverage['reach'];
  /** Ids of the checks that it goes by, and weaknesses (`CWE-89`) that count against it whichever check finds them. */
  readonly checks: readonly string[];
  /** Fingerprints of the findings that count against it, worst first; at most 100 of `found`. */
  readonly findings: readonly string[];
  readonly found: number;
  /** Findings that somebody accepted, with a reason in the evidence. */
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

/** A check as it is kept. */
export interface Assessment {
  readonly id: string;
  /** In milliseconds. */
  readonly createdAt: number;
  readonly scope: string;
  readonly subjects: readonly Subject[];
  readonly standards: readonly StandardResult[];
  /** What the controls' fingerprints stand for, worst first. */
  readonly findings: readonly EvidenceFinding[];
  readonly looks: readonly Probe[];
  readonly practices: readonly Practice[];
  /** Of Magpie, that made it. */
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

/** Share of the controls that checks could judge, 0 to 1: passed and failed ones. Nothing else counts as judged. */
export function judged({ counts, total }: Pick<StandardResult, 'counts' | 'total'>): number {
  return total === 0 ? 0 : (counts.pass + counts.fail) / total;
}

/** Counts over several standards. */
export function sumOf(counts: Iterable<StatusCounts>): StatusCounts {
  const sum = { pass: 0, fail: 0, manual: 0, not_assessed: 0 };
  for (const one of counts) for (const status of STATUSES) sum[status] += one[status];
  return sum;
}
