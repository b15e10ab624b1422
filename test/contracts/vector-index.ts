import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { VectorIndex } from '../../src/knowledge/ranking/vector-index.ts';
import { clustered, dot, nearestOf, seeded, unit } from '../helpers/vectors.ts';

const DIMENSIONS = 16;

/** What every VectorIndex keeps to; `open` gives an empty one of 16 dimensions and model `m`. */
export function describeVectorIndex(
  name: string,
  open: () => Promise<VectorIndex>,
  /** Difference that a similarity may have from the true one. */
  exactness: number,
): void {
  const vectors = clustered(400, DIMENSIONS, 12, seeded(7));
  const vector = (at: number) => vectors[at] ?? new Float32Array(DIMENSIONS);
  const filled = async (count: number) => {
    const index = await open();
    for (let id = 0; id < count; id++) index.add(id, vector(id));
    return index;
  };
  const idsOf = (found: readonly { id: number }[]) => found.map(({ id }) => id);

  describe(`${name} as VectorIndex`, () => {
    test('an empty index finds nothing', async () => {
      const index = await open();
      expect(index.findNearest(vector(0), 10)).toEqual([]);
      expect([index.size, index.has(1), index.remove(1), index.vector(1)]).toEqual([
        0,
        false,
        false,
        undefined,
      ]);
      expect([index.model, index.dimensions]).toEqual(['m', DIMENSIONS]);
    });

    test('finds a vector by itself, nearest first, with its cosine', async () => {
      const index = await filled(300);
      for (const id of [0, 17, 299]) {
        const found = index.findNearest(vector(id), 5);
        expect(found[0]?.id).toBe(id);
        expect(found).toHaveLength(5);
        for (const one of found) {
          expect(Math.abs(one.similarity - dot(vector(id), vector(one.id)))).toBeLessThan(exactness);
        }
        const near = found.map(({ similarity }) => similarity);
        expect(near).toEqual(near.toSorted((a, b) => b - a));
      }
    });

    test('returns all vectors when more are requested than exist, and none when none are requested', async () => {
      const index = await filled(7);
      expect(idsOf(index.findNearest(vector(0), 50)).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6]);
      expect(index.findNearest(vector(0), 0)).toEqual([]);
    });

    test('returns vectors, and replaces an old vector with a new one', async () => {
      const index = await filled(50);
      const put = index.vector(3) ?? new Float32Array();
      for (const [i, value] of put.entries())
        expect(Math.abs(value - (vector(3)[i] ?? 0))).toBeLessThan(exactness);
      index.add(3, vector(399));
      expect(index.size).toBe(50);
      expect(index.findNearest(vector(399), 1)[0]?.id).toBe(3);
    });

    test('a change of the passed array does not change the index', async () => {
      const index = await open();
      const own = vector(1).slice();
      index.add(1, own);
      own.fill(0);
      expect(index.findNearest(vector(1), 1)[0]?.similarity).toBeCloseTo(1, 1);
    });

    test('searches only the vectors that a set or a function allows', async () => {
      const index = await filled(300);
      const set = new Set([5, 100, 250, 9999]);
      expect(idsOf(index.findNearest(vector(0), 10, set)).toSorted((a, b) => a - b)).toEqual([5, 100, 250]);
      const odd = index.findNearest(vector(0), 20, (id) => id % 2 === 1);
      expect(odd).toHaveLength(20);
      expect(odd.every(({ id }) => id % 2 === 1)).toBe(true);
      expect(index.findNearest(vector(0), 10, new Set())).toEqual([]);
      expect(index.findNearest(vector(0), 10, () => false)).toEqual([]);
    });

    test('a filter function that throws ends its search and nothing else', async () => {
      const index = await filled(20);
      const bad = () => {
        throw new Error('from the filter');
      };
      expect(() => index.findNearest(vector(0), 3, bad)).toThrow('from the filter');
      expect(index.findNearest(vector(0), 3)).toHaveLength(3);
    });

    test.each([
      ['another length', new Float32Array(DIMENSIONS - 1)],
      ['NaN', new Float32Array(DIMENSIONS).fill(Number.NaN)],
      ['infinity', new Float32Array(DIMENSIONS).fill(Number.POSITIVE_INFINITY)],
    ])('refuses a vector of %s', async (_, bad) => {
      const index = await filled(5);
      expect(() => index.add(9, bad)).toThrow(RangeError);
      expect(() => index.findNearest(bad, 3)).toThrow(RangeError);
      expect(index.size).toBe(5);
    });

    test('holds many equal vectors', async () => {
      const index = await open();
      for (let id = 0; id < 200; id++) index.add(id, vector(0));
      expect(idsOf(index.findNearest(vector(0), 3))).toHaveLength(3);
    });

    test('agrees with an exhaustive search after additions, replacements and removals', async () => {
      const step = fc.oneof(
        fc.record({ add: fc.nat(60), of: fc.nat(399) }),
        fc.record({ remove: fc.nat(60) }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 150 }), fc.nat(399), async (steps, ask) => {
          const index = await open();
          const truth = new Map<number, Float32Array>();
          for (const one of steps) {
            if ('add' in one) {
              index.add(one.add, vector(one.of));
              truth.set(one.add, vector(one.of));
            } else {
              expect(index.remove(one.remove)).toBe(truth.delete(one.remove));
            }
          }
          expect([...index.ids()].toSorted((a, b) => a - b)).toEqual(
            [...truth.keys()].toSorted((a, b) => a - b),
          );
          expect(index.size).toBe(truth.size);
          const found = index.findNearest(vector(ask), 5);
          const best = nearestOf(truth, vector(ask), 5);
          // Ids of equal vectors may stand for each other, so the nearness is compared.
          expect(found.length).toBe(best.length);
          for (const [at, { similarity }] of found.entries()) {
            const right = dot(vector(ask), truth.get(best[at] ?? 0) ?? unit(vector(0)));
            expect(Math.abs(similarity - right)).toBeLessThan(exactness);
          }
        }),
        { numRuns: 40, seed: 11 },
      );
    });
  });
}
