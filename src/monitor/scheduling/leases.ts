import { isRunnerDead } from '../../lib/concurrency/runner.ts';
import type { LeaseStore } from '../store.ts';

export async function releaseDeadLeases(store: LeaseStore): Promise<void> {
  const now = Date.now();
  for (const { runner, until } of await store.listHolders()) {
    if (isRunnerDead(runner, 0)) await store.releaseLeases(runner);
    else if (until < now) await store.releaseExpired(runner, now);
  }
}
