import type { CosineThresholds } from '../embedding/embedder.ts';
import type { PassageScore } from '../store.ts';
import { type MissingWords, NO_MISSING_WORDS } from './missing-words.ts';
import { dotProduct, JUST_BELOW_FACTOR, smoothByNeighbours } from './smooth-by-neighbours.ts';

export interface PassageFacts {
  readonly entry: string;
  readonly createdAt?: number;
  /** True for a turn of a conversation. The turns before and after have adjacent passage numbers. */
  readonly turn?: boolean;
  readonly asked?: boolean;
  /** True if the query asks who or where, and the passage is only a denial: `Anna does not have the key`. `perhaps` if it asks what. */
  readonly denies?: boolean | 'perhaps';
  /** `named` if the passage has the query's day or long number, `written` if it was written in the query's time. */
  readonly day?: 'named' | 'written' | undefined;
  /** `said` if the text has a rare word of the query. `titled` if only the title has a rare word. */
  readonly rare?: 'said' | 'titled' | undefined;
  /** True if the query names the source of the passage, a text of several passages, by a name in its title. */
  readonly isOfNamedSource?: boolean;
  /** True if passage and query differ in language. Shared words are then names, numbers or accidental. */
  readonly foreign?: boolean;
  /** True if the passage is also in another script than the query, so that they share hardly any word. */
  readonly otherScript?: boolean;
  /** True if the passage is program code, whose names rarely are the words of a query. */
  readonly isCode?: boolean;
}

export interface RankOptions {
  /** Passages with BM25 scores above 0, best first. Passages of the vector search are included. */
  readonly lexical: readonly PassageScore[];
  readonly dense: readonly PassageScore[];
  readonly query?: Float32Array;
  readonly scale?: CosineThresholds | undefined;
  readonly vectorOf: (place: number) => Float32Array | undefined;
  readonly about?: (place: number) => PassageFacts | undefined;
  readonly allWords?: number;
  readonly unsaid?: number | undefined;
  readonly missing?: MissingWords;
  /** Days after which a score is halved, and the current time in microseconds since 1970. */
  readonly recency?: { readonly days: number; readonly now: number };
  readonly topK: number;
}

const MAX_RANKED = 100;
/** Lowers the score of a denial, because its vector is similar to the vector of an answer. */
const DENIAL_FACTOR = 0.4;
const MILD_DENIAL_FACTOR = 0.9;
/** A passage that names the query's day, or was written in the query's time, also gets this share of the best score. */
const DAY_LIFTS = { named: 1.25, written: 0.5 } as const;
const VECTORS_WEIGHT = 0.5;
const CODE_VECTORS_WEIGHT = 0.85;
const ALL_WORDS_CLOSENESS = 0.7;
const SOME_WORDS_CLOSENESS = 0.35;
/** A passage is weak if `cosine + s / 2 < weak`. `s` is its BM25 score divided by `allWords`. */
const DEFAULT_SCALE: CosineThresholds = { unrelated: 0.1, weak: 0.35 };
const WORDS_IN_TIE = 0.5;
/** A passage without a vector is weak if it has less than this share of the query's words. */
const WEAK_SHARE = 0.25;
/** The share of query words that no text contains, times this number, raises the threshold `absent`. */
const MISSING_PART = 0.1;
/** A conversation turn adds this share of its score to adjacent turns, and half of it two turns away. */
const LENT_PART = 0.15;
const ASKED_PART = 0.2;
const COMPARED_BY_WORDS = 10;
const DAY_US = 86_400_000_000;

export interface RankedPassage extends PassageScore {
  /** True if the passage has little to do with the query. All passages after it are weak too. */
  readonly weak: boolean;
  readonly unembedded: boolean;
}

interface InEntry extends PassageScore {
  readonly own: number;
  readonly entryPlace: number;
}

interface RankingCandidate {
  readonly place: number;
  readonly cosine: number | undefined;
  readonly lexical: number;
}

/** Ranks passages by the sum of word score and cosine (Bruch et al. 2023), smoothed over similar entries. */
export function rank(options: RankOptions): RankedPassage[] {
  const { about, recency, topK } = options;
  const candidates = candidatesOf(options);
  const closeness = closenessOf(candidates, options);
  const lent = lend(candidates, closeness, about);
  const ranks = byEntry(candidates, lent, options);
  const weak = markWeak(candidates, options);
  const order = candidates
    .map((one, index) => ({
      place: one.place,
      score: ranks.scores[index] ?? 0,
      own: closeness[index] ?? 0,
      entryPlace: ranks.places[index] ?? one.place,
      weak: weak[index] ?? true,
      unembedded: options.query !== undefined && one.cosine === undefined,
    }))
    .sort(bestInEntry);
  const [first] = order;
  if (!first) return [];
  const scale = first.score > 0 ? first.own / first.score : 0;
  const scored = order.map(({ own, entryPlace, ...one }) => ({
    ...one,
    score: one.score * scale * fresh(one.place),
  }));
  const marked = marksInOrder(scored);
  return (recency ? freshFirst(marked) : marked).slice(0, topK);

  function fresh(place: number): number {
    const createdAt = about?.(place)?.createdAt;
    if (!recency || createdAt === undefined) return 1;
    return 0.5 ** (Math.max(0, recency.now - createdAt) / (recency.days * DAY_US));
  }
}

