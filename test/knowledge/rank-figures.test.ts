import { describe, expect, test } from 'vitest';
import { type PassageFacts, type RankOptions, rank } from '../../src/knowledge/ranking/rank.ts';
import {
  dotProduct,
  JUST_BELOW_FACTOR,
  type RankedEntry,
  smoothByNeighbours,
} from '../../src/knowledge/ranking/smooth-by-neighbours.ts';
import type { PassageScore } from '../../src/knowledge/store.ts';

/** The figures that the ranking is made of, each by itself: a changed weight must not go unnoticed. */

const list = (scores: Record<number, number>): PassageScore[] =>
  Object.entries(scores)
    .map(([place, score]) => ({ place: Number(place), score }))
    .sort((a, b) => b.score - a.score);
const ranked = (options: Partial<RankOptions>) =>
  rank({ lexical: [], dense: [], vectorOf: () => undefined, topK: 10, ...options });
const at = (degrees: number) =>
  Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));
/** Part of a score that each neighbour makes, and what one neighbour leaves. */
const [PART, REST] = [0.075, 0.925];
/** The cosine of a passage that is so close by its vector. */
const cosine = (near: number) => 0.1 + 0.9 * near;

function expectScores(options: Partial<RankOptions>, expected: readonly [place: number, score: number][]) {
  const found = ranked(options);
  expect(found.map(({ place }) => place)).toEqual(expected.map(([place]) => place));
  for (const [i, [place, score]] of expected.entries())
    expect(found[i]?.score, `place ${place}`).toBeCloseTo(score, 10);
}

test('an empty list gives nothing, no more results are returned than requested, and an unrelated one has score 0', () => {
  expect(ranked({})).toEqual([]);
  expect(ranked({ dense: list({ 1: 0.9, 2: 0.8, 3: 0.7 }), topK: 2 }).map(({ place }) => place)).toEqual([
    1, 2,
  ]);
  expectScores({ dense: list({ 1: 0.05, 2: 0.01 }) }, [
    [2, 0],
    [1, 0],
  ]);
});

describe('closeness', () => {
  test('by vectors alone is half of the cosine above that of unrelated texts', () => {
    expectScores({ dense: list({ 1: cosine(0.8), 2: cosine(0.2), 3: 0.1, 4: 0.05, 5: -0.4 }) }, [
      [1, 0.4],
      [2, 0.1],
      [5, 0],
      [4, 0],
      [3, 0],
    ]);
  });

  test('by words alone is a share of 0.35, or of 0.7 where the share of matching words is known', () => {
    const lexical = list({ 1: 4, 2: 1 });
    expectScores({ lexical }, [
      [1, 0.35],
      [2, 0.35 / 4],
    ]);
    expectScores({ lexical, allWords: 8 }, [
      [1, 0.7 / 2],
      [2, 0.7 / 8],
    ]);
    // More than all words: they are there more than once.
    expectScores({ lexical: list({ 1: 12, 2: 4 }), allWords: 8 }, [
      [1, 0.7],
      [2, 0.5 * 0.7 * (4 / 8) + 0.5 * 0.7 * (4 / 12)],
    ]);
  });

  test('by both is half of each, where the best match by words is as close as the best by meaning', () => {
    const lexical = list({ 1: 4, 2: 2 });
    expectScores({ lexical, dense: list({ 3: 1, 1: cosine(0.5) }) }, [
      [1, 0.5 * 0.5 + 0.5],
      [3, 0.5],
      [2, 0.5 * (0.35 / 2) + 0.5 / 2],
    ]);
    expectScores({ lexical: list({ 1: 8 }), dense: list({ 1: cosine(0.2) }), allWords: 8 }, [
      [1, 0.5 * 0.2 + 0.5 * 0.7],
    ]);
  });

  test('is never above 1', () => {
    expect(ranked({ lexical: list({ 1: 4 }), dense: list({ 1: 1.000001 }) })[0]?.score).toBe(1);
  });

  test('of a match by words with a vector is computed as for a match by vectors', () => {
    const found = { lexical: list({ 1: 4 }), query: at(0) };
    expectScores({ ...found, vectorOf: () => at(60) }, [[1, (0.5 * 0.4) / 0.9 + (0.5 * 0.4) / 0.9]]);
    // A vector of another model, and none.
    expectScores({ ...found, vectorOf: () => Float32Array.of(1) }, [[1, 0.35]]);
    expectScores(found, [[1, 0.35]]);
    // The index's own figure counts where it has one.
    expectScores({ ...found, vectorOf: () => at(60), dense: list({ 1: 1 }) }, [[1, 1]]);
    expectScores({ lexical: list({ 1: 4 }), vectorOf: () => at(60) }, [[1, 0.35]]);
  });
});

