import { setImmediate } from 'node:timers/promises';
import { wordsOfSpeaker } from '../importing/conversation-turn.ts';
import type { EntryStore, FoundPassage, PassageScore, WordSearchResult } from '../store.ts';
import type { WordsOnlyReason } from '../types.ts';
import type { PassageNumbers } from './passage-number-set.ts';
import { createWordMatcher } from './search-words.ts';
import { dotProduct } from './smooth-by-neighbours.ts';
import type { EmbeddedQuestion, VectorSearch } from './vector-search.ts';

export interface RankedQuery {
  readonly text: string;
  readonly topK: number;
  readonly within: PassageNumbers | undefined;
  readonly recency?: number | undefined;
  /** The time of the question, in microseconds since 1970. */
  readonly asOf: number;
  readonly speaker?: string | undefined;
  readonly onWordsOnly?: ((why: WordsOnlyReason) => void) | undefined;
}

export const CANDIDATES_PER_LIST = 100;
const SCORED_PER_CANDIDATE = 4;
const READ_FOR_SPEAKER = 4;
const MAX_WALKED = 50_000;
const WALKED_AT_ONCE = 500;

export interface PassageCandidates {
  readonly lexical: WordSearchResult;
  readonly dense: readonly PassageScore[];
  readonly near: EmbeddedQuestion | undefined;
  readonly found: ReadonlyMap<number, FoundPassage>;
  readonly vectorOf: (place: number) => Float32Array | undefined;
}

export function createCandidateSearch(store: EntryStore, vectors: VectorSearch) {
  const gather = store.findCandidates ? gatherTogether(store, vectors) : gatherApart(store, vectors);

  return async (owner: string, query: RankedQuery, signal: AbortSignal): Promise<PassageCandidates> => {
    const { within, speaker } = query;
    const most = speaker === undefined ? CANDIDATES_PER_LIST : CANDIDATES_PER_LIST * READ_FOR_SPEAKER;
    const { lexical, near, byVectors, read, vectorsRead } = await gather(owner, query, most, signal);
    const spoken = speaker === undefined ? [...read] : saidBy(speaker, read);
    if (speaker !== undefined && spoken.length < query.topK) {
      for (const one of await walk(owner, speaker, within, signal)) spoken.push(one);
    }
    const found = new Map(spoken.map((one) => [one.place, one]));
    const missing = [...found.keys()].filter((place) => !vectorsRead.has(place));
    const more = missing.length > 0 ? await vectors.readVectors(owner, near, missing, signal) : undefined;
    const vectorOf = (place: number) => vectorsRead.get(place) ?? more?.get(place);
    const known = lexical.scored.filter(({ place }, at) => at >= most || found.has(place));
    const scored = speaker === undefined ? known : scoreOwnWords(query.text, known, found, read);
    const dense =
      speaker === undefined || !near
        ? byVectors.filter(({ place }) => found.has(place))
        : byCosine(near.query, found, vectorOf);
    return {
      lexical: { ...lexical, scored },
      dense: dense.slice(0, CANDIDATES_PER_LIST),
      near,
      found,
      vectorOf,
    };
  };

  async function walk(
    owner: string,
    speaker: string,
    within: PassageNumbers | undefined,
    signal: AbortSignal,
  ): Promise<FoundPassage[]> {
    const turns: FoundPassage[] = [];
    for (
      let from = 0, left = MAX_WALKED;
      left > 0 && turns.length < CANDIDATES_PER_LIST;
      left -= WALKED_AT_ONCE
    ) {
      const places = await store.listPlaces(owner, from, WALKED_AT_ONCE);
      from = (places.at(-1) ?? Number.POSITIVE_INFINITY) + 1;
      if (places.length === 0) break;
      const read = await store.readPassages(
        owner,
        places.filter((place) => within?.has(place) ?? true),
      );
      turns.push(...saidBy(speaker, read));
      await setImmediate();
      signal.throwIfAborted();
    }
    return turns;
  }
}

