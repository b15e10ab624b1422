import { redactChannelAddress } from '../lib/network/channel-address.ts';
import { SEVERITIES } from '../lib/severity.ts';
import { findMaintenanceEnd } from './alerts/maintenance.ts';
import type { TargetUptime } from './history/history-store.ts';
import type {
  CheckCoverage,
  Infrastructure,
  MonitorFacts,
  MonitorFinding,
  MonitorStatus,
  SecurityGrade,
  Target,
  TargetStatus,
} from './service-types.ts';
import type { StoredMonitor, StoredResult } from './store.ts';

export interface StatusParts
  extends Pick<MonitorFacts, 'openAlerts' | 'alerts' | 'deliveries' | 'deadLetters'> {
  readonly monitor: StoredMonitor;
  readonly now: number;
  readonly infrastructure: Infrastructure | undefined;
  /** Why the changed inventory file is not used, or undefined if it is used. */
  readonly listingTrouble: string | undefined;
  /** Time at which this process lost its network. Undefined with a network, or if it never probes. */
  readonly networkMissingSince: number | undefined;
  readonly results: readonly StoredResult[];
  checksOf(target: Target): readonly { readonly name: string; readonly everyMs: number }[];
  readonly uptime: readonly TargetUptime[];
  readonly upcoming: readonly { readonly target: string; readonly dueAt: number }[];
}

export function computeMonitorStatus(parts: StatusParts): MonitorFacts {
  const { monitor, infrastructure, results, upcoming, openAlerts, alerts, deliveries, deadLetters } = parts;
  const listed = infrastructure?.source === 'public' ? undefined : parts.listingTrouble;
  const lastRun = latest(results.map(({ at }) => at));
  const trouble = [monitor.trouble, listed, withoutNetwork(parts), whyNotProbed(parts, lastRun)]
    .filter((why) => why !== undefined)
    .join('; ');
  const byTarget = Map.groupBy(results, ({ target }) => target);
  const nextOf = new Map(upcoming.toReversed().map((one) => [one.target, one.dueAt]));
  const uptimeOf = new Map(parts.uptime.map((one) => [one.target, one]));
  const known = (infrastructure?.targets ?? []).map((target): Readings => {
    const [nextRun, uptime] = [nextOf.get(target.name), uptimeOf.get(target.name)];
    return { target, results: byTarget.get(target.name) ?? [], nextRun, uptime };
  });
  const targets = known.map(targetStatus);
  const findings = results.flatMap((result) => result.findings).sort(worstFirst);
  const nextRun = upcoming[0]?.dueAt;
  return {
    id: monitor.id,
    status: judge(monitor, trouble, targets, openAlerts),
    state: monitor.state,
    trouble: trouble !== '' ? trouble : undefined,
    score: results.some(({ seenAt }) => seenAt !== undefined) ? computeMonitorScore(findings) : undefined,
    threshold: monitor.threshold,
    intervalMs: monitor.intervalMs,
    webhook: monitor.webhook !== undefined ? redactChannelAddress(monitor.webhook) : undefined,
    probing: monitor.probing,
    maintenanceUntil: findMaintenanceEnd(monitor.probing.maintenance ?? [], parts.now),
    contact: infrastructure?.owner,
    tags: infrastructure?.tags ?? [],
    startedAt: monitor.startedAt,
    lastRun,
    nextRun,
    uptime: uptimeOfAll(known),
    targets,
    findings,
    openAlerts,
    alerts,
    deliveries,
    deadLetters,
    coverage: known.flatMap((one) => coverageOf(one, parts)),
  };
}

interface Readings {
  readonly target: Target;
  readonly results: readonly StoredResult[];
  readonly nextRun: number | undefined;
  readonly uptime: TargetUptime | undefined;
}

function uptimeOfAll(known: readonly Readings[]): number | undefined {
  const all = known.flatMap(({ uptime }) => uptime ?? []);
  const upMs = all.reduce((sum, one) => sum + one.upMs, 0);
  const downMs = all.reduce((sum, one) => sum + one.downMs, 0);
  return shareOf(upMs, downMs);
}

function shareOf(upMs: number, downMs: number): number | undefined {
  return upMs + downMs > 0 ? upMs / (upMs + downMs) : undefined;
}

