import type { Database } from '../../storage/sqlite.ts';
import type { PassEnds } from '../pass-ends.ts';

/** The row that counts for everybody; no user is named so. */
const EVERYBODY = '';

/** Ended passes in SQLite. */
export function createSqlitePassEnds(db: Database): PassEnds {
  const add = (owner: string) => {
    db.run(
      'INSERT INTO pass_ends (owner, ends) VALUES (?, 1) ON CONFLICT (owner) DO UPDATE SET ends = ends + 1',
      owner,
    );
  };
  return {
    of(owner) {
      const sql = 'SELECT coalesce(sum(ends), 0) AS ends FROM pass_ends WHERE owner IN (?, ?)';
      return db.get<{ ends: number }>(sql, owner.toWellFormed(), EVERYBODY)?.ends ?? 0;
    },
    add: (owner) => add(owner.toWellFormed()),
    addForAll: () => add(EVERYBODY),
  };
}