test('matches after the hundredth of a list are left out, unless more are requested', () => {
  // Place 2 would lend to place 1, which then passed place 500.
  const scores = (before: number) => ({
    1000: 0.9,
    500: 0.501,
    1: 0.5,
    ...Object.fromEntries(Array.from({ length: before }, (_, i) => [10_000 + 10 * i, 0.45])),
    2: 0.4,
  });
  const about = (place: number): PassageFacts => ({ entry: `${place}`, turn: true });
  for (const kind of ['dense', 'lexical'] as const) {
    const order = (before: number, topK: number) =>
      ranked({ [kind]: list(scores(before)), about, topK })
        .map(({ place }) => place)
        .filter((place) => place === 1 || place === 500);
    expect(order(96, 10)).toEqual([1, 500]);
    expect(order(97, 10)).toEqual([500, 1]);
    expect(order(97, 101)).toEqual([1, 500]);
    expect(ranked({ [kind]: list(scores(196)), topK: 150 })).toHaveLength(150);
  }
});

describe('weak matches', () => {
  const weak = (options: Partial<RankOptions>) => ranked(options).map((one) => one.weak);
  test.each([
    ['a cosine below 0.35', { dense: list({ 1: 0.35, 2: 0.349 }) }, [false, true]],
    [
      'half of the share of the words counts beside it',
      { dense: list({ 1: 0.301, 2: 0.299 }), lexical: list({ 1: 1, 2: 1 }), allWords: 10 },
      [false, true],
    ],
    [
      'words alone count 1.4 times their share',
      { lexical: list({ 1: 2.5, 2: 2.49 }), allWords: 10 },
      [false, true],
    ],
    ['any word will do where it is not known how many there are', { lexical: list({ 1: 0.01 }) }, [false]],
    [
      'the same beside a cosine',
      { lexical: list({ 1: 0.01 }), dense: list({ 2: 0.2, 1: -0.14 }) },
      [false, true],
    ],
  ])('%s', (_name, options: Partial<RankOptions>, expected) => {
    expect(weak(options)).toEqual(expected);
  });

  // By words alone the order is that of the words; the cosines beside them lie on one or the other side of the border.
  const numbered = (scores: readonly number[]) =>
    list(Object.fromEntries(scores.map((one, i) => [i + 1, one])));
  test.each([
    [
      'one lifted above others is not weak',
      [0.349, 0.36, 0.36, 0.2],
      [4, 3, 2, 1],
      [false, false, false, true],
    ],
    [
      'one chance hit does not speak for all above',
      [0.2, 0.21, 0.22, 0.36, 0.2],
      [5, 4, 3.5, 0.1, 0.01],
      [true, true, true, true, true],
    ],
    ['of two neither is weak where the lower one is not', [0.349, 0.36], [2, 1], [false, false]],
  ])('stand below all other matches: %s', (_name, cosines, words, expected) => {
    const found = ranked({ dense: numbered(cosines), lexical: numbered(words), allWords: 1e6 });
    expect(found.map(({ place }) => place)).toEqual(cosines.map((_, i) => i + 1));
    expect(found.map((one) => one.weak)).toEqual(expected);
  });

  test('are not raised by being newer', () => {
    const now = Date.UTC(2026, 0, 31) * 1000;
    const about = (place: number) => ({ entry: `${place}`, createdAt: place === 1 ? 0 : now });
    const found = ranked({ dense: list({ 1: 0.9, 2: 0.2, 3: 0.1 }), about, recency: { days: 1, now } });
    expect(found.map(({ place }) => place)).toEqual([1, 2, 3]);
    const scores = found.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });
});

test('only matches without a vector to compare with the question are unembedded', () => {
  const lexical = list({ 1: 4, 2: 3 });
  const vectorOf = (place: number) => (place === 1 ? at(0) : undefined);
  expect(ranked({ lexical, vectorOf, query: at(0) }).map((one) => one.unembedded)).toEqual([false, true]);
  expect(ranked({ lexical, vectorOf }).map((one) => one.unembedded)).toEqual([false, false]);
});

