import type { AnyDatabase, Sql, SqlAnswer, StepGenerator } from '../../../storage/any-database.ts';
import { createShrinkingSteps } from '../../../storage/full-disk.ts';

const AUTOMERGE = 4;

/** Removes data in steps of up to `most` passages or pages. Steps are smaller on a full disk. */
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

function* writingLess<T>(sql: Sql, work: () => SqlAnswer<T>): StepGenerator<T> {
  // FTS5 does not accept this number as a parameter.
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
