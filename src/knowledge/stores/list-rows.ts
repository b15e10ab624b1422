import { setImmediate } from 'node:timers/promises';
import type { Database, Statements } from '../../storage/sqlite.ts';
import { DEFAULT_COLLECTION } from '../names.ts';
import type { Filter } from '../types.ts';
import { ENTRIES, meeting } from './rows.ts';

/** Rows that are walked in one step: first few, since most lists end there, then some milliseconds. */
const FIRST_WALKED = 200;
const WALKED_AT_ONCE = 5000;

export interface Listing {
  readonly limit: number;
  readonly order: 'newest' | 'oldest';
  /** The time beyond which the list begins. */
  readonly from?: number | undefined;
  readonly filter: Filter;
}

/**
 * Times of the entries that meet a filter, in steps: rows that lie in the trash or do not meet it may be a million, and nothing
 * leads past them.
 */
export async function listTimes(
  db: Database,
  owner: number,
  { limit, order, from: cursor, filter }: Listing,
): Promise<number[]> {
  const times: number[] = [];
  let from = cursor ?? (order === 'newest' ? Number.MAX_SAFE_INTEGER : -1);
  for (let walked = Math.max(FIRST_WALKED, limit + 1); ; walked = WALKED_AT_ONCE) {
    const step: Step = { limit: limit - times.length, order, from, filter, walked };
    const { found, end } = await db.read((sql) => walk(sql, owner, step));
    times.push(...found);
    if (times.length >= limit || end === undefined) return times;
    from = end;
    await setImmediate();
  }
}

interface Step extends Listing {
  readonly from: number;
  /** Rows of the owner, or of the collection, within the filter's times. */
  readonly walked: number;
}

/** What fits among the next rows, and the time of the last of them; undefined when there are no more. */
function walk(
  sql: Statements,
  owner: number,
  { limit, order, from, filter, walked }: Step,
): { readonly found: number[]; readonly end: number | undefined } {
  const [beyond, within, sorted] =
    order === 'newest' ? ['at < ?', 'at >= ?', 'ORDER BY at DESC'] : ['at > ?', 'at <= ?', 'ORDER BY at'];
  const { since, until, collection } = filter;
  // The default collection has no index of its own.
  const all = meeting({
    since,
    until,
    collection: collection === DEFAULT_COLLECTION ? undefined : collection,
  });
  const end = sql.get<{ at: number }>(
    `SELECT at FROM kb_entries WHERE owner = ?${all.where} AND ${beyond} ${sorted} LIMIT 1 OFFSET ?`,
    owner,
    ...all.values,
    from,
    walked - 1,
  )?.at;
  const { where, values } = meeting(filter);
  const [to, ends] = end === undefined ? ['', []] : [` AND ${within}`, [end]];
  const rows = sql.all<{ at: number }>(
    `SELECT at ${ENTRIES}${where} AND ${beyond}${to} ${sorted} LIMIT ?`,
    owner,
    ...values,
    from,
    ...ends,
    limit,
  );
  return { found: rows.map(({ at }) => at), end };
}
