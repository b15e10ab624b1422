import type { Listing } from './listing.ts';
import type { MonitorStore, StoredMonitor } from './store.ts';
import type { Infrastructure } from './target.ts';

/** Milliseconds for which the answer holds: the schedule asks many times a second. */
const HOLDS = 2000;

/**
 * Monitors whose looks a process leaves to others. Processes share a data folder, and one without an inventory, an
 * assistant's beside a server, say, would take looks at entries that it knows nothing of, and drop them.
 */
export function leavesOthers(
  store: Pick<MonitorStore, 'active'>,
  listing: Listing,
  find: (monitor: StoredMonitor) => Infrastructure | undefined,
): () => readonly number[] {
  let [keys, until]: [readonly number[], number] = [[], 0];
  return () => {
    if (listing.configured || Date.now() < until) return keys;
    keys = store.active().flatMap((monitor) => (find(monitor) ? [] : [monitor.key]));
    until = Date.now() + HOLDS;
    return keys;
  };
}
