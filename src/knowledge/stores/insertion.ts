import type { Statements } from '../../storage/sqlite.ts';
import type { Addition } from '../store.ts';
import type { Inserted } from '../types.ts';
import type { IndexedPassage } from './indexed-passage.ts';
import { mergeEntry } from './merge-entry.ts';
import { ensureOwner, type OwnerRow } from './owners.ts';
import type { StoreParts } from './parts.ts';
import { writePassages } from './passages.ts';
import { type EntryRow, idOf, insertRow, newEntryRow } from './rows.ts';
import { findTrashed, keepAgain } from './trash-rows.ts';

/** An addition with the words of its passages. */
export interface IndexedAddition extends Addition {
  readonly passages: readonly IndexedPassage[];
}

export function findByDigest(sql: Statements, owner: number, digest: Uint8Array): EntryRow | undefined {
  return sql.get<EntryRow>(
    'SELECT * FROM kb_entries WHERE owner = ? AND digest = ? AND trash <= 0',
    owner,
    digest,
  );
}

/** Inserts an entry, or adds to the one that has its text; within a transaction. */
export function createInsertion(parts: Omit<StoreParts, 'db'>) {
  const { changes, words, now } = parts;
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
      mergeEntry(parts, sql, known, entry);
      return { id: idOf(owner, known.at), known: true, passages: known.passages };
    }
    // A backup brings back what lies in the trash: the same entry, with its id.
    const lost = times && findTrashed(sql, state.id, times.createdAt, entry.digest);
    if (lost) {
      keepAgain(parts, sql, lost);
      mergeEntry(parts, sql, lost, entry);
      return { id: idOf(owner, lost.at), known: false, passages: lost.passages };
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
