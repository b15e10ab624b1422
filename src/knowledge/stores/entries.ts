import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import { inTurns } from '../../lib/turns.ts';
import type { Statements } from '../../storage/sqlite.ts';
import type { EntryStore, PreparedEntry } from '../store.ts';
import type { Entry } from '../types.ts';
import { type IndexedPassage, indexPassage } from './indexed-passage.ts';
import { createInsertion, findByDigest, type IndexedAddition } from './insertion.ts';
import { addToCounts, countRemoval, findOwner, type OwnerRow, readOwner } from './owners.ts';
import type { StoreParts } from './parts.ts';
import { writePassages } from './passages.ts';
import {
  countsOf,
  decodeCursor,
  deleteRow,
  type EntryRow,
  encodeCursor,
  entryOf,
  idOf,
  insertRow,
  KEPT,
  newEntryRow,
  timeOf,
} from './rows.ts';

/** Bytes of text in one page of a list, beyond the first entry. */
const MAX_PAGE_BYTES = 8_000_000;
/** Entries, and passages, that go in one step of a reset: about 0.1 s. */
const REMOVED_AT_ONCE = 500;
const PASSAGES_AT_ONCE = 2000;

export const ENTRIES = 'FROM kb_entries WHERE owner = ? AND digest IS NOT NULL AND trash <= 0';

function findRow(sql: Statements, owner: string, id: string): EntryRow | undefined {
  const number = findOwner(sql, owner)?.id ?? null;
  return sql.get<EntryRow>(`SELECT * ${ENTRIES} AND at = ?`, number, timeOf(owner, id));
}

function findTrashedById(sql: Statements, owner: string, id: string): EntryRow | undefined {
  const number = findOwner(sql, owner)?.id ?? null;
  return sql.get<EntryRow>(
    'SELECT * FROM kb_entries WHERE owner = ? AND at = ? AND trash > 0',
    number,
    timeOf(owner, id),
  );
}

/** How entries are read. */
export function createEntryReads({
  db,
}: Pick<StoreParts, 'db'>): Pick<EntryStore, 'findEntry' | 'listEntries' | 'readCounts'> {
  return {
    findEntry: (owner, id) =>
      db.read((sql) => {
        const row = findRow(sql, owner, id);
        return row && entryOf(sql, owner, row);
      }),

    listEntries: (owner, limit, order, cursor) =>
      db.read((sql) => {
        const rows = listRows(sql, owner, limit + 1, order, cursor);
        const shown = cutPage(rows.slice(0, limit));
        const last = shown.at(-1);
        return {
          entries: shown.map((row) => entryOf(sql, owner, row)),
          next: last && shown.length < rows.length ? encodeCursor(last.at) : undefined,
        };
      }),

    readCounts: (owner) =>
      db.read((sql) => {
        const row = findOwner(sql, owner);
        if (!row) return { records: 0, passages: 0, bytes: 0 };
        const { records, passages, bytes } = row;
        const first = (order: string) =>
          sql.get<{ at: number }>(`SELECT at ${ENTRIES} ORDER BY at ${order} LIMIT 1`, row.id)?.at;
        return { records, passages, bytes, oldest: first('ASC'), newest: first('DESC') };
      }),
  };
}

function listRows(
  sql: Statements,
  owner: string,
  limit: number,
  order: 'newest' | 'oldest',
  cursor: string | undefined,
): EntryRow[] {
  const newest = order === 'newest';
  const from = cursor === undefined ? (newest ? Number.MAX_SAFE_INTEGER : -1) : decodeCursor(cursor);
  return sql.all(
    `SELECT * ${ENTRIES} AND at ${newest ? '< ? ORDER BY at DESC' : '> ? ORDER BY at'} LIMIT ?`,
    findOwner(sql, owner)?.id ?? null,
    from,
    limit,
  );
}

/** The first rows, up to the bytes of a page; at least one. */
function cutPage(rows: readonly EntryRow[]): EntryRow[] {
  let bytes = 0;
  const beyond = rows.findIndex((row, at) => {
    bytes += row.bytes;
    return at > 0 && bytes > MAX_PAGE_BYTES;
  });
  return rows.slice(0, beyond < 0 ? rows.length : beyond);
}

type EntryWrites = Pick<EntryStore, 'insertEntries' | 'updateEntry' | 'removeEntry' | 'removeAllEntries'>;

