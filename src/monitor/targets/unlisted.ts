import type { MonitorStore, StoredMonitor } from '../store.ts';
import type { Infrastructure } from '../types.ts';
import type { Listing } from './listing.ts';

/** Milliseconds for which the answer is kept: the schedule asks many times a second. */
const KEPT_MS = 2000;

/**
 * Monitors whose probes a process leaves to other processes. Processes share a data folder, and one without an inventory,
 * an assistant's beside a server, say, would take probes of entries that it knows nothing of, and drop them.
 */
export function createUnlistedMonitors(
  store: Pick<MonitorStore, 'listActive'>,
  listing: Listing,
  find: (monitor: StoredMonitor) => Infrastructure | undefined,
): () => Promise<readonly number[]> {
  let [keys, until]: [readonly number[], number] = [[], 0];
  return async () => {
    if (listing.configured || Date.now() < until) return keys;
    const active = await store.listActive();
    keys = active.flatMap((monitor) => (find(monitor) ? [] : [monitor.key]));
    until = Date.now() + KEPT_MS;
    return keys;
  };
}
