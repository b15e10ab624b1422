import type { CheckCadence } from '../probing/check-cadence.ts';
import type { ClearReason, MonitorFinding, OpenAlert } from '../service-types.ts';

export interface AlertDecision {
  readonly raise: readonly { readonly finding: MonitorFinding; readonly flapping: boolean }[];
  readonly clear: readonly { readonly alert: OpenAlert; readonly reason: ClearReason }[];
  readonly keep: readonly { readonly alert: OpenAlert; readonly good: number }[];
  readonly suspects: UnconfirmedCounts;
  /** True if the next probe may clear an alert. The next probe should then run early. */
  readonly isClearing: boolean;
}

/** By fingerprint: the number of consecutive probes that found this problem, which has no alert yet. */
export type UnconfirmedCounts = Readonly<Record<string, number>>;

export interface DecideAlertsOptions {
  readonly threshold: number;
  readonly sort: CheckCadence;
  /** Number of further probes that must find a new problem before an alert is raised. Default: 0. */
  readonly retries?: number;
  readonly suspects?: UnconfirmedCounts;
  readonly isQuiet?: boolean;
}

const FLAPPING_RAISES = 3;
const GOOD_PROBES: Readonly<Record<CheckCadence, number>> = { watch: 2, survey: 1, scan: 1 };
const GOOD_PROBES_OF_FLAPPING = 6;
const MAX_GOOD_PROBES = 384;

export function listFingerprintsToCount(
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

export function computeFlappingWindowMs(intervalMs: number): number {
  return Math.max(3_600_000, 20 * intervalMs);
}

export function decideAlerts(
  open: readonly OpenAlert[],
  findings: readonly MonitorFinding[],
  { threshold, sort, retries = 0, suspects = {}, isQuiet = false }: DecideAlertsOptions,
  raisedBefore: (fingerprint: string) => number,
): AlertDecision {
  const bad = new Map(
    findings.filter(({ score }) => score >= threshold).map((finding) => [finding.fingerprint, finding]),
  );
  const stays = new Set(findings.map(({ fingerprint }) => fingerprint));
  const standing = new Set(open.map(({ fingerprint }) => fingerprint));
  const keep: { alert: OpenAlert; good: number }[] = [];
  const clear: AlertDecision['clear'][number][] = [];
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

function goodProbesFor(raises: number): number {
  return Math.min(MAX_GOOD_PROBES, GOOD_PROBES_OF_FLAPPING * 2 ** Math.max(0, raises - FLAPPING_RAISES));
}
