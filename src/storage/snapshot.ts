import { chmodSync, existsSync } from 'node:fs';
import { notFoundError, unavailableError } from '../errors.ts';
import { findDamage, openFile } from './check-file.ts';
import { loadSqlite } from './load-sqlite.ts';
import { refuseIncompleteFile } from './move/incomplete-mark.ts';
import type { TaskControl } from './salvage.ts';
import { storageError } from './sqlite.ts';

/** Number of 4 KB pages to copy before other work can run. */
const PAGES_A_STEP = 2000;
const BUSY_MS = 5000;

/** Copies the database in a read transaction, because a write would restart the copy. */
export async function snapshotDatabase(path: string, target: string, watch: TaskControl): Promise<void> {
  if (!existsSync(path)) throw notFoundError(`there is no database at ${path}: nothing is kept yet`);
  const { DatabaseSync, backup } = loadSqlite();
  const source = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
  try {
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    refuseIncompleteFile(source, path);
    await backup(source, target, {
      rate: PAGES_A_STEP,
      progress: ({ totalPages, remainingPages }) => {
        watch.signal.throwIfAborted();
        const done = Math.floor((100 * (totalPages - remainingPages)) / Math.max(totalPages, 1));
        watch.progress(`copying the database: ${done}%`);
      },
    });
  } catch (error) {
    throw storageError(error, path);
  } finally {
    source.close();
  }
  chmodSync(target, 0o600);
  const copy = openFile(target, false);
  try {
    const [damage] = await findDamage(copy, watch);
    if (damage !== undefined) {
      throw unavailableError(`${path} is damaged (${damage}): magpie kb check says what can be mended`);
    }
  } finally {
    copy.close();
  }
}
