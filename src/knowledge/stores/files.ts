import { setImmediate } from 'node:timers/promises';
import { badRequestError } from '../../errors.ts';
import { DEFAULT_COLLECTION } from '../../lib/collection.ts';
import type { Sql, StepGenerator } from '../../storage/any-database.ts';
import { raw } from '../../storage/sql-template.ts';
import type { EntryStore } from '../store.ts';
import {
  addToOwnerCounts,
  countRemoval,
  ensureOwner,
  findOwner,
  lockOwner,
  readOwner,
} from './entries/owners.ts';
import { createRemovalSteps } from './entries/removal-steps.ts';
import {
  countKnownNonEnglish,
  ENTRIES_BY_FILE_SQL,
  type EntryRow,
  insertRow,
  newEntryRow,
  REMOVING_FILE_NAME,
  UNFINISHED_FILE_NAMES,
  UPLOADING_FILE_NAME,
  updateEntryRow,
} from './entries/rows.ts';
import type { StoreParts } from './parts.ts';
import { indexPassageWithLanguage, type JudgedPassage } from './passages/indexed-passage.ts';
import { dropPassages, type PassageRun, writePassages } from './passages/passages.ts';

const ABANDONED_US = 3_600_000_000;

export function createFilePassages(parts: StoreParts) {
  const { db, changes, now } = parts;

  const removeHidden = async (owner: number, signal?: AbortSignal) => {
    const inSteps = createRemovalSteps(db, REMOVED_AT_ONCE);
    let removed = false;
    while (
      !signal?.aborted &&
      (await inSteps(function* (sql, most) {
        yield* lockOwner(sql, owner);
        return yield* removeSomeHidden(sql, owner, most);
      }))
    ) {
      removed = true;
      await setImmediate();
    }
    if (removed) await db.releaseFreePages();
  };

  return {
    async putFile(name, file, passages) {
      if (UNFINISHED_FILE_NAMES.includes(file.name)) {
        throw badRequestError('the name of the file is empty: it takes one');
      }
      const { id: owner } = await db.write((sql) => ensureOwner(sql, name));
      const added: EntryRow[] = [];
      let count = 0;
      try {
        for await (const some of passages) {
          if (some.length === 0) continue;
          const place = { owner, ...file, ordinal: count };
          const indexed = some.map(indexPassageWithLanguage);
          added.push(await db.write((sql) => insertPart(parts, sql, place, indexed)));
          count += some.length;
        }
        await db.write(function* (sql) {
          yield* lockOwner(sql, owner);
          yield* hideParts(sql, owner, file.name);
          yield* showParts(sql, added, file.name);
          yield* changes.recordChanges(sql, owner, [`doc://${file.name}`]);
        });
      } catch (error) {
        await db.remove(function* (sql) {
          for (const part of added) yield* renamePart(sql, part, REMOVING_FILE_NAME);
        });
        await removeHidden(owner);
        throw error;
      }
      await removeHidden(owner);
      return count;
    },

    async removeFile(name, file) {
      const removed = await db.remove(function* (sql) {
        yield* lockOwner(sql, name);
        const owner = UNFINISHED_FILE_NAMES.includes(file) ? undefined : (yield* findOwner(sql, name))?.id;
        if (owner === undefined) return undefined;
        const count = yield* hideParts(sql, owner, file);
        if (count > 0) yield* changes.recordChanges(sql, owner, [`doc://${file}`]);
        return { owner, count };
      });
      if (!removed) return 0;
      await removeHidden(removed.owner);
      return removed.count;
    },

    async removeAbandoned(signal: AbortSignal) {
      const owners = await db.remove((sql) => abandonParts(sql, now() - ABANDONED_US));
      for (const owner of owners) await removeHidden(owner, signal);
    },
  } satisfies Partial<EntryStore> & { removeAbandoned: unknown };
}

const REMOVED_AT_ONCE = 100;

export function* listFileParts(sql: Sql, owner: number | null, name: string): StepGenerator<EntryRow[]> {
  return yield* sql.all`SELECT * FROM ${raw(ENTRIES_BY_FILE_SQL)} WHERE owner = ${owner} AND file = ${name}
    ORDER BY at`;
}