/** How entries are written. `wipe` is called after a reset. */
export function createEntryWrites(parts: StoreParts, wipe: () => Promise<void>): EntryWrites {
  const { db, changes } = parts;
  const insert = createInsertion(parts);

  return {
    async insertEntries(additions) {
      const ready: IndexedAddition[] = [];
      for (const one of additions) ready.push({ ...one, passages: await inTurns(indexAll(one.entry)) });
      return db.write((sql) => ready.map((one) => insert(sql, one)));
    },

    async updateEntry(owner, id, entry) {
      const passages = await inTurns(indexAll(entry));
      return db.write((sql) => update(parts, sql, { owner, id, entry, passages }));
    },

    removeEntry: (owner, id) =>
      db.remove((sql) => {
        const row = findRow(sql, owner, id) ?? findTrashedById(sql, owner, id);
        if (!row) return false;
        if (row.trash > KEPT) deleteRow(sql, row);
        else remove(sql, row);
        countRemoval(sql, row.owner);
        changes.recordChanges(sql, row.owner, [row.at]);
        return true;
      }),

    /** In steps, since everything else waits for each; what comes in between stays. */
    async removeAllEntries(owner) {
      const state = await db.read((sql) => findOwner(sql, owner));
      if (!state) return [];
      const removed: number[] = [];
      for (let step = [-1]; step.length > 0; await setImmediate()) {
        step = await db.remove((sql) => removeSome(parts, sql, state));
        removed.push(...step);
      }
      if (removed.length > 0) await wipe();
      return removed.map((at) => idOf(owner, at));
    },
  };
}

/** Replaces the text of an entry, which keeps its time; within a transaction. */
function update(
  { changes, words, now }: StoreParts,
  sql: Statements,
  given: {
    readonly owner: string;
    readonly id: string;
    readonly entry: PreparedEntry;
    readonly passages: readonly IndexedPassage[];
  },
): Entry {
  const { owner, id, entry, passages } = given;
  const row = findRow(sql, owner, id);
  if (!row) throw new AppError('not_found', `there is no entry ${id}`);
  const same = findByDigest(sql, row.owner, entry.digest);
  if (same && same.at !== row.at) {
    throw new AppError('bad_request', `text is that of the entry ${idOf(owner, same.at)} already`);
  }
  remove(sql, row);
  const { next, last } = readOwner(sql, row.owner);
  const changed = newEntryRow(row.owner, row.at, Math.max(now(), row.at + 1), next, entry, passages);
  insertRow(sql, changed);
  writePassages(sql, words, { owner: row.owner, first: next, entry: row.at, ordinal: 0 }, passages);
  addToCounts(sql, row.owner, countsOf(changed));
  sql.run(
    'UPDATE kb_owners SET next = ?, last = ?, removals = removals + 1 WHERE id = ?',
    next + passages.length,
    Math.max(last, row.at),
    row.owner,
  );
  changes.recordChanges(sql, row.owner, [row.at]);
  return entryOf(sql, owner, changed);
}

function remove(sql: Statements, row: EntryRow): void {
  deleteRow(sql, row);
  const { records, passages, bytes, searched, words } = countsOf(row);
  addToCounts(sql, row.owner, {
    records: -records,
    passages: -passages,
    bytes: -bytes,
    searched: -searched,
    words: -words,
  });
}

/** Removes some of the entries that the owner had; gives their times, none when none is left. Within a transaction. */
function removeSome({ changes }: StoreParts, sql: Statements, { id, next }: OwnerRow): number[] {
  const rows = sql.all<EntryRow>(`SELECT * ${ENTRIES} AND first < ? LIMIT ?`, id, next, REMOVED_AT_ONCE);
  const removed: number[] = [];
  let passages = 0;
  for (const row of rows) {
    if (passages > 0 && passages + row.passages > PASSAGES_AT_ONCE) break;
    passages += row.passages;
    remove(sql, row);
    removed.push(row.at);
  }
  if (removed.length > 0) {
    countRemoval(sql, id);
    changes.recordChanges(sql, id, removed);
  }
  return removed;
}

/** The words of all passages. */
function* indexAll({ passages }: PreparedEntry): Generator<undefined, IndexedPassage[]> {
  const ready: IndexedPassage[] = [];
  for (const passage of passages) {
    ready.push(indexPassage(passage));
    yield;
  }
  return ready;
}
