import type { Answer, AnyDatabase, Sql, Steps } from '../../../storage/any-database.ts';
import { createFittingSteps } from '../../../storage/full-disk.ts';

/** FTS5's own start value: segments of one level that it merges. */
const AUTOMERGE = 4;

/**
 * Steps that remove up to so many passages or pages at once. On a full disk they are smaller, and write less into a log for
 * which there is little room.
 */
export function createRemovalSteps(
  db: Pick<AnyDatabase, 'remove'>,
  most: number,
): <T>(work: (sql: Sql, most: number) => Answer<T>) => Promise<T> {
  const inSteps = createFittingSteps(most);
  return (work) =>
    inSteps((now) =>
      db.remove((sql) => (now === most ? work(sql, now) : writingLess(sql, () => work(sql, now)))),
    );
}

/**
 * Leaves out what FTS5 merges within the commit of many removals, which may rewrite most of the index of words, and does not
 * overwrite pages that are free now: those are cut off the file afterwards (`Database.giveBack`). Of SQLite alone.
 */
function* writingLess<T>(sql: Sql, work: () => Answer<T>): Steps<T> {
  // A literal, since FTS5 takes none of JavaScript's numbers.
  const merge = (value: number) =>
    sql.run(`INSERT INTO kb_words (kb_words, rank) VALUES ('automerge', ${value})`);
  yield* sql.get('PRAGMA secure_delete = FAST');
  try {
    yield* merge(0);
    // FTS5 writes what it holds when a savepoint ends.
    yield* sql.send('SAVEPOINT removal');
    const result = yield* work();
    yield* sql.send('RELEASE removal');
    yield* merge(AUTOMERGE);
    return result;
  } finally {
    yield* sql.get('PRAGMA secure_delete = ON');
  }
}
