import { setImmediate } from 'node:timers/promises';
import type { Database, Statements } from '../../storage/sqlite.ts';
import type { EntryStore } from '../store.ts';
import type { Restorable, TrashBatch } from '../types.ts';
import { ENTRIES } from './entries.ts';
import { baseOf } from './indexed-passage.ts';
import { findByDigest } from './insertion.ts';
import { mergeEntry } from './merge-entry.ts';
import { addToCounts, countRemoval, findOwner, type OwnerRow, readOwner } from './owners.ts';
import type { StoreParts } from './parts.ts';
import { type EntryRow, GOING, idOf, RESTORED, TRASHED, timeOf, unpackTags } from './rows.ts';
import { keepAgain, removeSomeTrashed, settleSome, sumOf } from './trash-rows.ts';

/** Entries that go to the trash in one step: about 10 ms. */
const MOVED_AT_ONCE = 1000;
/** Part of the bound that is filled after older batches have gone. */
const TRIMMED_TO = 0.9;
/** Characters of a text by which a list of the trash shows it. */
const SHOWN_CHARS = 100;

interface Trash
  extends Pick<EntryStore, 'moveToTrash' | 'restoreFromTrash' | 'listTrash' | 'purgeTrash' | 'trimTrash'> {
  /** Finishes what a process that ended left of a restore. */
  settleRestored(signal: AbortSignal): Promise<void>;
}

/**
 * Entries in the trash stay where they are, with passages, words and vectors, so that neither way needs room on the disk:
 * a number in their row takes them out of everything else. `wipe` is called after something was removed for good.
 */
export function createTrash(parts: StoreParts, wipe: () => Promise<void>): Trash {
  const { db } = parts;

  const settle = async (owner: number, signal?: AbortSignal) => {
    const step = () => db.write((sql) => settleSome(parts, sql, owner));
    while (!signal?.aborted && (await step())) await setImmediate();
  };

  const purge = async (owner: number, until: number, signal?: AbortSignal) => {
    let removed = 0;
    let listed = 0;
    for (let more = true; more && !signal?.aborted; await setImmediate()) {
      const rows = await db.write((sql) => removeSomeTrashed(sql, owner, until));
      removed += rows.length;
      listed += rows.filter(({ trash }) => trash > GOING).length;
      more = rows.length > 0;
    }
    if (removed > 0) await wipe();
    return listed;
  };

  return {
    async moveToTrash(owner, id) {
      const state = await db.read((sql) => findOwner(sql, owner));
      if (!state) return { ids: [] };
      const ids: string[] = [];
      let batch: number | undefined;
      for (let after = -1, more = true; more; await setImmediate()) {
        const rows = await db.write((sql) => {
          const some = id === undefined ? rowsAfter(sql, state, after) : rowAt(sql, state, timeOf(owner, id));
          if (some.length > 0) batch = moveRows(parts, sql, { owner: state.id, rows: some, batch });
          return some;
        });
        ids.push(...rows.map(({ at }) => idOf(owner, at)));
        after = rows.at(-1)?.at ?? after;
        more = id === undefined && rows.length > 0;
      }
      return { ids, batch: batch === undefined ? undefined : String(batch) };
    },

    async restoreFromTrash(owner, which) {
      const done = await db.write((sql) => {
        const state = findOwner(sql, owner);
        return state && { id: state.id, ...restore(parts, sql, owner, state, which) };
      });
      if (!done) return { ids: [], known: 0 };
      await settle(done.id);
      if (done.known > 0) await purge(done.id, GOING);
      return { ids: done.rows.map(({ at }) => idOf(owner, at)), known: done.known };
    },

    listTrash: (owner, limit) =>
      db.read((sql) => {
        const id = findOwner(sql, owner)?.id ?? null;
        return { batches: listBatches(sql, owner, id, limit), ...measure(sql, id) };
      }),

    async purgeTrash(until, signal, owner) {
      let removed = 0;
      for (const id of await listOwners(db, GOING, Math.max(GOING, until), owner)) {
        if (!signal.aborted) removed += await purge(id, until, signal);
      }
      return removed;
    },

    async trimTrash(owner, most, signal) {
      const beyond = await db.read((sql) => {
        const state = findOwner(sql, owner);
        return state && { id: state.id, until: oldestBeyond(sql, state.id, most) };
      });
      return beyond && beyond.until > GOING ? purge(beyond.id, beyond.until, signal) : 0;
    },

    async settleRestored(signal) {
      for (const id of await listOwners(db, RESTORED, RESTORED)) await settle(id, signal);
    },
  };
}

/** Entries that the owner had at `state`, in the order of their times. */
function rowsAfter(sql: Statements, { id, next }: OwnerRow, after: number): EntryRow[] {
  return sql.all(
    `SELECT * ${ENTRIES} AND at > ? AND first < ? ORDER BY at LIMIT ?`,
    id,
    after,
    next,
    MOVED_AT_ONCE,
  );
}

function rowAt(sql: Statements, { id }: OwnerRow, at: number | null): EntryRow[] {
  return sql.all(`SELECT * ${ENTRIES} AND at = ?`, id, at);
}

interface Moved {
  readonly owner: number;
  readonly rows: readonly EntryRow[];
  /** Undefined at the first step. */
  readonly batch: number | undefined;
}

/** Gives the number of the batch; within a transaction. */
function moveRows({ changes, now }: StoreParts, sql: Statements, { owner, rows, batch }: Moved): number {
  const number = batch ?? Math.max(now(), readOwner(sql, owner).trashed + 1, GOING + 1);
  for (const { at } of rows) {
    sql.run('UPDATE kb_entries SET trash = ? WHERE owner = ? AND at = ?', number, owner, at);
  }
  sql.run('UPDATE kb_owners SET trashed = max(trashed, ?) WHERE id = ?', number, owner);
  addToCounts(sql, owner, sumOf(rows, -1));
  countRemoval(sql, owner);
  changes.recordChanges(
    sql,
    owner,
    rows.map(({ at }) => at),
  );
  return number;
}

