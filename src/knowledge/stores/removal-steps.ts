import type { Database, Statements } from '../../storage/database.ts';
import { createFittingSteps } from '../../storage/full-disk.ts';

/** FTS5's own start value: segments of one level that it merges. */
const AUTOMERGE = 4;

/**
 * Steps that remove up to so many passages or pages at once. On a full disk they are smaller, and write less into a log for
 * which there is little room.
 */
export function createRemovalSteps(
  db: Pick<Database, 'remove'>,
  most: number,
): <T>(work: (sql: Statements, most: number) => T) => Promise<T> {
  const inSteps = createFittingSteps(most);
  return (work) =>
    inSteps((now) =>
      db.remove((sql) => (now === most ? work(sql, now) : writingLess(sql, () => work(sql, now)))),
    );
}

/**
 * Leaves out what FTS5 merges within the commit of many removals, which may rewrite most of the index of words, and does not
 * overwrite pages that are free now: those are cut off the file afterwards (`Database.giveBack`).
 */
function writingLess<T>(sql: Statements, work: () => T): T {
  // A literal, since FTS5 takes none of JavaScript's numbers.
  const merge = (value: number) =>
    sql.run(`INSERT INTO kb_words (kb_words, rank) VALUES ('automerge', ${value})`);
  sql.get('PRAGMA secure_delete = FAST');
  try {
    merge(0);
    // FTS5 writes what it holds when a savepoint ends.
    sql.run('SAVEPOINT removal');
    const result = work();
    sql.run('RELEASE removal');
    merge(AUTOMERGE);
    return result;
  } finally {
    sql.get('PRAGMA secure_delete = ON');
  }
}
