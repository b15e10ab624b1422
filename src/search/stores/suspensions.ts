import { createKeyedLock } from '../../lib/concurrency/keyed-lock.ts';
import { type StoreDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import type { StoredSuspension, SuspensionStore } from '../asking/suspension-store.ts';

const SAVE = `INSERT INTO engine_suspensions (engine, reason, until, pause) VALUES (?, ?, ?, ?)
  ON CONFLICT (engine) DO UPDATE SET reason = excluded.reason, until = excluded.until, pause = excluded.pause`;

/** Uses plain SQL, because loading the query builder takes 70 ms. */
export function createSuspensionStore(of: StoreDatabase): SuspensionStore {
  const db = toAnyDatabase(of);
  /** Writes for an engine run one after the other. Otherwise an older write could overwrite a newer one. */
  const turns = createKeyedLock();
  return {
    listSuspensions: () =>
      db.read(function* (sql) {
        return (yield* sql.all<StoredSuspension>(
          'SELECT engine, reason, until, pause FROM engine_suspensions',
        )).map((row) => ({ ...row }));
      }),
    async saveSuspension({ engine, reason, until, pause }) {
      await turns.run(engine, () =>
        db.write((sql) =>
          sql.run(
            SAVE,
            engine,
            reason.replaceAll('\0', '').toWellFormed(),
            Math.trunc(until),
            Math.trunc(pause),
          ),
        ),
      );
    },
    async deleteSuspension(engine) {
      await turns.run(engine, () =>
        db.write((sql) => sql.run('DELETE FROM engine_suspensions WHERE engine = ?', engine)),
      );
    },
  };
}
