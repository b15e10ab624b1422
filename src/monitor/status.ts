import { SEVERITIES } from '../lib/severity.ts';
import type { MonitorFinding } from './finding.ts';
import { type Grade, gradeOf } from './grade.ts';
import type {
  DeadLetter,
  Deliveries,
  MonitorState,
  StoredAlert,
  StoredMonitor,
  StoredResult,
  Uptime,
} from './store.ts';
import type { Infrastructure, Target } from './target.ts';

export const STATUSES = ['active', 'degraded', 'down', 'alerting', 'stopped'] as const;
export type MonitorStatus = (typeof STATUSES)[number];

/** How one target stands; times are milliseconds since the epoch. */
export interface TargetStatus {
  readonly name: string;
  readonly kind: Target['kind'];
  /** Undefined until it was looked at, and for repositories. */
  readonly up?: boolean;
  /** Share of the looks of the last 30 days that found it up, 0 to 1. */
  readonly uptime?: number;
  /** Of the HTTP Observatory; of web pages. */
  readonly grade?: Grade;
  readonly measures: Readonly<Record<string, number | string>>;
  readonly lastRun?: number;
  readonly nextRun?: number;
  /** Checks that failed, with why. */
  readonly trouble: Readonly<Record<string, string>>;
}

/** How a monitor stands. */
export interface Monitored {
  readonly id: string;
  readonly status: MonitorStatus;
  readonly state: MonitorState;
  readonly trouble?: string;
  /** 0 to 100; see `scoreOf`. Undefined until something was looked at. */
  readonly score?: number;
  readonly threshold: number;
  readonly intervalMs: number;
  /** Only where it leads: what follows its host may be a password. */
  readonly webhook?: string;
  readonly contact?: string;
  readonly tags: readonly string[];
  readonly startedAt: number;
  readonly lastRun?: number;
  readonly nextRun?: number;
  readonly uptime?: number;
  readonly targets: readonly TargetStatus[];
  /** Worst first. */
  readonly findings: readonly MonitorFinding[];
  readonly openAlerts: number;
  /** Open ones first, then ended ones; the newest first of each. */
  readonly alerts: readonly StoredAlert[];
  readonly deliveries: Deliveries;
  /** Notices that were given up, newest first. */
  readonly deadLetters: readonly DeadLetter[];
  /** Each check at each target that it is for. */
  readonly looked: readonly Looked[];
}

/** What a check has seen of a target: it was looked for there, all of it and lately, only where there is no `reason`. */
export interface Looked {
  readonly check: string;
  readonly target: string;
  /** When it last really saw something there, in milliseconds since the epoch; undefined when it never has. */
  readonly at?: number;
  /**
   * Why it has seen nothing the last time, or not all: it is not watched now, was not looked at yet, or what the check
   * said (`the page refuses the connection`). What was found at `at` or before stands meanwhile.
   */
  readonly reason?: string;
  /** Milliseconds from one look to the next, as long as it is watched. */
  readonly everyMs: number;
}

export interface StatusParts {
  readonly monitor: StoredMonitor;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Undefined when it is in the inventory no more. */
  readonly infrastructure: Infrastructure | undefined;
  /** Why the inventory that is watched is not the one of its file. */
  readonly listingTrouble: string | undefined;
  readonly results: readonly StoredResult[];
  /** The checks that a target is looked at with, and how often. */
  checksOf(target: Target): readonly { readonly name: string; readonly everyMs: number }[];
  readonly uptime: readonly Uptime[];
  readonly upcoming: readonly { readonly target: string; readonly dueAt: number }[];
  readonly openAlerts: number;
  readonly alerts: readonly StoredAlert[];
  readonly deliveries: Deliveries;
  /** Notices that were given up, newest first. */
  readonly deadLetters: readonly DeadLetter[];
}

