import type { CosineScale } from '../embedding/embedder.ts';
import type { Scored } from '../store.ts';
import { dot, JUST_BELOW, type RankedEntry, smooth } from './smooth.ts';

/** What a ranking knows of a passage beside its scores. */
export interface AboutPassage {
  /** Its entry or file: passages of one speak for each other. */
  readonly entry: string;
  /** Microseconds since 1970. */
  readonly createdAt?: number;
  /** A turn of a conversation, whose place is beside those before and after it. */
  readonly turn?: boolean;
  /** A turn of a speaker whom the query names. */
  readonly asked?: boolean;
  /** It has a word of the query that few have: its own text says it, or only the title that it is under. */
  readonly rare?: 'said' | 'titled' | undefined;
  /** It is in another language than the query, and what words they share are names, numbers and chance. */
  readonly foreign?: boolean;
}

export interface RankOptions {
  /** By words, best first, BM25 above 0. May be longer than what is ranked: it also has the scores of passages that vectors found. */
  readonly lexical: readonly Scored[];
  /** By vectors, best first: cosines. */
  readonly dense: readonly Scored[];
  /** The query's vector, of unit length: gives the cosines of what was found by words alone. */
  readonly query?: Float32Array;
  /** How the cosines are read; as those of the embedded English model when left out. */
  readonly scale?: CosineScale | undefined;
  /** Of unit length; undefined for a passage whose vector is still to come. */
  readonly vectorOf: (place: number) => Float32Array | undefined;
  readonly about?: (place: number) => AboutPassage | undefined;
  /** BM25 of a passage of mean length that has every word of the query once: the sum of the words' idf. */
  readonly allWords?: number;
  /** Days after which a passage counts half as much, and the time, in microseconds since 1970. */
  readonly recency?: { readonly days: number; readonly now: number };
  readonly topK: number;
}

/** Passages of each list that are ranked; more of them would let in more chance hits. */
const MAX_RANKED = 100;
/** Part of the closeness that vectors make; words make the rest. */
const VECTORS_WEIGHT = 0.5;
/** Closeness of a passage that has all words of the query, when no vector says more. */
const ALL_WORDS_CLOSENESS = 0.7;
/** The same when it is not known how many of the words it has. */
const SOME_WORDS_CLOSENESS = 0.35;
/**
 * Cosines of the embedded English model. A passage is weak whose cosine and half its share of the question's words make less than
 * `weak`: of the passages that answer a question of Cranfield none is, of those found for questions on something else 94 to 97 in 100 are.
 */
const ENGLISH_SCALE: CosineScale = { unrelated: 0.1, weak: 0.35 };
const WORDS_IN_TIE = 0.5;
/** Share of the question's words below which a passage is weak where there is no vector: the words alone say it. */
const WEAK_SHARE = 0.25;
/** Part of its closeness that a turn lends to the turns beside it; half of that two turns away. */
const LENT_PART = 0.15;
/** Part that is added to the closeness of a turn whose speaker the query names. */
const ASKED_PART = 0.2;
/** Nearest passages by which it is judged what the words would say of one in another language. */
const COMPARED_BY_WORDS = 10;
const DAY_US = 86_400_000_000;

/** A passage with its closeness, and what its scores are made of. */
export interface Ranked extends Scored {
  /** It has little to do with the question; all behind it are weak too. */
  readonly weak: boolean;
  /** It was found by its words, and has no vector to compare with the question's. */
  readonly unembedded: boolean;
}

interface Candidate {
  readonly place: number;
  readonly cosine: number | undefined;
  readonly lexical: number;
}

/**
 * The passages that fit a query best, each with its closeness, 0 to 1: that of the first is its own, measured by
 * cosine and by the share of the query's words, so that a best match that fits badly has a low one; the others are scaled to
 * it by their ranks. Scores are summed after the words' are brought to the scale of the cosines (convex
 * combination, Bruch et al., "An Analysis of Fusion Functions for Hybrid Retrieval", 2023), then smoothed over
 * entries with like vectors. Newer passages go first where scores are equal. About 5 ms.
 */
