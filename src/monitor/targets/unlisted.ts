import type { MonitorStore, StoredMonitor } from '../store.ts';
import type { Infrastructure } from '../types.ts';
import type { InventorySource } from './inventory-source.ts';

/** Milliseconds for which the list of active monitors is cached. The list is needed many times a second. */
const KEPT_MS = 2000;

/** Creates a function that returns the keys of monitors that this process cannot probe, as its inventory lacks their entries. */
export function createUnlistedMonitorFinder(
  store: Pick<MonitorStore, 'listActive'>,
  listing: InventorySource,
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
