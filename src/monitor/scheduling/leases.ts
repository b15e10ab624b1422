import { isRunnerDead } from '../../lib/concurrency/runner.ts';
import type { LeaseStore } from '../store.ts';

/** Releases the leases of dead processes, and expired leases. Writes nothing if there are none. */
export async function releaseDeadLeases(store: LeaseStore): Promise<void> {
  const now = Date.now();
  for (const { runner, until } of await store.listHolders()) {
    // Checks only whether the process has ended, not how long it has been silent, because leases expire anyway.
    if (isRunnerDead(runner, 0)) await store.releaseLeases(runner);
    else if (until < now) await store.releaseExpired(runner, now);
  }
}
