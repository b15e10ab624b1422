import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { REQUIREMENTS } from './requirements.ts';

const TEST = fileURLToPath(new URL('.', import.meta.url));

/** Requirement ids at the end of tests' titles, as ` [body.summary]`. */
function citations(): Set<string> {
  const files = readdirSync(TEST, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.test.ts'),
  );
  const texts = files.map((name) => readFileSync(join(TEST, name), 'utf8'));
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/ \[([a-zA-Z]+\.[\w-]+)\](?=[ '])/g)].map(([, id]) => id ?? ''),
    ),
  );
}

test('every requirement is cited by a test', () => {
  const cited = citations();
  expect(Object.keys(REQUIREMENTS).filter((id) => !cited.has(id))).toEqual([]);
});

/** What comes before the dot; other dotted names in brackets are code. */
const GROUPS = new Set(Object.keys(REQUIREMENTS).map((id) => id.split('.')[0]));

test('every citation names a requirement', () => {
  expect([...citations()].filter((id) => GROUPS.has(id.split('.')[0]) && !(id in REQUIREMENTS))).toEqual([]);
});
