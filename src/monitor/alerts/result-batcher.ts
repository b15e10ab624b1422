import { createHash } from 'node:crypto';
import { type Batcher, createBatcher } from '../../lib/concurrency/batcher.ts';
import { createLimiter } from '../../lib/concurrency/limiter.ts';
import { severityOf } from '../../lib/severity.ts';
import { computeCoveredTime, findResponseMs } from '../history/history-store.ts';
import {
  type CheckProblem,
  type CheckResult,
  type InconclusiveResult,
  isInconclusiveResult,
  joinGapReasons,
  type MonitorCheck,
} from '../probing/check.ts';
import { DEFAULT_RETRIES, DEFAULT_RETRY_MS } from '../probing/probe-options.ts';
import type { ProbeResult } from '../probing/probe-target.ts';
import type { MonitorFinding } from '../service-types.ts';
import type { StoredMonitor, StoredResult } from '../store.ts';
import type { MonitorTransaction, Transact } from '../transactions.ts';
import {
  type AlertDecision,
  computeFlappingWindowMs,
  decideAlerts,
  listFingerprintsToCount,
  type UnconfirmedCounts,
} from './decide-alerts.ts';
import { findMaintenanceEnd } from './maintenance.ts';
import type { Notifier } from './notifier.ts';

export interface ResultBatcherParts {
  readonly notifier: Notifier;
  readonly hasOneWriter: boolean;
  isWatched(monitor: StoredMonitor, target: string, check: MonitorCheck): boolean;
  /** Milliseconds until the extra probe that confirms the end of a problem. Default: `CONFIRM_MS`. */
  readonly confirmMs?: number | undefined;
}

const MAX_REASON_CHARACTERS = 500;
/** Milliseconds for which results are collected into one transaction, about as long as a commit takes. */
const GATHER_MS = 10;
/** Maximum number of transactions at once. Each needs a database connection. */
const RESULTS_AT_ONCE = 4;

/** Milliseconds until an extra probe confirms a recovery. The short wait makes the recovery's time exact. */
const CONFIRM_MS = 1500;
/** Milliseconds between probes of a target that is down, or half the interval if that is shorter. */
const DOWN_INTERVAL_MS = 30_000;

export type ResultBatcher = Batcher<ProbeResult, number | undefined>;

export function createResultBatcher(transact: Transact, parts: ResultBatcherParts): ResultBatcher {
  const limiter = createLimiter({ concurrency: RESULTS_AT_ONCE });
  return createBatcher<ProbeResult, number | undefined>({
    waitMs: GATHER_MS,
    laneOf: ({ monitor }) => (parts.hasOneWriter ? '' : String(monitor.key)),
    handle: (results) =>
      limiter.run(() =>
        transact(
          results.map(({ monitor: { owner, id } }) => ({ owner, id })),
          async (tx) => {
            const nextInMs: (number | undefined)[] = [];
            for (const result of results) nextInMs.push(await recordResult(tx, parts, result));
            return nextInMs;
          },
        ),
      ),
  });
}

