import type { SQLInputValue } from 'node:sqlite';
import type { Database, Statements } from '../../storage/sqlite.ts';
import type { DayCount, UsageEntry } from '../types.ts';
import type { Count, UsageStore } from '../usage-store.ts';

const DAY_MS = 86_400_000;
/** Networks remembered of one credential; of more, those seen longest ago are deleted. */
const MAX_NETWORKS = 200;

/** Calls written by one statement: most of what a small statement costs is not the row. */
const CALLS_PER_STATEMENT = 64;
/** Characters of a name that are kept. */
const MAX_NAME_CHARS = 300;

const addCalls = (rows: number) =>
  `INSERT INTO access_usage (at, credential, user, operation, outcome, ms, address)
   VALUES ${Array(rows).fill('(?, ?, ?, ?, ?, ?, ?)').join(', ')}`;
const ADD_CALL = addCalls(1);
const ADD_CALLS = addCalls(CALLS_PER_STATEMENT);
const ADD_DAY = `INSERT INTO access_days (credential, day, operation, outcome, calls) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET calls = calls + excluded.calls`;
const ADD_COUNT = `INSERT INTO access_counts (day, subject, what, count) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET count = count + excluded.count RETURNING count`;
const USED = 'UPDATE access_keys SET used_at = max(coalesce(used_at, 0), ?) WHERE id = ?';
const COUNT_NETWORKS =
  'SELECT count(*) AS known, max(network = ?) AS same FROM access_networks WHERE credential = ?';
const DELETE_OLDEST_NETWORK = `DELETE FROM access_networks WHERE (credential, network) IN
  (SELECT credential, network FROM access_networks WHERE credential = ? ORDER BY seen_at LIMIT 1)`;

/** The record of use in SQLite. */
export function createSqliteUsageStore(db: Database): UsageStore {
  return { ...createCalls(db), ...createNetworks(db) };
}

function createCalls(db: Database): Omit<UsageStore, 'rememberNetwork'> {
  return {
    recordCalls: (entries, day, counts) =>
      db.write((sql) => {
        insertCalls(sql, entries);
        const { days, used } = sumsOf(entries);
        for (const { credential, day: of, operation, outcome, calls } of days) {
          sql.run(ADD_DAY, credential, of, operation, outcome, calls);
        }
        for (const [credential, at] of used) sql.run(USED, at, credential);
        return counts.map(({ subject, what, count }) => {
          const row = sql.get<{ count: number }>(ADD_COUNT, day, subject, what, count);
          return { subject, what, count: row?.count ?? count };
        });
      }),
    readCount: (day, subject, what) =>
      db.read((sql) => {
        const text = 'SELECT count FROM access_counts WHERE day = ? AND subject = ? AND what = ?';
        return sql.get<Count>(text, day, subject, what)?.count ?? 0;
      }),
    listDays: (credential, since) =>
      db.read((sql) => {
        const rows = sql.all<DayCount>(
          `SELECT day, operation, outcome, calls FROM access_days WHERE credential = ? AND day >= ?
           ORDER BY day, operation, outcome`,
          credential,
          since,
        );
        return rows.map((row) => ({ ...row }));
      }),
    listNewestCalls: (credential, limit) =>
      db.read((sql) => {
        const rows = sql.all<UsageEntry>(
          `SELECT at, credential, user, operation, outcome, ms, address FROM access_usage
           WHERE credential = ? ORDER BY id DESC LIMIT ?`,
          credential,
          limit,
        );
        return rows.map((row) => ({ ...row }));
      }),
    deleteOldUsage: (before, rows) =>
      db.write((sql) => {
        const day = Math.floor(before / DAY_MS);
        sql.run('DELETE FROM access_usage WHERE at < ?', before);
        sql.run('DELETE FROM access_usage WHERE id <= (SELECT max(id) FROM access_usage) - ?', rows);
        sql.run('DELETE FROM access_days WHERE day < ?', day);
        sql.run('DELETE FROM access_counts WHERE day < ?', day);
      }),
  };
}

function createNetworks(db: Database): Pick<UsageStore, 'rememberNetwork'> {
  return {
    rememberNetwork: (credential, network, at) =>
      db.write((sql) => {
        const { known = 0, same = 0 } =
          sql.get<{ known: number; same: number | null }>(COUNT_NETWORKS, network, credential) ?? {};
        sql.run(
          `INSERT INTO access_networks (credential, network, seen_at) VALUES (?, ?, ?)
           ON CONFLICT DO UPDATE SET seen_at = excluded.seen_at`,
          credential,
          network,
          at,
        );
        if (known >= MAX_NETWORKS && !same) sql.run(DELETE_OLDEST_NETWORK, credential);
        return known > 0 && !same;
      }),
  };
}

function insertCalls(sql: Statements, entries: readonly UsageEntry[]): void {
  const whole = entries.length - (entries.length % CALLS_PER_STATEMENT);
  for (let from = 0; from < whole; from += CALLS_PER_STATEMENT) {
    sql.run(ADD_CALLS, ...entries.slice(from, from + CALLS_PER_STATEMENT).flatMap(values));
  }
  for (const entry of entries.slice(whole)) sql.run(ADD_CALL, ...values(entry));
}

function values({ at, credential, user, operation, outcome, ms, address }: UsageEntry): SQLInputValue[] {
  return [at, shortened(credential), shortened(user), operation, outcome, Math.round(ms), address];
}

function shortened(name: string): string {
  return name.length > MAX_NAME_CHARS ? name.slice(0, MAX_NAME_CHARS) : name;
}

/** Calls by day, operation and outcome, and when each credential was last valid for one. */
function sumsOf(entries: readonly UsageEntry[]) {
  const days = new Map<string, DayCount & { readonly credential: string; calls: number }>();
  const used = new Map<string, number>();
  for (const { at, credential: whole, operation, outcome } of entries) {
    const [credential, day] = [shortened(whole), Math.floor(at / DAY_MS)];
    const name = `${day} ${operation} ${outcome} ${credential}`;
    const sum = days.get(name);
    if (sum) sum.calls++;
    else days.set(name, { credential, day, operation, outcome, calls: 1 });
    if (outcome !== 'unauthenticated') used.set(credential, at);
  }
  return { days: days.values(), used };
}
