import type { Database } from '../../storage/sqlite.ts';
import type { StoredSuspension, SuspensionStore } from '../suspension-store.ts';

/** Suspensions in SQLite; each write is durable before it resolves. */
export function createSqliteSuspensionStore(db: Database): SuspensionStore {
  return {
    async all() {
      const rows = db.all<StoredSuspension>('SELECT engine, reason, until, pause FROM engine_suspensions');
      return rows.map((row) => ({ ...row }));
    },
    async put({ engine, reason, until, pause }) {
      db.run(
        `INSERT INTO engine_suspensions (engine, reason, until, pause) VALUES (?, ?, ?, ?)
         ON CONFLICT (engine) DO UPDATE SET reason = excluded.reason, until = excluded.until, pause = excluded.pause`,
        engine,
        reason.replaceAll('\0', '').toWellFormed(),
        Math.trunc(until),
        Math.trunc(pause),
      );
    },
    async remove(engine) {
      db.run('DELETE FROM engine_suspensions WHERE engine = ?', engine);
    },
  };
}
