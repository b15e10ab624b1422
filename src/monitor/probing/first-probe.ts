import { setTimeout as wait } from 'node:timers/promises';
import type { Schedule } from '../scheduling/schedule.ts';
import type { CheckedTarget, MonitorStore, StoredMonitor } from '../store.ts';
import type { FirstProbeWatch, Infrastructure } from '../types.ts';
import type { Check } from './check.ts';
import type { CheckCadence } from './check-cadence.ts';

export interface FirstProbeParts {
  readonly monitors: Pick<MonitorStore, 'listTried'>;
  readonly schedule: Pick<Schedule, 'isWorked'>;
  readonly checks: readonly Check[];
}

const [MAX_WAIT_MS, SIGN_WAIT_MS, POLL_INTERVAL_MS] = [10_000, 2500, 100];

/** Waits until each target of a new monitor is probed, by this or another process. Rejects if aborted. */
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

function keyOf({ target, check }: CheckedTarget): string {
  return `${check} ${target}`;
}
