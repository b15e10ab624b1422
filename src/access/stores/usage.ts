import type { SQLInputValue } from 'node:sqlite';
import type { Database } from '../../storage/sqlite.ts';
import type { Count, DayCount, UsageEntry, UsageStore } from '../usage-store.ts';

const DAY = 86_400_000;
/** Networks remembered of one credential; of more, the ones seen longest ago are forgotten. */
const NETWORKS = 200;

/** Calls written by one statement: most of what a small statement costs is not the row. */
const TOGETHER = 64;
/** Characters of a name that are kept. */
const NAME = 300;

const addCalls = (rows: number) =>
  `INSERT INTO access_usage (at, credential, user, operation, outcome, ms, address)
   VALUES ${Array(rows).fill('(?, ?, ?, ?, ?, ?, ?)').join(', ')}`;
const ADD_CALL = addCalls(1);
const ADD_CALLS = addCalls(TOGETHER);
const ADD_DAY = `INSERT INTO access_days (credential, day, operation, outcome, calls) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET calls = calls + excluded.calls`;
const ADD_COUNT = `INSERT INTO access_counts (day, subject, what, count) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET count = count + excluded.count RETURNING count`;
const USED = 'UPDATE access_keys SET used_at = max(coalesce(used_at, 0), ?) WHERE id = ?';

/** The record of use in SQLite. */
export function createSqliteUsageStore(db: Database): UsageStore {
  return {
    add(entries, day, counts) {
      return db.transactionSync(() => {
        const whole = entries.length - (entries.length % TOGETHER);
        for (let from = 0; from < whole; from += TOGETHER) {
          db.run(ADD_CALLS, ...entries.slice(from, from + TOGETHER).flatMap(values));
        }
        for (const entry of entries.slice(whole)) db.run(ADD_CALL, ...values(entry));
        const { days, used } = sumsOf(entries);
        for (const { credential, day, operation, outcome, calls } of days) {
          db.run(ADD_DAY, credential, day, operation, outcome, calls);
        }
        for (const [credential, at] of used) db.run(USED, at, credential);
        return counts.map(({ subject, what, count }) => {
          const row = db.get<{ count: number }>(ADD_COUNT, day, subject, what, count);
          return { subject, what, count: row?.count ?? count };
        });
      });
    },
    counted(day, subject, what) {
      const sql = 'SELECT count FROM access_counts WHERE day = ? AND subject = ? AND what = ?';
      return db.get<Count>(sql, day, subject, what)?.count ?? 0;
    },
    days(credential, since) {
      const rows = db.all<DayCount>(
        `SELECT day, operation, outcome, calls FROM access_days WHERE credential = ? AND day >= ?
         ORDER BY day, operation, outcome`,
        credential,
        since,
      );
      return rows.map((row) => ({ ...row }));
    },
    newest(credential, limit) {
      const rows = db.all<UsageEntry>(
        `SELECT at, credential, user, operation, outcome, ms, address FROM access_usage
         WHERE credential = ? ORDER BY id DESC LIMIT ?`,
        credential,
        limit,
      );
      return rows.map((row) => ({ ...row }));
    },
    newNetwork(credential, network, at) {
      return db.transactionSync(() => {
        const sql =
          'SELECT count(*) AS known, max(network = ?) AS same FROM access_networks WHERE credential = ?';
        const { known = 0, same = 0 } =
          db.get<{ known: number; same: number | null }>(sql, network, credential) ?? {};
        db.run(
          `INSERT INTO access_networks (credential, network, seen_at) VALUES (?, ?, ?)
           ON CONFLICT DO UPDATE SET seen_at = excluded.seen_at`,
          credential,
          network,
          at,
        );
        if (known >= NETWORKS && !same) {
          db.run(
            `DELETE FROM access_networks WHERE (credential, network) IN
             (SELECT credential, network FROM access_networks WHERE credential = ? ORDER BY seen_at LIMIT 1)`,
            credential,
          );
        }
        return known > 0 && !same;
      });
    },
    prune(before, rows) {
      const day = Math.floor(before / DAY);
      db.run('DELETE FROM access_usage WHERE at < ?', before);
      db.run('DELETE FROM access_usage WHERE id <= (SELECT max(id) FROM access_usage) - ?', rows);
      db.run('DELETE FROM access_days WHERE day < ?', day);
      db.run('DELETE FROM access_counts WHERE day < ?', day);
    },
  };
}

function values({ at, credential, user, operation, outcome, ms, address }: UsageEntry): SQLInputValue[] {
  return [at, shortened(credential), shortened(user), operation, outcome, Math.round(ms), address];
}

function shortened(name: string): string {
  return name.length > NAME ? name.slice(0, NAME) : name;
}

/** Calls by day, operation and outcome, and when each credential was last good for one. */
function sumsOf(entries: readonly UsageEntry[]) {
  const days = new Map<string, DayCount & { readonly credential: string; calls: number }>();
  const used = new Map<string, number>();
  for (const { at, credential: whole, operation, outcome } of entries) {
    const [credential, day] = [shortened(whole), Math.floor(at / DAY)];
    const name = `${day} ${operation} ${outcome} ${credential}`;
    const sum = days.get(name);
    if (sum) sum.calls++;
    else days.set(name, { credential, day, operation, outcome, calls: 1 });
    if (outcome !== 'unauthenticated') used.set(credential, at);
  }
  return { days: days.values(), used };
}
