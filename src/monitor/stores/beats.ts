import type { Database } from '../../storage/sqlite.ts';
import type { BeatStore } from '../beat-store.ts';

/** Heartbeats in SQLite. */
export function createSqliteBeatStore(db: Database): BeatStore {
  return {
    putToken: (key, hash) =>
      db.write((sql) => {
        sql.run(
          `INSERT INTO monitor_beats (monitor, hash) VALUES (?, ?)
           ON CONFLICT (monitor) DO UPDATE SET hash = excluded.hash`,
          key,
          hash,
        );
      }),
    hasToken: (key) =>
      db.read((sql) => sql.get('SELECT 1 FROM monitor_beats WHERE monitor = ?', key) !== undefined),
    async noteBeat(hash, at) {
      const find = 'SELECT hash, monitor AS key FROM monitor_beats WHERE hash = ?';
      // Most unknown tokens are guesses: those write nothing.
      const known = await db.read((sql) => sql.get<{ hash: string; key: number }>(find, hash));
      if (!known) return undefined;
      await db.write((sql) => {
        sql.run('UPDATE monitor_beats SET at = ? WHERE hash = ?', at, hash);
        // It is judged at once, where it is not being judged.
        sql.run(
          `UPDATE monitor_jobs SET due_at = min(due_at, ?) WHERE monitor = ? AND sort = 'watch' AND runner IS NULL
           AND every_ms > 0`,
          at,
          known.key,
        );
      });
      return known;
    },
    lastBeat: (key) =>
      db.read(
        (sql) =>
          sql.get<{ at: number | null }>('SELECT at FROM monitor_beats WHERE monitor = ?', key)?.at ??
          undefined,
      ),
  };
}