async function recordResult(tx: MonitorTransaction, parts: ResultBatcherParts, result: ProbeResult) {
  const { target, seen } = result;
  const monitor = await tx.monitors.findByKey(result.monitor.key);
  if (monitor?.state !== 'active' || !parts.isWatched(monitor, target.name, seen.check)) return undefined;
  const at = Date.now();
  const before = await tx.monitors.findResult(monitor.key, target.name, seen.check.name);
  const own = isInconclusiveResult(seen.result) && seen.result.isOwn ? seen.result.unseen : undefined;
  const known = { target: target.name, check: seen.check.name, at, trouble: seen.trouble ?? own };
  let after: StoredResult;
  let isChanged = false;
  let nextInMs: number | undefined;
  const isQuiet = findMaintenanceEnd(monitor.probing.maintenance ?? [], at) !== undefined;
  if (isInconclusiveResult(seen.result)) {
    after = { ...known, ...unseenParts(seen.result, before), suspects: before?.suspects };
  } else {
    const stands = standingOf(target.name, seen.check, seen.result, before?.findings);
    const found = seen.result.problems.map((problem) => toMonitorFinding(target.name, problem));
    const judgement = await raiseAndClear(tx, parts.notifier, { ...result, monitor }, found, {
      stands,
      suspects: before?.suspects,
      isQuiet,
      at,
    });
    after = { ...known, ...seenParts(seen.result, at, found, before, stands), suspects: judgement.suspects };
    const watched = isQuiet
      ? undefined
      : await noteLook(tx, parts.notifier, { ...result, monitor }, before, at);
    after = { ...after, watched };
    isChanged =
      seen.result.watched?.notice !== undefined || judgement.raise.length + judgement.clear.length > 0;
    nextInMs = nextAfter(judgement, monitor, seen.check, parts.confirmMs) ?? seen.result.againInMs;
    // Downtime during maintenance (`isQuiet`) is planned, so it does not reduce the uptime.
    if (!isQuiet || after.measures.up === 1) await countLook(tx, monitor, target.name, before, after);
  }
  await tx.monitors.putResult(monitor.key, after);
  if (isChanged || !isSame(before, after)) await tx.monitors.markChanged(monitor.key);
  return nextInMs;
}

/**
 * Returns the state to store after a probe of a page. A change is an alert that ends at once: it stays in the history, and
 * is sent as others are.
 */
async function noteLook(
  tx: MonitorTransaction,
  notifier: Notifier,
  { monitor, target, seen: { check, result } }: ProbeResult,
  stored: StoredResult | undefined,
  at: number,
): Promise<string | undefined> {
  const watched = isInconclusiveResult(result) ? undefined : result.watched;
  // Another process may have probed in the meantime. Its result then counts, and not this one.
  if (!watched || watched.before !== stored?.watched) return undefined;
  if (watched.notice) {
    const { title, ...change } = watched.notice;
    const rule = { id: 'page/changed', score: 0, title, fix: 'Read the page.' };
    const finding = toMonitorFinding(target.name, { rule, description: title, subject: String(at) });
    const id = await tx.alerts.insertAlert(monitor.key, check.name, { ...finding, change }, false, at);
    await notifier.notifyRaised(tx, monitor, id, at);
    await tx.alerts.clearAlert(id, at, 'noted');
  }
  return watched.state;
}

async function countLook(
  tx: MonitorTransaction,
  { key, intervalMs }: StoredMonitor,
  target: string,
  before: StoredResult | undefined,
  { at, measures, findings }: StoredResult,
): Promise<void> {
  const { up } = measures;
  if (up === undefined) return;
  const worst = findings.toSorted((a, b) => b.score - a.score)[0];
  await tx.history.recordProbe(key, target, {
    at,
    up: up === 1,
    ms: findResponseMs(measures),
    why: worst?.description,
    ...computeCoveredTime(at, before?.seenAt, intervalMs),
  });
}

type ResultParts = Pick<StoredResult, 'seenAt' | 'unseen' | 'findings' | 'measures' | 'points'>;

function unseenParts(result: InconclusiveResult, before: StoredResult | undefined): ResultParts {
  const { findings = [], points = {}, seenAt } = before ?? {};
  const measures = { ...before?.measures, ...result.measures };
  return { seenAt, unseen: result.unseen.slice(0, MAX_REASON_CHARACTERS), findings, measures, points };
}

function seenParts(
  { gaps = [], measures = {}, points = {} }: CheckResult,
  seenAt: number,
  found: readonly MonitorFinding[],
  before: StoredResult | undefined,
  stands: (fingerprint: string) => boolean,
): ResultParts {
  const left = before?.findings.filter(({ fingerprint }) => stands(fingerprint)) ?? [];
  const unseen = joinGapReasons(gaps).slice(0, MAX_REASON_CHARACTERS) || undefined;
  return { seenAt, unseen, findings: [...found, ...left], measures, points };
}

