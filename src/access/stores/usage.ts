import type { Database } from '../../storage/sqlite.ts';
import type { Count, DayCount, UsageEntry, UsageStore } from '../usage-store.ts';

const DAY = 86_400_000;
/** Networks remembered of one credential; of more, the ones seen longest ago are forgotten. */
const NETWORKS = 200;

const ADD_CALL = `INSERT INTO access_usage (at, credential, user, operation, outcome, ms, address)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const ADD_DAY = `INSERT INTO access_days (credential, day, operation, outcome, calls) VALUES (?, ?, ?, ?, 1)
  ON CONFLICT DO UPDATE SET calls = calls + 1`;
const ADD_COUNT = `INSERT INTO access_counts (day, subject, what, count) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET count = count + excluded.count RETURNING count`;
const USED = 'UPDATE access_keys SET used_at = max(coalesce(used_at, 0), ?) WHERE id = ?';

/** The record of use in SQLite. */
export function createSqliteUsageStore(db: Database): UsageStore {
  return {
    add(entries, day, counts) {
      return db.transaction(() => {
        const used = new Map<string, number>();
        for (const { at, credential, user, operation, outcome, ms, address } of entries) {
          db.run(ADD_CALL, at, credential, user, operation, outcome, Math.round(ms), address);
          db.run(ADD_DAY, credential, Math.floor(at / DAY), operation, outcome);
          if (outcome !== 'unauthenticated') used.set(credential, at);
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
      return db.transaction(() => {
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
