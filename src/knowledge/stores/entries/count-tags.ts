import { setImmediate } from 'node:timers/promises';
import type { AnyDatabase } from '../../../storage/any-database.ts';
import type { TagCount } from '../../types.ts';
import { findOwner } from './owners.ts';
import { FROM_KEPT_ENTRIES_SQL, unpackTags } from './rows.ts';

const READ_AT_ONCE = 5000;
/** Above this multiple of `limit`, tags that cannot be on the page are dropped. */
const COUNTED_PER_NAME = 20;

export async function countTags(
  db: Pick<AnyDatabase, 'read'>,
  owner: string,
  limit: number,
  after = '',
): Promise<TagCount[]> {
  const counts = new Map<string, number>();
  const firstNames = () => [...counts.keys()].sort().slice(0, limit);
  for (let from: number | undefined = -1; from !== undefined; await setImmediate()) {
    const last: number = from;
    const rows = await db.read(function* (sql) {
      return yield* sql.all<{ at: number; tags: string }>(
        `SELECT at, tags ${FROM_KEPT_ENTRIES_SQL} AND at > ? ORDER BY at LIMIT ?`,
        (yield* findOwner(sql, owner))?.id ?? null,
        last,
        READ_AT_ONCE,
      );
    });
    for (const { tags } of rows) {
      for (const tag of unpackTags(tags)) if (tag > after) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
    if (counts.size > limit * COUNTED_PER_NAME) {
      // Tags that sort after the page cannot get onto it: more rows can only add tags before them.
      const first = new Set(firstNames());
      for (const name of counts.keys()) if (!first.has(name)) counts.delete(name);
    }
    from = rows.at(-1)?.at;
  }
  return firstNames().map((name) => ({ name, records: counts.get(name) ?? 0 }));
}
