import { setImmediate } from 'node:timers/promises';
import { badRequestError, notFoundError } from '../../../errors.ts';
import { DEFAULT_COLLECTION } from '../../../lib/collection.ts';
import { runInTimeSlices } from '../../../lib/concurrency/time-slices.ts';
import { type AnyDatabase, mapSteps, type Sql, type StepGenerator } from '../../../storage/any-database.ts';
import { raw } from '../../../storage/sql-template.ts';
import type { ChunkedEntry, EntryCounts, EntryStore } from '../../store.ts';
import type { CollectionSummary, KnowledgeEntry } from '../../types.ts';
import type { StoreParts } from '../parts.ts';
import { indexPassageWithLanguage, type JudgedPassage } from '../passages/indexed-passage.ts';
import { findDuplicateEntryRow, findEntryRowByKey } from './find-entry.ts';
import { createInsertion, type IndexedAddition } from './insertion.ts';
import { listEntryTimes } from './list-entry-times.ts';
import { countRemoval, findOwner, lockOwner, lockOwnersByName, type OwnerRow, readOwner } from './owners.ts';
import { createRemovalSteps } from './removal-steps.ts';
import { type EntryReplacement, removeRow, replaceEntry } from './replace-entry.ts';
import {
  buildCollectionCondition,
  buildEntryId,
  decodeCursor,
  deleteRow,
  type EntryRow,
  encodeCursor,
  FROM_KEPT_ENTRIES_SQL,
  parseEntryIdTime,
  readEntries,
  readEntry,
  readEntryRowsByIdTimes,
  TRASH_STATE_KEPT,
  takeRowsUpToPassages,
  takeUpTo,
  unpackTags,
} from './rows.ts';

const MAX_PAGE_BYTES = 8_000_000;
const REMOVED_AT_ONCE = 150;
const PASSAGES_AT_ONCE = 500;

function* findRow(sql: Sql, owner: string, id: string): StepGenerator<EntryRow | undefined> {
  const number = (yield* findOwner(sql, owner))?.id ?? null;
  return yield* sql.get(`SELECT * ${FROM_KEPT_ENTRIES_SQL} AND at = ?`, number, parseEntryIdTime(owner, id));
}

function* findTrashedById(sql: Sql, owner: string, id: string): StepGenerator<EntryRow | undefined> {
  const number = (yield* findOwner(sql, owner))?.id ?? null;
  return yield* sql.get<EntryRow>`SELECT * FROM kb_entries
    WHERE owner = ${number} AND at = ${parseEntryIdTime(owner, id)} AND trash > 0`;
}

export function createEntryReads({ db }: Pick<StoreParts, 'db'>) {
  return {
    findEntry: (owner, id) =>
      db.read(function* (sql) {
        const row = yield* findRow(sql, owner, id);
        return row && (yield* readEntry(sql, owner, row));
      }),

    hasEntry: (owner, id) =>
      db.read(function* (sql) {
        return (yield* findRow(sql, owner, id)) !== undefined;
      }),

    findEntryByKey: (owner, collection, key) =>
      db.read(function* (sql) {
        const row = yield* findEntryRowByKey(
          sql,
          (yield* findOwner(sql, owner))?.id ?? null,
          collection,
          key,
        );
        return row && (yield* readEntry(sql, owner, row));
      }),

    listCollections: (owner) => listCollections(db, owner),

    listTags: (owner, limit, after) => countTags(db, owner, limit, after),

    async listEntries(owner, limit, order, cursor, filter = {}) {
      const from = cursor === undefined ? undefined : decodeCursor(cursor);
      const id = await db.read(function* (sql) {
        return (yield* findOwner(sql, owner))?.id;
      });
      if (id === undefined) return { entries: [], next: undefined };
      const times = await listEntryTimes(db, id, { limit: limit + 1, order, from, filter });
      return db.read(function* (sql) {
        const rows = yield* readEntryRowsByIdTimes(sql, id, times.slice(0, limit));
        const shown = takeUpTo(rows, MAX_PAGE_BYTES, ({ bytes }) => bytes);
        const last = shown.length < rows.length ? shown.at(-1)?.at : times[limit - 1];
        const more = shown.length < rows.length || times.length > limit;
        return {
          entries: yield* readEntries(sql, owner, shown),
          next: more && last !== undefined ? encodeCursor(last) : undefined,
        };
      });
    },

    async readCounts(owner, collection) {
      if (collection !== undefined) return countCollection(db, owner, collection);
      const row = await db.read((sql) => findOwner(sql, owner));
      if (!row) return { records: 0, passages: 0, bytes: 0 };
      const { records, passages, bytes } = row;
      const [oldest, newest] = records > 0 ? await readOldestAndNewestTime(db, row.id) : [];
      return { records, passages, bytes, oldest, newest };
    },

    countBytes: async (owner) => (await db.read((sql) => findOwner(sql, owner)))?.bytes ?? 0,
  } satisfies Partial<EntryStore>;
}

