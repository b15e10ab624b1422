import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAccessPasses, PASS_LIFETIME_S } from '../../src/documents/access-passes.ts';
import type { PassKind } from '../../src/documents/types.ts';

const secret = randomBytes(32);
/** Counts of ended passes, as a store has them. */
function createEnds() {
  const counts = new Map<string, number>();
  let all = 0;
  return {
    countEnds: async (owner: string) => all + (counts.get(owner) ?? 0),
    addEndForAll: async () => void all++,
    addEnd: async (owner: string) => void counts.set(owner, (counts.get(owner) ?? 0) + 1),
  };
}
const kinds = Object.keys(PASS_LIFETIME_S) as PassKind[];

test('a pass is valid for its kind, its user and its subject only, whatever their names', async () => {
  const passes = createAccessPasses(secret, createEnds());
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...kinds), text, text, text, async (kind, owner, about, other) => {
      const pass = await passes.issuePass(kind, owner, about);
      expect(await passes.checkPass(kind, pass, about)).toBe(owner);
      if (other !== about) expect(await passes.checkPass(kind, pass, other)).toBeUndefined();
      for (const wrong of kinds.filter((one) => one !== kind)) {
        expect(await passes.checkPass(wrong, pass, about)).toBeUndefined();
      }
      expect(
        await createAccessPasses(randomBytes(32), createEnds()).checkPass(kind, pass, about),
      ).toBeUndefined();
    }),
    { numRuns: 100 },
  );
});

test('a changed pass is refused', async () => {
  const passes = createAccessPasses(secret, createEnds());
  const pass = await passes.issuePass('link', 'ada');
  for (let at = 0; at < pass.length - 1; at++) {
    const changed = `${pass.slice(0, at)}${pass[at] === '1' ? '2' : '1'}${pass.slice(at + 1)}`;
    expect(await passes.checkPass('link', changed)).toBeUndefined();
  }
  for (const bad of ['', '.', '..', `${pass}.`, ` ${pass}`, pass.repeat(50)]) {
    expect(await passes.checkPass('link', bad)).toBeUndefined();
  }
});

test.each(kinds)('%s expires at its time', async (kind) => {
  let now = 1_800_000_000_000;
  const passes = createAccessPasses(secret, createEnds(), () => now);
  const pass = await passes.issuePass(kind, 'ada');
  now += (PASS_LIFETIME_S[kind] - 1) * 1000;
  expect(await passes.checkPass(kind, pass)).toBe('ada');
  now += 1000;
  expect(await passes.checkPass(kind, pass)).toBeUndefined();
});

test.each(kinds)('%s: all passes of one user are ended at once, and new passes are valid', async (kind) => {
  const passes = createAccessPasses(secret, createEnds());
  const [ada, bob] = [await passes.issuePass(kind, 'ada'), await passes.issuePass(kind, 'bob')];
  await passes.endPasses('ada');
  expect(await passes.checkPass(kind, ada)).toBeUndefined();
  expect(await passes.checkPass(kind, bob)).toBe('bob');
  const fresh = await passes.issuePass(kind, 'ada');
  expect(await passes.checkPass(kind, fresh)).toBe('ada');
  await passes.endPasses('ada');
  expect(await passes.checkPass(kind, ada)).toBeUndefined();
  expect(await passes.checkPass(kind, fresh)).toBeUndefined();
  await passes.endAllPasses();
  expect(await passes.checkPass(kind, bob)).toBeUndefined();
});

test('the mark of an address belongs to its user, stays the same, and ends with the passes of the user', async () => {
  const passes = createAccessPasses(secret, createEnds());
  const [address, other] = ['https://birds.example/nest', 'https://birds.example/nest?secret=1'];
  const mark = await passes.markAddress('ada', address);
  expect(await passes.markAddress('ada', address)).toBe(mark);
  expect(await passes.isAddressMark('ada', address, mark)).toBe(true);
  expect(await passes.isAddressMark('ada', other, mark)).toBe(false);
  expect(await passes.isAddressMark('bob', address, mark)).toBe(false);
  for (const bad of ['', mark.slice(1), `${mark}A`.slice(1), 'a'.repeat(43)]) {
    expect(await passes.isAddressMark('ada', address, bad)).toBe(false);
  }
  await passes.endPasses('bob');
  expect(await passes.isAddressMark('ada', address, mark)).toBe(true);
  await passes.endPasses('ada');
  expect(await passes.isAddressMark('ada', address, mark)).toBe(false);
});
