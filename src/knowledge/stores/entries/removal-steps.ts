import type { AnyDatabase, Sql, SqlAnswer, StepGenerator } from '../../../storage/any-database.ts';
import { createShrinkingSteps } from '../../../storage/full-disk.ts';

const AUTOMERGE = 4;

/** Runs a removal in steps of up to `most` passages or pages. If the disk is full, the steps get smaller. */
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
  // FTS5 accepts no parameter for the value of `automerge`.
  const merge = (value: number) =>
    sql.run(`INSERT INTO kb_words (kb_words, rank) VALUES ('automerge', ${value})`);
  yield* sql.get('PRAGMA secure_delete = FAST');
  try {
    yield* merge(0);
    // A savepoint makes FTS5 write its buffered data when the savepoint ends.
    yield* sql.send('SAVEPOINT removal');
    const result = yield* work();
    yield* sql.send('RELEASE removal');
    yield* merge(AUTOMERGE);
    return result;
  } finally {
    yield* sql.get('PRAGMA secure_delete = ON');
  }
}
