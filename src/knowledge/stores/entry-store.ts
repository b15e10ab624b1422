import { setImmediate, setTimeout } from 'node:timers/promises';
import { createKeyedLock } from '../../lib/concurrency/keyed-lock.ts';
import {
  type AnyDatabase,
  type Sql,
  type StepGenerator,
  type StoreDatabase,
  toAnyDatabase,
} from '../../storage/any-database.ts';
import type { RunLongWork } from '../../storage/postgres/long-work.ts';
import type { EntryStore } from '../store.ts';
import { createEntryChangeLog } from './entries/change-log.ts';
import { createEntryReads, createEntryWrites } from './entries/entries.ts';
import { createRemovalSteps } from './entries/removal-steps.ts';
import { createSimilarityReads } from './entries/similarity-reads.ts';
import { createFilePassages } from './files.ts';
import type { StoreParts } from './parts.ts';
import { createLanguageCounts } from './passages/languages.ts';
import { createPassageNumberReads } from './passages/passage-number-reads.ts';
import { createPassageReads, createWordSearch } from './passages/passage-reads.ts';
import { createWordIndex } from './passages/word-index.ts';
import { createWordRenewal } from './passages/word-renewal.ts';
import { maintainVectorIndexes, type VectorIndexUpkeepOptions } from './postgres/graphs.ts';
import { createPostgresSearch } from './postgres/search.ts';
import { POSTGRES_WORDS } from './postgres/words.ts';
import { createTrashStore } from './trash/trash.ts';
import { createTrashedPassages } from './trash/trashed-passages.ts';
import { createEmbeddingProgress, createVectors } from './vectors/vectors.ts';

export interface SqliteEntryStoreOptions {
  readonly now?: () => number;
  /** When and how PostgreSQL builds an owner's vector indexes. If undefined, none are built. */
  readonly graphs?: VectorIndexUpkeepOptions | undefined;
  readonly runLong?: RunLongWork | undefined;
}

const MERGED_AT_ONCE = 200;
/** Milliseconds that a removal of all entries waits until the removed words are overwritten on disk. */
const WIPE_WAIT_MS = 3000;

export function createEntryStore(
  of: StoreDatabase,
  { now = () => Date.now() * 1000, graphs, runLong }: SqliteEntryStoreOptions = {},
): EntryStore {
  const db = toAnyDatabase(of);
  if (db.embedded) db.read((sql) => sql.get('PRAGMA secure_delete = ON')).catch(() => {});
  const changes = createEntryChangeLog(db);
  const words = db.embedded ? createWordIndex(db) : POSTGRES_WORDS;
  const trash = createTrashedPassages(db);
  const parts: StoreParts = { db, changes, words, trash, now };
  const wipe = db.embedded ? createWipe(db) : async () => {};
  const { removeAbandoned, ...files } = createFilePassages(parts);
  const { settleRestored, ...trashing } = createTrashStore(parts, wipe);

  return {
    ...createEntryReads(parts),
    ...createEntryWrites(parts, wipe),
    ...trashing,
    ...files,
    ...(db.embedded ? createWordSearch(parts) : createPostgresSearch(parts, graphs?.from)),
    ...createPassageNumberReads(parts),
    ...createPassageReads(db),
    ...createSimilarityReads(parts),
    ...createVectors(parts),
    ...createEmbeddingProgress(parts),
    ...createLanguageCounts(parts),
    ...createWordRenewal(parts, runLong),
    readChanges: changes.readChanges,
    async cleanUp(signal) {
      await removeAbandoned(signal);
      await settleRestored(signal);
      await words.catchUpAll();
      await changes.dropOldChanges(signal);
    },
    ...(graphs && { tendGraphs: (signal) => maintainVectorIndexes(graphs, signal) }),
  };
}

/** Overwrites removed words and rows on disk. After WIPE_WAIT_MS it continues in the background. */
function createWipe(db: AnyDatabase): () => Promise<void> {
  const lock = createKeyedLock();

  const wipe = async () => {
    const inSteps = createRemovalSteps(db, MERGED_AT_ONCE);
    for (let sign = -1, more = true; more; sign = 1) {
      more = await inSteps(function* (sql, most) {
        const before = yield* countChanges(sql);
        yield* sql.send`INSERT INTO kb_words (kb_words, rank) VALUES ('merge', ${sign * most})`;
        return (yield* countChanges(sql)) - before >= 2;
      });
      await setImmediate();
    }
    await db.releaseFreePages();
    await db.read((sql) => sql.get('PRAGMA wal_checkpoint(TRUNCATE)'));
  };

  return () => Promise.race([lock.run('wipe', wipe), setTimeout(WIPE_WAIT_MS, undefined, { ref: false })]);
}

function* countChanges(sql: Sql): StepGenerator<number> {
  return (yield* sql.get<{ n: number }>('SELECT total_changes() AS n'))?.n ?? 0;
}
