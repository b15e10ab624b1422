import { setImmediate } from 'node:timers/promises';
import {
  type AnyDatabase,
  type Sql,
  type SqlValue,
  type StepGenerator,
  type StoreDatabase,
  toAnyDatabase,
} from '../../storage/any-database.ts';
import { raw } from '../../storage/sql-template.ts';
import type { DailyCallCount, UsageEntry } from '../types.ts';
import type { DayQuota, QuotaCount, UsageStore } from '../usage/usage-store.ts';

const DAY_MS = 86_400_000;
const MAX_NETWORKS = 200;

const CALLS_PER_STATEMENT = 64;
const DELETED_AT_ONCE = 5000;
const MAX_NAME_CHARS = 300;

const addCalls = (rows: number) =>
  `INSERT INTO access_usage (at, credential, "user", operation, outcome, ms, address)
   VALUES ${Array(rows).fill('(?, ?, ?, ?, ?, ?, ?)').join(', ')}`;
const ADD_CALL = addCalls(1);
const ADD_CALLS = addCalls(CALLS_PER_STATEMENT);
const ADD_DAY = `INSERT INTO access_days (credential, day, operation, outcome, calls) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (credential, day, operation, outcome) DO UPDATE SET calls = access_days.calls + excluded.calls`;
const ADD_COUNT = `INSERT INTO access_counts (day, subject, what, count) VALUES (?, ?, ?, ?)
  ON CONFLICT (day, subject, what) DO UPDATE SET count = access_counts.count + excluded.count RETURNING count`;
const COUNT_WITHIN = `INSERT INTO access_counts (day, subject, what, count) VALUES (?, ?, ?, 1)
  ON CONFLICT (day, subject, what) DO UPDATE SET count = access_counts.count + 1 WHERE access_counts.count < ? RETURNING count`;
const TAKE_BACK = 'UPDATE access_counts SET count = count - 1 WHERE day = ? AND subject = ? AND what = ?';
const USED = 'UPDATE access_keys SET used_at = ?1 WHERE id = ?2 AND (used_at IS NULL OR used_at < ?1)';
const COUNT_NETWORKS = `SELECT count(*) AS known, count(CASE WHEN network = ? THEN 1 END) AS same
  FROM access_networks WHERE credential = ?`;
const ADD_NETWORK = `INSERT INTO access_networks (credential, network, seen_at) VALUES (?, ?, ?)
  ON CONFLICT (credential, network) DO UPDATE SET seen_at = excluded.seen_at`;
const DELETE_OLDEST_NETWORK = `DELETE FROM access_networks WHERE (credential, network) IN
  (SELECT credential, network FROM access_networks WHERE credential = ? ORDER BY seen_at LIMIT 1)`;

export function createUsageStore(of: StoreDatabase): UsageStore {
  const db = toAnyDatabase(of);
  return { ...createCalls(db), ...createNetworks(db) };
}

