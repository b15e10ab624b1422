import type { Batcher } from '../../lib/concurrency/batcher.ts';
import type { Logger } from '../../log.ts';
import type { StoredMonitor } from '../store.ts';
import type { Target } from '../targets/target.ts';
import type { MonitorEvents } from '../types.ts';
import type { Check } from './check.ts';
import type { CheckCadence } from './check-cadence.ts';
import type { ProbeContext } from './probe-context.ts';
import { type CheckRun, classifyCheckRun, runCheck } from './run-check.ts';

export interface ProbeResult {
  readonly monitor: StoredMonitor;
  readonly target: Target;
  readonly seen: CheckRun;
}

export interface ProbeCall {
  readonly monitor: StoredMonitor;
  readonly target: Target;
  readonly sort: CheckCadence;
}

export interface ProbeParts {
  readonly checks: readonly Check[];
  readonly results: Batcher<ProbeResult, number | undefined>;
  readonly log: Logger;
  readonly onCheck: MonitorEvents['onCheck'];
}

/** Runs the checks of one cadence and stores the results. Returns milliseconds if the next probe is early. */
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
      // Without a handler before the `await` below, a rejection would end the process.
      done.catch(() => {});
      recorded.push(done);
    }
  } finally {
    waits = await Promise.all(recorded);
  }
  const soonest = Math.min(...waits.filter((wait) => wait !== undefined));
  return Number.isFinite(soonest) ? soonest : undefined;
}