/** Within a transaction. Of the same text the entry that is kept stays, or else the newest comes back. */
function restore(
  parts: StoreParts,
  sql: Statements,
  owner: string,
  state: OwnerRow,
  which: Restorable,
): { readonly rows: readonly EntryRow[]; readonly known: number } {
  const texts = new Set<string>();
  const rows: EntryRow[] = [];
  let known = 0;
  for (const row of trashedRows(sql, owner, state, which)) {
    const digest = row.digest ?? new Uint8Array();
    const kept = findByDigest(sql, state.id, digest);
    const text = Buffer.from(digest).toString('base64');
    if (!kept && !texts.has(text)) {
      texts.add(text);
      rows.push(row);
      continue;
    }
    known++;
    if (kept) {
      const { title, tags, source } = row;
      mergeEntry(parts, sql, kept, { title, tags: unpackTags(tags), source: kept.source ? '' : source });
    }
    sql.run('UPDATE kb_entries SET trash = ? WHERE owner = ? AND at = ?', GOING, state.id, row.at);
  }
  if (rows.length > 0) keepAgain(parts, sql, state.id, rows);
  return { rows, known };
}

/** What is to be restored, newest first. */
function trashedRows(
  sql: Statements,
  owner: string,
  { id, trashed }: OwnerRow,
  which: Restorable,
): EntryRow[] {
  if (typeof which === 'object' && 'entry' in which) {
    return sql.all(
      'SELECT * FROM kb_entries WHERE owner = ? AND at = ? AND trash > ?',
      id,
      timeOf(owner, which.entry),
      GOING,
    );
  }
  const [least, most] = which === 'all' ? [GOING + 1, Number.MAX_SAFE_INTEGER] : batchOf(which, trashed);
  return sql.all(
    `SELECT * FROM ${TRASHED} WHERE owner = ? AND trash <> 0 AND trash BETWEEN ? AND ? ORDER BY at DESC`,
    id,
    least,
    most,
  );
}

/** The numbers between which the batch is; none for a text that is no number of a batch. */
function batchOf(which: 'latest' | { readonly batch: string }, trashed: number): [number, number] {
  if (which === 'latest') return [Math.max(trashed, GOING + 1), trashed];
  const number = /^[1-9]\d{0,15}$/.test(which.batch) ? Number(which.batch) : 0;
  return [Math.max(number, GOING + 1), number];
}

interface Measure {
  readonly records: number;
  readonly bytes: number;
}

function measure(sql: Statements, owner: number | null): Measure {
  const sum = sql.get<Measure>(
    `SELECT count(*) AS records, total(bytes) AS bytes FROM ${TRASHED} WHERE owner = ? AND trash <> 0 AND trash > ?`,
    owner,
    GOING,
  );
  return sum ?? { records: 0, bytes: 0 };
}

/** The newest batch that is to go, so that a part of the bound is free again: each removal would trim otherwise. 0 for none. */
function oldestBeyond(sql: Statements, owner: number, most: Measure): number {
  const { records, bytes } = measure(sql, owner);
  if (records <= most.records && bytes <= most.bytes) return 0;
  const row = sql.get<{ trash: number | null }>(
    `SELECT max(trash) AS trash FROM (
       SELECT trash, sum(count(*)) OVER newer AS records, sum(sum(bytes)) OVER newer AS bytes,
         row_number() OVER newer AS place
       FROM ${TRASHED} WHERE owner = ? AND trash <> 0 AND trash > ? GROUP BY trash
       WINDOW newer AS (ORDER BY trash DESC))
     WHERE place > 1 AND (records > ? OR bytes > ?)`,
    owner,
    GOING,
    most.records * TRIMMED_TO,
    most.bytes * TRIMMED_TO,
  );
  return row?.trash ?? 0;
}

function listBatches(sql: Statements, owner: string, id: number | null, limit: number): TrashBatch[] {
  if (id === null) return [];
  const batches = sql.all<{ trash: number; records: number; bytes: number; at: number; first: number }>(
    `SELECT trash, count(*) AS records, sum(bytes) AS bytes, at, min(first) AS first FROM ${TRASHED}
     WHERE owner = ? AND trash <> 0 AND trash > ? GROUP BY trash ORDER BY trash DESC LIMIT ?`,
    id,
    GOING,
    limit,
  );
  return batches.map(({ trash, records, bytes, at, first }) => {
    const text = sql.get<{ text: string }>(
      'SELECT substr(text, 1, ?) AS text FROM kb_passages WHERE id = ?',
      SHOWN_CHARS,
      baseOf(id) + first,
    )?.text;
    return {
      id: String(trash),
      removedAt: trash,
      records,
      bytes,
      entry: idOf(owner, at),
      text: text?.trim() ?? '',
    };
  });
}

/** Owners, or one of them, that have entries whose `trash` lies between the two. */
function listOwners(db: Database, least: number, most: number, owner?: string): Promise<number[]> {
  return db.read((sql) =>
    sql
      .all<{ id: number }>(
        `SELECT id FROM kb_owners o WHERE (? IS NULL OR name = ?) AND EXISTS (
           SELECT 1 FROM ${TRASHED} WHERE owner = o.id AND trash <> 0 AND trash BETWEEN ? AND ?)`,
        owner ?? null,
        owner ?? null,
        least,
        most,
      )
      .map(({ id }) => id),
  );
}