function createCalls(db: AnyDatabase) {
  return {
    recordCalls: (entries, day, counts) =>
      db.write(function* (sql) {
        yield* insertCalls(sql, entries);
        const { days, used } = sumsOf(entries);
        yield* sql.sendEach(
          ADD_DAY,
          days.map(({ credential, day: of, operation, outcome, calls }) => [
            credential,
            of,
            operation,
            outcome,
            calls,
          ]),
        );
        yield* sql.sendEach(
          USED,
          used.map(([credential, at]) => [at, credential]),
        );
        const sums = yield* sql.allEach<{ count: number }>(
          counts.map(({ subject, what, count }) => raw(ADD_COUNT, day, subject, what, count)),
        );
        return counts.map((one, at) => ({ ...one, count: sums[at]?.[0]?.count ?? one.count }));
      }),
    countWithin: (day, quotas) =>
      db.write(function* (sql) {
        // Sorts the quotas, because two nodes that lock rows in different orders could deadlock.
        const sorted = quotas.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
        const counted = yield* sql.allEach<QuotaCount>(
          sorted.map(({ subject, what, max }) => raw(COUNT_WITHIN, day, subject, what, max)),
        );
        const full = new Set(sorted.filter((_, at) => counted[at]?.length === 0));
        if (full.size === 0) return undefined;
        yield* sql.sendEach(
          TAKE_BACK,
          sorted.filter((one) => !full.has(one)).map(({ subject, what }) => [day, subject, what]),
        );
        return quotas.find((one) => full.has(one));
      }),
    readCount: (day, subject, what) =>
      db.read(function* (sql) {
        const row = yield* sql.get<QuotaCount>`SELECT count FROM access_counts
          WHERE day = ${day} AND subject = ${subject} AND what = ${what}`;
        return row?.count ?? 0;
      }),
    listDays: (credential, since) =>
      db.read(function* (sql) {
        const rows = yield* sql.all<DailyCallCount>`SELECT day, operation, outcome, calls FROM access_days
          WHERE credential = ${credential} AND day >= ${since}
          ORDER BY day, operation, outcome`;
        return rows.map((row) => ({ ...row }));
      }),
    listNewestCalls: (credential, limit) =>
      db.read(function* (sql) {
        const rows = yield* sql.all<UsageEntry>`SELECT at, credential, "user", operation, outcome, ms, address
          FROM access_usage
          WHERE credential = ${credential} ORDER BY id DESC LIMIT ${limit}`;
        return rows.map((row) => ({ ...row }));
      }),
    async deleteOldUsage(before, rows) {
      const newest = await db.read((sql) =>
        sql.get<{ id: number | null }>('SELECT max(id) AS id FROM access_usage'),
      );
      for (const [column, below] of [
        ['at', before],
        ['id', (newest?.id ?? 0) - rows + 1],
      ] as const) {
        const text = `DELETE FROM access_usage WHERE id IN
          (SELECT id FROM access_usage WHERE ${column} < ? ORDER BY ${column} LIMIT ${DELETED_AT_ONCE})`;
        while ((await db.write((sql) => sql.run(text, below))) === DELETED_AT_ONCE) await setImmediate();
      }
      await db.write(function* (sql) {
        const day = Math.floor(before / DAY_MS);
        yield* sql.send`DELETE FROM access_days WHERE day < ${day}`;
        yield* sql.send`DELETE FROM access_counts WHERE day < ${day}`;
      });
    },
  } satisfies Partial<UsageStore>;
}

const nameOf = ({ subject, what }: DayQuota) => `${subject} ${what}`;

function createNetworks(db: AnyDatabase) {
  return {
    rememberNetwork: (credential, network, at) =>
      db.write(function* (sql) {
        yield* sql.lockName(`networks of ${credential}`);
        const row = yield* sql.get<{ known: number; same: number }>(COUNT_NETWORKS, network, credential);
        const { known = 0, same = 0 } = row ?? {};
        yield* sql.send(ADD_NETWORK, credential, network, at);
        if (known >= MAX_NETWORKS && !same) yield* sql.send(DELETE_OLDEST_NETWORK, credential);
        return known > 0 && !same;
      }),
  } satisfies Partial<UsageStore>;
}

function* insertCalls(sql: Sql, entries: readonly UsageEntry[]): StepGenerator<void> {
  const whole = entries.length - (entries.length % CALLS_PER_STATEMENT);
  for (let from = 0; from < whole; from += CALLS_PER_STATEMENT) {
    yield* sql.send(ADD_CALLS, ...entries.slice(from, from + CALLS_PER_STATEMENT).flatMap(values));
  }
  for (const entry of entries.slice(whole)) yield* sql.send(ADD_CALL, ...values(entry));
}

function values({ at, credential, user, operation, outcome, ms, address }: UsageEntry): SqlValue[] {
  return [at, shortened(credential), shortened(user), operation, outcome, Math.round(ms), address];
}

function shortened(name: string): string {
  return name.length > MAX_NAME_CHARS ? name.slice(0, MAX_NAME_CHARS) : name;
}

function sumsOf(entries: readonly UsageEntry[]) {
  const days = new Map<string, DailyCallCount & { readonly credential: string; calls: number }>();
  const used = new Map<string, number>();
  for (const { at, credential: whole, operation, outcome } of entries) {
    const [credential, day] = [shortened(whole), Math.floor(at / DAY_MS)];
    const name = `${day} ${operation} ${outcome} ${credential}`;
    const sum = days.get(name);
    if (sum) sum.calls++;
    else days.set(name, { credential, day, operation, outcome, calls: 1 });
    if (outcome !== 'unauthenticated') used.set(credential, at);
  }
  const byName = (one: readonly [string, unknown], other: readonly [string, unknown]) =>
    one[0] < other[0] ? -1 : 1;
  return { days: [...days].sort(byName).map(([, sum]) => sum), used: [...used].sort(byName) };
}
