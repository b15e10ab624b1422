import type { Sql, StepGenerator } from '../../../storage/any-database.ts';
import type { EntryAddition } from '../../store.ts';
import type { InsertResult } from '../../types.ts';
import type { StoreParts } from '../parts.ts';
import type { JudgedPassage } from '../passages/indexed-passage.ts';
import { writePassages } from '../passages/passages.ts';
import { findTrashed, renewEntry, restoreEntryRow } from '../trash/trash-rows.ts';
import { findEntryRowByKey, findEntryRowByText } from './find-entry.ts';
import { ensureOwner, type OwnerRow, updateOwnerModel } from './owners.ts';
import { replaceEntry } from './replace-entry.ts';
import { mergeEntry } from './restore-version.ts';
import { buildEntryId, type EntryRow, insertRow, newEntryRow, packTags } from './rows.ts';

export interface IndexedAddition extends EntryAddition {
  readonly passages: readonly JudgedPassage[];
}

/** Inserts an entry, merges it with an equal text, or replaces the text of its key, in a transaction. */
export function createInsertion(parts: Omit<StoreParts, 'db'>) {
  const { changes, words, now } = parts;
  const freeTime = function* (
    sql: Sql,
    { id, last }: OwnerRow,
    given: number | undefined,
  ): StepGenerator<number> {
    if (given === undefined) return Math.max(last + 1, now());
    if (!(yield* sql.get`SELECT 1 FROM kb_entries WHERE owner = ${id} AND at = ${given}`)) return given;
    // Finds the next unused time in one statement, because thousands of entries may have consecutive times.
    const free = yield* sql.get<{ at: number }>`SELECT at + 1 AS at FROM kb_entries one
      WHERE owner = ${id} AND at >= ${given}
      AND NOT EXISTS (SELECT 1 FROM kb_entries WHERE owner = one.owner AND at = one.at + 1) ORDER BY at
      LIMIT 1`;
    return free?.at ?? given;
  };

  return function* (sql: Sql, addition: IndexedAddition): StepGenerator<InsertResult> {
    const { owner, entry, times, passages } = addition;
    const state = yield* ensureOwner(sql, owner);
    const namesake = yield* findEntryRowByKey(sql, state.id, entry.collection, entry.key);
    if (namesake) return yield* insertNamesake(parts, sql, namesake, addition);
    const { digest, collection, key: own_key } = entry;
    const known = yield* findEntryRowByText(sql, { owner: state.id, digest, collection, own_key });
    if (known) {
      yield* insertAgain(parts, sql, known, addition);
      return { id: buildEntryId(owner, known.at), known: true, passages: known.passages };
    }
    const lost = times && (yield* findTrashed(sql, state.id, times.createdAt, entry));
    if (lost) {
      yield* restoreEntryRow(parts, sql, lost);
      yield* mergeEntry(parts, sql, lost, entry);
      return { id: buildEntryId(owner, lost.at), known: false, passages: lost.passages };
    }
    const at = yield* freeTime(sql, state, times?.createdAt);
    const row = newEntryRow(state.id, at, times?.updatedAt ?? at, state.next, entry, passages);
    yield* insertRow(sql, row);
    yield* writePassages(sql, words, { owner: state.id, first: state.next, entry: at, ordinal: 0 }, passages);
    yield* sql.send`UPDATE kb_owners SET last = CASE WHEN last < ${at} THEN ${at} ELSE last END,
      next = next + ${passages.length}, records = records + 1, passages = passages + ${passages.length},
      bytes = bytes + ${row.bytes}, searched = searched + ${passages.length}, words = words + ${row.words},
      nonenglish = nonenglish + ${row.nonenglish} WHERE id = ${state.id}`;
    yield* updateOwnerModel(sql, {
      ...{ id: state.id, asked: state.asked, multilingual: state.multilingual },
      searched: state.searched + passages.length,
      nonenglish: state.nonenglish + row.nonenglish,
    });
    yield* changes.recordChanges(sql, state.id, [at]);
    return { id: buildEntryId(owner, at), known: false, passages: passages.length };
  };
}

type InsertionParts = Omit<StoreParts, 'db'>;

/** Replaces the text of an entry that has the key. */
function* insertNamesake(
  parts: InsertionParts,
  sql: Sql,
  namesake: EntryRow,
  { owner, entry, times, passages, isSaidNow = false, replaced = 'trash' }: IndexedAddition,
): StepGenerator<InsertResult> {
  const id = buildEntryId(owner, namesake.at);
  // Ignores an older text. Stores a text with the same time, because some programs never update the time.
  if (times && (times.updatedAt < namesake.updated || isSameEntry(namesake, entry)))
    return { id, known: true, passages: namesake.passages };
  const replacement = { entry, passages, replaced, updated: times?.updatedAt };
  const { row, changed } = yield* replaceEntry(parts, sql, namesake, replacement);
  if (isSaidNow && !changed) yield* renewEntry(parts, sql, row, parts.now());
  return { id, known: !changed, passages: row.passages, ...(changed && { replaced }) };
}

/** Merges an equal text. A text that is said now, or at a later time, is as new as if it was inserted then. */
function* insertAgain(
  parts: InsertionParts,
  sql: Sql,
  known: EntryRow,
  { entry, times, isSaidNow = false }: IndexedAddition,
): StepGenerator<void> {
  yield* mergeEntry(parts, sql, known, entry);
  const isLater = times !== undefined && times.createdAt !== known.at;
  const saidAt = isSaidNow ? parts.now() : isLater ? times.updatedAt : 0;
  if (saidAt > known.updated) yield* renewEntry(parts, sql, known, saidAt);
}

function isSameEntry(
  row: EntryRow,
  { title, source, tags, digest, validUntil = 0 }: EntryAddition['entry'],
): boolean {
  const isSameText = row.digest !== null && Buffer.from(row.digest).equals(digest);
  const isSameTime = row.valid_until === validUntil;
  return (
    isSameText && isSameTime && row.title === title && row.source === source && row.tags === packTags(tags)
  );
}
