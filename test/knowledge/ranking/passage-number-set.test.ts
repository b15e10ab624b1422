import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPassageNumberSet } from '../../../src/knowledge/ranking/passage-number-set.ts';

test('a set holds passage numbers in order, however far apart', () => {
  const place = fc.oneof(fc.nat(70_000), fc.nat(2 ** 31 - 1));
  const step = fc.record({ place, adds: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const places = createPassageNumberSet();
      const truth = new Set<number>();
      for (const one of steps) {
        if (one.adds) {
          places.add(one.place);
          truth.add(one.place);
        } else expect(places.delete(one.place)).toBe(truth.delete(one.place));
        expect([places.has(one.place), places.size]).toEqual([truth.has(one.place), truth.size]);
      }
      expect([...places]).toEqual([...truth].sort((a, b) => a - b));
    }),
    { numRuns: 100, seed: 3 },
  );
});

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('%s is not a passage number', (bad) => {
  const places = createPassageNumberSet([1]);
  expect(() => places.add(bad)).toThrow(RangeError);
  expect([places.has(bad), places.delete(bad), places.size]).toEqual([false, false, 1]);
});