export function createEntryWrites(parts: StoreParts, wipe: () => Promise<void>) {
  const { db, changes } = parts;
  const insert = createInsertion(parts);

  return {
    async insertEntries(additions) {
      const ready: IndexedAddition[] = [];
      for (const one of additions)
        ready.push({ ...one, passages: await runInTimeSlices(indexAll(one.entry)) });
      return db.write(function* (sql) {
        yield* lockOwnersByName(
          sql,
          ready.map(({ owner }) => owner),
        );
        return yield* mapSteps(ready, (one) => insert(sql, one));
      });
    },

    async updateEntry(owner, id, entry, replaced = 'trash', updated) {
      const passages = await runInTimeSlices(indexAll(entry));
      return db.write((sql) => update(parts, sql, { owner, id, entry, passages, replaced, updated }));
    },

    removeEntry: (owner, id) =>
      createRemovalSteps(
        db,
        PASSAGES_AT_ONCE,
      )(function* (sql) {
        yield* lockOwner(sql, owner);
        const row = (yield* findRow(sql, owner, id)) ?? (yield* findTrashedById(sql, owner, id));
        if (!row) return false;
        if (row.trash > TRASH_STATE_KEPT) yield* deleteRow(sql, row);
        else yield* removeRow(sql, row);
        for (const version of yield* listVersions(sql, row)) yield* deleteRow(sql, version);
        yield* countRemoval(sql, row.owner);
        yield* changes.recordChanges(sql, row.owner, [row.at]);
        return true;
      }),

    async removeAllEntries(owner, collection, gone = () => {}) {
      const state = await db.read((sql) => findOwner(sql, owner));
      if (!state) return 0;
      let removed = 0;
      const inSteps = createRemovalSteps(db, PASSAGES_AT_ONCE);
      for (let step = [-1]; step.length > 0; await setImmediate()) {
        step = await inSteps(function* (sql, most) {
          yield* lockOwner(sql, state.id);
          return yield* removeSome(parts, sql, state, most, collection);
        });
        if (step.length > 0) gone(step.map((at) => buildEntryId(owner, at)));
        removed += step.length;
      }
      if (removed > 0) await wipe();
      return removed;
    },
  } satisfies Partial<EntryStore>;
}

function* update(
  parts: StoreParts,
  sql: Sql,
  { owner, id, ...replacement }: EntryReplacement & { readonly owner: string; readonly id: string },
): StepGenerator<KnowledgeEntry> {
  yield* lockOwner(sql, owner);
  const row = yield* findRow(sql, owner, id);
  if (!row) throw notFoundError(`there is no entry ${id}`);
  const { digest, collection, key: own_key } = replacement.entry;
  const namesake = yield* findEntryRowByKey(sql, row.owner, collection, own_key);
  if (namesake && namesake.at !== row.at) {
    throw badRequestError(
      `the entry ${buildEntryId(owner, namesake.at)} has this key already: choose another key`,
    );
  }
  const same = yield* findDuplicateEntryRow(sql, { owner: row.owner, digest, collection, own_key });
  if (same && same.at !== row.at) {
    throw badRequestError(`the entry ${buildEntryId(owner, same.at)} has this text already`);
  }
  return yield* readEntry(sql, owner, (yield* replaceEntry(parts, sql, row, replacement)).row);
}

function* listVersions(sql: Sql, { owner, at }: EntryRow): StepGenerator<EntryRow[]> {
  return yield* sql.all`SELECT * FROM kb_entries INDEXED BY kb_entries_by_version
    WHERE owner = ${owner} AND version_of = ${at}`;
}

/** Removes entries with up to `most` passages in all, but at least one entry. Returns the entries' times. */
function* removeSome(
  { changes }: StoreParts,
  sql: Sql,
  { id, next }: OwnerRow,
  most: number,
  collection: string | undefined,
): StepGenerator<number[]> {
  const rows = yield* sql.all<EntryRow>`SELECT * ${raw(FROM_KEPT_ENTRIES_SQL, id)}
    ${buildCollectionCondition(collection)} AND first < ${next} LIMIT ${REMOVED_AT_ONCE}`;
  const some = takeRowsUpToPassages(rows, most);
  for (const row of some) yield* removeRow(sql, row);
  const removed = some.map(({ at }) => at);
  if (removed.length > 0) {
    yield* countRemoval(sql, id);
    yield* changes.recordChanges(sql, id, removed);
  }
  return removed;
}

function* indexAll({ passages }: ChunkedEntry): Generator<undefined, JudgedPassage[]> {
  const ready: JudgedPassage[] = [];
  for (const passage of passages) {
    ready.push(indexPassageWithLanguage(passage));
    yield;
  }
  return ready;
}

const READ_AT_ONCE = 5000;
/** Maximum tags in memory, as a multiple of `limit`. Above it, tags that come after the page are dropped. */
const COUNTED_PER_NAME = 20;

