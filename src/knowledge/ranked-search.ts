import { isTurn } from './conversation-turn.ts';
import { placesWithAllWords, raiseByCommonWords, rareWordsByPlace } from './query-words.ts';
import { type AboutPassage, rank } from './rank.ts';
import type { EntryStore, FoundPassage } from './store.ts';
import { MAX_EMBEDDED_CHARS, type NearPassages, type VectorSearch } from './vector-search.ts';
import { searchWords } from './words.ts';

/** A passage that answers a query, with its closeness. */
export interface ChosenPassage {
  readonly one: FoundPassage;
  readonly score: number;
}

export interface RankedQuery {
  readonly text: string;
  readonly topK: number;
  /** Places that are searched; all when undefined. */
  readonly within: ReadonlySet<number> | undefined;
  /** Days after which a passage counts half as much. */
  readonly recency?: number;
}

/** Passages by words, and by vectors, that are ranked together: as many for one match as for all, in one order. */
const CANDIDATES = 100;
/** For each of them, how many are scored by their words. */
const SCORED_PER_CANDIDATE = 4;
/** Passages of one entry among the matches, where other entries have some. */
const MAX_PER_ENTRY = 2;

/** Finds passages by words and by vectors, ranked together. */
export function createRankedSearch(store: EntryStore, vectors: VectorSearch) {
  return async (owner: string, query: RankedQuery, signal: AbortSignal): Promise<ChosenPassage[]> => {
    const { text, within, topK } = query;
    const [byWords, near] = await Promise.all([
      store.findByWords(owner, text, CANDIDATES * SCORED_PER_CANDIDATE, within),
      vectors.findNear(owner, text, CANDIDATES, within, signal),
    ]);
    signal.throwIfAborted();
    const leading = [...byWords.scored.slice(0, CANDIDATES), ...(near?.scored ?? [])];
    const places = [...new Set(leading.map(({ place }) => place))];
    const found = new Map((await store.readPassages(owner, places)).map((one) => [one.place, one]));
    const vectorOf = await vectors.readVectors(owner, near, places, signal);
    const lexical = raiseByCommonWords(byWords, found);
    const order = rank({
      // An index may still have what was removed since.
      lexical: lexical.scored.filter(({ place }, at) => at >= CANDIDATES || found.has(place)),
      allWords: lexical.allWords,
      ...denseOf(near, found),
      vectorOf: (place) => vectorOf?.get(place),
      about: describePassages(query, lexical, found),
      recency: query.recency !== undefined ? { days: query.recency, now: Date.now() * 1000 } : undefined,
      topK: Math.max(topK, CANDIDATES / 2),
    });
    const candidates = order.flatMap(({ place, score }): ChosenPassage[] => {
      const one = found.get(place);
      return one && one.passage.text !== '' ? [{ one, score: Math.min(1, Math.max(0, score)) }] : [];
    });
    return spread(candidates, topK);
  };
}

function denseOf(near: NearPassages | undefined, found: ReadonlyMap<number, FoundPassage>) {
  const scored = near?.scored ?? [];
  return {
    dense: scored.filter(({ place }) => found.has(place)).slice(0, CANDIDATES),
    query: near?.query,
  };
}

/** What the ranking asks of a passage besides its scores. */
function describePassages(
  { text }: RankedQuery,
  lexical: Parameters<typeof rareWordsByPlace>[0],
  found: ReadonlyMap<number, FoundPassage>,
): (place: number) => AboutPassage | undefined {
  const rare = rareWordsByPlace(lexical, found);
  const complete = placesWithAllWords(text.slice(0, MAX_EMBEDDED_CHARS), lexical, found);
  const about = new Map(
    [...found.values()].map((one) => [one.place, aboutOf(one, rare.get(one.place), complete.has(one.place))]),
  );
  return (place) => about.get(place);
}

function aboutOf(
  { passage: { of, text }, createdAt }: FoundPassage,
  rare: readonly string[] | undefined,
  all: boolean,
): AboutPassage {
  const says = rare && new Set(searchWords(text));
  const said = all || rare?.some((word) => says?.has(word)) ? 'said' : 'titled';
  return { entry: of, createdAt, turn: isTurn(text), rare: rare || all ? said : undefined };
}

/** The best in order; of one entry not more than a few while other entries have some. */
function spread(candidates: readonly ChosenPassage[], topK: number): ChosenPassage[] {
  const there = new Map<string, number[]>();
  const fitting = candidates.filter(({ one: { passage } }) => {
    const ordinals = there.get(passage.of) ?? [];
    // What stands beside a match says the same, or is asked for with it (`neighbours`): another entry says more.
    const fits =
      ordinals.length < MAX_PER_ENTRY && !ordinals.some((one) => Math.abs(one - passage.ordinal) <= 1);
    if (fits) there.set(passage.of, [...ordinals, passage.ordinal]);
    return fits || passage.page !== undefined;
  });
  const taken = new Set(fitting.slice(0, topK));
  for (const one of candidates) if (taken.size < topK) taken.add(one);
  return candidates.filter((one) => taken.has(one));
}
