import { setImmediate } from 'node:timers/promises';
import type { AnyDatabase, Dialect, Sql } from '../../../storage/any-database.ts';
import { fragment, raw } from '../../../storage/sql-template.ts';
import type { TrashSize } from '../../entries/trash.ts';
import { buildCollectionCondition, ENTRIES_BY_TRASH_SQL, TRASH_STATE_DELETING } from '../entries/rows.ts';

const SUMMED_AT_ONCE = 5000;
const TRIMMED_TO = 0.9;

export interface TrashBatchSummary extends TrashSize {
  readonly trash: number;
  /** Time of the entry with the batch's lowest passage number. That number is `first`. */
  readonly at: number;
  readonly first: number;
}

export async function readBatches(
  db: AnyDatabase,
  owner: number,
  collection?: string,
): Promise<TrashBatchSummary[]> {
  const batches: TrashBatchSummary[] = [];
  for (let from: TrashPosition | undefined = { trash: Number.MAX_SAFE_INTEGER, first: 0 }; from; ) {
    const before: TrashPosition = from;
    const step = await db.read((sql) => sumSome(sql, owner, before, collection));
    for (const part of step.parts) {
      const last = batches.at(-1);
      if (last?.trash !== part.trash) batches.push(part);
      else {
        const sum = { records: last.records + part.records, bytes: last.bytes + part.bytes };
        batches[batches.length - 1] = { ...part, ...sum };
      }
    }
    from = step.end;
    if (from) await setImmediate();
  }
  return batches;
}

interface TrashPosition {
  readonly trash: number;
  readonly first: number;
}

function* sumSome(sql: Sql, owner: number, { trash, first }: TrashPosition, collection: string | undefined) {
  const least: TrashPosition = { trash: TRASH_STATE_DELETING + 1, first: 0 };
  const since = (from: TrashPosition) => fragment`FROM ${raw(ENTRIES_BY_TRASH_SQL)} WHERE owner = ${owner}
    AND trash <> 0 AND (trash, first) < (${trash}, ${first}) AND (trash, first) >= (${from.trash}, ${from.first})`;
  const end = yield* sql.get<TrashPosition>`SELECT trash, first ${since(least)}
    ORDER BY trash DESC, first DESC LIMIT 1 OFFSET ${SUMMED_AT_ONCE - 1}`;
  const parts = yield* sql.all<TrashBatchSummary>`SELECT trash, count(*) AS records, sum(bytes) AS bytes,
    ${raw(FIRST_TIME[sql.dialect])} AS at, min(first) AS first ${since(end ?? least)}
    ${buildCollectionCondition(collection)} GROUP BY trash ORDER BY trash DESC`;
  return { parts, end };
}

/** SQLite takes `at` from the row with `min(first)`. In PostgreSQL, an aggregate must select it. */
const FIRST_TIME: Readonly<Record<Dialect, string>> = {
  sqlite: 'at',
  postgres: '(array_agg(at ORDER BY first))[1]',
};

export function sumOfBatches(batches: readonly TrashBatchSummary[]): TrashSize {
  let [records, bytes] = [0, 0];
  for (const one of batches) {
    records += one.records;
    bytes += one.bytes;
  }
  return { records, bytes };
}

/** Returns the newest batch to remove, or 0 for none. The oldest batch does not count towards `most`. */
export function findBatchToPurge(batches: readonly TrashBatchSummary[], most: TrashSize): number {
  const newer = sumOfBatches(batches.slice(0, -1));
  if (batches.length === 0 || (newer.records < most.records && newer.bytes < most.bytes)) return 0;
  const all = sumOfBatches(batches);
  if (all.records <= most.records && all.bytes <= most.bytes) return 0;
  let [records, bytes] = [0, 0];
  for (const batch of batches) {
    if (records >= most.records * TRIMMED_TO || bytes >= most.bytes * TRIMMED_TO) return batch.trash;
    records += batch.records;
    bytes += batch.bytes;
  }
  return 0;
}
