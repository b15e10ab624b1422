import type { Sql, StepGenerator } from '../../../storage/any-database.ts';
import type { ChunkedEntry } from '../../store.ts';
import type { ReplacedTextFate } from '../../types.ts';
import type { StoreParts } from '../parts.ts';
import { computePassageKeyBase, type JudgedPassage } from '../passages/indexed-passage.ts';
import { readJoinedText, writePassages } from '../passages/passages.ts';
import { isOfOwner } from './owner-sql.ts';
import { addToOwnerCounts, countRemoval, readOwner } from './owners.ts';
import {
  deleteRow,
  type EntryRow,
  insertRow,
  newEntryRow,
  packTags,
  sumEntryRows,
  TRASH_STATE_DELETING,
  updateEntryRow,
} from './rows.ts';

export interface EntryReplacement {
  readonly entry: ChunkedEntry;
  readonly passages: readonly JudgedPassage[];
  readonly replaced: ReplacedTextFate;
  readonly updated?: number | undefined;
}

export function* replaceEntry(
  parts: Omit<StoreParts, 'db'>,
  sql: Sql,
  row: EntryRow,
  { entry, passages, replaced, updated: given }: EntryReplacement,
): StepGenerator<{ readonly row: EntryRow; readonly changed: boolean }> {
  const { changes, words, now } = parts;
  const updated = given ?? Math.max(now(), row.at + 1);
  const changed = (yield* readJoinedText(sql, row.owner, row)) !== passages.map(({ text }) => text).join('');
  if (!changed && row.title === entry.title) {
    return { row: yield* writeFacts(parts, sql, row, entry, updated), changed };
  }
  const { next } = yield* readOwner(sql, row.owner);
  const made = newEntryRow(row.owner, row.at, updated, next, entry, passages);
  // Counts the new text before the old one is removed. Otherwise, the owner's model might change twice.
  yield* addToOwnerCounts(sql, row.owner, sumEntryRows([made], 1));
  if (changed && replaced === 'trash') yield* moveToTrashAsVersion(parts, sql, row);
  else yield* removeRow(sql, row);
  const { last } = yield* readOwner(sql, row.owner);
  yield* insertRow(sql, made);
  yield* writePassages(sql, words, { owner: row.owner, first: next, entry: row.at, ordinal: 0 }, passages);
  yield* sql.send`UPDATE kb_owners SET next = ${next + passages.length}, last = ${Math.max(last, row.at)}
    WHERE id = ${row.owner}`;
  yield* countRemoval(sql, row.owner);
  yield* changes.recordChanges(sql, row.owner, [row.at]);
  return { row: made, changed };
}

function* writeFacts(
  { changes }: Pick<StoreParts, 'changes'>,
  sql: Sql,
  row: EntryRow,
  { source, tags, collection, key, digest, validUntil: valid_until = 0 }: ChunkedEntry,
  updated: number,
): StepGenerator<EntryRow> {
  const made = { ...row, source, tags: packTags(tags), collection, own_key: key, digest, valid_until };
  const same = (['source', 'tags', 'collection', 'own_key', 'valid_until'] as const).every(
    (name) => made[name] === row[name],
  );
  if (same) return row;
  const changed = { source, tags: made.tags, collection, own_key: key, digest, valid_until, updated };
  yield* updateEntryRow(sql, row, changed);
  yield* changes.recordChanges(sql, row.owner, [row.at]);
  return { ...made, updated };
}

/** Deletes an entry permanently. The caller must increase the owner's counter of removals. */
export function* removeRow(sql: Sql, row: EntryRow): StepGenerator<void> {
  yield* deleteRow(sql, row);
  yield* addToOwnerCounts(sql, row.owner, sumEntryRows([row], -1));
}

/** Moves a replaced text to the trash under a new time, so that the new text can take the old time and id. */
export function* moveToTrashAsVersion(
  { now }: Pick<StoreParts, 'now'>,
  sql: Sql,
  row: EntryRow,
): StepGenerator<void> {
  const { last, trashed } = yield* readOwner(sql, row.owner);
  const at = Math.max(last + 1, now());
  const batch = Math.max(now(), trashed + 1, TRASH_STATE_DELETING + 1);
  yield* sql.send`UPDATE kb_owners SET last = ${at}, trashed = ${batch} WHERE id = ${row.owner}`;
  yield* changeEntryRowTime(sql, row, at);
  yield* updateEntryRow(sql, { owner: row.owner, at }, { trash: batch, version_of: row.at });
  yield* addToOwnerCounts(sql, row.owner, sumEntryRows([row], -1));
  yield* countRemoval(sql, row.owner);
}

export function* changeEntryRowTime(
  sql: Sql,
  { owner, at, first, passages }: EntryRow,
  to: number,
): StepGenerator<void> {
  const from = computePassageKeyBase(owner) + first;
  yield* updateEntryRow(sql, { owner, at }, { at: to });
  yield* sql.send`UPDATE kb_passages SET entry = ${to} WHERE ${isOfOwner(sql, owner)}
    AND id >= ${from} AND id < ${from + passages}`;
}
