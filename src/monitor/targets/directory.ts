import { notFoundError } from '../../errors.ts';
import type { Infrastructure } from '../service-types.ts';
import type { MonitorStore, StoredMonitor } from '../store.ts';
import { tryFindInfrastructure } from './infrastructure.ts';
import type { InventorySource } from './inventory-source.ts';

export type MonitorDirectory = ReturnType<typeof createMonitorDirectory>;

export function createMonitorDirectory(listing: InventorySource) {
  const findInfrastructure = (owner: string, id: string) =>
    tryFindInfrastructure(id, owner, listing.current());
  return {
    findInfrastructure,
    /** Throws AppError `not_found` for an unknown id. */
    async findMonitor(monitors: MonitorStore, owner: string, id: string): Promise<StoredMonitor> {
      const named = await monitors.findMonitor(owner, id);
      if (named) return named;
      // Searches again by the normalized id, because a user may write a site as a host name or as a URL.
      const spelled = findInfrastructure(owner, id)?.id;
      const found = spelled === undefined ? undefined : await monitors.findMonitor(owner, spelled);
      if (found) return found;
      const shown = JSON.stringify(id.slice(0, 200));
      throw notFoundError(`there is no monitor of ${shown}: startMonitoring makes one`);
    },
    infrastructureOf({ owner, id }: StoredMonitor): Infrastructure | undefined {
      const found = findInfrastructure(owner, id);
      return found?.id === id ? found : undefined;
    },
  };
}
