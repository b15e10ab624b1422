import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/**
 * A step that is made and not waited for does nothing, and no compiler says so: a statement that begins with a call that is
 * handed the statements, or with one of theirs.
 */
const CALL =
  /^[ \t]+\w(?:[\w.]*\w)?\((?:\w+, )?(?:sql|statements)\b(?!:)|^[ \t]+(?:sql|statements)\.(?:all|get|run|allEach|send|sendEach|alone)\b/gm;
/** What passes the answer on to its caller ends so on the line before. */
const PASSED_ON = /(?:=>|[(?:,=[]|\breturn|yield\*)$/;

function forgotten(text: string): string[] {
  return [...text.matchAll(CALL)].flatMap((match) => {
    const before = text.slice(0, match.index).trimEnd();
    const isMethod = /^[ \t]+\w+\([^;]*?\) \{$/m.test(text.slice(match.index).split('\n')[0] ?? '');
    return PASSED_ON.test(before) || isMethod ? [] : [match[0].trim()];
  });
}

test('a step that is not awaited is found', () => {
  expect(forgotten('{\n  insertRow(sql, row);\n}')).toEqual(['insertRow(sql']);
  expect(forgotten('{\n  parts.words.note(parts, sql);\n}')).toEqual(['parts.words.note(parts, sql']);
  expect(forgotten('{\n  sql.run(\n    "x",\n  );\n}')).toEqual(['sql.run']);
  expect(forgotten('{\n  yield* insertRow(sql, row);\n  const x = yield* sql.run("x");\n}')).toEqual([]);
  expect(
    forgotten('  const step = (sql) =>\n    sql.run("x");\n  all(some, (one) =>\n    read(sql, one),\n  );'),
  ).toEqual([]);
});

test('every step of a store is awaited', () => {
  const paths = globSync('src/*/stores/**/*.ts').filter((path) => !/\/check[^/]*$/.test(path));
  expect(paths.length).toBeGreaterThan(50);
  for (const path of paths) {
    const text = readFileSync(path, 'utf8');
    // `Statements` are those of SQLite, which answer at once.
    const isWaiting = text.includes('any-database.ts') && !/\bStatements\b/.test(text);
    if (isWaiting) expect([path, forgotten(text)]).toEqual([path, []]);
  }
});
