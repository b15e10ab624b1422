import type { Severity } from '../../lib/severity.ts';
import type { Attestation, UsedAttestation } from '../attesting/attestation.ts';
import type { Technology } from '../evidence/technologies.ts';
import type { ControlCoverage, StandardName } from './catalogue.ts';
import type { EvidenceFinding, EvidenceProbe, EvidenceSubject, Practice } from './evidence.ts';

/**
 * `pass`: checks prove that the control is met. `no_findings`: checks found no violation, which proves nothing. `attested`: a
 * person declared the control met. `exception`: a person accepted that the control is not met.
 */
export const CONTROL_STATUSES = [
  'pass',
  'fail',
  'attested',
  'exception',
  'no_findings',
  'not_applicable',
  'manual',
  'not_assessed',
] as const;
export type ControlStatus = (typeof CONTROL_STATUSES)[number];

export interface ControlResult {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  /** Full statement of a failed control. Undefined if the title is the full statement. */
  readonly text?: string;
  readonly status: ControlStatus;
  /** Reason for the status, or what a person must inspect, as text for the user. */
  readonly reason: string;
  readonly reach?: ControlCoverage['reach'];
  /** Ids of the checks that decide the control's status, and CWE numbers of findings that count against it. */
  readonly checks: readonly string[];
  /** Fingerprints of findings against the control, worst first: at most 100. `found` is the number of all findings. */
  readonly findings: readonly string[];
  readonly found: number;
  /** Number of findings that a person accepted. `Assessment.findings` has the reasons. */
  readonly accepted: number;
  readonly severity?: Severity;
  /** Time of the newest evidence, in milliseconds since the epoch. */
  readonly at?: number;
  readonly attestation?: Attestation;
  /** Status that the checks gave. Set only if a person's judgement replaced it. */
  readonly checked?: ControlStatus;
}

export type StatusCounts = Readonly<Record<ControlStatus, number>>;

export interface StandardResult {
  readonly standard: StandardName;
  readonly counts: StatusCounts;
  readonly total: number;
  readonly controls: readonly ControlResult[];
}

export interface Assessment {
  readonly id: string;
  /** Time of the check, in milliseconds since the epoch. */
  readonly createdAt: number;
  readonly scope: string;
  readonly subjects: readonly EvidenceSubject[];
  readonly standards: readonly StandardResult[];
  readonly findings: readonly EvidenceFinding[];
  /** Probes of all checks. The field is called `looks` in stored data and reports. */
  readonly looks: readonly EvidenceProbe[];
  readonly practices: readonly Practice[];
  /** Technologies that the repositories use. Undefined if an earlier version stored the assessment. */
  readonly technologies?: readonly Technology[];
  /** People's judgements of controls, and whether each was applied. Undefined if an earlier version stored the assessment. */
  readonly attestations?: readonly UsedAttestation[];
  readonly version: string;
}

export interface AssessmentSummary {
  readonly id: string;
  readonly createdAt: number;
  readonly scope: string;
  readonly standards: readonly string[];
  readonly counts: StatusCounts;
}

export const ZERO_STATUS_COUNTS: StatusCounts = {
  pass: 0,
  fail: 0,
  attested: 0,
  exception: 0,
  no_findings: 0,
  not_applicable: 0,
  manual: 0,
  not_assessed: 0,
};

/** Returns the share of controls that checks passed or failed without a person's judgement, from 0 to 1. */
export function computeShareByChecks({
  controls,
  total,
}: Pick<StandardResult, 'controls' | 'total'>): number {
  const counting = controls.filter(
    ({ status, attestation }) => !attestation && (status === 'pass' || status === 'fail'),
  );
  return total === 0 ? 0 : counting.length / total;
}

/** Returns the share of controls whose status comes from a person's judgement, from 0 to 1. */
export function computeShareByPeople({
  controls,
  total,
}: Pick<StandardResult, 'controls' | 'total'>): number {
  return total === 0 ? 0 : controls.filter(({ attestation }) => attestation).length / total;
}

export function sumStatusCounts(counts: Iterable<StatusCounts>): StatusCounts {
  const sum = { ...ZERO_STATUS_COUNTS };
  for (const one of counts) for (const status of CONTROL_STATUSES) sum[status] += one[status];
  return sum;
}
