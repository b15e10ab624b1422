import { type StoreDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import { hasRow, insertSql, readFirstRow } from '../../storage/rows.ts';
import type { HeartbeatSignal, HeartbeatStore, StoredHeartbeat } from '../scheduling/heartbeat-store.ts';

/** SQL that stores a run's duration at the end of the run, or NULL if the job did not report the start. */
const ENDED = 'took_ms = CASE WHEN began_at <= ?1 THEN ?1 - began_at END, began_at = NULL';
const NOTED: Readonly<Record<HeartbeatSignal, string>> = {
  start: 'began_at = ?1',
  success: `at = ?1, failed_at = NULL, ${ENDED}`,
  fail: `failed_at = ?1, ${ENDED}`,
};

export function createHeartbeatStore(of: StoreDatabase): HeartbeatStore {
  const db = toAnyDatabase(of);
  return {
    putToken: (key, hash) =>
      db.write((sql) => sql.send(...insertSql('monitor_beats', { monitor: key, hash }, ['monitor']))),
    hasToken: (key) => hasRow(db, 'SELECT 1 FROM monitor_beats WHERE monitor = ?', key),
    async recordSignal(hash, at, signal) {
      const find = 'SELECT hash, monitor AS key FROM monitor_beats WHERE hash = ?';
      // Reads before it writes, so that requests with guessed tokens cause no writes.
      const known = await db.read((sql) => sql.get<{ hash: string; key: number }>(find, hash));
      if (!known) return undefined;
      await db.write(function* (sql) {
        yield* sql.send(`UPDATE monitor_beats SET ${NOTED[signal]} WHERE hash = ?2`, at, hash);
        if (signal === 'start') return;
        yield* sql.send`UPDATE monitor_jobs SET due_at = ${at} WHERE monitor = ${known.key}
          AND sort = 'watch' AND runner IS NULL AND every_ms > 0 AND due_at > ${at}`;
      });
      return known;
    },
    async findBeat(key) {
      const find = `SELECT at, failed_at AS "failedAt", began_at AS "beganAt", took_ms AS "tookMs"
        FROM monitor_beats WHERE monitor = ?`;
      const row = (await readFirstRow<StoredHeartbeat>(db, find, key)) ?? {};
      return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? undefined]));
    },
  };
}
