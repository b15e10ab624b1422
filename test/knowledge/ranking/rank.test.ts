import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isConversationTurn } from '../../../src/knowledge/importing/conversation-turn.ts';
import { type PassageFacts, type RankOptions, rank } from '../../../src/knowledge/ranking/rank.ts';
import { smoothByNeighbours } from '../../../src/knowledge/ranking/smooth-by-neighbours.ts';
import type { PassageScore } from '../../../src/knowledge/store.ts';

const DAY = 86_400_000_000;
const nothing = { lexical: [], dense: [], vectorOf: () => undefined, topK: 10 };

/** Scores by place. */
const list = (scores: Record<number, number>): PassageScore[] =>
  Object.entries(scores)
    .map(([place, score]) => ({ place: Number(place), score }))
    .sort((a, b) => b.score - a.score);

const ranked = (options: Partial<RankOptions>) => rank({ ...nothing, ...options });
const places = (options: Partial<RankOptions>) => ranked(options).map(({ place }) => place);
const scoreOf = (place: number, options: Partial<RankOptions>) =>
  ranked(options).find((one) => one.place === place)?.score ?? -1;

/** A vector of unit length at an angle, in degrees. */
const at = (degrees: number) =>
  Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));

describe('rank', () => {
  it('returns nothing for empty lists', () => {
    expect(ranked({})).toEqual([]);
  });

  it('puts a match by both words and meaning first', () => {
    const both = { lexical: list({ 1: 6, 2: 5 }), dense: list({ 3: 0.6, 2: 0.55 }) };
    expect(places(both)[0]).toBe(2);
    expect(places(both).sort()).toEqual([1, 2, 3]);
  });

  it('ranks program code more by meaning than by words', () => {
    const both = { lexical: list({ 1: 6, 2: 1 }), dense: list({ 2: 0.6, 1: 0.4 }) };
    expect(places(both)).toEqual([1, 2]);
    expect(places({ ...both, about: (place) => ({ entry: `${place}`, isCode: true }) })).toEqual([2, 1]);
  });

  it('keeps the order of one list where the other is empty', () => {
    expect(places({ lexical: list({ 5: 3, 1: 9, 7: 4 }) })).toEqual([1, 7, 5]);
    expect(places({ dense: list({ 5: 0.3, 1: 0.9, 7: 0.4 }) })).toEqual([1, 7, 5]);
  });

  it('ranks by meaning for a passage in another language, and by words where they are specific enough', () => {
    const dense = list({ 1: 0.5, 2: 0.4, 3: 0.3 });
    const chance = { dense, lexical: list({ 3: 2, 2: 1 }), allWords: 20 };
    const about = (place: number) => ({ entry: `${place}`, foreign: true });
    expect(places(chance)).toEqual([3, 2, 1]);
    expect(places({ ...chance, about })).toEqual([1, 2, 3]);
    const said = {
      dense: list({ 1: 0.5, 2: 0.4, 3: 0.4 }),
      lexical: list({ 3: 19, 2: 1 }),
      allWords: 20,
      about,
    };
    expect(places(said)).toEqual([3, 1, 2]);
    // Of two languages: what is as near is as close as what the words say too.
    const both = { dense: list({ 1: 0.5, 2: 0.45, 3: 0.3 }), allWords: 20 };
    const mixed = (place: number) => ({ entry: `${place}`, foreign: place !== 2 });
    expect(places({ ...both, lexical: list({ 2: 15 }), about: mixed })).toEqual([2, 1, 3]);
    expect(places({ ...both, lexical: list({ 2: 1 }), about: mixed })[0]).toBe(1);
  });

  it('returns the cosine of a match that only words found', () => {
    const found = { lexical: list({ 1: 4, 2: 4 }), dense: list({ 3: 0.9 }), query: at(0) };
    const vectorOf = (place: number) => ({ 1: at(30), 2: at(85), 3: at(26) })[place];
    expect(places({ ...found, vectorOf }).filter((place) => place !== 3)).toEqual([1, 2]);
    expect(places(found).filter((place) => place !== 3)).toEqual([2, 1]);
  });

  it('uses the word score of a match below the ranked part of its list', () => {
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, i) => [i + 1000, 300 - i]));
    const dense = list({ 1: 0.9, 500: 0.9 });
    const order = places({ lexical: list({ ...many, 1: 20 }), dense, topK: 100 });
    expect(order.indexOf(1)).toBeGreaterThanOrEqual(0);
    expect(order.indexOf(1)).toBeLessThan(order.indexOf(500));
  });

  it('returns the same first matches for any requested number', () => {
    const row = (from: number, best: number, step: number) =>
      Object.fromEntries(Array.from({ length: 250 }, (_, i) => [from + i, best - i * step]));
    // In the middle of both lists, where only a longer look would find it.
    const lexical = list({ ...row(1000, 300, 0.1), 1: 284.99 });
    const dense = list({ ...row(2000, 0.6, 0.0001), 1: 0.58499 });
    const ten = places({ lexical, dense, topK: 10 });
    expect(places({ lexical, dense, topK: 100 }).slice(0, 10)).toEqual(ten);
  });

  it('gives a poor best match a low score, and a good one a high score', () => {
    const allWords = 12;
    const unrelated = ranked({ dense: list({ 1: 0.12, 2: 0.11 }), allWords });
    expect(unrelated[0]?.score).toBeLessThan(0.05);
    const near = ranked({ lexical: list({ 1: 11 }), dense: list({ 1: 0.75, 2: 0.2 }), allWords });
    expect(near[0]?.score).toBeGreaterThan(0.6);
    expect(near[1]?.score).toBeLessThan(0.15);
    const oneWord = ranked({ lexical: list({ 1: 3 }), dense: list({ 1: 0.15 }), allWords });
    expect(oneWord[0]?.score).toBeLessThan(0.3);
  });

  it('treats a match of all query words as close where vectors show no closeness', () => {
    const allWords = 6;
    const found = { lexical: list({ 1: 6 }), dense: list({ 1: 0.2, 2: 0.25 }), allWords };
    expect(ranked(found)[0]).toMatchObject({ place: 1 });
    expect(scoreOf(1, found)).toBeGreaterThan(0.35);
    expect(scoreOf(2, found)).toBeLessThan(0.15);
  });

  it('does not lower a match by words whose vector is pending', () => {
    const allWords = 8;
    const dense = list({ 1: 0.5, 2: 0.45, 3: 0.4 });
    const found = { lexical: list({ 9: 8, 1: 3 }), dense, allWords, query: at(0) };
    const vectorOf = (place: number) => (place === 9 ? undefined : at(60));
    expect(places({ ...found, vectorOf })[0]).toBe(9);
    expect(scoreOf(9, { ...found, vectorOf })).toBeGreaterThan(0.4);
  });

  it('scores by words alone give the share of the matching words', () => {
    const allWords = 8;
    expect(scoreOf(1, { lexical: list({ 1: 8 }), allWords })).toBeGreaterThan(0.6);
    expect(scoreOf(1, { lexical: list({ 1: 2 }), allWords })).toBeLessThan(0.2);
  });

  it('puts newer passages first where scores are equal', () => {
    expect(places({ lexical: list({ 1: 2, 2: 2, 3: 2 }) })).toEqual([3, 2, 1]);
  });

  it('halves the weight of a passage after its half-life in days', () => {
    const now = 1000 * DAY;
    const about = (place: number) => ({ entry: `${place}`, createdAt: place === 1 ? now - 30 * DAY : now });
    const found = { dense: list({ 1: 0.8, 2: 0.6 }), about };
    expect(places(found)).toEqual([1, 2]);
    const recent = { ...found, recency: { days: 30, now } };
    expect(places(recent)).toEqual([2, 1]);
    expect(scoreOf(1, recent)).toBeCloseTo(scoreOf(1, found) / 2);
    expect(scoreOf(2, recent)).toBeCloseTo(scoreOf(2, found));
    const ahead = { ...found, recency: { days: 30, now: now - 90 * DAY } };
    expect(scoreOf(2, ahead)).toBeCloseTo(scoreOf(2, found));
  });

  it('lets a turn lend closeness to adjacent turns only', () => {
    const dense = list({ 10: 0.8, 11: 0.3, 20: 0.32 });
    const turns = (place: number): PassageFacts => ({ entry: `${place}`, turn: true });
    expect(places({ dense, about: turns })).toEqual([10, 11, 20]);
    const texts = (place: number): PassageFacts => ({ entry: `${place}` });
    expect(places({ dense, about: texts })).toEqual([10, 20, 11]);
  });

  it('ranks a passage among other matches above a single one', () => {
    // Twelve entries about one thing that match, twelve about others that do not.
    const dense: Record<number, number> = {};
    const vectors = new Map<number, Float32Array>();
    for (let i = 0; i < 24; i++) {
      dense[i] = i < 12 ? 0.6 : 0.2;
      vectors.set(i, at(i < 12 ? i : 90 + i));
    }
    const found = {
      dense: list({ ...dense, 3: 0.5, 20: 0.52 }),
      vectorOf: (place: number) => vectors.get(place),
    };
    const order = places({ ...found, topK: 24 });
    expect(order.indexOf(3)).toBeLessThan(order.indexOf(20));
  });

  it('ranks passages of one entry together, and does not treat them as neighbours of each other', () => {
    const dense = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [i, (i < 6 ? 0.5 : 0.4) - i / 100]),
    );
    const about = (place: number) => ({ entry: place < 6 ? 'one' : `${place}` });
    const vectorOf = (place: number) => at(place < 6 ? 0 : 80 + place);
    const together = ranked({ dense: list(dense), about, vectorOf });
    expect(together.map(({ place }) => place).slice(0, 6)).toEqual([0, 1, 2, 3, 4, 5]);
    const ratio = (together[1]?.score ?? 0) / (together[0]?.score ?? 1);
    expect(ratio).toBeCloseTo((0.49 - 0.1) / (0.5 - 0.1));
  });

  it('ignores vectors of another length', () => {
    const vectorOf = (place: number) => (place === 1 ? Float32Array.of(1, 0, 0) : at(0));
    const found = { lexical: list({ 1: 4, 2: 3 }), query: at(0), vectorOf };
    expect(places(found).sort()).toEqual([1, 2]);
  });

  it('returns falling scores in 0..1, each passage once, and the same in every run', () => {
    const scored = (max: number) =>
      fc
        .uniqueArray(fc.record({ place: fc.nat(60), score: fc.double({ min: 0.001, max, noNaN: true }) }), {
          selector: ({ place }) => place,
          maxLength: 60,
        })
        .map((all) => all.sort((a, b) => b.score - a.score));
    fc.assert(
      fc.property(
        scored(40),
        scored(1),
        fc.integer({ min: 1, max: 100 }),
        fc.boolean(),
        (lexical, dense, topK, turns) => {
          const options: RankOptions = {
            lexical,
            dense,
            query: at(0),
            vectorOf: (place) => (place % 5 === 0 ? undefined : at(place * 3)),
            about: (place) => ({
              entry: `${place >> 1}`,
              createdAt: place * DAY,
              turn: turns && place % 3 > 0,
            }),
            recency: { days: 10, now: 60 * DAY },
            topK,
          };
          const found = rank(options);
          const union = new Set([...lexical, ...dense].map(({ place }) => place));
          expect(found).toHaveLength(Math.min(topK, union.size));
          expect(new Set(found.map(({ place }) => place)).size).toBe(found.length);
          for (const [i, { place, score }] of found.entries()) {
            expect(union.has(place)).toBe(true);
            expect(score).toBeGreaterThanOrEqual(0);
            expect(score).toBeLessThanOrEqual(found[i - 1]?.score ?? 1);
          }
          expect(rank(options)).toEqual(found);
        },
      ),
    );
  });
});

