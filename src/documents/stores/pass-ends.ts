import type { Database } from '../../storage/sqlite.ts';
import type { PassEnds } from '../pass-ends.ts';

/** Ended passes in SQLite. */
export function createSqlitePassEnds(db: Database): PassEnds {
  return {
    of: (owner) =>
      db.get<{ ends: number }>('SELECT ends FROM pass_ends WHERE owner = ?', owner.toWellFormed())?.ends ?? 0,
    add(owner) {
      db.run(
        'INSERT INTO pass_ends (owner, ends) VALUES (?, 1) ON CONFLICT (owner) DO UPDATE SET ends = ends + 1',
        owner.toWellFormed(),
      );
    },
  };
}
