import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SyncedFile } from '../../../src/knowledge/syncing/folder-store.ts';
import { type PresentFile, planSync } from '../../../src/knowledge/syncing/sync-plan.ts';

const known = (files: Readonly<Record<string, string>>): SyncedFile[] =>
  Object.entries(files).map(([path, digest]) => ({ path, digest, stamp: 's', entry: `entry of ${path}` }));
const present = (files: Readonly<Record<string, string>>): PresentFile[] =>
  Object.entries(files).map(([path, digest]) => ({ path, digest, stamp: 's' }));

function summary(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) {
  const { added, changed, moved, removed, unchanged } = planSync(known(before), present(after));
  return {
    added: added.map(({ path }) => path),
    changed: changed.map(({ path }) => path),
    moved: moved.map(({ from, path }) => `${from} -> ${path}`),
    removed: removed.map(({ path }) => path),
    unchanged,
  };
}
const NONE = { added: [], changed: [], moved: [], removed: [], unchanged: 0 };

test.each([
  ['nothing', { a: '1' }, { a: '1' }, { unchanged: 1 }],
  ['a new file', {}, { a: '1' }, { added: ['a'] }],
  ['a change', { a: '1' }, { a: '2' }, { changed: ['a'] }],
  ['a removal', { a: '1' }, {}, { removed: ['a'] }],
  ['a rename', { a: '1' }, { b: '1' }, { moved: ['a -> b'] }],
  ['a swap', { a: '1', b: '2' }, { a: '2', b: '1' }, { moved: ['b -> a', 'a -> b'] }],
  ['a chain', { a: '1', b: '2' }, { b: '1', c: '2' }, { moved: ['a -> b', 'b -> c'] }],
  ['a rename over a file that goes', { a: '1', b: '2' }, { b: '1' }, { moved: ['a -> b'], removed: ['b'] }],
  [
    'a rename and a new file in its place',
    { a: '1' },
    { a: '2', b: '1' },
    { moved: ['a -> b'], added: ['a'] },
  ],
  ['a copy', { a: '1' }, { a: '1', b: '1' }, { unchanged: 1, added: ['b'] }],
  [
    'equal files that move: each by its name',
    { 'x/a': '1', 'x/b': '1' },
    { 'y/a': '1', 'y/b': '1' },
    { moved: ['x/a -> y/a', 'x/b -> y/b'] },
  ],
  ['a rename and a change of it', { a: '1' }, { b: '2' }, { added: ['b'], removed: ['a'] }],
])('%s', (_, before, after, expected) => {
  expect(summary(before as Record<string, string>, after as Record<string, string>)).toEqual({
    ...NONE,
    ...expected,
  });
});

test('a file whose name another system writes in another form keeps its entry, also with another text', () => {
  const [composed, apart] = ['Über/é.md', 'Über/é.md'.normalize('NFD')];
  for (const [before, after] of [
    [composed, apart],
    [apart, composed],
  ] as const) {
    expect(summary({ [before]: '1' }, { [after]: '2' })).toEqual({
      ...NONE,
      moved: [`${before} -> ${after}`],
    });
    expect(summary({ [before]: '1' }, { [after]: '1' })).toEqual({
      ...NONE,
      moved: [`${before} -> ${after}`],
    });
  }
  expect(summary({ [composed]: '1' }, { [composed]: '1', [apart]: '2' })).toEqual({
    ...NONE,
    added: [apart],
    unchanged: 1,
  });
});

test('unreadable files are not treated as removed or moved', () => {
  const plan = planSync(known({ 'shut/a': '1', b: '2' }), present({ c: '1' }), (path) =>
    path.startsWith('shut/'),
  );
  expect(plan.removed.map(({ path }) => path)).toEqual(['b']);
  expect(plan.moved).toEqual([]);
  expect(plan.added.map(({ path }) => path)).toEqual(['c']);
});

test('after any change, every file has one entry of its content and no entry has two files', () => {
  const files: fc.Arbitrary<Record<string, string>> = fc.dictionary(
    fc.constantFrom('a', 'b', 'c', 'd', 'é', 'e\u0301'),
    fc.constantFrom('1', '2', '3', '4'),
  );
  fc.assert(
    fc.property(files, files, (before, after) => {
      const { added, changed, moved, removed, touched, unchanged } = planSync(known(before), present(after));
      expect(touched).toEqual([]);
      // Carried out on a model of the knowledge base, it gives the files.
      const kept = new Map(
        Object.entries(before).map(([path, digest]) => [`entry of ${path}`, { path, digest }]),
      );
      for (const { entry } of removed) expect(kept.delete(entry)).toBe(true);
      for (const { entry, from, path, digest } of moved) {
        const isNamesake = from.normalize() === path.normalize();
        if (!isNamesake) expect(kept.get(entry)?.digest).toBe(digest);
        kept.set(entry, { path, digest });
      }
      for (const { entry, path, digest } of changed) {
        expect(kept.get(entry)?.path).toBe(path);
        kept.set(entry, { path, digest });
      }
      for (const { path, digest } of added) kept.set(`new ${path}`, { path, digest });
      const sorted = (list: [string, string][]) => list.sort(([a], [b]) => (a < b ? -1 : 1));
      expect(sorted([...kept.values()].map(({ path, digest }) => [path, digest]))).toEqual(
        sorted(Object.entries(after)),
      );
      expect(added.length + changed.length + moved.length + unchanged).toBe(Object.keys(after).length);
    }),
    { numRuns: 2000 },
  );
});
