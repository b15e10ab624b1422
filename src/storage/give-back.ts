import { setImmediate } from 'node:timers/promises';
import { isTimeout, withDeadline } from '../lib/concurrency/deadline.ts';
import { createKeyedLock } from '../lib/concurrency/keyed-lock.ts';
import type { Database } from './database.ts';
import { createFittingSteps } from './full-disk.ts';

/** Pages that one step moves or cuts off: a few milliseconds. */
const PAGES_AT_ONCE = 200;
/** Milliseconds that a caller waits. */
const WAIT_MS = 3000;
/** SQLite's number of the kind of file that can. */
export const INCREMENTAL = 2;

/**
 * Free pages of the file, which only inserts into it can use, become room on the disk: the last pages of the file move into
 * them, and the file is cut off. A file of an older Magpie keeps them (`letGiveBack`).
 */
export function createGivingBack({ read, remove }: Pick<Database, 'read' | 'remove'>): () => Promise<void> {
  const lock = createKeyedLock();
  const never = new AbortController().signal;

  const giveBack = async () => {
    const mode = await read((sql) => sql.get<{ auto_vacuum: number }>('PRAGMA auto_vacuum')?.auto_vacuum);
    if (mode !== INCREMENTAL) return;
    const inSteps = createFittingSteps(PAGES_AT_ONCE);
    for (let more = true, moved = false; more; moved = true) {
      more = await inSteps((most) =>
        remove((sql) => {
          const free = sql.get<{ freelist_count: number }>('PRAGMA freelist_count')?.freelist_count ?? 0;
          if (free > 0) sql.all(`PRAGMA incremental_vacuum(${most})`);
          return free > 0;
        }),
      );
      // The file is cut off when the log is written back.
      if (!more && moved) await read((sql) => sql.get('PRAGMA wal_checkpoint(PASSIVE)'));
      await setImmediate();
    }
  };

  return async () => {
    try {
      await withDeadline(never, WAIT_MS, () => lock.run('', giveBack));
    } catch (error) {
      if (!isTimeout(error)) throw error;
    }
  };
}