test('a turn lends 0.15 of its closeness to adjacent turns, and half of that to turns two away', () => {
  const dense = list({ 10: cosine(0.8), 11: cosine(0.2), 12: cosine(0.4), 13: cosine(0.6), 14: cosine(0.1) });
  const about = (place: number): PassageFacts => ({ entry: `${place}`, turn: place !== 13 });
  const lent = {
    10: 0.4 + 0.15 * (0.1 + 0.2 / 2),
    11: 0.1 + 0.15 * (0.4 + 0.2),
    12: 0.2 + 0.15 * (0.1 + (0.4 + 0.05) / 2),
    13: 0.3,
    14: 0.05 + 0.15 * (0.2 / 2),
  };
  const scale = 0.4 / lent[10];
  expectScores(
    { dense, about },
    ([10, 13, 12, 11, 14] as const).map((place) => [place, lent[place] * scale]),
  );
});

test('a turn of a requested speaker counts 1.2 times, and lends its original closeness', () => {
  const dense = list({ 10: cosine(0.8), 11: cosine(0.6), 20: cosine(0.5) });
  const about = (place: number): PassageFacts => ({ entry: `${place}`, turn: true, asked: place !== 10 });
  const counted = { 10: 0.4 + 0.15 * 0.3, 11: 1.2 * 0.3 + 0.15 * 0.4, 20: 1.2 * 0.25 };
  const scale = 0.4 / counted[10];
  expectScores(
    { dense, about },
    ([10, 11, 20] as const).map((place) => [place, counted[place] * scale]),
  );
});

