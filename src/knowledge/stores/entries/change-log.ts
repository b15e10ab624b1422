import { randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type AnyDatabase, jsonRows, type Sql, type StepGenerator } from '../../../storage/any-database.ts';
import type { EntryChange } from '../../store.ts';
import { buildEntryId } from './rows.ts';

const READ_AT_ONCE = 10_000;
const DROPPED_AT_ONCE = 5000;
const WRITERS = 2 ** 47;
const MANY = 20;

interface ChangeRow {
  readonly seq: number;
  readonly name: string;
  readonly what: string;
  readonly writer: number;
}

/** Reads up to `limit` changes since the last call, in a database step. The function keeps its position. */
type ReadChangeRows = (sql: Sql, limit: number) => StepGenerator<ChangeRow[]>;

export type EntryChangeLog = ReturnType<typeof createEntryChangeLog>;

export function createEntryChangeLog(db: AnyDatabase) {
  const writer = randomInt(WRITERS);
  const begin = () => db.read(db.dialect === 'postgres' ? createPostgresChangeReader : readFromNewest);
  const begun = begin();
  begun.catch(() => {});
  let readRows: ReadChangeRows | undefined;
  let old = 0;

  return {
    /** Records changes. An entry is named by its creation time, a file by `doc://` and its name. */
    *recordChanges(sql: Sql, owner: number, what: readonly (number | string)[]): StepGenerator<void> {
      if (what.length > MANY) {
        yield* sql.send`INSERT INTO kb_changes (writer, owner, what)
          SELECT CAST(${writer} AS bigint), CAST(${owner} AS bigint), value
          FROM ${jsonRows(sql, what.map(String))}`;
        return;
      }
      for (const one of what) {
        yield* sql.send`INSERT INTO kb_changes (writer, owner, what)
          VALUES (${writer}, ${owner}, ${String(one)})`;
      }
    },

    async readChanges(): Promise<EntryChange[]> {
      readRows ??= await begun.catch(begin);
      const read = readRows;
      const rows = await db.read((sql) => read(sql, READ_AT_ONCE));
      return byOwner(rows.filter((row) => row.writer !== writer));
    },

    /** Deletes rows of the change log that existed at the previous call. All processes have read them by now. */
    async dropOldChanges(signal: AbortSignal): Promise<void> {
      const last = await db.read(newest);
      const below = Math.min(old + 1, last);
      old = last;
      const step = (sql: Sql) =>
        sql.run`DELETE FROM kb_changes WHERE seq IN (SELECT seq FROM kb_changes WHERE seq < ${below}
          ORDER BY seq LIMIT ${DROPPED_AT_ONCE})`;
      while (!signal.aborted && (await db.write(step)) === DROPPED_AT_ONCE) await setImmediate();
    },
  };
}

function* readFromNewest(begin: Sql): StepGenerator<ReadChangeRows> {
  let version = yield* versionOf(begin);
  let seen = yield* newest(begin);
  return function* (sql, limit) {
    const now = yield* versionOf(sql);
    if (now === version) return [];
    const rows = yield* sql.all<ChangeRow>`SELECT c.seq, o.name, c.what, c.writer FROM kb_changes c
      JOIN kb_owners o ON o.id = c.owner
      WHERE c.seq > ${seen} ORDER BY c.seq LIMIT ${limit}`;
    seen = rows.at(-1)?.seq ?? seen;
    if (rows.length < limit) version = now;
    return rows;
  };
}

function byOwner(rows: readonly ChangeRow[]): EntryChange[] {
  const owners = new Map<string, Set<string>>();
  for (const { name, what } of rows) {
    const ids = owners.get(name) ?? new Set();
    owners.set(name, ids.add(/^\d+$/.test(what) ? buildEntryId(name, Number(what)) : what));
  }
  return [...owners].map(([owner, ids]) => ({ owner, ids: [...ids] }));
}

function* newest(sql: Sql): StepGenerator<number> {
  return (yield* sql.get<{ seq: number | null }>('SELECT max(seq) AS seq FROM kb_changes'))?.seq ?? 0;
}

/** Returns a number that changes when another process has written. Reading it needs no disk access. */
function* versionOf(sql: Sql): StepGenerator<number | undefined> {
  return (yield* sql.get<{ data_version: number }>('PRAGMA data_version'))?.data_version;
}

/** A reader's position: a `pg_snapshot` as text. The reader has read all transactions in the snapshot. */
interface LogPosition {
  shown: string;
  partly: { readonly shown: string; readonly tx: string; readonly seq: number } | undefined;
}

const NOW = 'SELECT pg_current_snapshot() AS shown';

/** Selects new changes by snapshot and not by number, because transactions may commit in another order. */
const ROWS = `
  SELECT s.shown, c.tx, c.seq, o.name, c.what, c.writer
  FROM (SELECT pg_current_snapshot() AS now, coalesce(CAST(? AS pg_snapshot), pg_current_snapshot()) AS shown) AS s
  LEFT JOIN (kb_changes AS c JOIN kb_owners AS o ON o.id = c.owner)
    ON c.tx >= pg_snapshot_xmin(CAST(? AS pg_snapshot)) AND c.tx < pg_snapshot_xmax(s.now)
    AND NOT pg_visible_in_snapshot(c.tx, CAST(? AS pg_snapshot)) AND pg_visible_in_snapshot(c.tx, s.shown)
    AND (c.tx, c.seq) > (CAST(? AS xid8), CAST(? AS bigint))
  ORDER BY c.tx, c.seq LIMIT ?`;

function* createPostgresChangeReader(sql: Sql): StepGenerator<ReadChangeRows> {
  const begun = yield* sql.get<{ shown: string }>(NOW);
  const position: LogPosition = { shown: begun?.shown ?? '', partly: undefined };
  return function* (again, limit) {
    const { shown, partly } = position;
    const rows = yield* again.all<ChangeRow & { readonly shown: string; readonly tx: string | null }>(
      ROWS,
      partly?.shown ?? null,
      shown,
      shown,
      partly?.tx ?? '0',
      partly?.seq ?? 0,
      limit,
    );
    const found = rows.filter(({ tx }) => tx !== null);
    const last = found.at(-1);
    const until = rows[0]?.shown ?? shown;
    if (last?.tx && found.length === limit) {
      position.partly = { shown: until, tx: last.tx, seq: last.seq };
    } else {
      position.shown = until;
      position.partly = undefined;
    }
    return found;
  };
}
