import { setImmediate } from 'node:timers/promises';
import {
  type AnyDatabase,
  type Sql,
  type StepGenerator,
  type StoreDatabase,
  toAnyDatabase,
} from '../../storage/any-database.ts';
import { fragment, joinFragments, raw, type SqlFragment } from '../../storage/sql-template.ts';
import type { DailyCallCount, UsageEntry } from '../types.ts';
import type { DayQuota, QuotaCount, UsageStore } from '../usage/usage-store.ts';

const DAY_MS = 86_400_000;
const MAX_NETWORKS = 200;

const CALLS_PER_STATEMENT = 64;
const DELETED_AT_ONCE = 5000;
const MAX_NAME_CHARS = 300;

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
        for (const { credential, day: of, operation, outcome, calls } of days) {
          yield* sql.send`INSERT INTO access_days (credential, day, operation, outcome, calls)
            VALUES (${credential}, ${of}, ${operation}, ${outcome}, ${calls})
            ON CONFLICT (credential, day, operation, outcome)
            DO UPDATE SET calls = access_days.calls + excluded.calls`;
        }
        for (const [credential, at] of used) {
          yield* sql.send`UPDATE access_keys SET used_at = ${at}
            WHERE id = ${credential} AND (used_at IS NULL OR used_at < ${at})`;
        }
        const sums = yield* sql.allEach<{ count: number }>(
          counts.map(
            ({ subject, what, count }) => fragment`INSERT INTO access_counts (day, subject, what, count)
              VALUES (${day}, ${subject}, ${what}, ${count}) ON CONFLICT (day, subject, what)
              DO UPDATE SET count = access_counts.count + excluded.count RETURNING count`,
          ),
        );
        return counts.map((one, at) => ({ ...one, count: sums[at]?.[0]?.count ?? one.count }));
      }),
    countWithin: (day, quotas) =>
      db.write(function* (sql) {
        // Sorts the quotas, because two nodes that lock rows in different orders could deadlock.
        const sorted = quotas.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
        const counted = yield* sql.allEach<QuotaCount>(
          sorted.map(
            ({ subject, what, max }) => fragment`INSERT INTO access_counts (day, subject, what, count)
              VALUES (${day}, ${subject}, ${what}, 1) ON CONFLICT (day, subject, what)
              DO UPDATE SET count = access_counts.count + 1 WHERE access_counts.count < ${max} RETURNING count`,
          ),
        );
        const full = new Set(sorted.filter((_, at) => counted[at]?.length === 0));
        if (full.size === 0) return undefined;
        for (const { subject, what } of sorted.filter((one) => !full.has(one))) {
          yield* sql.send`UPDATE access_counts SET count = count - 1
            WHERE day = ${day} AND subject = ${subject} AND what = ${what}`;
        }
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
        const old = fragment`SELECT id FROM access_usage WHERE ${raw(column)} < ${below}
          ORDER BY ${raw(column)} LIMIT ${DELETED_AT_ONCE}`;
        const deleteSome = () => db.write((sql) => sql.run`DELETE FROM access_usage WHERE id IN (${old})`);
        while ((await deleteSome()) === DELETED_AT_ONCE) await setImmediate();
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
        const row = yield* sql.get<{ known: number; same: number }>`SELECT count(*) AS known,
          count(CASE WHEN network = ${network} THEN 1 END) AS same
          FROM access_networks WHERE credential = ${credential}`;
        const { known = 0, same = 0 } = row ?? {};
        yield* sql.send`INSERT INTO access_networks (credential, network, seen_at)
          VALUES (${credential}, ${network}, ${at})
          ON CONFLICT (credential, network) DO UPDATE SET seen_at = excluded.seen_at`;
        if (known >= MAX_NETWORKS && !same) {
          yield* sql.send`DELETE FROM access_networks WHERE (credential, network) IN (SELECT credential, network
            FROM access_networks WHERE credential = ${credential} ORDER BY seen_at LIMIT 1)`;
        }
        return known > 0 && !same;
      }),
  } satisfies Partial<UsageStore>;
}

function* insertCalls(sql: Sql, entries: readonly UsageEntry[]): StepGenerator<void> {
  const whole = entries.length - (entries.length % CALLS_PER_STATEMENT);
  for (let from = 0; from < entries.length; from += from < whole ? CALLS_PER_STATEMENT : 1) {
    const some = entries.slice(from, from < whole ? from + CALLS_PER_STATEMENT : from + 1);
    yield* sql.send`INSERT INTO access_usage (at, credential, "user", operation, outcome, ms, address)
      VALUES ${joinFragments(some.map(valuesOf), ', ')}`;
  }
}

function valuesOf({ at, credential, user, operation, outcome, ms, address }: UsageEntry): SqlFragment {
  const call = fragment`${at}, ${shortened(credential)}, ${shortened(user)}, ${operation}`;
  return fragment`(${call}, ${outcome}, ${Math.round(ms)}, ${address})`;
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
