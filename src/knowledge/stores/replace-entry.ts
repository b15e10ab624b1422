import type { Statements } from '../../storage/sqlite.ts';
import type { PreparedEntry } from '../store.ts';
import type { Replaced } from '../types.ts';
import { baseOf, type JudgedPassage } from './indexed-passage.ts';
import { addToCounts, countRemoval, readOwner } from './owners.ts';
import type { StoreParts } from './parts.ts';
import { joinPassages, writePassages } from './passages.ts';
import { countsOf, deleteRow, type EntryRow, GOING, insertRow, newEntryRow, packTags } from './rows.ts';

/** How an entry gets another text and keeps its id. Every function here runs within a step of the database. */

export interface Replacement {
  readonly entry: PreparedEntry;
  readonly passages: readonly JudgedPassage[];
  /** What becomes of the text before. */
  readonly replaced: Replaced;
  /** Microseconds since 1970: of the text, where it comes from elsewhere; left out for now. */
  readonly updated?: number | undefined;
}

/** Gives the row as it is now, and whether its text is another one. */
export function replaceEntry(
  parts: Omit<StoreParts, 'db'>,
  sql: Statements,
  row: EntryRow,
  { entry, passages, replaced, updated: given }: Replacement,
): { readonly row: EntryRow; readonly changed: boolean } {
  const { changes, words, now } = parts;
  const updated = given ?? Math.max(now(), row.at + 1);
  const changed = joinPassages(sql, row.owner, row) !== passages.map(({ text }) => text).join('');
  if (!changed && row.title === entry.title) {
    return { row: writeFacts(parts, sql, row, entry, updated), changed };
  }
  const { next } = readOwner(sql, row.owner);
  const made = newEntryRow(row.owner, row.at, updated, next, entry, passages);
  // Before the old text goes: without both for a moment, the owner would change the model.
  addToCounts(sql, row.owner, countsOf(made));
  if (changed && replaced === 'trash') keepAsVersion(parts, sql, row);
  else removeRow(sql, row);
  const { last } = readOwner(sql, row.owner);
  insertRow(sql, made);
  writePassages(sql, words, { owner: row.owner, first: next, entry: row.at, ordinal: 0 }, passages);
  sql.run(
    'UPDATE kb_owners SET next = ?, last = ? WHERE id = ?',
    next + passages.length,
    Math.max(last, row.at),
    row.owner,
  );
  countRemoval(sql, row.owner);
  changes.recordChanges(sql, row.owner, [row.at]);
  return { row: made, changed };
}

/** Where the text stays, its passages do. */
function writeFacts(
  { changes }: Pick<StoreParts, 'changes'>,
  sql: Statements,
  row: EntryRow,
  { source, tags, collection, key, digest }: PreparedEntry,
  updated: number,
): EntryRow {
  const made = { ...row, source, tags: packTags(tags), collection, own_key: key, digest };
  const same = (['source', 'tags', 'collection', 'own_key'] as const).every(
    (name) => made[name] === row[name],
  );
  if (same) return row;
  sql.run(
    `UPDATE kb_entries SET source = ?, tags = ?, collection = ?, own_key = ?, digest = ?, updated = ?
     WHERE owner = ? AND at = ?`,
    source,
    made.tags,
    collection,
    key,
    digest,
    updated,
    row.owner,
    row.at,
  );
  changes.recordChanges(sql, row.owner, [row.at]);
  return { ...made, updated };
}

/** Removes an entry for good; its owner is to hear of a removal. */
export function removeRow(sql: Statements, row: EntryRow): void {
  deleteRow(sql, row);
  takeFromCounts(sql, row);
}

/** Moves a kept text to the trash, in a batch of its own and under a time of its own: that of its entry is free then. */
export function keepAsVersion({ now }: Pick<StoreParts, 'now'>, sql: Statements, row: EntryRow): void {
  const { last, trashed } = readOwner(sql, row.owner);
  const at = Math.max(last + 1, now());
  const batch = Math.max(now(), trashed + 1, GOING + 1);
  sql.run('UPDATE kb_owners SET last = ?, trashed = ? WHERE id = ?', at, batch, row.owner);
  moveRow(sql, row, at);
  sql.run(
    'UPDATE kb_entries SET trash = ?, version_of = ? WHERE owner = ? AND at = ?',
    batch,
    row.at,
    row.owner,
    at,
  );
  takeFromCounts(sql, row);
  countRemoval(sql, row.owner);
}

/** Gives a row another time, which is free. */
export function moveRow(sql: Statements, { owner, at, first, passages }: EntryRow, to: number): void {
  const from = baseOf(owner) + first;
  sql.run('UPDATE kb_entries SET at = ? WHERE owner = ? AND at = ?', to, owner, at);
  sql.run('UPDATE kb_passages SET entry = ? WHERE id >= ? AND id < ?', to, from, from + passages);
}

function takeFromCounts(sql: Statements, row: EntryRow): void {
  const { records, passages, bytes, searched, words, nonenglish } = countsOf(row);
  addToCounts(sql, row.owner, {
    records: -records,
    passages: -passages,
    bytes: -bytes,
    searched: -searched,
    words: -words,
    nonenglish: -nonenglish,
  });
}