async function countTags(db: Pick<AnyDatabase, 'read'>, owner: string, limit: number, after = '') {
  const counts = new Map<string, number>();
  const firstNames = () => [...counts.keys()].sort().slice(0, limit);
  for (let from: number | undefined = -1; from !== undefined; await setImmediate()) {
    const last: number = from;
    const rows = await db.read(function* (sql) {
      const id = (yield* findOwner(sql, owner))?.id ?? null;
      return yield* sql.all<{ at: number; tags: string }>`SELECT at, tags ${raw(FROM_KEPT_ENTRIES_SQL, id)}
        AND at > ${last} ORDER BY at LIMIT ${READ_AT_ONCE}`;
    });
    for (const { tags } of rows) {
      for (const tag of unpackTags(tags)) if (tag > after) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
    if (counts.size > limit * COUNTED_PER_NAME) {
      // Drops tags after the page. Further rows only add tags, so a dropped tag cannot move onto the page.
      const first = new Set(firstNames());
      for (const name of counts.keys()) if (!first.has(name)) counts.delete(name);
    }
    from = rows.at(-1)?.at;
  }
  return firstNames().map((name) => ({ name, records: counts.get(name) ?? 0 }));
}

const COUNTED_AT_ONCE = 2000;

async function listCollections(db: AnyDatabase, name: string): Promise<CollectionSummary[]> {
  const id = await db.read(function* (sql) {
    return (yield* findOwner(sql, name))?.id;
  });
  if (id === undefined) return [];
  const others = await countOthers(db, id);
  // Reads the owner's counters last: entries added meanwhile then count in the default collection.
  const owner = await db.read((sql) => readOwner(sql, id));
  const rest = (what: 'records' | 'passages' | 'bytes') =>
    others.reduce((left, one) => left - one[what], owner[what]);
  if (rest('records') <= 0) return others;
  const [oldest, newest] = await readOldestAndNewestTime(db, id, DEFAULT_COLLECTION);
  if (oldest === undefined || newest === undefined) return others;
  const own = {
    name: DEFAULT_COLLECTION,
    ...{ records: rest('records'), passages: rest('passages'), bytes: rest('bytes') },
    ...{ oldest, newest },
  };
  return [...others, own].sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function countCollection(db: AnyDatabase, owner: string, collection: string): Promise<EntryCounts> {
  const found = (await listCollections(db, owner)).find(({ name }) => name === collection);
  const { name: _name, ...counts } = found ?? { name: collection, records: 0, passages: 0, bytes: 0 };
  return counts;
}

async function readOldestAndNewestTime(db: AnyDatabase, owner: number, collection?: string) {
  const filter = { collection };
  const [oldest] = await listEntryTimes(db, owner, { limit: 1, order: 'oldest', filter });
  const [newest] = await listEntryTimes(db, owner, { limit: 1, order: 'newest', filter });
  return [oldest, newest];
}

interface Sums extends Omit<CollectionSummary, 'oldest' | 'newest'> {
  readonly oldest: number | null;
  readonly newest: number | null;
  readonly rows: number;
  readonly end: number;
}

async function countOthers(db: AnyDatabase, owner: number): Promise<CollectionSummary[]> {
  const found = new Map<string, CollectionSummary>();
  let last = { name: '', end: -1 };
  for (let more = true; more; await setImmediate()) {
    const { name, end } = last;
    const parts = await db.read(
      (sql) =>
        sql.all<Sums>`SELECT collection AS name, count(CASE WHEN trash <= 0 THEN 1 END) AS records,
          coalesce(sum(CASE WHEN trash <= 0 THEN passages END), 0) AS passages,
          coalesce(sum(CASE WHEN trash <= 0 THEN bytes END), 0) AS bytes,
          min(CASE WHEN trash <= 0 THEN at END) AS oldest,
          max(CASE WHEN trash <= 0 THEN at END) AS newest, count(*) AS rows, max(at) AS "end"
        FROM (SELECT collection, at, trash, passages, bytes
        FROM kb_entries INDEXED BY kb_entries_by_collection
          WHERE owner = ${owner} AND collection <> '${raw(DEFAULT_COLLECTION)}' AND file IS NULL
          AND (collection, at) > (${name}, ${end})
          ORDER BY collection, at LIMIT ${COUNTED_AT_ONCE}) AS part GROUP BY collection ORDER BY collection`,
    );
    for (const part of parts) add(found, part);
    last = parts.at(-1) ?? last;
    more = parts.reduce((sum, { rows }) => sum + rows, 0) === COUNTED_AT_ONCE;
  }
  return [...found.values()];
}

function add(
  found: Map<string, CollectionSummary>,
  { name, records, passages, bytes, oldest, newest }: Sums,
): void {
  if (oldest === null || newest === null) return;
  const before = found.get(name) ?? { records: 0, passages: 0, bytes: 0, oldest };
  found.set(name, {
    name,
    records: before.records + records,
    passages: before.passages + passages,
    bytes: before.bytes + bytes,
    oldest: before.oldest,
    newest,
  });
}
