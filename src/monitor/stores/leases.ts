import type { AnyDatabase } from '../../storage/any-database.ts';
import type { LeaseStore } from '../store.ts';

export function createLeaseStore(
  db: AnyDatabase,
  table: 'monitor_jobs' | 'monitor_messages',
  own: string,
): LeaseStore {
  return {
    listHolders: () =>
      db.read((sql) =>
        sql.all(
          `SELECT runner, min(leased_until) AS until FROM ${table} WHERE runner IS NOT NULL GROUP BY runner`,
        ),
      ),
    async releaseLeases(runner = own) {
      await db.write((sql) => sql.run(`UPDATE ${table} SET runner = NULL WHERE runner = ?`, runner));
    },
    async releaseExpired(runner, now) {
      await db.write((sql) =>
        sql.run(`UPDATE ${table} SET runner = NULL WHERE runner = ? AND leased_until < ?`, runner, now),
      );
    },
  };
}