describe('a word of the query that few passages have', () => {
  /** Hundreds of near-equal texts, which match the rest of the query well; place 999 alone has the word. */
  const COUNT = 300;
  const NEEDLE = 999;
  interface Haystack {
    /** BM25 and cosine of the needle. */
    readonly words: number;
    readonly cosine: number;
    /** How many have their vectors: `all`, all but the needle, or none. */
    readonly vectors: 'all' | 'not the needle' | 'none';
    readonly needle?: PassageFacts['rare'];
  }
  function haystack({ words, cosine, vectors, needle = 'said' }: Haystack): Partial<RankOptions> {
    const lexical: Record<number, number> = { [NEEDLE]: words };
    const dense: Record<number, number> = {};
    if (vectors === 'all') dense[NEEDLE] = cosine;
    // A tenth of them is about what is asked; the others, which stand around the needle, are not.
    for (let i = 0; i < COUNT; i++) {
      lexical[i] = i % 10 ? 1 : 4;
      if (vectors !== 'none') dense[i] = (i % 10 ? 0.3 : 0.55) - i / 10_000;
    }
    const vectorOf = (place: number) => {
      if (vectors === 'none' || (place === NEEDLE && vectors !== 'all')) return undefined;
      return place === NEEDLE ? at(90.05) : at(place % 10 ? 90 + place / 100 : place / 100);
    };
    const about = (place: number): PassageFacts => ({
      entry: `${place}`,
      ...(place === NEEDLE && { rare: needle }),
    });
    return {
      lexical: list(lexical),
      dense: list(dense),
      query: at(45),
      vectorOf,
      about,
      allWords: 12,
      topK: 100,
    };
  }

  it('is not lost among hundreds of similar texts', () => {
    for (const vectors of ['all', 'not the needle', 'none'] as const) {
      for (const needle of ['said', 'titled'] as const) {
        const found = haystack({ words: 6.2, cosine: 0.5, vectors, needle });
        expect(places(found)[0], `${vectors}, ${needle}`).toBe(NEEDLE);
      }
    }
  });

  it('never falls below a passage without it because of surroundings', () => {
    const surroundings = fc.record({
      words: fc.double({ min: 3, max: 8, noNaN: true }),
      cosine: fc.double({ min: 0.2, max: 0.6, noNaN: true }),
      vectors: fc.constantFrom('all' as const, 'not the needle' as const, 'none' as const),
    });
    fc.assert(
      fc.property(surroundings, (one) => {
        const found = haystack(one);
        // Of few entries nothing is smoothed, so that this is how they stand by themselves.
        const alone = (other: number) => {
          const only = ({ place }: PassageScore) => place === NEEDLE || place === other || place === 0;
          const { lexical = [], dense = [] } = found;
          return places({ ...found, lexical: lexical.filter(only), dense: dense.filter(only) });
        };
        const together = places(found);
        const needle = together.indexOf(NEEDLE);
        if (needle < 0) return;
        for (const other of together.slice(0, needle)) {
          const order = alone(other);
          expect(order.indexOf(other)).toBeLessThan(order.indexOf(NEEDLE));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('puts the passage with the word in its text before passages with it only in the title', () => {
    const kinds = ['said', undefined, 'titled', 'titled'] as const;
    const about = (place: number): PassageFacts => ({
      entry: place < 4 ? 'one' : `${place}`,
      ...(kinds[place] && { rare: kinds[place] }),
    });
    const found = { lexical: list({ 0: 3, 2: 4.4, 3: 2.7, 5: 1 }), about, allWords: 5 };
    expect(places(found)).toEqual([0, 2, 3, 5]);
    expect(places({ ...found, about: (place) => ({ entry: about(place).entry }) })).toEqual([2, 0, 3, 5]);
  });
});

describe('smooth', () => {
  const entry = (score: number, degrees?: number) => ({
    score,
    vector: degrees === undefined ? undefined : at(degrees),
  });

  it('leaves a few entries unchanged, since all would be neighbours of all', () => {
    expect(smoothByNeighbours([entry(0.9, 0), entry(0.2, 1), entry(0.1, 2)])).toEqual([0.9, 0.2, 0.1]);
  });

  it('moves each entry towards its nearest neighbours', () => {
    const entries = [
      entry(0.8, 0),
      entry(0.6, 90),
      ...[200, 201, 202, 203].map((degrees) => entry(0.1, degrees)),
    ];
    const [first, , third] = smoothByNeighbours([...entries, entry(0.05, 1)]);
    // Of seven entries each has one neighbour: the first has the last.
    expect(first).toBeCloseTo(0.925 * 0.8 + 0.075 * 0.05, 6);
    expect(third).toBeCloseTo(0.1);
  });

  it('one neighbour has little weight: the best entry does not change places with its nearest', () => {
    const entries = [entry(0.4, 0), entry(0.05, 40), ...[120, 160, 200, 240].map((one) => entry(0, one))];
    const [kept, next] = smoothByNeighbours(entries);
    expect(kept).toBeCloseTo(0.4 - 0.075 * 0.35, 6);
    expect(next).toBeCloseTo(0.05 + 0.075 * 0.35, 6);
  });

  it('gives entries without a vector the share that entries with one get', () => {
    const entries = Array.from({ length: 12 }, (_, i) => entry(0.5, i * 2));
    const smoothed = smoothByNeighbours([...entries, entry(0.5)]);
    expect(smoothed.at(-1)).toBeCloseTo(0.5);
    expect(smoothed[0]).toBeCloseTo(0.5);
  });

  it('keeps an entry with a rare word in its place, and others below it', () => {
    const entries = Array.from({ length: 40 }, (_, i) => entry(0.6 - i / 100, i < 20 ? 0 : 90));
    const needle = { ...entry(0.5, 91), rare: true };
    const place = entries.findIndex(({ score }) => score < needle.score);
    const all = [...entries.slice(0, place), needle, ...entries.slice(place)];
    expect(smoothByNeighbours(all.map(({ score, vector }) => ({ score, vector })))[place]).toBeLessThan(0.45);
    const smoothed = smoothByNeighbours(all);
    expect(smoothed[place]).toBe(0.5);
    expect(Math.max(...smoothed.slice(place + 1))).toBeLessThan(0.5);
  });

  it('keeps entries after the first fifty below them', () => {
    const smoothed = smoothByNeighbours(Array.from({ length: 80 }, (_, i) => entry(1 - i / 100, i)));
    expect(Math.min(...smoothed.slice(0, 50))).toBeGreaterThan(Math.max(...smoothed.slice(50)));
  });
});

describe('isTurn', () => {
  it('recognises a turn with a speaker', () => {
    for (const text of [
      'Anna: are you there?',
      '[10:15] Anna: yes',
      '1:56 pm on 8 May, 2023 Caroline: Hey Mel! Good to see you!',
      '**user**: what is the time?',
      'Jörg Müller (Praxis): Guten Tag',
      '2023-05-08T10:15:00 assistant: It is late.',
    ]) {
      expect(isConversationTurn(text), text).toBe(true);
    }
  });

  it('does not treat other text as a turn', () => {
    for (const text of [
      'The train leaves at 10:15 and arrives at 11:20.',
      'He said this. Then: nothing.',
      'https://example.org/a is an address',
      'A heading\nAnna: later',
      '',
      `${'word '.repeat(30)}: late`,
    ]) {
      expect(isConversationTurn(text), text).toBe(false);
    }
  });
});

it('the limit of weak matches follows the scale of the model', () => {
  const query = new Float32Array([1, 0]);
  const vector = new Float32Array([0.3, Math.sqrt(1 - 0.09)]);
  const options = { lexical: [], dense: [{ place: 1, score: 0.3 }], query, vectorOf: () => vector, topK: 1 };
  const [english] = rank(options);
  const [other] = rank({ ...options, scale: { unrelated: 0, weak: 0.25 } });
  expect([english?.weak, other?.weak]).toEqual([true, false]);
  const scale = { unrelated: 0, weak: 0.35, weakForeign: 0.25 };
  const weakOf = (foreign: boolean) =>
    rank({ ...options, scale, about: () => ({ entry: 'a', foreign }) })[0]?.weak;
  expect([weakOf(false), weakOf(true)]).toEqual([true, false]);
  expect(other?.score).toBeGreaterThan(english?.score ?? 1);
});

it('all passages are weak if the nearest one is too far to answer the question', () => {
  const scale = { unrelated: 0, weak: 0.3, absent: 0.5 };
  const query = new Float32Array([1, 0]);
  const weakOf = (cosines: Record<number, number>, options: Partial<RankOptions> = {}) =>
    ranked({ dense: list(cosines), query, scale, ...options }).map(({ weak }) => weak);
  expect(weakOf({ 1: 0.49, 2: 0.4 })).toEqual([true, true]);
  expect(weakOf({ 1: 0.51, 2: 0.4, 3: 0.2 })).toEqual([false, false, true]);
  expect(weakOf({ 1: 0.4 }, { lexical: list({ 1: 3 }), allWords: 12 })).toEqual([false]);
  // A model of several languages has a limit of its own for passages in another language than the question's.
  const about = () => ({ entry: 'a', foreign: true });
  expect(weakOf({ 1: 0.4 }, { about })).toEqual([true]);
  expect(weakOf({ 1: 0.4 }, { about, scale: { ...scale, absentForeign: 0.3 } })).toEqual([false]);
  // Without a vector, a passage answers by its words.
  expect(weakOf({}, { lexical: list({ 1: 3 }), allWords: 6 })).toEqual([false]);
});

it('a question with a name that no text says is answered only by a much nearer passage', () => {
  const scale = { unrelated: 0, weak: 0.3, absent: 0.5, absentNamed: 0.7, absentForeign: 0.4 };
  const named = { written: ['Lisbon'], isNamed: true, share: 0.2, wordShare: 0.2 };
  const weakOf = (cosine: number, options: Partial<RankOptions> = {}) =>
    ranked({ dense: list({ 1: cosine }), scale, missing: named, ...options })[0]?.weak;
  expect([weakOf(0.6), weakOf(0.71), weakOf(0.73)]).toEqual([true, true, false]);
  const word = { written: ['blood'], isNamed: false, share: 0.2, wordShare: 0.2 };
  expect([weakOf(0.51, { missing: word }), weakOf(0.53, { missing: word })]).toEqual([true, false]);
  // A name is written in another way in another language.
  const about = () => ({ entry: 'a', foreign: true });
  expect([weakOf(0.39, { about }), weakOf(0.41, { about })]).toEqual([true, false]);
  const script = { about: () => ({ ...about(), otherScript: true }), scale: { ...scale, weakForeign: 0.2 } };
  expect([weakOf(0.19, script), weakOf(0.21, script)]).toEqual([true, false]);
  // A model without borders goes by the name alone, and so does a search by words alone.
  const bare = { unrelated: 0, weak: 0.3 };
  expect([weakOf(0.9, { scale: bare }), weakOf(0.9, { scale: bare, missing: word })]).toEqual([true, false]);
  expect(weakOf(0.5, { scale: bare, about })).toBe(false);
  const byWords = { dense: [], scale: undefined, lexical: list({ 1: 3 }), allWords: 6 };
  expect([weakOf(0, byWords), weakOf(0, { ...byWords, missing: word })]).toEqual([true, false]);
});
