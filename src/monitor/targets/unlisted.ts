import type { MonitorStore, StoredMonitor } from '../store.ts';
import type { Infrastructure } from '../types.ts';
import type { InventorySource } from './inventory-source.ts';

/** The active monitors are cached for this time, because they are needed many times a second. */
const KEPT_MS = 2000;

/** Finds the monitors that this process cannot probe, because its inventory lacks their entries. */
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
