import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { joinFigures, type MutantCount, partsBelow, tableOf } from './figures.ts';
import { chosenFiles, PARTS } from './parts.ts';

const count = (file: string, mutants: number, noticed: number, lines?: string): MutantCount => ({
  part: 'flow',
  file,
  lines,
  mutants,
  noticed,
});

test('a part is measured whole, by one file or by some lines of it', () => {
  expect(chosenFiles('flow', undefined).mutate.length).toBeGreaterThan(10);
  expect(chosenFiles('flow', 'value.ts').mutate).toEqual([
    'src/security/scanners/source/flow/values/value.ts',
  ]);
  expect(chosenFiles('keys', 'key.ts:3-9,keys.ts').mutate).toEqual([
    'src/access/keys/key.ts:3-9',
    'src/access/keys/keys.ts',
  ]);
  expect(() => chosenFiles('none', undefined)).toThrow('no part none; there are access, keys');
  expect(() => chosenFiles('flow', 'none.ts')).toThrow(
    'no file none.ts in flow; there are analyse-statements.ts',
  );
});

/** `{a,b}.ts` -> `a.ts`, `b.ts` */
function spellOut(glob: string): string[] {
  const [all, names = ''] = /\{([^}]*)\}/.exec(glob) ?? [];
  return all === undefined ? [glob] : names.split(',').map((name) => glob.replace(all, name));
}

test.each(Object.entries(PARTS))('every file that part %s names exists', (_, { mutate, tests }) => {
  const missing = [...mutate, ...tests].flatMap(spellOut).filter((path) => globSync(path).length === 0);
  expect(missing).toEqual([]);
});

test('a newer count takes the place of what it covers', () => {
  const before = [count('a.ts', 10, 5, '1-20'), count('a.ts', 10, 6, '21-40'), count('b.ts', 4, 4)];
  expect(joinFigures(before, [count('a.ts', 10, 9, '1-20')])).toEqual([
    count('a.ts', 10, 6, '21-40'),
    count('b.ts', 4, 4),
    count('a.ts', 10, 9, '1-20'),
  ]);
  expect(joinFigures(before, [count('a.ts', 20, 18)])).toEqual([count('b.ts', 4, 4), count('a.ts', 20, 18)]);
});

test('a part is judged by the mutants of all its files', () => {
  const counts = [count('b.ts', 90, 90), count('a.ts', 10, 0, '1-20')];
  const table = tableOf(counts).split('\n').filter(Boolean);
  expect(table.map((line) => line.trim().split(/\s+/))).toEqual([
    ['a.ts:1-20', '10', '0.0%'],
    ['b.ts', '90', '100.0%'],
    ['flow', '100', '90.0%'],
  ]);
  expect(partsBelow(counts)).toEqual([]);
  expect(partsBelow([...counts, count('c.ts', 1, 0)])).toEqual(['flow']);
});