/** Leaves out what other people say in the passages, and passages in which the speaker says nothing. */
function saidBy(speaker: string, read: readonly FoundPassage[]): FoundPassage[] {
  return read.flatMap((one) => {
    const text = wordsOfSpeaker(one.passage, speaker);
    return text === '' ? [] : [{ ...one, passage: { ...one.passage, text } }];
  });
}

/** Lowers each passage's word score by the share of the question's words that only other people say in it. */
function scoreOwnWords(
  question: string,
  scored: readonly PassageScore[],
  found: ReadonlyMap<number, FoundPassage>,
  read: readonly FoundPassage[],
): PassageScore[] {
  const findWords = createWordMatcher(question);
  const whole = new Map(read.map(({ place, passage }) => [place, passage.text]));
  return scored
    .flatMap(({ place, score }) => {
      const own = findWords(found.get(place)?.passage.text ?? '').size;
      const all = findWords(whole.get(place) ?? '').size;
      return own === 0 && all > 0 ? [] : [{ place, score: all === 0 ? score : (score * own) / all }];
    })
    .sort((a, b) => b.score - a.score || a.place - b.place);
}

interface CandidateSet {
  readonly lexical: WordSearchResult;
  readonly near: EmbeddedQuestion | undefined;
  readonly byVectors: readonly PassageScore[];
  readonly read: readonly FoundPassage[];
  readonly vectorsRead: ReadonlyMap<number, Float32Array>;
}

type Gather = (owner: string, query: RankedQuery, most: number, signal: AbortSignal) => Promise<CandidateSet>;

const placesOf = (...lists: readonly (readonly PassageScore[])[]) => [
  ...new Set(lists.flat().map(({ place }) => place)),
];

function gatherApart(store: EntryStore, vectors: VectorSearch): Gather {
  return async (owner, { text, within, speaker, onWordsOnly }, most, signal) => {
    const [lexical, near, named] = await Promise.all([
      store.findByWords(owner, text, CANDIDATES_PER_LIST * SCORED_PER_CANDIDATE, within),
      vectors.findNear(most, within, owner, text, signal, onWordsOnly),
      speaker === undefined ? undefined : store.findByWords(owner, `${speaker} ${text}`, most, within),
    ]);
    signal.throwIfAborted();
    const byVectors = near?.scored ?? [];
    const places = placesOf(lexical.scored.slice(0, most), byVectors, named?.scored ?? []);
    const read = await store.readPassages(owner, places);
    return { lexical, near, byVectors, read, vectorsRead: new Map() };
  };
}

function gatherTogether(store: EntryStore, vectors: VectorSearch): Gather {
  return async (owner, { text, within, speaker, onWordsOnly }, most, signal) => {
    const near = await vectors.embedQuestion(owner, text, signal, onWordsOnly);
    const asked = near && { model: near.model, vector: near.query };
    const [together, named] = await Promise.all([
      store.findCandidates?.(owner, { text, most, within, near: asked }),
      speaker === undefined ? undefined : store.findByWords(owner, `${speaker} ${text}`, most, within),
    ]);
    signal.throwIfAborted();
    if (!together) throw new TypeError('the store finds no candidates');
    const { lexical, near: byVectors, found, vectors: vectorsRead } = together;
    const known = new Set(found.map(({ place }) => place));
    const unread = placesOf(named?.scored ?? []).filter((place) => !known.has(place));
    const read = unread.length > 0 ? [...found, ...(await store.readPassages(owner, unread))] : found;
    return { lexical, near, byVectors, read, vectorsRead };
  };
}

function byCosine(
  query: Float32Array,
  found: ReadonlyMap<number, FoundPassage>,
  vectorOf: PassageCandidates['vectorOf'],
): PassageScore[] {
  return [...found.keys()]
    .flatMap((place) => {
      const vector = vectorOf(place);
      return vector?.length === query.length ? [{ place, score: dotProduct(query, vector) }] : [];
    })
    .sort((a, b) => b.score - a.score || b.place - a.place);
}
