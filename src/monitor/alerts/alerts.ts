import type { Sort } from '../probing/sort.ts';
import type { ClearReason, MonitorFinding, OpenAlert } from '../types.ts';

/** Which alerts are raised and cleared: rules without a database or a clock. */

export interface Judgement {
  readonly raise: readonly { readonly finding: MonitorFinding; readonly flapping: boolean }[];
  readonly clear: readonly { readonly alert: OpenAlert; readonly reason: ClearReason }[];
  /** Alerts that stay open, with their probes without the problem from now on. */
  readonly keep: readonly { readonly alert: OpenAlert; readonly good: number }[];
  /** Problems that are not confirmed yet. */
  readonly suspects: Suspects;
  /** Whether the next probe would clear an alert, so that it should come at once. */
  readonly isClearing: boolean;
}

/** By fingerprint, how many probes in a row have found a problem that is not an alert yet. */
export type Suspects = Readonly<Record<string, number>>;

/** What decides besides the findings. */
export interface JudgeOptions {
  readonly threshold: number;
  readonly sort: Sort;
  /** Probes that have to find a problem again before it raises an alert; none when left out. */
  readonly retries?: number;
  /** Of the probe before. */
  readonly suspects?: Suspects;
  /** No alert is raised, as in a maintenance window. */
  readonly isQuiet?: boolean;
}

/** Raises of one problem within the window that make it a flapping one, this one included. */
const FLAPPING_RAISES = 3;
/** Probes in a row without the problem after which its alert is cleared. */
const GOOD_PROBES: Readonly<Record<Sort, number>> = { watch: 2, survey: 1, scan: 1 };
const GOOD_PROBES_OF_FLAPPING = 6;
/** Probes without the problem that clear a flapping one however often it was raised. */
const MAX_GOOD_PROBES = 384;

/** Fingerprints whose raises decide what becomes of the alerts: of flapping ones, and of those that may be raised now. */
export function fingerprintsToCount(
  open: readonly OpenAlert[],
  findings: readonly MonitorFinding[],
  threshold: number,
): string[] {
  const standing = new Set(open.map(({ fingerprint }) => fingerprint));
  const flapping = open.filter((alert) => alert.flapping).map(({ fingerprint }) => fingerprint);
  const raised = findings
    .filter(({ score, fingerprint }) => score >= threshold && !standing.has(fingerprint))
    .map(({ fingerprint }) => fingerprint);
  return [...new Set([...flapping, ...raised])];
}

/** Milliseconds in which raises count as coming and going: an hour, and at least twenty probes. */
export function flapWindow(intervalMs: number): number {
  return Math.max(3_600_000, 20 * intervalMs);
}

/**
 * What becomes of the alerts after a probe.
 * @param findings what was found, of every score
 * @param raisedBefore how often an alert with that fingerprint was raised within the window; see `fingerprintsToCount`
 */
export function judgeAlerts(
  open: readonly OpenAlert[],
  findings: readonly MonitorFinding[],
  { threshold, sort, retries = 0, suspects = {}, isQuiet = false }: JudgeOptions,
  raisedBefore: (fingerprint: string) => number,
): Judgement {
  const bad = new Map(
    findings.filter(({ score }) => score >= threshold).map((finding) => [finding.fingerprint, finding]),
  );
  const stays = new Set(findings.map(({ fingerprint }) => fingerprint));
  const standing = new Set(open.map(({ fingerprint }) => fingerprint));
  const keep: { alert: OpenAlert; good: number }[] = [];
  const clear: Judgement['clear'][number][] = [];
  let isClearing = false;
  for (const alert of open) {
    const good = bad.has(alert.fingerprint) ? 0 : alert.good + 1;
    const needed = alert.flapping ? goodProbesFor(raisedBefore(alert.fingerprint)) : GOOD_PROBES[sort];
    if (good >= needed)
      clear.push({ alert, reason: stays.has(alert.fingerprint) ? 'below_threshold' : 'recovered' });
    else keep.push({ alert, good });
    isClearing ||= good < needed && good > 0 && !alert.flapping;
  }
  const news = isQuiet ? [] : [...bad.values()].filter(({ fingerprint }) => !standing.has(fingerprint));
  const isConfirmed = ({ fingerprint }: MonitorFinding) => (suspects[fingerprint] ?? 0) >= retries;
  const raise = news
    .filter(isConfirmed)
    .map((finding) => ({ finding, flapping: raisedBefore(finding.fingerprint) + 1 >= FLAPPING_RAISES }));
  const waiting = news.filter((finding) => !isConfirmed(finding));
  const counts = waiting.map(({ fingerprint }) => [fingerprint, (suspects[fingerprint] ?? 0) + 1] as const);
  return { raise, clear, keep, suspects: Object.fromEntries(counts), isClearing };
}

/** Each raise beyond those that made it a flapping one doubles it: the notifications become fewer. */
function goodProbesFor(raises: number): number {
  return Math.min(MAX_GOOD_PROBES, GOOD_PROBES_OF_FLAPPING * 2 ** Math.max(0, raises - FLAPPING_RAISES));
}
