import { setImmediate } from 'node:timers/promises';
import type { AnyDatabase, Sql, SqlAnswer, StepGenerator } from '../../../storage/any-database.ts';
import { raw } from '../../../storage/sql-template.ts';
import { findOwner, type OwnerRow } from '../entries/owners.ts';
import { ENTRIES_BY_TRASH_SQL } from '../entries/rows.ts';
import type { PassageRun } from '../passages/passages.ts';

const MAX_OWNERS = 1000;
const READ_AT_ONCE = 5000;

export interface TrashState {
  readonly row: OwnerRow;
  readonly trashed: readonly PassageRun[];
}

export type TrashedPassages = ReturnType<typeof createTrashedPassages>;

interface TrashedRuns {
  readonly removals: number;
  readonly restores: number;
  readonly trashed: Promise<readonly PassageRun[]>;
}

export function createTrashedPassages(db: AnyDatabase) {
  const remembered = new Map<number, TrashedRuns>();
  const states = new Map<string, TrashState>();

  const remember = (id: number, one: TrashedRuns) => {
    if (remembered.size >= MAX_OWNERS) remembered.clear();
    remembered.set(id, one);
    one.trashed.catch(() => remembered.get(id) === one && remembered.delete(id));
    return one;
  };

  return {
    /** Returns the cached state. It may be outdated, so the caller compares the state's counters. */
    recallState: (owner: string) => states.get(owner),

    async readState(owner: string): Promise<TrashState | undefined> {
      const row = await db.read((sql) => findOwner(sql, owner));
      if (!row) return undefined;
      const { id, removals, restores } = row;
      const known = remembered.get(id);
      const holds = known?.removals === removals && known.restores === restores;
      const { trashed } = holds ? known : remember(id, { removals, restores, trashed: readTrashed(db, id) });
      const state = { row, trashed: await trashed };
      if (states.size >= MAX_OWNERS) states.clear();
      states.set(owner, state);
      return state;
    },
  };
}

async function readTrashed(db: AnyDatabase, owner: number): Promise<readonly PassageRun[]> {
  const all: PassageRun[] = [];
  for (let after: TrashedRow = { trash: 0, first: 0, passages: 0 }; ; await setImmediate()) {
    const from = after;
    const rows = await db.read((sql) => listAfter(sql, owner, from));
    for (const row of rows) addRun(all, row);
    const last = rows.at(-1);
    if (!last || rows.length < READ_AT_ONCE) break;
    after = last;
  }
  const runs: PassageRun[] = [];
  for (const run of all.sort((a, b) => a.first - b.first)) addRun(runs, run);
  return runs;
}

interface TrashedRow extends PassageRun {
  readonly trash: number;
}

/** Lists rows after a position. With an upper bound, SQLite might read all rows up to that bound. */
function* listAfter(sql: Sql, owner: number, { trash, first }: TrashedRow): StepGenerator<TrashedRow[]> {
  return yield* sql.all`SELECT trash, first, passages FROM ${raw(ENTRIES_BY_TRASH_SQL)}
    WHERE owner = ${owner} AND trash <> 0 AND (trash, first) > (${trash}, ${first}) ORDER BY trash, first
    LIMIT ${READ_AT_ONCE}`;
}

function addRun(runs: PassageRun[], { first, passages }: PassageRun): void {
  const last = runs.at(-1);
  if (last && last.first + last.passages === first) {
    runs[runs.length - 1] = { first: last.first, passages: last.passages + passages };
  } else runs.push({ first, passages });
}

export function countPassagesFrom(runs: readonly PassageRun[], from: number): number {
  return runs.reduce((sum, run) => sum + Math.max(0, endOf(run) - Math.max(from, run.first)), 0);
}

/** Returns up to `limit` rows with passages outside all runs. `read` reads rows from a passage number on. */
export function* readRowsOutsideRuns<Row extends { readonly place: number }>(
  runs: readonly PassageRun[],
  from: number,
  limit: number,
  read: (from: number, limit: number) => SqlAnswer<Row[]>,
): StepGenerator<Row[]> {
  const rows: Row[] = [];
  for (let at = from, run = 0; rows.length < limit; ) {
    while (endOf(runs[run]) <= at) run++;
    if ((runs[run]?.first ?? Number.POSITIVE_INFINITY) <= at) at = endOf(runs[run]);
    const wanted = limit - rows.length;
    const some = yield* read(at, wanted);
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

function endOf(run: PassageRun | undefined): number {
  return run ? run.first + run.passages : Number.POSITIVE_INFINITY;
}