describe('passages of an entry', () => {
  test('without an entry id, each is its own entry, and an entry is as new as its newest passage', () => {
    const dense = list({ 1: 0.5, 2: 0.5, 3: 0.5, 4: 0.5 });
    expect(ranked({ dense }).map(({ place }) => place)).toEqual([4, 3, 2, 1]);
    const about = () => undefined;
    expect(ranked({ dense, about }).map(({ place }) => place)).toEqual([4, 3, 2, 1]);
  });

  test('without an entry id are smoothed separately', () => {
    const degrees = [0, 1, 180, 182, 184, 186];
    const dense = list(
      Object.fromEntries([0.8, 0.6, 0.1, 0.1, 0.1, 0.1].map((near, i) => [i, cosine(near)])),
    );
    const found = ranked({ dense, vectorOf: (place) => at(degrees[place] ?? 0), topK: 2 });
    expect(found.map(({ place }) => place)).toEqual([0, 1]);
    expect(found[0]?.score).toBeCloseTo(0.4, 6);
    const [first, second] = [REST * 0.8 + PART * 0.6, REST * 0.6 + PART * 0.8];
    expect(found[1]?.score).toBeCloseTo((0.4 * second) / first, 6);
  });

  describe('with a rare word in another entry', () => {
    /** Places 1 and 9 are beside place 3, which lifts them; place 2 has a rare word, and nothing near it. */
    const order = (lexical: Record<number, number>, near: Record<number, number>, one: readonly number[]) => {
      const found = ranked({
        lexical: list(lexical),
        dense: list(Object.fromEntries(Object.entries(near).map(([place, value]) => [place, cosine(value)]))),
        vectorOf: (place) => at(place === 2 ? 92 : place === 3 || one.includes(place) ? 0 : 180 + place),
        about: (place) => ({
          entry: one.includes(place) ? 'one' : `${place}`,
          rare: place === 2 ? 'said' : undefined,
        }),
      });
      return found.map(({ place }) => place).filter((place) => place === 2 || one.includes(place));
    };
    const far = { 4: 0.1, 5: 0.1, 6: 0.1, 7: 0.1 };

    test('do not pass that entry, though words found them first', () => {
      const near = { ...far, 1: 0.6, 2: 0.65, 3: 0.9 };
      expect(order({ 4: 100, 1: 1 }, near, [1])).toEqual([2, 1]);
      expect(order({ 4: 100, 1: 1 }, { ...near, 2: 0.55 }, [1])).toEqual([1, 2]);
    });

    test('go first at the same score if the newest of them is newer', () => {
      const near = { ...far, 1: 0.6, 2: 0.6, 3: 0.9 };
      expect(order({}, { ...near, 9: 0.6 }, [1, 9])).toEqual([1, 9, 2]);
      expect(order({}, near, [1])).toEqual([2, 1]);
    });
  });

  test('represent the entry by their best score and all their vectors', () => {
    // Six entries: each has one neighbour. The first entry points to 45 degrees by its two passages together.
    const degrees = [0, 90, 45, 100, 310, 200, 210];
    const scores = [0.8, 0.6, 0.4, 0.3, 0.2, 0.12, 0.11];
    const about = (place: number) => ({ entry: place < 2 ? 'one' : `${place}` });
    const vectorOf = (place: number) => at(degrees[place] ?? 0);
    const dense = list(Object.fromEntries(scores.map((near, place) => [place, cosine(near)])));
    const smoothed = REST * 0.4 + PART * 0.2;
    const found = ranked({ dense, about, vectorOf });
    // The best passage has its own closeness.
    const scale = 0.4 / smoothed;
    const score = (place: number) => (found.find((one) => one.place === place)?.score ?? 0) / scale;
    expect(score(0)).toBeCloseTo(smoothed, 6);
    expect(score(1)).toBeCloseTo(smoothed * (0.6 / 0.8), 6);
    // Its own score is 0.2, its neighbour's, the best of its passages, 0.4.
    expect(score(2)).toBeCloseTo(REST * 0.2 + PART * 0.4, 6);
    // Its neighbour would be the second passage by itself, which has 0.3.
    expect(score(3)).toBeCloseTo(REST * 0.15 + PART * 0.4, 6);
  });

  test('a rare word in one passage keeps the entry from falling', () => {
    const degrees = [0, 0, 100, 100, 101, 102, 103, 104];
    const dense = list(
      Object.fromEntries([0.8, 0.7, 0.2, 0.6, 0.3, 0.2, 0.2, 0.2].map((near, i) => [i, cosine(near)])),
    );
    const vectorOf = (place: number) => at(degrees[place] ?? 0);
    const about =
      (rare: PassageFacts['rare']) =>
      (place: number): PassageFacts => ({
        entry: place === 2 || place === 3 ? 'one' : `${place}`,
        ...(place === 2 && { rare }),
      });
    const share = (rare: PassageFacts['rare']) => {
      const found = ranked({ dense, vectorOf, about: about(rare) });
      const score = (place: number) => found.find((one) => one.place === place)?.score ?? 0;
      return score(3) / score(0);
    };
    const first = REST * 0.8 + PART * 0.7;
    expect(share(undefined)).toBeCloseTo((REST * 0.6 + PART * 0.3) / first, 6);
    expect(share('said')).toBeCloseTo(0.6 / first, 6);
    expect(share('titled')).toBeCloseTo(0.6 / first, 6);
  });

  test('a passage that contains a rare word scores at least as high as passages with the word in their title, which stay just below', () => {
    const kinds: Record<number, PassageFacts['rare']> = { 1: 'said', 2: 'said', 3: 'titled', 4: 'titled' };
    const about = (place: number): PassageFacts => ({ entry: 'one', rare: kinds[place] });
    const near = { 1: 0.8, 2: 0.2, 3: 0.6, 4: 0.5, 5: 0.55 };
    const scores = (by: typeof about) =>
      ranked({
        dense: list(Object.fromEntries(Object.entries(near).map(([place, one]) => [place, cosine(one)]))),
        about: by,
      });
    const said = scores(about).map(({ place, score }) => [place, score * 2]);
    expect(said.map(([place]) => place)).toEqual([1, 2, 3, 5, 4]);
    const expected = [0.8, 0.6, 0.6 * JUST_BELOW_FACTOR, 0.55, 0.5 * JUST_BELOW_FACTOR];
    expected.forEach((score, i) => {
      expect(said[i]?.[1]).toBeCloseTo(score, 10);
    });
    const titled = (place: number): PassageFacts => ({
      entry: 'one',
      rare: kinds[place] === 'said' ? undefined : kinds[place],
    });
    expect(scores(titled).map(({ score }) => Math.round(score * 2e9) / 1e9)).toEqual([
      0.8, 0.6, 0.55, 0.5, 0.2,
    ]);
  });
});

test('an entry without a date counts as new', () => {
  const recency = { days: 1, now: 3 * 86_400_000_000 };
  const about = (place: number): PassageFacts => ({
    entry: `${place}`,
    ...(place === 1 && { createdAt: 2 * 86_400_000_000 }),
  });
  expectScores({ dense: list({ 1: cosine(0.8), 2: cosine(0.6) }), about, recency }, [
    [2, 0.3],
    [1, 0.2],
  ]);
});

