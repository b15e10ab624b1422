import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createBitMemory, createJavaScriptBitScan } from '../../../src/knowledge/indexes/bit-scan.ts';
import { createBitsIndex, createRotation } from '../../../src/knowledge/indexes/bits.ts';
import { assembleBitScan } from '../../helpers/bit-scan-module.ts';
import { clustered, dot, nearestOf, seeded, unit } from '../../helpers/vectors.ts';

const DIMENSIONS = 384;
const mean = new Float32Array(DIMENSIONS);
const made = clustered(6050, DIMENSIONS, 100, seeded(5));
const vectors = made.slice(0, 6000);
const at = (id: number) => vectors[id] ?? mean;
const filled = (count = vectors.length) => {
  const index = createBitsIndex({ dimensions: DIMENSIONS, model: 'm', mean });
  for (const [id, vector] of vectors.slice(0, count).entries()) index.add(id, vector);
  return index;
};

/** Part of the ten nearest that are among so many candidates. */
function recallOf(
  index: { findNearest(vector: Float32Array, k: number): { id: number }[] },
  all: ReadonlyMap<number, Float32Array>,
  queries: readonly Float32Array[],
): (candidates: number) => number {
  const nearest = queries.map((query) => nearestOf(all, query, 10));
  return (candidates) => {
    const hits = queries.map((query, at) => {
      const found = new Set(index.findNearest(query, candidates).map(({ id }) => id));
      return (nearest[at] ?? []).filter((id) => found.has(id)).length;
    });
    return hits.reduce((sum, hit) => sum + hit, 0) / (10 * queries.length);
  };
}

test('forty candidates contain 0.9 of the ten nearest, four hundred all of them, with nearly exact cosines', () => {
  const index = filled();
  const all = new Map(vectors.entries());
  const queries = made.slice(6000);
  const recall = recallOf(index, all, queries);
  expect(recall(40)).toBeGreaterThanOrEqual(0.9);
  expect(recall(400)).toBe(1);
  for (const query of queries.slice(0, 10)) {
    for (const { id, similarity } of index.findNearest(query, 50)) {
      expect(Math.abs(similarity - dot(query, at(id)))).toBeLessThan(0.15);
    }
  }
});

test('vectors that share nearly everything, or differ in a few numbers, are distinguished', () => {
  const next = seeded(8);
  const common = unit(Float32Array.from({ length: 200 }, () => next() - 0.5));
  const alike = clustered(2000, 200, 50, seeded(3)).map((one) =>
    unit(one.map((value, i) => 0.3 * value + (common[i] ?? 0))),
  );
  const middle = new Float32Array(200);
  for (const one of alike)
    for (const [i, value] of one.entries()) middle[i] = (middle[i] ?? 0) + value / 2000;
  const sparse = Array.from({ length: 2000 }, () => {
    const one = new Float32Array(200);
    for (let word = 0; word < 4; word++) one[Math.floor(next() * 200)] = 1;
    return unit(one);
  });
  for (const [own, set] of [
    [middle, alike],
    [new Float32Array(200), sparse],
  ] as const) {
    const index = createBitsIndex({ dimensions: 200, model: 'm', mean: own });
    for (const [id, vector] of set.entries()) index.add(id, vector);
    expect(recallOf(index, new Map(set.entries()), set.slice(0, 30))(200)).toBeGreaterThanOrEqual(0.95);
  }
});

test('the index follows additions, replacements and removals, and frees memory', () => {
  const index = filled(3000);
  const other = filled(10);
  expect(index.bytes).toBeLessThan(3000 * 130);
  const before = index.bytes;
  for (let id = 0; id < 3000; id += 2) expect(index.remove(id)).toBe(true);
  expect([index.remove(0), index.has(0), index.has(1), index.size]).toEqual([false, false, true, 1500]);
  expect([...index.ids()].toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 1500 }, (_, i) => 2 * i + 1),
  );
  expect(index.bytes).toBeLessThan(before);
  expect(index.findNearest(at(1501), 1)[0]?.id).toBe(1501);
  index.add(7, at(5000));
  expect([index.size, index.findNearest(at(5000), 1)[0]?.id]).toEqual([1500, 7]);
  // Pages that were given back are another's now.
  for (let id = 10; id < 4000; id++) other.add(id, at(id));
  expect(index.findNearest(at(1501), 1)[0]?.id).toBe(1501);
  expect(other.findNearest(at(3999), 1)[0]?.id).toBe(3999);
  index.close();
  expect([index.size, index.findNearest(at(1), 3)]).toEqual([0, []]);
});

