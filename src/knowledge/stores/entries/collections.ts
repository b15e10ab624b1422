import { setImmediate } from 'node:timers/promises';
import { DEFAULT_COLLECTION } from '../../../lib/collection.ts';
import type { AnyDatabase } from '../../../storage/any-database.ts';
import type { Counts } from '../../store.ts';
import type { Collection } from '../../types.ts';
import { listEntryTimes } from './list-entry-times.ts';
import { findOwner, readOwner } from './owners.ts';

const COUNTED_AT_ONCE = 2000;

/** Counts the entries of each collection. The default collection has the owner's other entries. */
export async function listCollections(db: AnyDatabase, name: string): Promise<Collection[]> {
  const id = await db.read(function* (sql) {
    return (yield* findOwner(sql, name))?.id;
  });
  if (id === undefined) return [];
  const others = await countOthers(db, id);
  // The owner's counters are read last, so that new entries are counted in the default collection.
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

export async function countCollection(db: AnyDatabase, owner: string, collection: string): Promise<Counts> {
  const found = (await listCollections(db, owner)).find(({ name }) => name === collection);
  const { name: _name, ...counts } = found ?? { name: collection, records: 0, passages: 0, bytes: 0 };
  return counts;
}

export async function readOldestAndNewestTime(
  db: AnyDatabase,
  owner: number,
  collection?: string,
): Promise<(number | undefined)[]> {
  const filter = { collection };
  const [oldest] = await listEntryTimes(db, owner, { limit: 1, order: 'oldest', filter });
  const [newest] = await listEntryTimes(db, owner, { limit: 1, order: 'newest', filter });
  return [oldest, newest];
}

interface Part extends Omit<Collection, 'oldest' | 'newest'> {
  readonly oldest: number | null;
  readonly newest: number | null;
  readonly rows: number;
  readonly end: number;
}

async function countOthers(db: AnyDatabase, owner: number): Promise<Collection[]> {
  const found = new Map<string, Collection>();
  let last = { name: '', end: -1 };
  for (let more = true; more; await setImmediate()) {
    const { name, end } = last;
    const parts = await db.read((sql) =>
      sql.all<Part>(
        `SELECT collection AS name, count(CASE WHEN trash <= 0 THEN 1 END) AS records,
           coalesce(sum(CASE WHEN trash <= 0 THEN passages END), 0) AS passages,
           coalesce(sum(CASE WHEN trash <= 0 THEN bytes END), 0) AS bytes, min(CASE WHEN trash <= 0 THEN at END) AS oldest,
           max(CASE WHEN trash <= 0 THEN at END) AS newest, count(*) AS rows, max(at) AS "end"
         FROM (SELECT collection, at, trash, passages, bytes FROM kb_entries INDEXED BY kb_entries_by_collection
           WHERE owner = ? AND collection <> '${DEFAULT_COLLECTION}' AND file IS NULL AND (collection, at) > (?, ?)
           ORDER BY collection, at LIMIT ?) AS part GROUP BY collection ORDER BY collection`,
        owner,
        name,
        end,
        COUNTED_AT_ONCE,
      ),
    );
    for (const part of parts) add(found, part);
    last = parts.at(-1) ?? last;
    more = parts.reduce((sum, { rows }) => sum + rows, 0) === COUNTED_AT_ONCE;
  }
  return [...found.values()];
}

function add(found: Map<string, Collection>, { name, records, passages, bytes, oldest, newest }: Part): void {
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
