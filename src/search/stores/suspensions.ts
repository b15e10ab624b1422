import { createKeyedLock } from '../../lib/concurrency/keyed-lock.ts';
import { type StoreDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import { insertSql, readRows } from '../../storage/rows.ts';
import type { StoredSuspension, SuspensionStore } from '../asking/suspension-store.ts';

/** Uses plain SQL, because loading the query builder takes 70 ms. */
export function createSuspensionStore(of: StoreDatabase): SuspensionStore {
  const db = toAnyDatabase(of);
  /** Writes for an engine run one after the other. Otherwise an older write could overwrite a newer one. */
  const turns = createKeyedLock();
  return {
    listSuspensions: async () =>
      (
        await readRows<StoredSuspension>(db, 'SELECT engine, reason, until, pause FROM engine_suspensions')
      ).map((row) => ({ ...row })),
    async saveSuspension({ engine, reason, until, pause }) {
      const why = reason.replaceAll('\0', '').toWellFormed();
      const row = { engine, reason: why, until: Math.trunc(until), pause: Math.trunc(pause) };
      await turns.run(engine, () =>
        db.write((sql) => sql.run(...insertSql('engine_suspensions', row, ['engine']))),
      );
    },
    async deleteSuspension(engine) {
      await turns.run(engine, () =>
        db.write((sql) => sql.run`DELETE FROM engine_suspensions WHERE engine = ${engine}`),
      );
    },
  };
}
