import type { Logger } from '../log.ts';
import type { Listing } from './listing.ts';
import type { MonitorStore, StoredMonitor } from './store.ts';
import type { Infrastructure } from './target.ts';

export interface TakeoverParts {
  readonly store: Pick<MonitorStore, 'active' | 'setTrouble'>;
  readonly listing: Listing;
  /** What a monitor is of; undefined when it is in the inventory no more. */
  find(monitor: StoredMonitor): Infrastructure | undefined;
  begin(monitor: StoredMonitor, infrastructure: Infrastructure): void;
  readonly log: Logger;
}

/** What is left of an entry that is in the inventory no more. */
const NOTHING = { source: 'inventory', targets: [], tags: [], allow: [] } as const;

/** Plans all that is watched, by what this process knows: there may be other targets now, or other intervals. */
export function resumeAll({ store, listing, find, begin, log }: TakeoverParts): void {
  for (const monitor of store.active()) {
    const infrastructure = find(monitor);
    if (!infrastructure && !listing.configured) continue;
    const gone = infrastructure ? undefined : `${monitor.id} is in the inventory no more`;
    if (monitor.trouble !== gone) {
      store.setTrouble(monitor.key, gone);
      if (gone !== undefined) log.warn({ infrastructure: monitor.id }, `a monitor is left: ${gone}`);
    }
    begin(monitor, infrastructure ?? { ...NOTHING, id: monitor.id });
  }
}

/**
 * `isLeft`, which plans at the first time that the work is not left to another process, and each time that it falls to
 * this one again: the other had an inventory of its own. Throws what `resume` throws, and then does it the next time.
 */
export function resumingAtTakeover(isLeft: () => boolean, resume: () => void): () => boolean {
  let left = true;
  return () => {
    const now = isLeft();
    if (left && !now) resume();
    left = now;
    return now;
  };
}
