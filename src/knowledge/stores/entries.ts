import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import { inTurns } from '../../lib/turns.ts';
import type { Database } from '../../storage/sqlite.ts';
import type { Inserted } from '../knowledge.ts';
import type { Addition, EntryStore, PreparedEntry } from '../store.ts';
import type { Changes } from './changes.ts';
import type { OwnerRow, Owners } from './owners.ts';
import { type IndexedPassage, indexPassage, writePassages } from './passages.ts';
import {
  decodeCursor,
  dropRow,
  type EntryRow,
  encodeCursor,
  entryOf,
  idOf,
  insertRow,
  newEntryRow,
  packTags,
  timeOf,
  unpackTags,
} from './rows.ts';
import type { WordIndex } from './word-index.ts';

/** Tags of one entry; more come together only where the same text is put in again and again. */
const TAGS = 50;
/** Bytes of text in one page of a list, beyond the first entry. */
const PAGE_BYTES = 8_000_000;
/** Entries, and passages, that go in one step of a reset: about 0.1 s. */
const REMOVED_AT_ONCE = 500;
const PASSAGES_AT_ONCE = 2000;

interface Ready {
  readonly owner: string;
  readonly number: number;
  readonly entry: PreparedEntry;
  readonly times: Addition['times'];
  readonly passages: readonly IndexedPassage[];
}

type EntryPart = Pick<
  EntryStore,
  | 'insertEntries'
  | 'updateEntry'
  | 'removeEntry'
  | 'findEntry'
  | 'listEntries'
  | 'readCounts'
  | 'removeAllEntries'
>;

const ENTRIES = 'FROM kb_entries WHERE owner = ? AND digest IS NOT NULL';

