import type { Logger } from '../log.ts';
import { flapWindow, judgeAlerts } from './alerts.ts';
import { type Check, type CheckResult, isUnseen, type Sort, whyOf } from './check.ts';
import { findingOf, fingerprintOf, type MonitorFinding } from './finding.ts';
import type { GroupCommit } from './group-commit.ts';
import { type Outcome, outcomeOf, runCheck, type Seen } from './run-check.ts';
import type { AlertStore, MonitorStore, StoredMonitor, StoredResult } from './store.ts';
import type { Target } from './target.ts';
import type { Telling } from './telling.ts';
import type { Visit } from './visit.ts';

/** One look at one target, and what comes of it. */

const DAY = 86_400_000;
/** Characters of a reason. */
const REASON = 500;

export interface LookParts {
  readonly store: MonitorStore;
  readonly alerts: AlertStore;
  readonly group: GroupCommit;
  readonly checks: readonly Check[];
  readonly telling: Telling;
  readonly log: Logger;
  /** Whether a target is still looked at by a check: the inventory may have changed. */
  isWatched(monitor: StoredMonitor, target: string, check: Check): boolean;
  onCheck(check: string, outcome: Outcome, seconds: number): void;
}

/**
 * Runs the checks of a sort at a target, one after the other, and keeps what each of them found as soon as it has
 * ended: one that takes too long, or fails, takes nothing of the others with it.
 */
export async function look(
  parts: LookParts,
  monitor: StoredMonitor,
  target: Target,
  sort: Sort,
  visit: Visit,
): Promise<void> {
  const kept: Promise<void>[] = [];
  try {
    for (const check of parts.checks) {
      if (check.sort !== sort || !check.wants(target)) continue;
      const begun = performance.now();
      const seen = await runCheck(check, target, visit, parts.log);
      parts.onCheck(check.name, outcomeOf(seen), (performance.now() - begun) / 1000);
      const done = parts.group.add(() => {
        // It may have been stopped, or have other options or targets, since the look began.
        const now = parts.store.byKey(monitor.key);
        if (now?.state === 'active' && parts.isWatched(now, target.name, check))
          keep(parts, now, target, seen);
      });
      // It is waited for below; until then it is nobody's fault.
      done.catch(() => {});
      kept.push(done);
    }
  } finally {
    await Promise.all(kept);
  }
}

function keep(
  parts: LookParts,
  monitor: StoredMonitor,
  target: Target,
  { check, result, trouble }: Seen,
): void {
  const { store } = parts;
  const at = Date.now();
  const before = store.result(monitor.key, target.name, check.name);
  const known = { target: target.name, check: check.name, at, trouble };
  let after: StoredResult;
  let news = false;
  if (isUnseen(result)) {
    const { findings = [], measures = {}, points = {}, seenAt } = before ?? {};
    const unseen = result.unseen.slice(0, REASON);
    after = { ...known, seenAt, unseen, findings, measures, points };
  } else {
    const stands = standingOf(target.name, check, result, before?.findings);
    const left = before?.findings.filter(({ fingerprint }) => stands(fingerprint)) ?? [];
    const found = result.faults.map((fault) => findingOf(target.name, fault));
    const { gaps = [], measures = {}, points = {} } = result;
    const unseen = whyOf(gaps);
    after = {
      ...known,
      seenAt: at,
      unseen: unseen !== '' ? unseen.slice(0, REASON) : undefined,
      findings: [...found, ...left],
      measures,
      points,
    };
    news = raiseAndClear(parts, monitor, target, check, found, stands, at);
    const { up } = measures;
    if (up !== undefined) store.countLook(monitor.key, target.name, Math.floor(at / DAY), up === 1);
  }
  store.putResult(monitor.key, after);
  if (news || !same(before, after)) store.touch(monitor.key);
}

/** Tells of a fingerprint whether a check might have found it where it could not look. */
function standingOf(
  target: string,
  check: Check,
  { faults, gaps = [] }: CheckResult,
  before: readonly MonitorFinding[] = [],
) {
  const hidden = gaps.flatMap(({ rules = check.rules, subject, scanner }) => {
    if (scanner === undefined) return rules.map((rule) => fingerprintOf(target, rule.id, subject));
    return before.filter(({ scanners }) => scanners?.includes(scanner)).map(({ fingerprint }) => fingerprint);
  });
  const standing = new Set(hidden);
  for (const { rule, subject } of faults) standing.delete(fingerprintOf(target, rule.id, subject));
  return (fingerprint: string) => standing.has(fingerprint);
}

/** Whether nothing has changed that somebody would want to be told of. */
function same(before: StoredResult | undefined, after: StoredResult): boolean {
  const gist = (result: StoredResult | undefined) =>
    JSON.stringify([
      result?.trouble,
      result?.unseen === undefined,
      result?.findings.map(({ fingerprint }) => fingerprint),
    ]);
  return before !== undefined && gist(before) === gist(after);
}

function raiseAndClear(
  { alerts, telling }: LookParts,
  monitor: StoredMonitor,
  target: Target,
  check: Check,
  findings: StoredResult['findings'],
  stands: (fingerprint: string) => boolean,
  at: number,
): boolean {
  const { key, threshold, intervalMs } = monitor;
  const since = at - flapWindow(intervalMs);
  const {
    raise,
    clear,
    keep: kept,
  } = judgeAlerts(
    alerts.open(key, target.name, check.name).filter(({ fingerprint }) => !stands(fingerprint)),
    findings,
    { threshold, sort: check.sort },
    (fingerprint) => alerts.raisedSince(key, fingerprint, since),
  );
  for (const { alert, good } of kept) if (alert.good !== good) alerts.setGood(alert.id, good);
  for (const { finding, flapping } of raise) {
    telling.raised(monitor, alerts.raise(key, check.name, finding, flapping, at), at);
  }
  for (const { alert, reason } of clear) telling.clear(monitor, alert.id, at, reason);
  return raise.length + clear.length > 0;
}