const best = (a: PassageScore, b: PassageScore): number => b.score - a.score || b.place - a.place;

function bestInEntry(a: InEntry, b: InEntry): number {
  return b.score - a.score || b.entryPlace - a.entryPlace || b.own - a.own || a.place - b.place;
}

/** Makes `weak` false up to a border and true after it. The border agrees with most given `weak` values. */
function marksInOrder(order: readonly RankedPassage[]): RankedPassage[] {
  let [balance, highest, end] = [0, 0, 0];
  for (const [index, { weak }] of order.entries()) {
    balance += weak ? -1 : 1;
    if (balance < highest) continue;
    highest = balance;
    end = index + 1;
  }
  return order.map((one, index) => ({ ...one, weak: index >= end }));
}

function freshFirst(marked: readonly RankedPassage[]): RankedPassage[] {
  let least = 1;
  return [...marked]
    .sort((a, b) => Number(a.weak) - Number(b.weak) || best(a, b))
    .map((one) => {
      least = Math.min(least, one.score);
      return { ...one, score: least };
    });
}

function markWeak(candidates: readonly RankingCandidate[], options: RankOptions): boolean[] {
  const weak = candidates.map((one) => isWeak(one, options, borderOf(one, options)));
  const answers = candidates.some((one) => mayAnswer(one, options));
  return answers ? weak : weak.map(() => true);
}

function borderOf({ place }: RankingCandidate, { scale = DEFAULT_SCALE, about }: RankOptions): number {
  return about?.(place)?.foreign ? (scale.weakForeign ?? scale.weak) : scale.weak;
}

/** Returns true if the passage may answer the query, judged by `absent` and the query's missing words. */
function mayAnswer(one: RankingCandidate, options: RankOptions): boolean {
  const { scale = DEFAULT_SCALE, about, missing = NO_MISSING_WORDS } = options;
  const { absent, absentNamed, absentForeign, weakForeign } = scale;
  if (missing.isOtherNumber) return false;
  const { foreign, otherScript, isOfNamedSource } = about?.(one.place) ?? {};
  if (foreign) return !isWeak(one, options, (otherScript ? weakForeign : absentForeign) ?? absent ?? 0);
  if (absent === undefined) return !missing.isNamed;
  // All passages of the source are about what its title names, so a missing word says less.
  const known = isOfNamedSource ? scale.weak : absent;
  const border = missing.isNamed ? (absentNamed ?? absent) : known;
  return !isWeak(one, options, border + MISSING_PART * missing.share);
}

/** Returns true if the passage is weak. `least` is the threshold for a passage that has a vector. */
function isWeak(
  { place, cosine, lexical }: RankingCandidate,
  { allWords = 0, unsaid = 0, about, missing = NO_MISSING_WORDS }: RankOptions,
  least: number,
): boolean {
  const { day } = about?.(place) ?? {};
  if (day === 'named') return false;
  // If `allWords` is unknown, a passage with any word of the query counts as if it had all words.
  const sayable = missing.isNamed ? allWords : allWords - unsaid;
  const share = sayable > 0 ? Math.min(1, lexical / sayable) : Number(lexical > 0);
  if (cosine === undefined) return share < WEAK_SHARE;
  // The words besides a missing name, such as `did I`, do not show that the text is about the name.
  const said = missing.isNamed ? share * (1 - missing.share) : share;
  return cosine + WORDS_IN_TIE * said < least;
}

function candidatesOf({ lexical, dense, query, vectorOf, topK }: RankOptions): RankingCandidate[] {
  const limit = Math.max(MAX_RANKED, topK);
  const byWords = new Map(lexical.map(({ place, score }) => [place, score]));
  const cosines = new Map(dense.map(({ place, score }) => [place, score]));
  const places = [...lexical.slice(0, limit), ...dense.slice(0, limit)].map(({ place }) => place);
  return [...new Set(places)].map((place) => {
    const vector = vectorOf(place);
    const cosine = query && vector?.length === query.length ? dotProduct(query, vector) : undefined;
    return { place, cosine: cosines.get(place) ?? cosine, lexical: byWords.get(place) ?? 0 };
  });
}