export function rank(options: RankOptions): Ranked[] {
  const { about, recency, topK } = options;
  const candidates = candidatesOf(options);
  const closeness = closenessOf(candidates, options);
  const lent = lend(candidates, closeness, about);
  const ranks = byEntry(candidates, lent, options);
  const order = candidates
    .map((one, at) => ({
      place: one.place,
      score: ranks[at] ?? 0,
      own: closeness[at] ?? 0,
      weak: isWeak(one, options),
      unembedded: options.query !== undefined && one.cosine === undefined,
    }))
    .sort(best);
  const [first] = order;
  if (!first) return [];
  const scale = first.score > 0 ? first.own / first.score : 0;
  const scored = order.map(({ own, ...one }) => ({ ...one, score: one.score * scale * fresh(one.place) }));
  const marked = marksInOrder(scored);
  return (recency ? freshFirst(marked) : marked).slice(0, topK);

  function fresh(place: number): number {
    const createdAt = about?.(place)?.createdAt;
    if (!recency || createdAt === undefined) return 1;
    return 0.5 ** (Math.max(0, recency.now - createdAt) / (recency.days * DAY_US));
  }
}

function best(a: Scored, b: Scored): number {
  return b.score - a.score || b.place - a.place;
}

/**
 * What is weak stands behind all that is not: with so many marks changed as few as can be, since a rank says more than a cosine near
 * the border. Of two such places the later one.
 */
function marksInOrder(order: readonly Ranked[]): Ranked[] {
  let [balance, most, end] = [0, 0, 0];
  for (const [at, { weak }] of order.entries()) {
    balance += weak ? -1 : 1;
    if (balance < most) continue;
    most = balance;
    end = at + 1;
  }
  return order.map((one, at) => ({ ...one, weak: at >= end }));
}

/** By their scores, what is weak last, however new it is; no score is above the one before it. */
function freshFirst(marked: readonly Ranked[]): Ranked[] {
  let least = 1;
  return [...marked]
    .sort((a, b) => Number(a.weak) - Number(b.weak) || best(a, b))
    .map((one) => {
      least = Math.min(least, one.score);
      return { ...one, score: least };
    });
}

/** It has little to do with the question. */
function isWeak(
  { place, cosine, lexical }: Candidate,
  { allWords = 0, scale = ENGLISH_SCALE, about }: RankOptions,
): boolean {
  // Without what all words would make, any word counts as a tie.
  const share = allWords > 0 ? lexical / allWords : Number(lexical > 0);
  if (cosine === undefined) return share < WEAK_SHARE;
  const least = about?.(place)?.foreign ? (scale.weakForeign ?? scale.weak) : scale.weak;
  return cosine + WORDS_IN_TIE * share < least;
}

function candidatesOf({ lexical, dense, query, vectorOf, topK }: RankOptions): Candidate[] {
  const most = Math.max(MAX_RANKED, topK);
  const byWords = new Map(lexical.map(({ place, score }) => [place, score]));
  const cosines = new Map(dense.map(({ place, score }) => [place, score]));
  const places = [...lexical.slice(0, most), ...dense.slice(0, most)].map(({ place }) => place);
  return [...new Set(places)].map((place) => {
    const vector = vectorOf(place);
    const cosine = query && vector?.length === query.length ? dot(query, vector) : undefined;
    return { place, cosine: cosines.get(place) ?? cosine, lexical: byWords.get(place) ?? 0 };
  });
}

/** Closeness of each by itself. */
function closenessOf(
  candidates: readonly Candidate[],
  { allWords = 0, scale: { unrelated } = ENGLISH_SCALE, about }: RankOptions,
): number[] {
  const near = candidates.map(({ cosine = 0 }) => Math.max(0, (cosine - unrelated) / (1 - unrelated)));
  const nearest = near.reduce((most, one) => Math.max(most, one), 0);
  const most = candidates.reduce((sum, { lexical }) => Math.max(sum, lexical), 0) || 1;
  const byShare = (lexical: number) =>
    allWords > 0
      ? ALL_WORDS_CLOSENESS * Math.min(1, lexical / allWords)
      : SOME_WORDS_CLOSENESS * (lexical / most);
  // The passage that fits best by words is as close as the one that fits best by meaning, or its words say more.
  const top = Math.max(nearest, byShare(most));
  const words = candidates.map(({ lexical }) => top * (lexical / most));
  const foreign = candidates.map(
    ({ place, cosine }) => cosine !== undefined && about?.(place)?.foreign === true,
  );
  const usual = foreign.includes(true) ? usualWords(near, words, foreign) : 0;
  return candidates.map(({ cosine, lexical }, at) => {
    const meaning = cosine === undefined ? byShare(lexical) : (near[at] ?? 0);
    const said = foreign[at] ? Math.max(usual * meaning, byShare(lexical)) : (words[at] ?? 0);
    return Math.min(1, VECTORS_WEIGHT * meaning + (1 - VECTORS_WEIGHT) * said);
  });
}

