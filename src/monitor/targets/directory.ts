import { AppError } from '../../errors.ts';
import type { MonitorStore, StoredMonitor } from '../store.ts';
import type { Infrastructure } from '../types.ts';
import { seekInfrastructure } from './infrastructure.ts';
import type { Listing } from './listing.ts';

/** Which monitor, and which infrastructure, an id stands for. */
export interface Directory {
  /** AppError `not_found`. */
  findMonitor(monitors: MonitorStore, owner: string, id: string): Promise<StoredMonitor>;
  /** Undefined where it is not an infrastructure of the owner's. */
  findInfrastructure(owner: string, id: string): Infrastructure | undefined;
  /**
   * What a monitor is of. The name of an entry that is gone may read like a public host's: it is not that host.
   */
  infrastructureOf(monitor: StoredMonitor): Infrastructure | undefined;
}

export function createDirectory(listing: Listing): Directory {
  const findInfrastructure = (owner: string, id: string) => seekInfrastructure(id, owner, listing.current());
  return {
    findInfrastructure,
    async findMonitor(monitors, owner, id) {
      const named = await monitors.findMonitor(owner, id);
      if (named) return named;
      // The same in another spelling: a host name for its page.
      const spelled = findInfrastructure(owner, id)?.id;
      const found = spelled === undefined ? undefined : await monitors.findMonitor(owner, spelled);
      if (found) return found;
      const shown = JSON.stringify(id.slice(0, 200));
      throw new AppError('not_found', `there is no monitor of ${shown}: startMonitoring makes one`);
    },
    infrastructureOf({ owner, id }) {
      const found = findInfrastructure(owner, id);
      return found?.id === id ? found : undefined;
    },
  };
}