/** The entries' part of the store. `now` is in microseconds. */
export function createEntries(
  db: Database,
  owners: Owners,
  changes: Changes,
  words: WordIndex,
  now: () => number,
  removed: () => Promise<void>,
): EntryPart {
  const byDigest = (owner: number, digest: Uint8Array) =>
    db.get<EntryRow>('SELECT * FROM kb_entries WHERE owner = ? AND digest = ?', owner, digest);
  const byId = (owner: string, id: string) =>
    db.get<EntryRow>(
      `SELECT * ${ENTRIES} AND at = ?`,
      owners.findOwner(owner)?.id ?? null,
      timeOf(owner, id),
    );

  /** What the same text adds to the entry that has it. */
  const merge = ({ owner, number, entry }: Ready, row: EntryRow): Inserted => {
    const tags = packTags([...new Set([...unpackTags(row.tags), ...entry.tags])].slice(0, TAGS));
    const title = row.title || entry.title;
    const source = entry.source || row.source;
    if (tags !== row.tags || title !== row.title || source !== row.source) {
      db.run(
        'UPDATE kb_entries SET tags = ?, title = ?, source = ?, updated = ? WHERE owner = ? AND at = ?',
        tags,
        title,
        source,
        now(),
        number,
        row.at,
      );
      changes.recordChanges(number, [row.at]);
    }
    return { id: idOf(owner, row.at), known: true, passages: row.passages };
  };

  const insert = (ready: Ready): Inserted => {
    const { owner, number, entry, times } = ready;
    const known = byDigest(number, entry.digest);
    if (known) return merge(ready, known);
    const state = owners.readOwner(number);
    const at = freeTime(state, times?.createdAt);
    const { passages } = ready;
    const row = newEntryRow(number, at, times?.updatedAt ?? at, state.next, entry, passages);
    insertRow(db, row);
    writePassages(db, words, number, state.next, at, 0, passages);
    db.run(
      `UPDATE kb_owners SET last = max(last, ?), next = next + ?, records = records + 1, passages = passages + ?,
         bytes = bytes + ?, searched = searched + ?, words = words + ? WHERE id = ?`,
      at,
      passages.length,
      passages.length,
      row.bytes,
      passages.length,
      row.words,
      number,
    );
    changes.recordChanges(number, [at]);
    return { id: idOf(owner, at), known: false, passages: passages.length };
  };

  /** Later than every entry before, whatever the clock says; or the time that was given, or the first free after it. */
  const freeTime = ({ id, last }: OwnerRow, given: number | undefined): number => {
    if (given === undefined) return Math.max(last + 1, now());
    for (let at = given; ; at++) {
      if (!db.get('SELECT 1 FROM kb_entries WHERE owner = ? AND at = ?', id, at)) return at;
    }
  };

  const drop = (row: EntryRow) => {
    dropRow(db, row);
    owners.addToCounts(row.owner, {
      records: -1,
      passages: -row.passages,
      bytes: -row.bytes,
      searched: -row.passages,
      words: -row.words,
    });
  };
  const countRemoval = (owner: number) =>
    db.run('UPDATE kb_owners SET removals = removals + 1 WHERE id = ?', owner);

  return {
    async insertEntries(additions) {
      const ready: Ready[] = [];
      for (const { owner, entry, times } of additions) {
        ready.push({
          owner,
          number: owners.number(owner),
          entry,
          times,
          passages: await inTurns(indexAll(entry)),
        });
      }
      return db.transactionSync(() => ready.map(insert));
    },

    async updateEntry(owner, id, entry) {
      const passages = await inTurns(indexAll(entry));
      return db.transactionSync(() => {
        const row = byId(owner, id);
        if (!row) throw new AppError('not_found', `there is no entry ${id}`);
        const same = byDigest(row.owner, entry.digest);
        if (same && same.at !== row.at) {
          throw new AppError('bad_request', `text is that of the entry ${idOf(owner, same.at)} already`);
        }
        drop(row);
        const { next, last } = owners.readOwner(row.owner);
        const changed = newEntryRow(row.owner, row.at, Math.max(now(), row.at + 1), next, entry, passages);
        insertRow(db, changed);
        writePassages(db, words, row.owner, next, row.at, 0, passages);
        const count = passages.length;
        owners.addToCounts(row.owner, {
          records: 1,
          passages: count,
          bytes: changed.bytes,
          searched: count,
          words: changed.words,
        });
        db.run(
          'UPDATE kb_owners SET next = ?, last = ?, removals = removals + 1 WHERE id = ?',
          next + count,
          Math.max(last, row.at),
          row.owner,
        );
        changes.recordChanges(row.owner, [row.at]);
        return entryOf(db, owner, changed);
      });
    },

    async removeEntry(owner, id) {
      return db.transactionSync(() => {
        const row = byId(owner, id);
        if (!row) return false;
        drop(row);
        countRemoval(row.owner);
        changes.recordChanges(row.owner, [row.at]);
        return true;
      });
    },

    async findEntry(owner, id) {
      const row = byId(owner, id);
      return row && entryOf(db, owner, row);
    },

    async listEntries(owner, limit, order, cursor) {
      const newest = order === 'newest';
      const from = cursor === undefined ? (newest ? Number.MAX_SAFE_INTEGER : -1) : decodeCursor(cursor);
      const rows = db.all<EntryRow>(
        `SELECT * ${ENTRIES} AND at ${newest ? '< ? ORDER BY at DESC' : '> ? ORDER BY at'} LIMIT ?`,
        owners.findOwner(owner)?.id ?? null,
        from,
        limit + 1,
      );
      const shown: EntryRow[] = [];
      let bytes = 0;
      for (const row of rows.slice(0, limit)) {
        bytes += row.bytes;
        if (shown.length > 0 && bytes > PAGE_BYTES) break;
        shown.push(row);
      }
      const last = shown.at(-1);
      return {
        entries: shown.map((row) => entryOf(db, owner, row)),
        next: last && shown.length < rows.length ? encodeCursor(last.at) : undefined,
      };
    },

    async readCounts(owner) {
      const row = owners.findOwner(owner);
      if (!row) return { records: 0, passages: 0, bytes: 0 };
      const { records, passages, bytes } = row;
      const at = (order: string) =>
        db.get<{ at: number }>(`SELECT at ${ENTRIES} ORDER BY at ${order} LIMIT 1`, row.id)?.at;
      const [oldest, newest] = [at('ASC'), at('DESC')];
      return {
        records,
        passages,
        bytes,
        oldest,
        newest,
      };
    },

    /** In steps, since everyone waits for each; what comes in meanwhile stays. */
    async removeAllEntries(owner) {
      const state = owners.findOwner(owner);
      if (!state) return [];
      const gone: string[] = [];
      for (let left = true; left; await setImmediate()) {
        left = db.transactionSync(() => {
          const rows = db.all<EntryRow>(
            `SELECT * ${ENTRIES} AND first < ? LIMIT ?`,
            state.id,
            state.next,
            REMOVED_AT_ONCE,
          );
          let passages = 0;
          for (const row of rows) {
            if (passages > 0 && passages + row.passages > PASSAGES_AT_ONCE) break;
            passages += row.passages;
            drop(row);
            changes.recordChanges(state.id, [row.at]);
            gone.push(idOf(owner, row.at));
          }
          if (rows.length > 0) countRemoval(state.id);
          return rows.length > 0;
        });
      }
      if (gone.length > 0) await removed();
      return gone;
    },
  };
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