function targetStatus({ target, results: own, nextRun, uptime }: Readings): TargetStatus {
  const measures = Object.assign({}, ...own.map((result) => result.measures)) as TargetStatus['measures'];
  const points = own.flatMap((result) => Object.values(result.points));
  const lastRun = latest(own.map(({ at }) => at));
  const failed = own.flatMap(({ check, trouble }) =>
    trouble === undefined ? [] : [[check, trouble] as const],
  );
  const { up, ...rest } = measures;
  // If the last probe could not examine the target, `up` is unknown.
  const isKnown = own.every((result) => result.unseen === undefined || result.measures.up === undefined);
  return {
    name: target.name,
    kind: target.kind,
    up: up !== undefined && isKnown ? up === 1 : undefined,
    uptime: uptime && shareOf(uptime.upMs, uptime.downMs),
    grade: target.kind === 'url' && points.length > 0 ? computeGrade(points) : undefined,
    measures: rest,
    lastRun,
    nextRun,
    trouble: Object.fromEntries(failed),
  };
}

const UNWATCHED = { active: undefined, paused: 'watching is paused', stopped: 'watching was stopped' };

function coverageOf({ target, results: own }: Readings, { monitor, checksOf }: StatusParts): CheckCoverage[] {
  return checksOf(target).map(({ name, everyMs }) => {
    const result = own.find((one) => one.check === name);
    const unseen = result ? result.unseen : 'not probed yet';
    const reason = UNWATCHED[monitor.state] ?? unseen;
    return { check: name, target: target.name, everyMs, at: result?.seenAt, reason };
  });
}

function withoutNetwork({ monitor, networkMissingSince: since }: StatusParts): string | undefined {
  if (since === undefined || monitor.state !== 'active') return undefined;
  return `Magpie cannot reach the network since ${minuteOf(since)}: how its targets stand is unknown`;
}

function minuteOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const [OVERDUE_INTERVALS, MIN_OVERDUE_MS] = [3, 300_000];

function whyNotProbed({ monitor, now, infrastructure, checksOf }: StatusParts, lastRun = 0) {
  const every = infrastructure?.targets.flatMap(checksOf).map(({ everyMs }) => everyMs) ?? [];
  // Counts from the last start at the earliest, because a paused monitor has no probes.
  const since = Math.max(lastRun, monitor.startedAt);
  const isOverdue = now - since > Math.max(MIN_OVERDUE_MS, OVERDUE_INTERVALS * Math.min(...every));
  if (monitor.state !== 'active' || !isOverdue) return undefined;
  return `not probed since ${minuteOf(since)}: a running Magpie probes it (magpie serve)`;
}

/** Returns `down` if no target is up, `alerting` with open alerts, `degraded` after failures. */
function judge(
  { state }: StoredMonitor,
  trouble: string,
  targets: readonly TargetStatus[],
  openAlerts: number,
): MonitorStatus {
  if (state !== 'active') return 'stopped';
  const seen = targets.filter(({ up }) => up !== undefined);
  const down = seen.filter(({ up }) => up === false);
  if (down.length > 0 && down.length === seen.length) return 'down';
  if (openAlerts > 0) return 'alerting';
  const failed = targets.some((target) => Object.keys(target.trouble).length > 0);
  return down.length > 0 || failed || trouble !== '' ? 'degraded' : 'active';
}

/** Subtracts from 100 half the square of each rule's worst CVSS score. A score of 10 costs 50 points. */
export function computeMonitorScore(findings: readonly Pick<MonitorFinding, 'id' | 'score'>[]): number {
  const worst = new Map<string, number>();
  for (const { id, score } of findings) worst.set(id, Math.max(score, worst.get(id) ?? 0));
  const taken = [...worst.values()].reduce((sum, score) => sum + score ** 2 / 2, 0);
  return Math.max(0, Math.round(100 - taken));
}

function worstFirst(a: MonitorFinding, b: MonitorFinding): number {
  const severity = SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
  return severity || b.score - a.score || (a.id < b.id ? -1 : 1);
}

function latest(times: readonly number[]): number | undefined {
  return times.reduce<number | undefined>((last, at) => Math.max(last ?? at, at), undefined);
}

const GRADES = 'A+ A A- B+ B B- C+ C C- D+ D D- F'.split(' ');
/** The score from which on each grade is given, in the order of `GRADES`. */
const GRADE_SCORES = [100, 90, 85, 80, 70, 65, 60, 50, 45, 40, 30, 25, 0];
const EXTRA_POINTS_SCORE = 90;

/** Computes the HTTP Observatory's grade: 100 minus penalties. Bonus points count from a score of 90 on. */
export function computeGrade(points: Iterable<number>): SecurityGrade {
  let [taken, added] = [0, 0];
  for (const count of points) {
    if (count < 0) taken += count;
    else added += count;
  }
  const base = 100 + taken;
  const score = Math.max(0, base >= EXTRA_POINTS_SCORE ? base + added : base);
  return { score, grade: GRADES[GRADE_SCORES.findIndex((least) => score >= least)] ?? 'F' };
}
