import { setImmediate, setTimeout } from 'node:timers/promises';
import { createKeyedLock } from '../lib/concurrency/keyed-lock.ts';
import type { SqliteDatabase } from './database.ts';
import { createShrinkingSteps } from './full-disk.ts';

const PAGES_AT_ONCE = 200;
/** Milliseconds that a caller waits for the file to shrink. The work then continues in the background. */
const WAIT_MS = 3000;
export const INCREMENTAL_AUTO_VACUUM = 2;

/** Returns a function that shrinks the file, because SQLite releases free pages only on request. */
export function createIncrementalVacuum(db: Pick<SqliteDatabase, 'read' | 'remove'>): () => Promise<void> {
  const { read, remove } = db;
  const lock = createKeyedLock();

  const giveBack = async () => {
    const mode = await read((sql) => sql.get<{ auto_vacuum: number }>('PRAGMA auto_vacuum')?.auto_vacuum);
    if (mode !== INCREMENTAL_AUTO_VACUUM) return;
    const inSteps = createShrinkingSteps(PAGES_AT_ONCE);
    for (let more = true, moved = false; more; moved = true) {
      more = await inSteps((most) =>
        remove((sql) => {
          const free = sql.get<{ freelist_count: number }>('PRAGMA freelist_count')?.freelist_count ?? 0;
          if (free > 0) sql.all(`PRAGMA incremental_vacuum(${most})`);
          return free > 0;
        }),
      );
      // SQLite truncates the file only when it copies the write-ahead log into the file.
      if (!more && moved) await read((sql) => sql.get('PRAGMA wal_checkpoint(PASSIVE)'));
      await setImmediate();
    }
  };

  return () => Promise.race([lock.run('', giveBack), setTimeout(WAIT_MS, undefined, { ref: false })]);
}
