import { setImmediate } from 'node:timers/promises';
import { DEFAULT_COLLECTION } from '../../../lib/collection.ts';
import type { AnyDatabase, Sql } from '../../../storage/any-database.ts';
import { raw } from '../../../storage/sql-template.ts';
import type { EntryFilter } from '../../types.ts';
import { buildCollectionCondition, buildFilterCondition, FROM_KEPT_ENTRIES_SQL } from './rows.ts';

const FIRST_WALKED = 200;
const WALKED_AT_ONCE = 5000;

export interface ListTimesRequest {
  readonly limit: number;
  readonly order: 'newest' | 'oldest';
  readonly from?: number | undefined;
  readonly filter: EntryFilter;
}

/** Lists the times of matching entries in steps, because a million rows in the trash may have to be skipped. */
export async function listEntryTimes(
  db: AnyDatabase,
  owner: number,
  { limit, order, from: cursor, filter }: ListTimesRequest,
): Promise<number[]> {
  const times: number[] = [];
  const { since = 0, until = Number.MAX_SAFE_INTEGER, ...conditions } = filter;
  const newest = order === 'newest';
  let least = newest ? since : Math.max(since, (cursor ?? -1) + 1);
  let most = newest ? Math.min(until, cursor ?? until) - 1 : until - 1;
  for (let walked = Math.max(FIRST_WALKED, limit + 1); ; walked = WALKED_AT_ONCE) {
    const step: ListStep = { limit: limit - times.length, newest, least, most, filter: conditions, walked };
    const { found, end } = await db.read((sql) => walk(sql, owner, step));
    for (const time of found) times.push(time);
    if (times.length >= limit || end === undefined) return times;
    if (newest) most = end - 1;
    else least = end + 1;
    await setImmediate();
  }
}

interface ListStep {
  readonly limit: number;
  readonly newest: boolean;
  /** Earliest time to list. It is the only lower bound: with several, SQLite may read too many rows. */
  readonly least: number;
  readonly most: number;
  readonly filter: Omit<EntryFilter, 'since' | 'until'>;
  readonly walked: number;
}

function* walk(sql: Sql, owner: number, { limit, newest, least, most, filter, walked }: ListStep) {
  const sorted = raw(newest ? 'ORDER BY at DESC' : 'ORDER BY at');
  const { collection } = filter;
  // The index by collection lacks the default collection, whose entries are read by time instead.
  const all = buildCollectionCondition(collection === DEFAULT_COLLECTION ? undefined : collection);
  const end = (yield* sql.get<{ at: number }>`SELECT at FROM kb_entries WHERE owner = ${owner}${all}
    AND at BETWEEN ${least} AND ${most} ${sorted} LIMIT 1 OFFSET ${walked - 1}`)?.at;
  const rows = yield* sql.all<{ at: number }>`SELECT at ${raw(FROM_KEPT_ENTRIES_SQL, owner)}
    ${buildFilterCondition(filter)}
    AND at BETWEEN ${newest ? (end ?? least) : least} AND ${newest ? most : (end ?? most)}
    ${sorted} LIMIT ${limit}`;
  return { found: rows.map(({ at }) => at), end };
}