describe('smoothed over neighbours', () => {
  const entry = (score: number, degrees?: number): RankedEntry => ({
    score,
    vector: degrees === undefined ? undefined : at(degrees),
  });
  const FAR = [180, 182, 184, 186, 188, 190, 192, 194, 196, 198].map((degrees) => entry(0.1, degrees));
  const smoothed = (entries: readonly RankedEntry[]) =>
    smoothByNeighbours(entries).map((score) => Math.round(score * 1e5) / 1e5);

  test.each([
    [5, 0],
    [6, 1],
    [11, 1],
    [12, 2],
    [47, 7],
    [48, 8],
    [50, 8],
    [60, 8],
  ])('each of %i entries has %i neighbours', (entries, neighbours) => {
    // Those that are like the first one score 0.5; it would have all of them for its neighbours.
    const near = Array.from({ length: 9 }, (_, i) => entry(0.5 ** (i + 1), 10 * i + 10)).slice(
      0,
      entries - 1,
    );
    const far = Array.from({ length: Math.max(0, entries - 1 - near.length) }, () => entry(0, 180));
    const [first = 0] = smoothByNeighbours([entry(1, 0), ...near, ...far]);
    const chosen = near
      .slice(0, neighbours)
      .map(({ score }, i) => [score, Math.cos(((10 * i + 10) * Math.PI) / 180)] as const);
    const likeness = chosen.reduce((sum, [, one]) => sum + one, 0);
    const mean = chosen.reduce((sum, [score, one]) => sum + score * one, 0) / likeness;
    const part = PART * neighbours;
    expect(first).toBeCloseTo(neighbours === 0 ? 1 : 1 - part + part * mean, 6);
  });

  test('two neighbours make 0.15 of a score, weighted by similarity', () => {
    const [one, , , , , , last] = smoothed([entry(0.8, 0), entry(0.6, 30), entry(0.2, 60), ...FAR.slice(1)]);
    const [like, less] = [Math.cos(Math.PI / 6), 0.5];
    expect(one).toBeCloseTo(0.85 * 0.8 + (0.15 * (like * 0.6 + less * 0.2)) / (like + less), 5);
    expect(last).toBe(0.1);
  });

  test('of equally similar neighbours the better ones count; an unlike entry never counts', () => {
    const [first] = smoothed([entry(0.8, 0), entry(0.2, 20), entry(0.6, -20), ...FAR.slice(0, 5)]);
    expect(first).toBeCloseTo(REST * 0.8 + PART * 0.6, 5);
    // At more than a right angle from all: without neighbours it gets what others get from theirs.
    const two = [entry(0.2, 101), entry(0.2, 101)];
    const others = [entry(0.4, 100), ...two, ...FAR.slice(0, 4)];
    const [alone, other] = smoothed([entry(0.8, 0), ...others]);
    expect(other).toBeCloseTo(REST * 0.4 + PART * 0.2, 5);
    const usual = (3 * 0.2 + 4 * 0.1) / (0.4 + 2 * 0.2 + 4 * 0.1);
    expect(alone).toBeCloseTo((REST + PART * usual) * 0.8, 5);
    // With two neighbours each.
    const [still] = smoothed([entry(0.8, 0), ...others, ...FAR.slice(0, 4)]);
    const [pair, third] = [0.2, (0.4 + 0.2) / 2];
    const mean = (pair + 2 * third + 8 * 0.1) / (0.4 + 2 * 0.2 + 8 * 0.1);
    expect(still).toBeCloseTo((0.85 + 0.15 * mean) * 0.8, 3);
  });

  test('an entry without a vector gets as much of its score as others get from neighbours, and never more', () => {
    const shareOf = (entries: readonly RankedEntry[]) =>
      (smoothByNeighbours([...entries, entry(0.1)]).at(-1) ?? 0) / 0.1;
    // The second and the third have 0.8 beside them: more than they have themselves.
    expect(shareOf([entry(0.8, 0), entry(0.1, 1), entry(0.1, -2), ...FAR.slice(0, 4)])).toBeCloseTo(1, 5);
    const fallen = [entry(0.9, 0), entry(0.3, 1), entry(0.3, 1), entry(0.3, 1), ...FAR.slice(0, 3)];
    expect(shareOf(fallen)).toBeCloseTo(
      REST + PART * ((0.3 + 3 * 0.3 + 3 * 0.1) / (0.9 + 3 * 0.3 + 3 * 0.1)),
      5,
    );
    expect(smoothed(Array.from({ length: 8 }, () => entry(0.5)))).toEqual(
      Array.from({ length: 8 }, () => 0.4625),
    );
    expect(smoothByNeighbours(Array.from({ length: 8 }, () => entry(0, 0)))).toEqual(
      Array.from({ length: 8 }, () => 0),
    );
  });

  test('a vector without a direction counts as missing', () => {
    const without = smoothByNeighbours([entry(0.8, 0), entry(0.5), entry(0.2, 1), ...FAR.slice(0, 4)]);
    for (const vector of [
      [0, 0],
      [Number.POSITIVE_INFINITY, 1],
      [Number.NaN, 1],
    ]) {
      const broken = { score: 0.5, vector: Float32Array.from(vector) };
      expect(smoothByNeighbours([entry(0.8, 0), broken, entry(0.2, 1), ...FAR.slice(0, 4)])).toEqual(without);
    }
    const long = { score: 0.5, vector: Float32Array.of(0, 1000) };
    const plain = smoothByNeighbours([entry(0.8, 0), entry(0.5, 90), entry(0.2, 1), ...FAR.slice(0, 4)]);
    smoothByNeighbours([entry(0.8, 0), long, entry(0.2, 1), ...FAR.slice(0, 4)]).forEach((score, i) => {
      expect(score).toBeCloseTo(plain[i] ?? 0, 6);
    });
  });

  test('surroundings count nothing after the fiftieth entry', () => {
    const all = smoothByNeighbours(Array.from({ length: 52 }, () => entry(0.5, 0)));
    expect(all[49]).toBeCloseTo(0.5, 10);
    expect(all[50]).toBeCloseTo(0.2, 10);
    expect(all[51]).toBeCloseTo(0.2, 10);
    const without = smoothByNeighbours([...Array.from({ length: 50 }, () => entry(0.5, 0)), entry(0.5)]);
    expect(without[50]).toBeCloseTo(0.2, 10);
  });

  test('an entry with a rare word may rise but not fall, and the entries after it stay just below', () => {
    const fallen = smoothByNeighbours([
      { ...entry(0.9, 0), rare: true },
      entry(0.8, 1),
      entry(0.8, 2),
      ...FAR.slice(0, 4),
    ]);
    expect(fallen[0]).toBe(0.9);
    const risen = smoothByNeighbours([
      entry(0.9, 0),
      { ...entry(0.5, 0), rare: true },
      entry(0.45, 0),
      ...FAR.slice(0, 4),
    ]);
    expect(risen[1]).toBeCloseTo(REST * 0.5 + PART * 0.9, 6);
    expect(risen[2]).toBeCloseTo(REST * 0.45 + PART * 0.9, 6);
    // The last one would rise to 0.66.
    const kept = smoothByNeighbours([
      entry(0.9, 0),
      { ...entry(0.65, 95), rare: true },
      entry(0.64, 0),
      ...FAR.slice(0, 4),
    ]);
    expect(kept[1]).toBe(0.65);
    expect(kept[2]).toBe(0.65 * JUST_BELOW_FACTOR);
    expect(1 - JUST_BELOW_FACTOR).toBeCloseTo(1e-6, 12);
    // The lowest of them holds for what comes after all.
    const lowest = smoothByNeighbours([
      { ...entry(0.65, 95), rare: true },
      { ...entry(0.56, 200), rare: true },
      { ...entry(0.555, 95), rare: true },
      entry(0.535, 0),
      entry(0.5, 0),
      entry(0.9, 0),
    ]);
    expect(lowest[0]).toBe(0.65);
    expect(lowest[1]).toBeCloseTo(0.56, 10);
    expect(lowest[2]).toBeCloseTo(REST * 0.555 + PART * 0.65, 6);
    expect(lowest[3]).toBe((lowest[1] ?? 0) * JUST_BELOW_FACTOR);
  });
});

test('the cosine of unit vectors is returned, and 0 for different models', () => {
  expect(dotProduct(Float32Array.of(0.5, 0.25), Float32Array.of(0.5, 1))).toBe(0.5);
  expect(dotProduct(Float32Array.of(0.5), Float32Array.of(0.5, 1))).toBe(0);
  expect(dotProduct(Float32Array.of(0.5, 1), Float32Array.of(0.5))).toBe(0);
});
