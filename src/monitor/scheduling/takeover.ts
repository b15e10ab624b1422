import type { Logger } from '../../log.ts';
import type { Infrastructure } from '../service-types.ts';
import type { MonitorStore, StoredMonitor } from '../store.ts';
import type { InventorySource } from '../targets/inventory-source.ts';
import type { MonitorTransaction, Transact } from '../transactions.ts';

export interface TakeoverParts {
  readonly monitors: Pick<MonitorStore, 'listActive'>;
  readonly transact: Transact;
  readonly listing: InventorySource;
  find(monitor: StoredMonitor): Infrastructure | undefined;
  begin(tx: MonitorTransaction, monitor: StoredMonitor, infrastructure: Infrastructure): Promise<void>;
  readonly log: Logger;
}

/** Replaces an inventory entry that was removed. The monitor then has no targets. */
const NOTHING = { source: 'inventory', targets: [], tags: [], allow: [] } as const;

export async function replanActiveMonitors(parts: TakeoverParts): Promise<void> {
  const { monitors, transact, listing, find, begin, log } = parts;
  for (const { key, owner, id } of await monitors.listActive()) {
    await transact([{ owner, id }], async (tx) => {
      const monitor = await tx.monitors.findByKey(key);
      if (monitor?.state !== 'active') return;
      const infrastructure = find(monitor);
      if (!infrastructure && !listing.configured) return;
      const gone = infrastructure ? undefined : `${monitor.id} is no longer in the inventory`;
      if (monitor.trouble !== gone) {
        await tx.monitors.setTrouble(key, gone);
        if (gone !== undefined) log.warn({ infrastructure: monitor.id }, `a monitor has no targets: ${gone}`);
      }
      await begin(tx, monitor, infrastructure ?? { ...NOTHING, id: monitor.id });
    });
  }
}

/** Returns a function that tests if another process probes. If none does, it first calls `resume` once. */
export function createTakeoverCheck(
  isLeft: () => boolean,
  resume: () => Promise<void>,
): () => Promise<boolean> {
  let needsResume = true;
  let resuming: Promise<void> | undefined;

  async function resumeOnce(): Promise<void> {
    // Resets `needsResume` before the call, because it may be set again while `resume` runs.
    needsResume = false;
    try {
      await resume();
    } catch (error) {
      needsResume = true;
      throw error;
    } finally {
      resuming = undefined;
    }
  }

  return async () => {
    if (isLeft()) {
      needsResume = true;
      return true;
    }
    if (needsResume) resuming ??= resumeOnce();
    await resuming;
    return false;
  };
}