test('a search covers the vectors that a set or a function allows, and invalid vectors are refused', () => {
  const index = filled(500);
  const ids = (allowed: ReadonlySet<number> | ((id: number) => boolean)) =>
    index.findNearest(at(0), 5, allowed).map(({ id }) => id);
  expect(ids(new Set([5, 100, 9999])).toSorted((a, b) => a - b)).toEqual([5, 100]);
  expect(ids((id) => id % 2 === 1).every((id) => id % 2 === 1)).toBe(true);
  expect(() => ids(() => JSON.parse('no'))).toThrow(SyntaxError);
  expect(index.findNearest(at(0), 0)).toEqual([]);
  for (const bad of [new Float32Array(3), new Float32Array(DIMENSIONS).fill(Number.NaN)]) {
    expect(() => index.add(1, bad)).toThrow(RangeError);
    expect(() => index.findNearest(bad, 1)).toThrow(RangeError);
  }
  expect(() => createBitsIndex({ dimensions: 1e6, model: 'm', mean })).toThrow(RangeError);
});

test('vectors without distinct values do no harm', () => {
  const index = createBitsIndex({ dimensions: 16, model: 'm', mean: new Float32Array(16).fill(0.25) });
  for (let id = 0; id < 100; id++) index.add(id, new Float32Array(16).fill(0.25));
  index.add(100, new Float32Array(16));
  expect(index.findNearest(new Float32Array(16).fill(0.25), 3).map(({ id }) => id)).toHaveLength(3);
  expect(index.findNearest(new Float32Array(16), 200)).toHaveLength(101);
});

test.each([1, 2, 16, 100, 384, 1000])('a rotation of %i numbers keeps lengths and cosines', (length) => {
  const rotate = createRotation(length);
  const next = seeded(length);
  const [a, b] = [0, 1].map(() => unit(Float32Array.from({ length }, () => next() - 0.5)));
  if (!a || !b) throw new Error('there are two');
  expect(dot(rotate(a), rotate(b))).toBeCloseTo(dot(a, b), 4);
  expect(dot(rotate(a), rotate(a))).toBeCloseTo(1, 4);
  expect(a).toEqual(a.slice());
});

test('WebAssembly and JavaScript give the same scores', () => {
  const { memory, scan } = createBitMemory();
  memory.grow(2);
  const next = seeded(4);
  const bytes = new Uint8Array(memory.buffer);
  const floats = new Float32Array(memory.buffer);
  const terms = { bySum: 0.25, byOnes: -1.5, offset: 3, base: 0.125 };
  for (const [width, count] of [
    [16, 1],
    [48, 300],
    [192, 100],
  ] as const) {
    for (let i = 0; i < bytes.length; i++) bytes[i] = next() * 256;
    const [factors, ones, scores] = [140_000, 150_000, 32_768];
    for (let row = 0; row < count; row++) [floats[factors / 4 + row], floats[ones / 4 + row]] = [next(), row];
    const rows = { codes: 65_536, width, count, factors, ones, planes: 0, scores };
    const run = (one: typeof scan) => {
      one(rows, terms);
      return [...floats.subarray(scores / 4, scores / 4 + count)];
    };
    const [wasm, plain] = [run(scan), run(createJavaScriptBitScan(memory))];
    for (const [row, score] of wasm.entries()) expect(score).toBeCloseTo(plain[row] ?? Number.NaN, 2);
  }
  scan({ codes: 0, width: 16, count: 0, factors: 0, ones: 0, planes: 0, scores: 0 }, terms);
});

test('the WebAssembly that ships is what its instructions assemble to', () => {
  const shipped = readFileSync(new URL('../../../src/knowledge/indexes/bit-scan.wasm', import.meta.url));
  expect(shipped).toEqual(Buffer.from(assembleBitScan()));
});
