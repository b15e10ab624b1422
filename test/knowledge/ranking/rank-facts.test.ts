import { expect, test } from 'vitest';
import { type PassageFacts, type RankOptions, rank } from '../../../src/knowledge/ranking/rank.ts';

const QUERY = new Float32Array([1, 0]);
const at = (cosine: number) => new Float32Array([cosine, Math.sqrt(1 - cosine * cosine)]);

/** Ranks passages by their cosines and what is known about them. */
function order(
  cosines: Readonly<Record<number, number>>,
  facts: Readonly<Record<number, Partial<PassageFacts>>> = {},
  options: Partial<RankOptions> = {},
) {
  return rank({
    lexical: [],
    dense: Object.entries(cosines).map(([place, score]) => ({ place: Number(place), score })),
    query: QUERY,
    vectorOf: (place) => at(cosines[place] ?? 0),
    about: (place) => ({ entry: `${place}`, ...facts[place] }),
    topK: 10,
    ...options,
  });
}
const placesOf = (...given: Parameters<typeof order>) => order(...given).map(({ place }) => place);

test('a passage that names the day of the query comes first, then one that was written on it', () => {
  const cosines = { 1: 0.9, 2: 0.5, 3: 0.2 };
  expect(placesOf(cosines)).toEqual([1, 2, 3]);
  expect(placesOf(cosines, { 3: { day: 'named' } })).toEqual([3, 1, 2]);
  // The lift by half of the best score passes the second, and not the first.
  expect(placesOf(cosines, { 3: { day: 'written' } })).toEqual([1, 3, 2]);
});

test('a passage that names the day is not weak, however far its words are', () => {
  const weak = (facts: Record<number, Partial<PassageFacts>>) =>
    order({ 1: 0.11 }, facts).map((one) => one.weak);
  expect(weak({})).toEqual([true]);
  expect(weak({ 1: { day: 'written' } })).toEqual([true]);
  expect(weak({ 1: { day: 'named' } })).toEqual([false]);
});

test('a passage that denies what is asked for falls behind one with half of its closeness', () => {
  expect(placesOf({ 1: 0.9, 2: 0.55 }, { 1: { denies: true } })).toEqual([2, 1]);
  expect(placesOf({ 1: 0.9, 2: 0.3 }, { 1: { denies: true } })).toEqual([1, 2]);
});

test('passages of an entry with the same rank go by their own closeness, and then by their place', () => {
  const facts = Object.fromEntries(
    [1, 2, 3].map((place) => [place, { entry: 'one', rare: 'said' as const }]),
  );
  const titled = { ...facts, 4: { entry: 'one', rare: 'titled' as const } };
  // The word in the texts gives all three the rank of the passage that has it in its title alone.
  expect(placesOf({ 1: 0.4, 2: 0.5, 3: 0.4, 4: 0.8 }, titled)).toEqual([2, 1, 3, 4]);
});

test('words in common count for passages of another language as much as for those of the own one', () => {
  const lexical = [
    { place: 1, score: 6 },
    { place: 3, score: 3 },
  ];
  const options = { lexical, allWords: 10 };
  const scores = (foreign: boolean) =>
    Object.fromEntries(
      order({ 1: 0.6, 2: 0.8, 3: 0.7 }, { 2: { foreign } }, options).map(({ place, score }) => [
        place,
        score,
      ]),
    );
  const [own, other] = [scores(false), scores(true)];
  expect(other[1]).toBeCloseTo(own[1] ?? 0, 10);
  expect(other[2]).toBeGreaterThan((own[2] ?? 0) * 1.2);
  expect(other[2]).toBeLessThan((own[2] ?? 0) * 2);
});

test('a denial is a slightly worse answer to what is asked than a statement that is as close', () => {
  expect(placesOf({ 1: 0.52, 2: 0.5 }, { 1: { denies: 'perhaps' } })).toEqual([2, 1]);
  expect(placesOf({ 1: 0.8, 2: 0.5 }, { 1: { denies: 'perhaps' } })).toEqual([1, 2]);
});

test('words of a question that name no subject and that no text has do not make a passage weak', () => {
  const lexical = [{ place: 1, score: 3 }];
  const weak = (options: Partial<RankOptions>) =>
    order(
      { 1: 0.3 },
      {},
      { lexical, allWords: 40, scale: { unrelated: 0, weak: 0.25, absent: 0.45 }, ...options },
    )[0]?.weak;
  expect(weak({})).toBe(true);
  expect(weak({ unsaid: 36 })).toBe(false);
  const missing = { written: ['Lisbon'], isNamed: true, share: 0.5, wordShare: 0.5 };
  expect(weak({ unsaid: 36, missing })).toBe(true);
  expect(weak({ unsaid: 36, missing: { ...missing, isNamed: false, isOtherNumber: true } })).toBe(true);
});

test('without the telling words of a question, its other words do not outweigh the meaning, unless one is rare', () => {
  const options = { lexical: [{ place: 2, score: 3 }], allWords: 20 };
  const missing = { written: ['couch'], isNamed: false, share: 0.8, wordShare: 0.8 };
  const cosines = { 1: 0.7, 2: 0.4 };
  expect(placesOf(cosines, {}, options)).toEqual([2, 1]);
  expect(placesOf(cosines, {}, { ...options, missing })).toEqual([1, 2]);
  expect(placesOf(cosines, { 2: { rare: 'said' } }, { ...options, missing })).toEqual([2, 1]);
});
