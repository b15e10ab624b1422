import type { Statements } from '../../storage/sqlite.ts';
import type { OwnerRow } from './owners.ts';
import type { Run } from './passages.ts';
import { TRASHED } from './rows.ts';

/** Owners whose places are remembered. */
const MAX_OWNERS = 1000;

/** Which places of an owner are of entries in the trash. */
export interface TrashPlaces {
  /** Stretches in order, none beside another. Within a step of the database. */
  listTrashed(sql: Statements, owner: OwnerRow): readonly Run[];
}

/** Remembered until something is moved to the trash or comes back: a search asks each time. */
export function createTrashPlaces(): TrashPlaces {
  const remembered = new Map<
    number,
    { readonly removals: number; readonly restores: number; readonly runs: Run[] }
  >();

  return {
    listTrashed(sql, { id, removals, restores }) {
      const known = remembered.get(id);
      if (known?.removals === removals && known.restores === restores) return known.runs;
      const rows = sql.all<Run>(
        `SELECT first, passages FROM ${TRASHED} WHERE owner = ? AND trash <> 0 AND trash > 0 ORDER BY trash, first`,
        id,
      );
      const runs = joinRuns(joinRuns(rows).sort((a, b) => a.first - b.first));
      if (remembered.size >= MAX_OWNERS) remembered.clear();
      remembered.set(id, { removals, restores, runs });
      return runs;
    },
  };
}

/** Stretches that follow each other as one. */
function joinRuns(runs: readonly Run[]): Run[] {
  const joined: Run[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last && last.first + last.passages === run.first) {
      joined[joined.length - 1] = { first: last.first, passages: last.passages + run.passages };
    } else joined.push(run);
  }
  return joined;
}

/**
 * Rows in the order of their places, without those of the stretches: `read` gives up to `limit` rows from a place on, and the
 * result is full unless the rows end.
 */
export function readBeside<Row extends { readonly place: number }>(
  runs: readonly Run[],
  from: number,
  limit: number,
  read: (from: number, limit: number) => Row[],
): Row[] {
  const rows: Row[] = [];
  for (let at = from, run = 0; rows.length < limit; ) {
    while (endOf(runs[run]) <= at) run++;
    if ((runs[run]?.first ?? Number.POSITIVE_INFINITY) <= at) at = endOf(runs[run]);
    const wanted = limit - rows.length;
    const some = read(at, wanted);
    let skipped = run;
    for (const row of some) {
      while (endOf(runs[skipped]) <= row.place) skipped++;
      if ((runs[skipped]?.first ?? Number.POSITIVE_INFINITY) > row.place) rows.push(row);
    }
    const last = some.at(-1);
    if (!last || some.length < wanted) break;
    at = last.place + 1;
  }
  return rows;
}

function endOf(run: Run | undefined): number {
  return run ? run.first + run.passages : Number.POSITIVE_INFINITY;
}
