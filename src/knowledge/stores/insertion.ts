import type { Statements } from '../../storage/sqlite.ts';
import type { Addition, PreparedEntry } from '../store.ts';
import type { Inserted } from '../types.ts';
import type { IndexedPassage } from './indexed-passage.ts';
import { ensureOwner, type OwnerRow } from './owners.ts';
import type { StoreParts } from './parts.ts';
import { writePassages } from './passages.ts';
import { type EntryRow, idOf, insertRow, newEntryRow, packTags, unpackTags } from './rows.ts';

/** Tags of one entry; more come together only where the same text is inserted again and again. */
const MAX_TAGS = 50;

/** An addition with the words of its passages. */
export interface IndexedAddition extends Addition {
  readonly passages: readonly IndexedPassage[];
}

export function findByDigest(sql: Statements, owner: number, digest: Uint8Array): EntryRow | undefined {
  return sql.get<EntryRow>('SELECT * FROM kb_entries WHERE owner = ? AND digest = ?', owner, digest);
}

/** Inserts an entry, or adds to the one that has its text; within a transaction. */
export function createInsertion({ changes, words, now }: Omit<StoreParts, 'db'>) {
  /** What the same text adds to the entry that has it. */
  const merge = (sql: Statements, row: EntryRow, entry: PreparedEntry): void => {
    const tags = packTags([...new Set([...unpackTags(row.tags), ...entry.tags])].slice(0, MAX_TAGS));
    const title = row.title || entry.title;
    const source = entry.source || row.source;
    if (tags === row.tags && title === row.title && source === row.source) return;
    sql.run(
      'UPDATE kb_entries SET tags = ?, title = ?, source = ?, updated = ? WHERE owner = ? AND at = ?',
      tags,
      title,
      source,
      now(),
      row.owner,
      row.at,
    );
    changes.recordChanges(sql, row.owner, [row.at]);
  };

  /** Later than every entry before, whatever the clock says; or the time that was given, or the first free after it. */
  const freeTime = (sql: Statements, { id, last }: OwnerRow, given: number | undefined): number => {
    if (given === undefined) return Math.max(last + 1, now());
    for (let at = given; ; at++) {
      if (!sql.get('SELECT 1 FROM kb_entries WHERE owner = ? AND at = ?', id, at)) return at;
    }
  };

  return (sql: Statements, { owner, entry, times, passages }: IndexedAddition): Inserted => {
    const state = ensureOwner(sql, owner);
    const known = findByDigest(sql, state.id, entry.digest);
    if (known) {
      merge(sql, known, entry);
      return { id: idOf(owner, known.at), known: true, passages: known.passages };
    }
    const at = freeTime(sql, state, times?.createdAt);
    const row = newEntryRow(state.id, at, times?.updatedAt ?? at, state.next, entry, passages);
    insertRow(sql, row);
    writePassages(sql, words, { owner: state.id, first: state.next, entry: at, ordinal: 0 }, passages);
    sql.run(
      `UPDATE kb_owners SET last = max(last, ?), next = next + ?, records = records + 1, passages = passages + ?,
         bytes = bytes + ?, searched = searched + ?, words = words + ? WHERE id = ?`,
      at,
      passages.length,
      passages.length,
      row.bytes,
      passages.length,
      row.words,
      state.id,
    );
    changes.recordChanges(sql, state.id, [at]);
    return { id: idOf(owner, at), known: false, passages: passages.length };
  };
}
