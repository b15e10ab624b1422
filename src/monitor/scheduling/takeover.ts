import type { Logger } from '../../log.ts';
import type { MonitorStore, StoredMonitor } from '../store.ts';
import type { Listing } from '../targets/listing.ts';
import type { Transact, Transaction } from '../transactions.ts';
import type { Infrastructure } from '../types.ts';

export interface TakeoverParts {
  readonly monitors: Pick<MonitorStore, 'listActive'>;
  readonly transact: Transact;
  readonly listing: Listing;
  /** What a monitor is of; undefined when it is no longer in the inventory. */
  find(monitor: StoredMonitor): Infrastructure | undefined;
  begin(tx: Transaction, monitor: StoredMonitor, infrastructure: Infrastructure): Promise<void>;
  readonly log: Logger;
}

/** What is left of an entry that is no longer in the inventory. */
const NOTHING = { source: 'inventory', targets: [], tags: [], allow: [] } as const;

/** Plans all that is watched, by what this process knows: there may be other targets now, or other intervals. */
export async function resumeAll({
  monitors,
  transact,
  listing,
  find,
  begin,
  log,
}: TakeoverParts): Promise<void> {
  for (const { key, owner, id } of await monitors.listActive()) {
    await transact([{ owner, id }], async (tx) => {
      const monitor = await tx.monitors.findByKey(key);
      // Stopped or removed since it was listed.
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

/**
 * `isLeft`, which resumes at the first time that the work is not left to another process, and each time that it falls to
 * this one again: the other process had its own inventory. Rejects as `resume` does, and then resumes the next time.
 */
export function resumingAtTakeover(
  isLeft: () => boolean,
  resume: () => Promise<void>,
): () => Promise<boolean> {
  let needsResume = true;
  let resuming: Promise<void> | undefined;

  async function resumeOnce(): Promise<void> {
    // Left to another process while this one resumes, it is to be done again.
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
