import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPasses, LASTS, type PassKind } from '../../src/documents/passes.ts';

const secret = randomBytes(32);
/** Counts of ended passes, as a store has them. */
function createEnds() {
  const counts = new Map<string, number>();
  let all = 0;
  return {
    of: (owner: string) => all + (counts.get(owner) ?? 0),
    addForAll: () => void all++,
    add: (owner: string) => void counts.set(owner, (counts.get(owner) ?? 0) + 1),
  };
}
const kinds = Object.keys(LASTS) as PassKind[];

test('a pass is good for its kind, its user and its matter alone, whatever their names', () => {
  const passes = createPasses(secret, createEnds());
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(fc.constantFrom(...kinds), text, text, text, (kind, owner, about, other) => {
      const pass = passes.give(kind, owner, about);
      expect(passes.check(kind, pass, about)).toBe(owner);
      if (other !== about) expect(passes.check(kind, pass, other)).toBeUndefined();
      for (const wrong of kinds.filter((one) => one !== kind)) {
        expect(passes.check(wrong, pass, about)).toBeUndefined();
      }
      expect(createPasses(randomBytes(32), createEnds()).check(kind, pass, about)).toBeUndefined();
    }),
    { numRuns: 100 },
  );
});

test('no change of a pass is taken', () => {
  const passes = createPasses(secret, createEnds());
  const pass = passes.give('link', 'ada');
  for (let at = 0; at < pass.length - 1; at++) {
    const changed = `${pass.slice(0, at)}${pass[at] === '1' ? '2' : '1'}${pass.slice(at + 1)}`;
    expect(passes.check('link', changed)).toBeUndefined();
  }
  for (const bad of ['', '.', '..', `${pass}.`, ` ${pass}`, pass.repeat(50)]) {
    expect(passes.check('link', bad)).toBeUndefined();
  }
});

test.each(kinds)('%s ends when its time is over', (kind) => {
  let now = 1_800_000_000_000;
  const passes = createPasses(secret, createEnds(), () => now);
  const pass = passes.give(kind, 'ada');
  now += (LASTS[kind] - 1) * 1000;
  expect(passes.check(kind, pass)).toBe('ada');
  now += 1000;
  expect(passes.check(kind, pass)).toBeUndefined();
});

test.each(kinds)('%s: all of one user are ended at once, and new ones are good', (kind) => {
  const passes = createPasses(secret, createEnds());
  const [ada, bob] = [passes.give(kind, 'ada'), passes.give(kind, 'bob')];
  passes.endAll('ada');
  expect(passes.check(kind, ada)).toBeUndefined();
  expect(passes.check(kind, bob)).toBe('bob');
  const fresh = passes.give(kind, 'ada');
  expect(passes.check(kind, fresh)).toBe('ada');
  passes.endAll('ada');
  expect(passes.check(kind, ada)).toBeUndefined();
  expect(passes.check(kind, fresh)).toBeUndefined();
  passes.endEveryones();
  expect(passes.check(kind, bob)).toBeUndefined();
});
