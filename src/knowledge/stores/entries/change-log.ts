import { randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type AnyDatabase, jsonRows, type Sql, type StepGenerator } from '../../../storage/any-database.ts';
import type { Change } from '../../store.ts';
import { createPostgresChangeReader } from '../postgres/change-rows.ts';
import type { ChangeRow, ReadChangeRows } from './change-row.ts';
import { buildEntryId } from './rows.ts';

const READ_AT_ONCE = 10_000;
const DROPPED_AT_ONCE = 5000;
const WRITERS = 2 ** 47;
const MANY = 20;
export type ChangeLog = ReturnType<typeof createChangeLog>;

export function createChangeLog(db: AnyDatabase) {
  const writer = randomInt(WRITERS);
  const begin = () => db.read(db.dialect === 'postgres' ? createPostgresChangeReader : readFromNewest);
  // If the database is busy, the position is read again later.
  const begun = begin();
  begun.catch(() => {});
  let readRows: ReadChangeRows | undefined;
  let old = 0;

  return {
    /** An entry is recorded as its time, a file as `doc://` and its name. */
    *recordChanges(sql: Sql, owner: number, what: readonly (number | string)[]): StepGenerator<void> {
      if (what.length > MANY) {
        yield* sql.send(
          `INSERT INTO kb_changes (writer, owner, what)
           SELECT CAST(? AS bigint), CAST(? AS bigint), value FROM ${jsonRows(db)}`,
          writer,
          owner,
          JSON.stringify(what.map(String)),
        );
        return;
      }
      for (const one of what) {
        yield* sql.send(
          'INSERT INTO kb_changes (writer, owner, what) VALUES (?, ?, ?)',
          writer,
          owner,
          String(one),
        );
      }
    },

    async readChanges(): Promise<Change[]> {
      readRows ??= await begun.catch(begin);
      const read = readRows;
      const rows = await db.read((sql) => read(sql, READ_AT_ONCE));
      return byOwner(rows.filter((row) => row.writer !== writer));
    },

    /** Deletes changes that existed at the previous call. All processes have had time to read them. */
    async dropOldChanges(signal: AbortSignal): Promise<void> {
      const last = await db.read(newest);
      const below = Math.min(old + 1, last);
      old = last;
      const step = (sql: Sql) =>
        sql.run(
          'DELETE FROM kb_changes WHERE seq IN (SELECT seq FROM kb_changes WHERE seq < ? ORDER BY seq LIMIT ?)',
          below,
          DROPPED_AT_ONCE,
        );
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
    const rows = yield* sql.all<ChangeRow>(
      `SELECT c.seq, o.name, c.what, c.writer FROM kb_changes c JOIN kb_owners o ON o.id = c.owner
       WHERE c.seq > ? ORDER BY c.seq LIMIT ?`,
      seen,
      limit,
    );
    seen = rows.at(-1)?.seq ?? seen;
    if (rows.length < limit) version = now;
    return rows;
  };
}

function byOwner(rows: readonly ChangeRow[]): Change[] {
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

/** Returns a number that changes when another process has written. Does not read the disk. */
function* versionOf(sql: Sql): StepGenerator<number | undefined> {
  return (yield* sql.get<{ data_version: number }>('PRAGMA data_version'))?.data_version;
}
