import { setTimeout as wait } from 'node:timers/promises';
import type { Check, Sort } from './check.ts';
import type { Schedule } from './schedule.ts';
import type { MonitorStore, StoredMonitor } from './store.ts';
import type { Infrastructure } from './target.ts';

export interface FirstLookParts {
  readonly store: Pick<MonitorStore, 'tried'>;
  readonly schedule: Pick<Schedule, 'isWorked'>;
  readonly checks: readonly Check[];
}

export interface FirstLookWatch {
  readonly signal: AbortSignal;
  progress(message: string): void;
}

/** Milliseconds that it is waited for in all, for a sign that anybody looks, and between two glances at the store. */
const [LONGEST, SIGN, EVERY] = [10_000, 2500, 100];

/**
 * Waits until each target of a monitor was looked at once since it began: by the checks of its own interval, a
 * repository by its scan. Ends sooner when time is up or nobody looks, in whichever process: all there is to see is in
 * the store. Rejects with the signal's reason.
 */
export async function firstLook(
  { store, schedule, checks }: FirstLookParts,
  monitor: StoredMonitor,
  { targets }: Infrastructure,
  { signal, progress }: FirstLookWatch,
): Promise<void> {
  const wanted = targets.map((target) => {
    const sort: Sort = target.kind === 'repository' ? 'scan' : 'watch';
    const names = checks
      .filter((check) => check.sort === sort && check.wants(target))
      .map(({ name }) => name);
    return { target: target.name, names };
  });
  const begun = performance.now();
  let told = 0;
  for (;;) {
    const tried = new Set(store.tried(monitor.key, monitor.startedAt).map(keyOf));
    const done = wanted.filter(({ target, names }) =>
      names.every((check) => tried.has(keyOf({ target, check }))),
    );
    if (done.length === wanted.length) return;
    if (done.length > told) progress(`looked at ${done.length} of ${wanted.length} targets`);
    told = done.length;
    const passed = performance.now() - begun;
    if (passed >= LONGEST || (passed >= SIGN && tried.size === 0 && !schedule.isWorked())) return;
    await wait(EVERY, undefined, { signal });
  }
}

function keyOf({ target, check }: { readonly target: string; readonly check: string }): string {
  return `${check} ${target}`;
}
