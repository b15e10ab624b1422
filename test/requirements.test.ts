import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { REQUIREMENTS } from './requirements.ts';

const TEST = fileURLToPath(new URL('.', import.meta.url));

/** Requirement ids in the titles of tests, as `[body.summary]`. */
function citations(): Set<string> {
  const files = readdirSync(TEST, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.test.ts'),
  );
  const titles = files.flatMap((name) =>
    [
      ...readFileSync(join(TEST, name), 'utf8').matchAll(
        /\b(?:test|it)(?:\.each\([^\n]*\))?\(\s*(['"`])(.*?)\1/gs,
      ),
    ].map(([, , title]) => title ?? ''),
  );
  return new Set(
    titles.flatMap((title) => [...title.matchAll(/\[([a-zA-Z.-]+)\]/g)].map(([, id]) => id ?? '')),
  );
}

test('every requirement is cited by a test', () => {
  const cited = citations();
  expect(Object.keys(REQUIREMENTS).filter((id) => !cited.has(id))).toEqual([]);
});

test('every citation names a requirement', () => {
  expect([...citations()].filter((id) => !(id in REQUIREMENTS))).toEqual([]);
});