/** What words say of the nearest passages in the query's language, as a part of what vectors say; 1 where none is in it. */
function usualWords(near: readonly number[], words: readonly number[], foreign: readonly boolean[]): number {
  const nearest = near.map((meaning, at) => ({ meaning, at })).sort((a, b) => b.meaning - a.meaning);
  const known = nearest.slice(0, COMPARED_BY_WORDS).filter(({ at }) => !foreign[at]);
  const meanings = known.reduce((sum, { meaning }) => sum + meaning, 0);
  const said = known.reduce((sum, { at }) => sum + (words[at] ?? 0), 0);
  return meanings > 0 ? Math.min(1, said / meanings) : 1;
}

/** What is asked in one turn is often answered in the next, and by whom the query names. */
function lend(
  candidates: readonly Candidate[],
  closeness: readonly number[],
  about: RankOptions['about'],
): number[] {
  if (!about) return [...closeness];
  const turns = new Map<number, number>();
  for (const [at, { place }] of candidates.entries()) {
    if (about(place)?.turn) turns.set(place, closeness[at] ?? 0);
  }
  return candidates.map(({ place }, at) => {
    const own = (closeness[at] ?? 0) * (about(place)?.asked ? 1 + ASKED_PART : 1);
    if (!turns.has(place)) return own;
    const of = (distance: number) => (turns.get(place - distance) ?? 0) + (turns.get(place + distance) ?? 0);
    return own + LENT_PART * (of(1) + of(2) / 2);
  });
}

interface Entry {
  readonly at: number[];
  rare: boolean;
  place: number;
  score: number;
  vector?: Float32Array;
}

/** Scores smoothed over entries; passages of one entry keep their proportions. */
function byEntry(
  candidates: readonly Candidate[],
  scores: readonly number[],
  { about, vectorOf }: RankOptions,
): number[] {
  const entries = new Map<string, Entry>();
  for (const [at, { place }] of candidates.entries()) {
    const { entry: name = `${place}`, rare } = about?.(place) ?? {};
    const entry = entries.get(name) ?? { at: [], rare: false, place, score: 0 };
    entries.set(name, entry);
    entry.at.push(at);
    entry.rare ||= rare !== undefined;
    entry.score = Math.max(entry.score, scores[at] ?? 0);
    entry.place = Math.max(entry.place, place);
    const vector = vectorOf(place);
    if (!vector) continue;
    const sum = entry.vector;
    entry.vector = sum?.length === vector.length ? sum.map((value, i) => value + (vector[i] ?? 0)) : vector;
  }
  const kinds = candidates.map(({ place }) => about?.(place)?.rare);
  const ordered = [...entries.values()].sort(best);
  const smoothed = smooth(ordered.map(({ score, vector, rare }): RankedEntry => ({ score, vector, rare })));
  const ranks = new Array<number>(candidates.length).fill(0);
  for (const [i, { at, score }] of ordered.entries()) {
    const within = saidFirst(at.map((one) => ({ own: scores[one] ?? 0, rare: kinds[one] })));
    for (const [k, one] of at.entries())
      ranks[one] = score > 0 ? ((smoothed[i] ?? 0) * (within[k] ?? 0)) / score : 0;
  }
  return ranks;
}

/** Of one entry: what says a rare word goes before what is only under a title that has it. */
function saidFirst(
  passages: readonly { readonly own: number; readonly rare: AboutPassage['rare'] }[],
): number[] {
  const titled = passages.reduce(
    (most, { own, rare }) => (rare === 'titled' ? Math.max(most, own) : most),
    0,
  );
  if (!passages.some(({ rare }) => rare === 'said')) return passages.map(({ own }) => own);
  const give = { said: (own: number) => Math.max(own, titled), titled: (own: number) => own * JUST_BELOW };
  return passages.map(({ own, rare }) => (rare ? give[rare](own) : own));
}
