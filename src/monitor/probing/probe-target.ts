import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import type { Batcher } from '../../lib/concurrency/batcher.ts';
import { isTimeout, withDeadline } from '../../lib/concurrency/deadline.ts';
import { redactSecrets } from '../../lib/secrets/redact.ts';
import type { Logger } from '../../log.ts';
import type { ProbeSchedule } from '../scheduling/schedule.ts';
import type { CheckOutcome, FirstProbeWatch, Infrastructure, MonitorEvents } from '../service-types.ts';
import type { CheckedTarget, MonitorStore, StoredMonitor } from '../store.ts';
import type { MonitorTarget } from '../targets/target.ts';
import {
  type CheckResult,
  getTimeLimitMs,
  type InconclusiveResult,
  isInconclusiveResult,
  type MonitorCheck,
} from './check.ts';
import type { CheckCadence } from './check-cadence.ts';
import type { ProbeContext } from './probe-context.ts';

export interface ProbeResult {
  readonly monitor: StoredMonitor;
  readonly target: MonitorTarget;
  readonly seen: CheckRun;
}

export interface ProbeCall {
  readonly monitor: StoredMonitor;
  readonly target: MonitorTarget;
  readonly sort: CheckCadence;
}

export interface ProbeParts {
  readonly checks: readonly MonitorCheck[];
  readonly results: Batcher<ProbeResult, number | undefined>;
  readonly log: Logger;
  readonly onCheck: MonitorEvents['onCheck'];
}

/** Runs one cadence's checks. Returns the ms until the next probe, or undefined for the usual interval. */
export async function probeTarget(
  { checks, results, log, onCheck }: ProbeParts,
  { monitor, target, sort }: ProbeCall,
  probe: ProbeContext,
): Promise<number | undefined> {
  const recorded: Promise<number | undefined>[] = [];
  let waits: readonly (number | undefined)[] = [];
  try {
    for (const check of checks) {
      if (check.sort !== sort || !check.wants(target)) continue;
      const begun = performance.now();
      const seen = await runCheck(check, target, probe, log);
      onCheck(check.name, classifyCheckRun(seen), (performance.now() - begun) / 1000);
      const done = results.add({ monitor, target, seen });
      // Handles a rejection that occurs before the `await` below. Otherwise it would end the process.
      done.catch(() => {});
      recorded.push(done);
    }
  } finally {
    waits = await Promise.all(recorded);
  }
  const soonest = Math.min(...waits.filter((wait) => wait !== undefined));
  return Number.isFinite(soonest) ? soonest : undefined;
}

interface CheckRun {
  readonly check: MonitorCheck;
  readonly result: CheckResult | InconclusiveResult;
  readonly trouble?: string;
}

/** Runs a check. A failed check is a result too: rejects only if the probe is aborted. */
async function runCheck(check: MonitorCheck, target: MonitorTarget, probe: ProbeContext, log: Logger) {
  const { signal } = probe;
  try {
    const result = await withDeadline(signal, getTimeLimitMs(check), (own) =>
      check.run(target, probe.withSignal(own)),
    );
    return { check, result };
  } catch (error) {
    if (signal.aborted && !isTimeout(signal.reason)) throw error;
    const trouble = troubleOf(error);
    log.warn({ err: error, check: check.name, target: target.name }, 'a check of monitoring failed');
    return { check, result: { unseen: trouble }, trouble };
  }
}

function troubleOf(error: unknown): string {
  if (isTimeout(error)) return 'it did not end in time';
  const known = error instanceof AppError && error.code !== 'internal';
  return known ? redactSecrets(error.message).slice(0, 500) : 'the check failed; the log has the details';
}

function classifyCheckRun({ result, trouble }: CheckRun): CheckOutcome {
  if (trouble !== undefined) return 'failed';
  if (isInconclusiveResult(result)) return 'unknown';
  return result.problems.length > 0 ? 'findings' : 'good';
}

interface FirstProbeParts {
  readonly monitors: Pick<MonitorStore, 'listTried'>;
  readonly schedule: Pick<ProbeSchedule, 'isWorked'>;
  readonly checks: readonly MonitorCheck[];
}

const [MAX_WAIT_MS, SIGN_WAIT_MS, POLL_INTERVAL_MS] = [10_000, 2500, 100];

export async function awaitFirstProbe(
  { monitors, schedule, checks }: FirstProbeParts,
  monitor: StoredMonitor,
  { targets }: Infrastructure,
  { signal, progress }: FirstProbeWatch,
): Promise<void> {
  const wanted = targets.map((target) => {
    const sort: CheckCadence = target.kind === 'repository' ? 'scan' : 'watch';
    const names = checks
      .filter((check) => check.sort === sort && check.wants(target))
      .map(({ name }) => name);
    return { target: target.name, names };
  });
  const begun = performance.now();
  let reported = 0;
  for (;;) {
    const tried = new Set((await monitors.listTried(monitor.key, monitor.startedAt)).map(keyOf));
    const done = wanted.filter(({ target, names }) =>
      names.every((check) => tried.has(keyOf({ target, check }))),
    );
    if (done.length === wanted.length) return;
    if (done.length > reported) progress(`probed ${done.length} of ${wanted.length} targets`);
    reported = done.length;
    const passed = performance.now() - begun;
    if (passed >= MAX_WAIT_MS) return;
    if (passed >= SIGN_WAIT_MS && tried.size === 0 && !(await schedule.isWorked())) return;
    await wait(POLL_INTERVAL_MS, undefined, { signal });
  }
}

const keyOf = ({ target, check }: CheckedTarget): string => `${check} ${target}`;
