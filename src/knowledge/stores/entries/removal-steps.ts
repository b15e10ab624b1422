import type { AnyDatabase, Sql, SqlAnswer, StepGenerator } from '../../../storage/any-database.ts';
import { createShrinkingSteps } from '../../../storage/full-disk.ts';

/** Default of FTS5: the number of segments of one level that it merges. */
const AUTOMERGE = 4;

/** Removes data in steps of up to `most` passages or pages; smaller on a full disk, where the log has little space. */
export function createRemovalSteps(
  db: Pick<AnyDatabase, 'remove'>,
  most: number,
): <T>(work: (sql: Sql, most: number) => SqlAnswer<T>) => Promise<T> {
  const inSteps = createShrinkingSteps(most);
  return (work) =>
    inSteps((now) =>
      db.remove((sql) => (now === most ? work(sql, now) : writingLess(sql, () => work(sql, now)))),
    );
}

/**
 * Runs a removal that writes less: FTS5 merges no segments, and freed pages are not overwritten, because they are cut off the
 * file afterwards (`Database.giveBack`). For SQLite only.
 */
function* writingLess<T>(sql: Sql, work: () => SqlAnswer<T>): StepGenerator<T> {
  // The value is a literal, since FTS5 does not accept numbers bound from JavaScript.
  const merge = (value: number) =>
    sql.run(`INSERT INTO kb_words (kb_words, rank) VALUES ('automerge', ${value})`);
  yield* sql.get('PRAGMA secure_delete = FAST');
  try {
    yield* merge(0);
    // FTS5 writes its buffered data when a savepoint ends.
    yield* sql.send('SAVEPOINT removal');
    const result = yield* work();
    yield* sql.send('RELEASE removal');
    yield* merge(AUTOMERGE);
    return result;
  } finally {
    yield* sql.get('PRAGMA secure_delete = ON');
  }
}