function standingOf(
  target: string,
  check: MonitorCheck,
  { problems, gaps = [] }: CheckResult,
  before: readonly MonitorFinding[] = [],
) {
  const hidden = gaps.flatMap(({ rules = check.rules, subject, scanner }) => {
    if (scanner === undefined) return rules.map((rule) => computeFingerprint(target, rule.id, subject));
    return before.filter(({ scanners }) => scanners?.includes(scanner)).map(({ fingerprint }) => fingerprint);
  });
  const standing = new Set(hidden);
  for (const { rule, subject } of problems) standing.delete(computeFingerprint(target, rule.id, subject));
  return (fingerprint: string) => standing.has(fingerprint);
}

function isSame(before: StoredResult | undefined, after: StoredResult): boolean {
  const gist = ({ trouble, unseen, findings }: StoredResult) =>
    JSON.stringify([trouble, unseen === undefined, findings.map(({ fingerprint }) => fingerprint)]);
  return before !== undefined && gist(before) === gist(after);
}

interface PreviousState {
  stands(fingerprint: string): boolean;
  readonly suspects: UnconfirmedCounts | undefined;
  readonly isQuiet: boolean;
  readonly at: number;
}

async function raiseAndClear(
  tx: MonitorTransaction,
  notifier: Notifier,
  { monitor, target, seen: { check } }: ProbeResult,
  found: readonly MonitorFinding[],
  { stands, suspects, isQuiet, at }: PreviousState,
): Promise<AlertDecision> {
  const { key, threshold, intervalMs, probing } = monitor;
  const open = await tx.alerts.listOpenAt(key, target.name, check.name);
  const judged = open.filter(({ fingerprint }) => !stands(fingerprint));
  const counted = listFingerprintsToCount(judged, found, threshold);
  const raises = await tx.alerts.countRaised(key, counted, at - computeFlappingWindowMs(intervalMs));
  // A check with `isRetried` repeats a failed attempt itself, which counts as one of the retries.
  const retries = check.isRetried ? Math.max(0, (probing.retries ?? DEFAULT_RETRIES) - 1) : 0;
  const judgement = decideAlerts(
    judged,
    found,
    { threshold, sort: check.sort, retries, suspects, isQuiet },
    (fingerprint) => raises.get(fingerprint) ?? 0,
  );
  const { raise, clear, keep } = judgement;
  for (const { alert, good } of keep) if (alert.good !== good) await tx.alerts.setGood(alert.id, good);
  for (const { finding, flapping } of raise) {
    const id = await tx.alerts.insertAlert(key, check.name, finding, flapping, at);
    await notifier.notifyRaised(tx, monitor, id, at);
  }
  for (const { alert, reason } of clear) await notifier.clearAlert(tx, monitor, alert.id, at, reason);
  return judgement;
}

function nextAfter(
  { raise, keep, suspects, isClearing }: AlertDecision,
  { intervalMs, probing }: StoredMonitor,
  check: MonitorCheck,
  confirmMs = CONFIRM_MS,
): number | undefined {
  if (isClearing) return confirmMs;
  if (Object.keys(suspects).length > 0) return probing.retryMs ?? DEFAULT_RETRY_MS;
  const isDown = raise.length > 0 || keep.some(({ good }) => good === 0);
  return check.isRetried && isDown ? Math.min(intervalMs / 2, DOWN_INTERVAL_MS) : undefined;
}

function computeFingerprint(target: string, rule: string, subject = ''): string {
  const hash = createHash('sha256').update(JSON.stringify([target, rule, subject]));
  return hash.digest('hex').slice(0, 32);
}

function toMonitorFinding(target: string, { rule, description, subject, score, scanners }: CheckProblem) {
  const said = score ?? rule.score;
  return {
    id: rule.id,
    severity: severityOf(said),
    score: said,
    title: rule.title,
    description,
    fix: rule.fix,
    cwe: rule.cwe,
    target,
    scanners,
    fingerprint: computeFingerprint(target, rule.id, subject),
  };
}
