import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Database } from '../../storage/sqlite.ts';
import type { EntryStore } from '../store.ts';
import { createChanges } from './changes.ts';
import { createEntries } from './entries.ts';
import { createFiles } from './files.ts';
import { createFinding } from './finding.ts';
import { createOwners } from './owners.ts';
import { createVectors } from './vectors.ts';
import { createWordIndex } from './word-index.ts';

export interface SqliteEntryStoreOptions {
  /** Microseconds since 1970; for tests. */
  readonly now?: () => number;
}

/** Pages of the words' index that are written in one step of emptying it. */
const MERGED_AT_ONCE = 200;
/** Milliseconds that a reset waits for it. */
const WIPED_MS = 3000;

/**
 * Entries in SQLite. Words are found by FTS5's index, each with its owner's number before it; see lexical.ts and word-index.ts.
 * What is removed is overwritten, and after a reset nothing of it is left in the file.
 */
export function createSqliteEntryStore(
  db: Database,
  { now = () => Date.now() * 1000 }: SqliteEntryStoreOptions = {},
): EntryStore {
  db.get('PRAGMA secure_delete = ON');
  const owners = createOwners(db);
  const changes = createChanges(db);
  const words = createWordIndex(db);
  const files = createFiles(db, owners, changes, words, now);

  /** Removed words stay in the index until its parts are merged; removed rows in the log until it is written back. */
  const wipe = async () => {
    const changes = () => db.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0;
    for (let before = -2, sign = -1; changes() - before >= 2; sign = 1) {
      before = changes();
      db.run("INSERT INTO kb_words (kb_words, rank) VALUES ('merge', ?)", sign * MERGED_AT_ONCE);
      await setImmediate();
    }
    db.get('PRAGMA wal_checkpoint(TRUNCATE)');
  };

  let wiping: Promise<void> = Promise.resolve();
  /** Waited for only so long: with very many passages it takes minutes, and goes on. */
  const wiped = async () => {
    const mine = wiping.then(wipe);
    wiping = mine.catch(() => {});
    const stop = new AbortController();
    await Promise.race([mine, setTimeout(WIPED_MS, undefined, { signal: stop.signal }).catch(() => {})]);
    stop.abort();
  };

  return {
    ...createEntries(db, owners, changes, words, now, wiped),
    ...files,
    ...createFinding(db, owners, words),
    ...createVectors(db, owners),
    readChanges: changes.readChanges,
    async cleanUp(signal) {
      await files.finishFiles(signal);
      words.catchUpAll();
      await changes.dropOldChanges(signal);
    },
  };
}