/** All that there is to tell of a monitor. */
export function statusOf(parts: StatusParts): Monitored {
  const { monitor, infrastructure, results, upcoming, openAlerts, alerts, deliveries, deadLetters } = parts;
  const listed = infrastructure?.source === 'public' ? undefined : parts.listingTrouble;
  const lastRun = latest(results.map(({ at }) => at));
  const trouble = [monitor.trouble, listed, unlooked(parts, lastRun)]
    .filter((why) => why !== undefined)
    .join('; ');
  const byTarget = Map.groupBy(results, ({ target }) => target);
  const nextOf = new Map(upcoming.toReversed().map((one) => [one.target, one.dueAt]));
  const uptimeOf = new Map(parts.uptime.map((one) => [one.target, one]));
  const known = (infrastructure?.targets ?? []).map((target): Known => {
    const [nextRun, uptime] = [nextOf.get(target.name), uptimeOf.get(target.name)];
    return { target, results: byTarget.get(target.name) ?? [], nextRun, uptime };
  });
  const targets = known.map(targetStatus);
  const findings = results.flatMap((result) => result.findings).sort(worstFirst);
  const nextRun = upcoming[0]?.dueAt;
  const looks = known.reduce((sum, { uptime }) => sum + (uptime?.looks ?? 0), 0);
  const ups = known.reduce((sum, { uptime }) => sum + (uptime?.ups ?? 0), 0);
  return {
    id: monitor.id,
    status: judge(monitor, trouble, targets, openAlerts),
    state: monitor.state,
    trouble: trouble !== '' ? trouble : undefined,
    score: results.some(({ seenAt }) => seenAt !== undefined) ? scoreOf(findings) : undefined,
    threshold: monitor.threshold,
    intervalMs: monitor.intervalMs,
    webhook: monitor.webhook !== undefined ? `${new URL(monitor.webhook).origin}/…` : undefined,
    contact: infrastructure?.owner,
    tags: infrastructure?.tags ?? [],
    startedAt: monitor.startedAt,
    lastRun,
    nextRun,
    uptime: looks > 0 ? ups / looks : undefined,
    targets,
    findings,
    openAlerts,
    alerts,
    deliveries,
    deadLetters,
    looked: known.flatMap((one) => lookedAt(one, parts)),
  };
}

/** A target with what is kept of it. */
interface Known {
  readonly target: Target;
  readonly results: readonly StoredResult[];
  readonly nextRun: number | undefined;
  readonly uptime: Uptime | undefined;
}

function targetStatus({ target, results: own, nextRun, uptime }: Known): TargetStatus {
  const measures = Object.assign({}, ...own.map((result) => result.measures)) as TargetStatus['measures'];
  const points = own.flatMap((result) => Object.values(result.points));
  const lastRun = latest(own.map(({ at }) => at));
  const failed = own.flatMap(({ check, trouble }) =>
    trouble === undefined ? [] : [[check, trouble] as const],
  );
  const { up, ...rest } = measures;
  return {
    name: target.name,
    kind: target.kind,
    up: up !== undefined ? up === 1 : undefined,
    uptime: uptime && uptime.looks > 0 ? uptime.ups / uptime.looks : undefined,
    grade: target.kind === 'url' && points.length > 0 ? gradeOf(points) : undefined,
    measures: rest,
    lastRun,
    nextRun,
    trouble: Object.fromEntries(failed),
  };
}

const UNWATCHED = { active: undefined, paused: 'watching is paused', stopped: 'watching was stopped' };

function lookedAt({ target, results: own }: Known, { monitor, checksOf }: StatusParts): Looked[] {
  return checksOf(target).map(({ name, everyMs }) => {
    const result = own.find((one) => one.check === name);
    const unseen = result ? result.unseen : 'not looked at yet';
    const reason = UNWATCHED[monitor.state] ?? unseen;
    return {
      check: name,
      target: target.name,
      everyMs,
      at: result?.seenAt,
      reason,
    };
  });
}

/** Intervals, and milliseconds at least, after which a look that has not come is missed. */
const [INTERVALS, LEAST] = [3, 300_000];

/** That nobody looks any more, though it is watched; undefined where somebody does, or there is nothing to look at. */
function unlooked({ monitor, now, infrastructure, checksOf }: StatusParts, lastRun = 0): string | undefined {
  const every = infrastructure?.targets.flatMap(checksOf).map(({ everyMs }) => everyMs) ?? [];
  // Started again after a pause, it has not been looked at for long, and that is no fault.
  const since = Math.max(lastRun, monitor.startedAt);
  const missed = now - since > Math.max(LEAST, INTERVALS * Math.min(...every));
  if (monitor.state !== 'active' || !missed) return undefined;
  const when = new Date(since).toISOString().slice(0, 16).replace('T', ' ');
  return `nobody has looked since ${when} UTC: a running Magpie does it (magpie serve)`;
}

/** Down: nothing answers that should. Degraded: something does not, or cannot be looked at, without an alert. */
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

/**
 * From 100, each fault takes off half the square of its score on the CVSS scale: a critical one (9.5) 45, a high one
 * (8) 32, a medium one (5) 12.5, a low one (2) 2. A fault of several targets counts once, at its worst.
 */
export function scoreOf(findings: readonly Pick<MonitorFinding, 'id' | 'score'>[]): number {
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
