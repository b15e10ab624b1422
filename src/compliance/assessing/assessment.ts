import type { Severity } from '../../lib/severity.ts';
import type { Attestation, UsedAttestation } from '../attesting/attestation.ts';
import type { Technology } from '../evidence/technologies.ts';
import type { Coverage, StandardName } from './catalogue.ts';
import type { EvidenceFinding, Practice, Probe, Subject } from './evidence.ts';

/**
 * `pass`: checks see all that the control asks for, and saw that it is so. `attested`: a person judged that it holds. `exception`: a
 * person excepts it until a day. `no_findings`: checks searched for what would break it, and found nothing, which is evidence and
 * no proof. `not_applicable`: the scope has nothing that the control is about.
 */
export const STATUSES = [
  'pass',
  'fail',
  'attested',
  'exception',
  'no_findings',
  'not_applicable',
  'manual',
  'not_assessed',
] as const;
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
  /** The judgement of a person that its status comes from. */
  readonly attestation?: Attestation;
  /** The status that checks alone give it, where a person's judgement counts. */
  readonly checked?: Status;
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
  /** What repositories use; checks of earlier versions have none. */
  readonly technologies?: readonly Technology[];
  /** People's judgements of controls of these standards, each with what came of it; checks of earlier versions have none. */
  readonly attestations?: readonly UsedAttestation[];
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
  attested: 0,
  exception: 0,
  no_findings: 0,
  not_applicable: 0,
  manual: 0,
  not_assessed: 0,
};

/** Share of the controls that checks could judge, 0 to 1: those that passed or failed by them. */
export function judged({ controls, total }: Pick<StandardResult, 'controls' | 'total'>): number {
  const counting = controls.filter(
    ({ status, attestation }) => !attestation && (status === 'pass' || status === 'fail'),
  );
  return total === 0 ? 0 : counting.length / total;
}

/** Share of the controls whose status a person gave, 0 to 1. */
export function judgedByPeople({ controls, total }: Pick<StandardResult, 'controls' | 'total'>): number {
  return total === 0 ? 0 : controls.filter(({ attestation }) => attestation).length / total;
}

/** Counts over several standards. */
export function sumOf(counts: Iterable<StatusCounts>): StatusCounts {
  const sum = { ...NO_CONTROLS };
  for (const one of counts) for (const status of STATUSES) sum[status] += one[status];
  return sum;
}
