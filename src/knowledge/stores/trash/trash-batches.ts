import { setImmediate } from 'node:timers/promises';
import type { AnyDatabase, Dialect, Sql, Steps } from '../../../storage/any-database.ts';
import { GOING, inCollection, TRASHED } from '../entries/rows.ts';

/** Rows that are added up in one step: about 5 ms. */
const SUMMED_AT_ONCE = 5000;
/** Part of the bound that is filled after older batches have gone. */
const TRIMMED_TO = 0.9;

export interface Measure {
  readonly records: number;
  readonly bytes: number;
}

/** What one call has removed. */
export interface Batch extends Measure {
  readonly trash: number;
  /** Time, and place, of the entry that has the first place. */
  readonly at: number;
  readonly first: number;
}

/** What an owner has in the trash, newest first; of a collection where one is named. In steps: they may be a million rows. */
export async function readBatches(db: AnyDatabase, owner: number, collection?: string): Promise<Batch[]> {
  const batches: Batch[] = [];
  for (let from: Position | undefined = { trash: Number.MAX_SAFE_INTEGER, first: 0 }; from; ) {
    const before: Position = from;
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

interface Position {
  readonly trash: number;
  readonly first: number;
}

/** Adds up the rows before a position, from behind; `end` is where the next begin, undefined when there are none. */
function* sumSome(
  sql: Sql,
  owner: number,
  { trash, first }: Position,
  collection: string | undefined,
): Steps<{ readonly parts: Batch[]; readonly end: Position | undefined }> {
  const { where, values } = inCollection(collection);
  const least: Position = { trash: GOING + 1, first: 0 };
  const range = `FROM ${TRASHED} WHERE owner = ? AND trash <> 0 AND (trash, first) < (?, ?) AND (trash, first) >= (?, ?)`;
  const end = yield* sql.get<Position>(
    `SELECT trash, first ${range} ORDER BY trash DESC, first DESC LIMIT 1 OFFSET ?`,
    owner,
    trash,
    first,
    least.trash,
    least.first,
    SUMMED_AT_ONCE - 1,
  );
  const from = end ?? least;
  const parts = yield* sql.all<Batch>(
    `SELECT trash, count(*) AS records, sum(bytes) AS bytes, ${FIRST_TIME[sql.dialect]} AS at, min(first) AS first ${range}${where}
     GROUP BY trash ORDER BY trash DESC`,
    owner,
    trash,
    first,
    from.trash,
    from.first,
    ...values,
  );
  return { parts, end };
}

/** The time of the entry that is first in its batch; SQLite takes a bare column from the row that has the minimum. */
const FIRST_TIME: Readonly<Record<Dialect, string>> = {
  sqlite: 'at',
  postgres: '(array_agg(at ORDER BY first))[1]',
};

export function sumOfBatches(batches: readonly Batch[]): Measure {
  let [records, bytes] = [0, 0];
  for (const one of batches) {
    records += one.records;
    bytes += one.bytes;
  }
  return { records, bytes };
}

/**
 * The newest batch that is to go, 0 for none, of those that `readBatches` gives. Only a batch goes before which newer ones fill the
 * bound by themselves: one small removal after a large one destroys nothing. Then a part of the bound gets free, since each
 * removal would trim otherwise.
 */
export function oldestBeyond(batches: readonly Batch[], most: Measure): number {
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
