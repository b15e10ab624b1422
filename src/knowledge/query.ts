import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Filter, Match } from './entry.ts';
import type { DocumentFile, Pages, QueryOptions } from './knowledge.ts';
import type { Models } from './models.ts';
import { type AboutPassage, rank } from './rank.ts';
import type { EntryStore, FoundPassage, Lexical, Scored } from './store.ts';
import { isTurn } from './turn.ts';
import { checkVector } from './vector-index.ts';
import { countTimes, searchWords } from './words.ts';

export interface QueryParts {
  readonly store: EntryStore;
  readonly models: Models;
  readonly log: Pick<Logger, 'warn'>;
}

export interface Queries {
  findPassages(owner: string, text: string, options: QueryOptions, signal: AbortSignal): Promise<Match[]>;
  findInFile(
    owner: string,
    name: DocumentFile['name'],
    pages: Pages,
    text: string,
    topK: number,
    signal: AbortSignal,
  ): Promise<Match[]>;
}

const TOP = 10;
const MOST = 100;
const MOST_NEIGHBOURS = 10;
/** Passages by words, and by vectors, that are ranked together: as many for one match as for all, in one order. */
const CANDIDATES = 100;
/** For each of them, how many are scored by their words. */
const SCORED = 4;
/** Passages of one entry among the matches, where there are others. */
const OF_ONE = 2;
/** Entries that have a word which tells what is meant. */
const RARE = 3;
/** Passages, best by words, that are looked at for all words of the query. */
const LOOKED = 20;
/** Characters of a query that the embedder gets; no model here reads more. */
const EMBEDDED = 8000;
/** Milliseconds that a query waits for its vector before it goes by words alone. */
const EMBED_MS = 10_000;
/** What all of a query's commonest words together add to the score of a passage that says them. */
const COMMON = 0.1;
/** BM25's, for the weights of terms. */
const K1 = 1.2;

interface Chosen {
  readonly one: FoundPassage;
  readonly score: number;
}

interface Dense {
  /** The model whose vectors these are. */
  readonly model: string;
  readonly query: Float32Array;
  readonly near: readonly Scored[];
}

type Looked = { readonly within: ReadonlySet<number> | undefined } & QueryOptions;

