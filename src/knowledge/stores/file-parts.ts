import { DEFAULT_COLLECTION } from '../../lib/collection.ts';
import type { Sql, StepGenerator } from '../../storage/any-database.ts';
import type { NewPassage } from '../store.ts';
import { addToCounts, countRemoval, lockOwner, readOwner } from './entries/owners.ts';
import {
  countKnownNonEnglish,
  DRAFT_FILE_NAME,
  ENTRIES_BY_FILE_SQL,
  type EntryRow,
  HIDDEN_FILE_NAMES,
  insertRow,
  newEntryRow,
  REMOVED_FILE_NAME,
  updateEntryRow,
} from './entries/rows.ts';
import type { StoreParts } from './parts.ts';
import { indexPassageWithLanguage, type JudgedPassage } from './passages/indexed-passage.ts';
import { dropPassages, type PassageRun, writePassages } from './passages/passages.ts';

export const REMOVED_AT_ONCE = 100;

/** This module reads and changes the parts of files. Each of its functions must run inside a database step. */

export function* listParts(sql: Sql, owner: number | null, name: string): StepGenerator<EntryRow[]> {
  return yield* sql.all(
    `SELECT * FROM ${ENTRIES_BY_FILE_SQL} WHERE owner = ? AND file = ? ORDER BY at`,
    owner,
    name,
  );
}

export function* listHidden(sql: Sql, owner: number | null): StepGenerator<PassageRun[]> {
  return yield* sql.all(
    `SELECT first, passages FROM ${ENTRIES_BY_FILE_SQL} WHERE owner = ? AND file IN (?, ?)`,
    owner,
    ...HIDDEN_FILE_NAMES,
  );
}

export interface FilePartTarget {
  readonly owner: number;
  readonly name: string;
  readonly title: string;
  readonly collection?: string;
  readonly ordinal: number;
}

export function indexPart(passages: readonly NewPassage[]): JudgedPassage[] {
  return passages.map(indexPassageWithLanguage);
}

export function* insertPart(
  { words, now }: StoreParts,
  sql: Sql,
  { owner, name, title, collection = DEFAULT_COLLECTION, ordinal }: FilePartTarget,
  passages: readonly JudgedPassage[],
): StepGenerator<EntryRow> {
  yield* lockOwner(sql, owner);
  const { last, next } = yield* readOwner(sql, owner);
  const at = Math.max(last + 1, now());
  const facts = { title, source: `doc://${name}`, tags: [], collection, key: '', digest: null };
  const row: EntryRow = { ...newEntryRow(owner, at, at, next, facts, passages), file: DRAFT_FILE_NAME };
  yield* insertRow(sql, row);
  yield* writePassages(sql, words, { owner, first: next, entry: at, ordinal }, passages);
  yield* sql.send('UPDATE kb_owners SET last = ?, next = next + ? WHERE id = ?', at, passages.length, owner);
  return row;
}

export function* renamePart(sql: Sql, { owner, at }: EntryRow, file: string): StepGenerator<void> {
  yield* updateEntryRow(sql, { owner, at }, { file });
}

export function* showParts(sql: Sql, parts: readonly EntryRow[], name: string): StepGenerator<void> {
  for (const part of parts) {
    yield* renamePart(sql, part, name);
    yield* addToCounts(sql, part.owner, {
      searched: part.passages,
      words: part.words,
      nonenglish: countKnownNonEnglish(part),
    });
  }
}

/** Hides a file from searches. Returns the number of its passages, which are removed later. */
export function* hideParts(sql: Sql, owner: number, name: string): StepGenerator<number> {
  let count = 0;
  for (const part of yield* listParts(sql, owner, name)) {
    yield* renamePart(sql, part, REMOVED_FILE_NAME);
    yield* addToCounts(sql, owner, {
      searched: -part.passages,
      words: -part.words,
      nonenglish: -countKnownNonEnglish(part),
    });
    count += part.passages;
  }
  return count;
}

/** Removes up to `most` passages of hidden file parts, last passages first. Returns false at the end. */
export function* removeSomeHidden(sql: Sql, owner: number, most: number): StepGenerator<boolean> {
  const part = yield* sql.get<EntryRow>(
    `SELECT * FROM ${ENTRIES_BY_FILE_SQL} WHERE owner = ? AND file = ? LIMIT 1`,
    owner,
    REMOVED_FILE_NAME,
  );
  if (!part) return false;
  const left = Math.max(0, part.passages - most);
  yield* dropPassages(sql, owner, { first: part.first + left, passages: part.passages - left });
  if (left === 0) yield* sql.send('DELETE FROM kb_entries WHERE owner = ? AND at = ?', owner, part.at);
  else yield* updateEntryRow(sql, { owner, at: part.at }, { passages: left });
  yield* countRemoval(sql, owner);
  return true;
}

/** Marks parts that began before `before` (microseconds since 1970) for removal. Returns the parts' owners. */
export function* abandonParts(sql: Sql, before: number): StepGenerator<number[]> {
  yield* sql.send(
    `UPDATE ${ENTRIES_BY_FILE_SQL} SET file = ? WHERE file IS NOT NULL AND file = ? AND at < ?`,
    REMOVED_FILE_NAME,
    DRAFT_FILE_NAME,
    before,
  );
  return (yield* sql.all<{ owner: number }>(
    `SELECT DISTINCT owner FROM ${ENTRIES_BY_FILE_SQL} WHERE file IS NOT NULL AND file = ?`,
    REMOVED_FILE_NAME,
  )).map(({ owner }) => owner);
}