function closenessOf(
  candidates: readonly RankingCandidate[],
  { allWords = 0, scale: { unrelated } = DEFAULT_SCALE, about, missing = NO_MISSING_WORDS }: RankOptions,
): number[] {
  const near = candidates.map(({ cosine = 0 }) => Math.max(0, (cosine - unrelated) / (1 - unrelated)));
  const nearest = near.reduce((max, one) => Math.max(max, one), 0);
  const maxLexical = candidates.reduce((max, { lexical }) => Math.max(max, lexical), 0) || 1;
  const byShare = (lexical: number) =>
    allWords > 0
      ? ALL_WORDS_CLOSENESS * Math.min(1, lexical / allWords)
      : SOME_WORDS_CLOSENESS * (lexical / maxLexical);
  const top = Math.max(nearest, byShare(maxLexical));
  // If no text has some words of the query, only a rare one among the others counts in full.
  const words = candidates.map(({ place, lexical }) => {
    const trust = about?.(place)?.rare ? 1 : 1 - missing.wordShare;
    return trust * top * (lexical / maxLexical);
  });
  const foreign = candidates.map(
    ({ place, cosine }) => cosine !== undefined && about?.(place)?.foreign === true,
  );
  const usual = foreign.includes(true) ? usualWords(near, words, foreign) : 0;
  return candidates.map(({ place, cosine, lexical }, index) => {
    const meaning = cosine === undefined ? byShare(lexical) : (near[index] ?? 0);
    const said = foreign[index] ? Math.max(usual * meaning, byShare(lexical)) : (words[index] ?? 0);
    const weight = about?.(place)?.isCode ? CODE_VECTORS_WEIGHT : VECTORS_WEIGHT;
    return Math.min(1, weight * meaning + (1 - weight) * said);
  });
}

function usualWords(near: readonly number[], words: readonly number[], foreign: readonly boolean[]): number {
  const nearest = near.map((meaning, index) => ({ meaning, index })).sort((a, b) => b.meaning - a.meaning);
  const known = nearest.slice(0, COMPARED_BY_WORDS).filter(({ index }) => !foreign[index]);
  const meanings = known.reduce((sum, { meaning }) => sum + meaning, 0);
  const said = known.reduce((sum, { index }) => sum + (words[index] ?? 0), 0);
  return meanings > 0 ? Math.min(1, said / meanings) : 1;
}

function lend(
  candidates: readonly RankingCandidate[],
  closeness: readonly number[],
  about: RankOptions['about'],
): number[] {
  if (!about) return [...closeness];
  const turns = new Map<number, number>();
  for (const [index, { place }] of candidates.entries()) {
    if (about(place)?.turn) turns.set(place, closeness[index] ?? 0);
  }
  const closest = closeness.reduce((max, one) => Math.max(max, one), 0);
  return candidates.map(({ place }, index) => {
    const { asked, denies, day } = about(place) ?? {};
    const denial = denies === 'perhaps' ? MILD_DENIAL_FACTOR : denies ? DENIAL_FACTOR : 1;
    const said = (closeness[index] ?? 0) * (asked ? 1 + ASKED_PART : 1) * denial;
    const own = said + (day ? DAY_LIFTS[day] * closest : 0);
    if (!turns.has(place)) return own;
    const of = (distance: number) => (turns.get(place - distance) ?? 0) + (turns.get(place + distance) ?? 0);
    return own + LENT_PART * (of(1) + of(2) / 2);
  });
}

function byEntry(
  candidates: readonly RankingCandidate[],
  scores: readonly number[],
  { about, vectorOf }: RankOptions,
): { readonly scores: number[]; readonly places: number[] } {
  const entries = new Map<
    string,
    { readonly indexes: number[]; rare: boolean; place: number; score: number; vector?: Float32Array }
  >();
  for (const [index, { place }] of candidates.entries()) {
    const { entry: name = `${place}`, rare } = about?.(place) ?? {};
    const entry = entries.get(name) ?? { indexes: [], rare: false, place, score: 0 };
    entries.set(name, entry);
    entry.indexes.push(index);
    entry.rare ||= rare !== undefined;
    entry.score = Math.max(entry.score, scores[index] ?? 0);
    entry.place = Math.max(entry.place, place);
    const vector = vectorOf(place);
    if (!vector) continue;
    const sum = entry.vector;
    entry.vector = sum?.length === vector.length ? sum.map((value, i) => value + (vector[i] ?? 0)) : vector;
  }
  const kinds = candidates.map(({ place }) => about?.(place)?.rare);
  const ordered = [...entries.values()].sort(best);
  const smoothed = smoothByNeighbours(ordered.map(({ score, vector, rare }) => ({ score, vector, rare })));
  const ranks = new Array<number>(candidates.length).fill(0);
  const places = new Array<number>(candidates.length).fill(0);
  for (const [i, { indexes, place, score }] of ordered.entries()) {
    const within = saidFirst(indexes.map((one) => ({ own: scores[one] ?? 0, rare: kinds[one] })));
    for (const [k, one] of indexes.entries()) {
      ranks[one] = score > 0 ? ((smoothed[i] ?? 0) * (within[k] ?? 0)) / score : 0;
      places[one] = place;
    }
  }
  return { scores: ranks, places };
}

function saidFirst(passages: readonly { readonly own: number; readonly rare: PassageFacts['rare'] }[]) {
  const titled = passages.reduce((max, { own, rare }) => (rare === 'titled' ? Math.max(max, own) : max), 0);
  if (!passages.some(({ rare }) => rare === 'said')) return passages.map(({ own }) => own);
  const give = {
    said: (own: number) => Math.max(own, titled),
    titled: (own: number) => own * JUST_BELOW_FACTOR,
  };
  return passages.map(({ own, rare }) => (rare ? give[rare](own) : own));
}
