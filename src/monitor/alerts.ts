import type { Sort } from './check.ts';
import type { MonitorFinding } from './finding.ts';

/** Which alerts are raised and cleared: rules without a database or a clock. */

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
  readonly clear: readonly OpenAlert[];
  /** Alerts that stand, with their looks without a finding from now on. */
  readonly keep: readonly { readonly alert: OpenAlert; readonly good: number }[];
}

/** Raises of one fault within the window that make it one which comes and goes, this one counted. */
const FLAPS = 3;
/** Looks in a row without the fault after which its alert is cleared. */
const CALM: Readonly<Record<Sort, number>> = { watch: 2, survey: 1, scan: 1 };
const CALM_AFTER_FLAPS = 6;

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
  const standing = new Set(open.map(({ fingerprint }) => fingerprint));
  const keep: { alert: OpenAlert; good: number }[] = [];
  const clear: OpenAlert[] = [];
  for (const alert of open) {
    const good = bad.has(alert.fingerprint) ? 0 : alert.good + 1;
    const calm = alert.flapping ? CALM_AFTER_FLAPS : CALM[sort];
    if (good >= calm) clear.push(alert);
    else keep.push({ alert, good });
  }
  const raise = [...bad.values()]
    .filter(({ fingerprint }) => !standing.has(fingerprint))
    .map((finding) => ({ finding, flapping: raisedBefore(finding.fingerprint) + 1 >= FLAPS }));
  return { raise, clear, keep };
}
