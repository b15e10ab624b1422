import type { Database } from '../../storage/sqlite.ts';
import type { StoredSuspension, SuspensionStore } from '../suspension-store.ts';

/**
 * Suspensions in SQLite; each write is durable before it resolves. Hand-written SQL, since the first search of a process
 * waits for it: loading the query builder would cost that search 70 ms.
 */
export function createSqliteSuspensionStore(db: Database): SuspensionStore {
  return {
    listSuspensions: () =>
      db.read((sql) =>
        sql
          .all<StoredSuspension>('SELECT engine, reason, until, pause FROM engine_suspensions')
          .map((row) => ({ ...row })),
      ),
    async saveSuspension({ engine, reason, until, pause }) {
      await db.write((sql) =>
        sql.run(
          `INSERT INTO engine_suspensions (engine, reason, until, pause) VALUES (?, ?, ?, ?)
           ON CONFLICT (engine) DO UPDATE SET reason = excluded.reason, until = excluded.until, pause = excluded.pause`,
          engine,
          reason.replaceAll('\0', '').toWellFormed(),
          Math.trunc(until),
          Math.trunc(pause),
        ),
      );
    },
    async deleteSuspension(engine) {
      await db.write((sql) => sql.run('DELETE FROM engine_suspensions WHERE engine = ?', engine));
    },
  };
}
