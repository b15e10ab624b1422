import type { Sort } from './check.ts';
import type { MonitorFinding } from './finding.ts';

/** Which alerts are raised and cleared: rules without a database or a clock. */

/** Why an alert ended: its fault is gone or scores less than the threshold now, or nobody looks for it any more. */
export const CLEAR_REASONS = [
  'recovered',
  'below_threshold',
  'target_removed',
  'monitor_stopped',
  'monitor_removed',
] as const;
export type ClearReason = (typeof CLEAR_REASONS)[number];

/** An alert that stands, of one check at one target. */
export interface OpenAlert {
  readonly id: number;
  readonly fingerprint: string;
  /** Looks in a row that did not find it. */
  readonly good: number;
  /** It came and went before. */
  readonly flapping: boolean;
}

export interface Judgement {
  readonly raise: readonly { readonly finding: MonitorFinding; readonly flapping: boolean }[];
  readonly clear: readonly { readonly alert: OpenAlert; readonly reason: ClearReason }[];
  /** Alerts that stand, with their looks without a finding from now on. */
  readonly keep: readonly { readonly alert: OpenAlert; readonly good: number }[];
}

/** Raises of one fault within the window that make it one which comes and goes, this one counted. */
const FLAPS = 3;
/** Looks in a row without the fault after which its alert is cleared. */
const CALM: Readonly<Record<Sort, number>> = { watch: 2, survey: 1, scan: 1 };
const CALM_AFTER_FLAPS = 6;
/** Looks without the fault that clear one which came and went however often. */
const LONGEST_CALM = 384;

/** Milliseconds in which raises count as coming and going: an hour, and at least twenty looks. */
export function flapWindow(intervalMs: number): number {
  return Math.max(3_600_000, 20 * intervalMs);
}

/**
 * What becomes of the alerts after a look.
 * @param findings what was found, of every score
 * @param raisedBefore how often an alert with that fingerprint was raised within the window
 */
export function judgeAlerts(
  open: readonly OpenAlert[],
  findings: readonly MonitorFinding[],
  { threshold, sort }: { readonly threshold: number; readonly sort: Sort },
  raisedBefore: (fingerprint: string) => number,
): Judgement {
  const bad = new Map(
    findings.filter(({ score }) => score >= threshold).map((finding) => [finding.fingerprint, finding]),
  );
  const stays = new Set(findings.map(({ fingerprint }) => fingerprint));
  const standing = new Set(open.map(({ fingerprint }) => fingerprint));
  const keep: { alert: OpenAlert; good: number }[] = [];
  const clear: Judgement['clear'][number][] = [];
  for (const alert of open) {
    const good = bad.has(alert.fingerprint) ? 0 : alert.good + 1;
    const calm = alert.flapping ? calmAfter(raisedBefore(alert.fingerprint)) : CALM[sort];
    if (good < calm) keep.push({ alert, good });
    else clear.push({ alert, reason: stays.has(alert.fingerprint) ? 'below_threshold' : 'recovered' });
  }
  const raise = [...bad.values()]
    .filter(({ fingerprint }) => !standing.has(fingerprint))
    .map((finding) => ({ finding, flapping: raisedBefore(finding.fingerprint) + 1 >= FLAPS }));
  return { raise, clear, keep };
}

/** Each raise beyond those that made it a fault which comes and goes doubles it: the notices become fewer. */
function calmAfter(raises: number): number {
  return Math.min(LONGEST_CALM, CALM_AFTER_FLAPS * 2 ** Math.max(0, raises - FLAPS));
}