export function* listUnfinishedPassages(sql: Sql, owner: number | null): StepGenerator<PassageRun[]> {
  return yield* sql.all`SELECT first, passages FROM ${raw(ENTRIES_BY_FILE_SQL)} WHERE owner = ${owner}
    AND file IN (${UPLOADING_FILE_NAME}, ${REMOVING_FILE_NAME})`;
}

interface FilePartTarget {
  readonly owner: number;
  readonly name: string;
  readonly title: string;
  readonly collection?: string;
  readonly ordinal: number;
}

function* insertPart(
  { words, now }: StoreParts,
  sql: Sql,
  { owner, name, title, collection = DEFAULT_COLLECTION, ordinal }: FilePartTarget,
  passages: readonly JudgedPassage[],
): StepGenerator<EntryRow> {
  yield* lockOwner(sql, owner);
  const { last, next } = yield* readOwner(sql, owner);
  const at = Math.max(last + 1, now());
  const facts = { title, source: `doc://${name}`, tags: [], collection, key: '', digest: null };
  const row: EntryRow = { ...newEntryRow(owner, at, at, next, facts, passages), file: UPLOADING_FILE_NAME };
  yield* insertRow(sql, row);
  yield* writePassages(sql, words, { owner, first: next, entry: at, ordinal }, passages);
  yield* sql.send`UPDATE kb_owners SET last = ${at}, next = next + ${passages.length} WHERE id = ${owner}`;
  return row;
}

function* renamePart(sql: Sql, { owner, at }: EntryRow, file: string): StepGenerator<void> {
  yield* updateEntryRow(sql, { owner, at }, { file });
}

function* showParts(sql: Sql, parts: readonly EntryRow[], name: string): StepGenerator<void> {
  for (const part of parts) {
    yield* renamePart(sql, part, name);
    yield* addToOwnerCounts(sql, part.owner, {
      searched: part.passages,
      words: part.words,
      nonenglish: countKnownNonEnglish(part),
    });
  }
}

function* hideParts(sql: Sql, owner: number, name: string): StepGenerator<number> {
  let count = 0;
  for (const part of yield* listFileParts(sql, owner, name)) {
    yield* renamePart(sql, part, REMOVING_FILE_NAME);
    yield* addToOwnerCounts(sql, owner, {
      searched: -part.passages,
      words: -part.words,
      nonenglish: -countKnownNonEnglish(part),
    });
    count += part.passages;
  }
  return count;
}

/** Deletes up to `most` passages from the end of a removed file's part. Returns false if no part is left. */
function* removeSomeHidden(sql: Sql, owner: number, most: number): StepGenerator<boolean> {
  const part = yield* sql.get<EntryRow>`SELECT * FROM ${raw(ENTRIES_BY_FILE_SQL)}
    WHERE owner = ${owner} AND file = ${REMOVING_FILE_NAME} LIMIT 1`;
  if (!part) return false;
  const left = Math.max(0, part.passages - most);
  yield* dropPassages(sql, owner, { first: part.first + left, passages: part.passages - left });
  if (left === 0) yield* sql.send`DELETE FROM kb_entries WHERE owner = ${owner} AND at = ${part.at}`;
  else yield* updateEntryRow(sql, { owner, at: part.at }, { passages: left });
  yield* countRemoval(sql, owner);
  return true;
}

/** Marks uploads begun before `before` (microseconds since 1970) as removed. Returns owners to clean up. */
function* abandonParts(sql: Sql, before: number): StepGenerator<number[]> {
  yield* sql.send`UPDATE ${raw(ENTRIES_BY_FILE_SQL)} SET file = ${REMOVING_FILE_NAME}
    WHERE file IS NOT NULL AND file = ${UPLOADING_FILE_NAME} AND at < ${before}`;
  return (yield* sql.all<{ owner: number }>`SELECT DISTINCT owner FROM ${raw(ENTRIES_BY_FILE_SQL)}
    WHERE file IS NOT NULL AND file = ${REMOVING_FILE_NAME}`).map(({ owner }) => owner);
}
