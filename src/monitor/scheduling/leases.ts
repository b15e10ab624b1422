import { isGone } from '../../lib/concurrency/runner.ts';
import type { LeaseStore } from '../store.ts';

/** Frees what dead processes lease, and leases that have expired. Where there are none, nothing is written. */
export async function releaseDeadLeases(store: LeaseStore): Promise<void> {
  const now = Date.now();
  for (const { runner, until } of await store.listHolders()) {
    // How long it has been silent says nothing here: the lease bounds that.
    if (isGone(runner, 0)) await store.releaseLeases(runner);
    else if (until < now) await store.releaseExpired(runner, now);
  }
}