/** How the passages of a question are found: by words and by vectors, ranked together. */
export function createQueries({ store, models, log }: QueryParts): Queries {
  let failing = false;

  /** By vectors; nothing when the embedder cannot be asked. */
  async function dense(
    owner: string,
    text: string,
    limit: number,
    { within }: Looked,
    signal: AbortSignal,
  ): Promise<Dense | undefined> {
    const model = await models.chooseModel(owner);
    if (!model) return undefined;
    const { embedder, indexes } = model;
    try {
      const waiting = AbortSignal.any([signal, AbortSignal.timeout(EMBED_MS)]);
      const [given] = await embedder.embed([text.slice(0, EMBEDDED).toWellFormed()], 'query', waiting);
      if (!given) throw new RangeError(`${embedder.name} gave no vector`);
      const query = checkVector(given, embedder.dimensions);
      const near = await indexes.findNearest(owner, query, limit, within, signal);
      failing = false;
      return { model: embedder.name, query, near };
    } catch (error) {
      return without(error, signal);
    }
  }

  /** Vectors are there to find better: a query does not fail for want of them. */
  function without(error: unknown, signal: AbortSignal): undefined {
    signal.throwIfAborted();
    if (!failing) log.warn({ err: error }, 'queries go by words alone: there are no vectors to go by');
    failing = true;
    return undefined;
  }

  async function ranked(owner: string, text: string, looked: Looked, signal: AbortSignal): Promise<Match[]> {
    const { recency } = looked;
    const topK = whole('topK', looked.topK ?? TOP, 1, MOST);
    const [byWords, meant] = await Promise.all([
      store.findByWords(owner, text, CANDIDATES * SCORED, looked.within),
      dense(owner, text, CANDIDATES, looked, signal),
    ]);
    signal.throwIfAborted();
    const near = meant?.near ?? [];
    const places = [...new Set([...byWords.scored.slice(0, CANDIDATES), ...near].map(({ place }) => place))];
    const found = new Map((await store.readPassages(owner, places)).map((one) => [one.place, one]));
    const vectors =
      meant && (await store.readVectors(owner, meant.model, places).catch((error) => without(error, signal)));
    const lexical = withCommon(byWords, found);
    const rare = rareWords(lexical, found);
    const saying = sayingAll(text, lexical, found);
    const about = new Map(
      [...found.values()].map((one) => [one.place, aboutOf(one, rare.get(one.place), saying.has(one.place))]),
    );
    const order = rank({
      // Of what has gone meanwhile, an index may still tell.
      lexical: lexical.scored.filter(({ place }, at) => at >= CANDIDATES || found.has(place)),
      dense: near.filter(({ place }) => found.has(place)).slice(0, CANDIDATES),
      query: meant?.query,
      vectorOf: (place) => vectors?.get(place),
      about: (place) => about.get(place),
      allWords: lexical.allWords,
      recency: recency !== undefined ? { days: recency, now: Date.now() * 1000 } : undefined,
      topK: Math.max(topK, CANDIDATES / 2),
    });
    const candidates = order.flatMap(({ place, score }): Chosen[] => {
      const one = found.get(place);
      return one && one.passage.text !== '' ? [{ one, score: Math.min(1, Math.max(0, score)) }] : [];
    });
    return matches(owner, spread(candidates, topK), looked);
  }

  async function matches(
    owner: string,
    chosen: readonly Chosen[],
    { includeValues = false, neighbours = 0 }: QueryOptions,
  ): Promise<Match[]> {
    const count = whole('neighbours', neighbours, 0, MOST_NEIGHBOURS);
    const values = includeValues
      ? await store.readVectors(
          owner,
          (await models.chooseModel(owner))?.embedder.name ?? '',
          chosen.map(({ one }) => one.place),
        )
      : undefined;
    const found: Match[] = [];
    for (const { one, score } of chosen) {
      const { place, passage, source, tags, createdAt } = one;
      found.push({
        passage,
        source,
        tags,
        createdAt,
        score,
        ...(values && { values: [...(values.get(place) ?? [])], sparseValues: weights(passage.text) }),
        neighbours: count > 0 ? await store.readNeighbours(owner, place, count) : undefined,
      });
    }
    return found;
  }

  async function newest(owner: string, looked: Looked): Promise<Match[]> {
    const topK = whole('topK', looked.topK ?? TOP, 1, MOST);
    const found = await store.readPassages(owner, await store.listNewestPlaces(owner, topK, looked.within));
    return matches(
      owner,
      found.map((one) => ({ one, score: 0 })),
      looked,
    );
  }

  return {
    async findPassages(owner, text, options, signal) {
      signal.throwIfAborted();
      if (options.recency !== undefined && !(options.recency > 0)) {
        throw new AppError('bad_request', `recency is ${options.recency}: it takes days, above 0`);
      }
      const within = await store.filterPlaces(owner, checked(options.filter));
      const looked = { ...options, within };
      return text.trim() === '' ? newest(owner, looked) : ranked(owner, text, looked, signal);
    },
    async findInFile(owner, name, pages, text, topK, signal) {
      signal.throwIfAborted();
      const within = await store.listFilePlaces(owner, name, pages);
      if (!within)
        throw new AppError('not_found', `there is no uploaded file ${JSON.stringify(name.slice(0, 300))}`);
      const looked = { topK, within };
      const best = text.trim() === '' ? [] : await ranked(owner, text, looked, signal);
      if (best.length > 0) return best;
      const first = [...within].slice(0, whole('topK', topK, 1, MOST));
      const found = await store.readPassages(owner, first);
      return matches(
        owner,
        found.map((one) => ({ one, score: 0 })),
        looked,
      );
    },
  };
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

/** Words that are too common to be looked up still tell apart what other words do not, such as numbers of two series. */
function withCommon(lexical: Lexical, found: ReadonlyMap<number, FoundPassage>): Lexical {
  const { scored, common } = lexical;
  if (common.length === 0) return lexical;
  const raised = scored.map(({ place, score }): Scored => {
    const says = new Set(searchWords(found.get(place)?.passage.text ?? ''));
    return {
      place,
      score: score * (1 + (COMMON * common.filter((word) => says.has(word)).length) / common.length),
    };
  });
  return { ...lexical, scored: raised.sort((a, b) => b.score - a.score || b.place - a.place) };
}

/** Places that say every word of the query, where few entries do: together the words are rare. */
function sayingAll(text: string, { scored }: Lexical, found: ReadonlyMap<number, FoundPassage>): Set<number> {
  const words = new Set(searchWords(text.slice(0, EMBEDDED)));
  const places = new Set<number>();
  if (words.size < 2) return places;
  for (const { place } of scored.slice(0, LOOKED)) {
    const says = new Set(searchWords(found.get(place)?.passage.text ?? ''));
    if ([...words].every((word) => says.has(word))) places.add(place);
  }
  const entries = new Set([...places].map((place) => found.get(place)?.passage.of));
  return entries.size > RARE ? new Set() : places;
}

/** By place, the words of the query that a few entries have. */
function rareWords({ rare }: Lexical, found: ReadonlyMap<number, FoundPassage>): Map<number, string[]> {
  const words = new Map<number, string[]>();
  for (const [word, all] of rare) {
    const places = all.filter((place) => found.has(place));
    if (new Set(places.map((place) => found.get(place)?.passage.of)).size > RARE) continue;
    for (const place of places) words.set(place, [...(words.get(place) ?? []), word]);
  }
  return words;
}

/** The best, of one entry not more than a few where others are left; in order. */
function spread(candidates: readonly Chosen[], topK: number): Chosen[] {
  const there = new Map<string, number[]>();
  const fitting = candidates.filter(({ one: { passage } }) => {
    const ordinals = there.get(passage.of) ?? [];
    // What stands beside a match says the same or is asked for with it (`neighbours`): another entry tells more.
    const fits = ordinals.length < OF_ONE && !ordinals.some((one) => Math.abs(one - passage.ordinal) <= 1);
    if (fits) there.set(passage.of, [...ordinals, passage.ordinal]);
    return fits || passage.page !== undefined;
  });
  const taken = new Set(fitting.slice(0, topK));
  for (const one of candidates) if (taken.size < topK) taken.add(one);
  return candidates.filter((one) => taken.has(one));
}

/** How much each word says of the passage: BM25's share of the passage, without how rare the word is. */
function weights(text: string): Record<string, number> {
  return Object.fromEntries(
    [...countTimes(searchWords(text))].map(([word, count]) => [word, (count * (K1 + 1)) / (count + K1)]),
  );
}

function checked(filter: Filter = {}): Filter {
  const { since, until } = filter;
  for (const [name, value] of [['since', since] as const, ['until', until] as const]) {
    if (value !== undefined && !Number.isSafeInteger(value)) {
      throw new AppError('bad_request', `${name} is ${value}: it takes microseconds since 1970`);
    }
  }
  if (since !== undefined && until !== undefined && since >= until) {
    throw new AppError('bad_request', 'since is not before until: nothing can have been kept between them');
  }
  return filter;
}

function whole(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new AppError('bad_request', `${name} is ${value}: it takes a whole number from ${least} to ${most}`);
}
