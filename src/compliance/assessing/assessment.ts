import statuses from '../../lib/compliance/control-statuses.json' with { type: 'json' };
import type { Severity } from '../../lib/severity.ts';
import type { Attestation, UsedAttestation } from '../attesting/attestation.ts';
import type { ComplianceStandardInfo, ControlCoverage } from './catalogue.ts';
import type { Evidence } from './evidence.ts';

/** `pass`: checks prove compliance. `no_findings`: no proof. `attested`, `exception`: a person decided. */
export type ControlStatus = keyof typeof statuses;
export const CONTROL_STATUSES = Object.keys(statuses) as ControlStatus[];

export interface ControlResult {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly text?: string;
  readonly status: ControlStatus;
  readonly reason: string;
  readonly reach?: ControlCoverage['reach'];
  /** Ids of the checks, and CWE numbers of the findings, that determine the status. */
  readonly checks: readonly string[];
  /** Fingerprints of the worst 100 findings, worst first. `found` is the number of all findings. */
  readonly findings: readonly string[];
  readonly found: number;
  readonly accepted: number;
  readonly severity?: Severity;
  /** Time of the newest evidence, in milliseconds since the epoch. */
  readonly at?: number;
  readonly attestation?: Attestation;
  /** Status that the checks alone gave. Set only if a person's judgement replaced this status. */
  readonly checked?: ControlStatus;
}

export type StatusCounts = Readonly<Record<ControlStatus, number>>;

export interface StandardResult {
  readonly standard: ComplianceStandardInfo;
  readonly counts: StatusCounts;
  readonly total: number;
  readonly controls: readonly ControlResult[];
}

export interface Assessment extends Omit<Evidence, 'judgements'> {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly standards: readonly StandardResult[];
  /** `attestations` is undefined in assessments that were stored before Magpie had attestations. */
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

export const ZERO_STATUS_COUNTS = Object.fromEntries(
  CONTROL_STATUSES.map((status) => [status, 0]),
) as StatusCounts;

/** Returns the share (0 to 1) of controls whose status is `pass` or `fail` without a person's judgement. */
export function computeShareByChecks(result: Pick<StandardResult, 'controls' | 'total'>): number {
  const { controls, total } = result;
  const counting = controls.filter(
    ({ status, attestation }) => !attestation && (status === 'pass' || status === 'fail'),
  );
  return total === 0 ? 0 : counting.length / total;
}

export function computeShareByPeople(result: Pick<StandardResult, 'controls' | 'total'>): number {
  const { controls, total } = result;
  return total === 0 ? 0 : controls.filter(({ attestation }) => attestation).length / total;
}

export function countStatuses(controls: readonly Pick<ControlResult, 'status'>[]): StatusCounts {
  const counts: Record<ControlStatus, number> = { ...ZERO_STATUS_COUNTS };
  for (const { status } of controls) counts[status]++;
  return counts;
}

export function sumStatusCounts(counts: Iterable<StatusCounts>): StatusCounts {
  const sum = { ...ZERO_STATUS_COUNTS };
  for (const one of counts) for (const status of CONTROL_STATUSES) sum[status] += one[status];
  return sum;
}
