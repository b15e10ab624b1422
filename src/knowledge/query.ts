import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Filter, Match } from './entry.ts';
import type { DocumentFile, Pages, QueryOptions } from './knowledge.ts';
import type { Models } from './models.ts';
import type { EntryStore, FoundPassage, Scored } from './store.ts';
import { checkVector } from './vector-index.ts';
import { countTimes, searchWords } from './words.ts';

export interface QueryParts {
  readonly store: EntryStore;
  readonly models: Models;
  readonly log: Pick<Logger, 'warn'>;
}

export interface Queries {
  query(owner: string, text: string, options: QueryOptions, signal: AbortSignal): Promise<Match[]>;
  inFile(
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
/** Passages by words, and by vectors, that are ranked together; at least three for each that is asked. */
const CANDIDATES = 100;
/** Passages of one entry among the matches, where there are others. */
const OF_ONE = 2;
/** Characters of a query that the embedder gets; no model here reads more. */
const EMBEDDED = 8000;
/** Milliseconds that a query waits for its vector before it goes by words alone. */
const EMBED_MS = 10_000;
/** Reciprocal rank fusion, Cormack, Clarke and Büttcher 2009. */
const RRF = 60;
/** BM25's, for the weights of terms. */
const K1 = 1.2;

const NOTHING = { vectors: new Map<number, Float32Array>(), near: [] as Scored[] };

type Looked = { readonly within: ReadonlySet<number> | undefined } & QueryOptions;

/** How the passages of a question are found: by words and by vectors, ranked together. */
export function createQueries({ store, models, log }: QueryParts): Queries {
  let failing = false;

  /** By vectors; nothing when the embedder cannot be asked. */
  async function dense(owner: string, text: string, limit: number, looked: Looked, signal: AbortSignal) {
    const model = await models.choose(owner);
    if (!model) return NOTHING;
    const { embedder, indexes } = model;
    try {
      const waiting = AbortSignal.any([signal, AbortSignal.timeout(EMBED_MS)]);
      const [vector] = await embedder.embed([text.slice(0, EMBEDDED).toWellFormed()], 'query', waiting);
      if (!vector) throw new RangeError(`${embedder.name} gave no vector`);
      const near = await indexes.search(
        owner,
        checkVector(vector, embedder.dimensions),
        limit,
        looked.within,
        signal,
      );
      const places = near.map(({ place }) => place);
      const vectors = await store.vectorsAt(owner, embedder.name, places);
      failing = false;
      return { vectors, near: near.filter(({ place }) => vectors.has(place)).slice(0, limit) };
    } catch (error) {
      signal.throwIfAborted();
      if (!failing) log.warn({ err: error }, 'queries go by words alone: there are no vectors to go by');
      failing = true;
      return NOTHING;
    }
  }

  async function ranked(owner: string, text: string, looked: Looked, signal: AbortSignal): Promise<Match[]> {
    const topK = whole('topK', looked.topK ?? TOP, 1, MOST);
    const limit = Math.max(CANDIDATES, topK * 3);
    const [lexical, { near }] = await Promise.all([
      store.lexical(owner, text, limit, looked.within),
      dense(owner, text, limit, looked, signal),
    ]);
    signal.throwIfAborted();
    const order = fuse(lexical, near);
    const found = await store.read(
      owner,
      order.map(({ place }) => place),
    );
    const scores = new Map(order.map(({ place, score }) => [place, score]));
    const chosen = spread(found, topK).map((one) => ({ one, score: scores.get(one.place) ?? 0 }));
    return matches(owner, chosen, looked);
  }

  async function matches(
    owner: string,
    chosen: readonly { readonly one: FoundPassage; readonly score: number }[],
    { includeValues = false, neighbours = 0 }: QueryOptions,
  ): Promise<Match[]> {
    const count = whole('neighbours', neighbours, 0, MOST_NEIGHBOURS);
    const values = includeValues
      ? await store.vectorsAt(
          owner,
          (await models.choose(owner))?.embedder.name ?? '',
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
        ...(count > 0 && { neighbours: await store.around(owner, place, count) }),
      });
    }
    return found;
  }

  async function newest(owner: string, looked: Looked): Promise<Match[]> {
    const topK = whole('topK', looked.topK ?? TOP, 1, MOST);
    const found = await store.read(owner, await store.newestPlaces(owner, topK, looked.within));
    return matches(
      owner,
      found.map((one) => ({ one, score: 0 })),
      looked,
    );
  }

  return {
    async query(owner, text, options, signal) {
      signal.throwIfAborted();
      if (options.recency !== undefined && !(options.recency > 0)) {
        throw new AppError('bad_request', `recency is ${options.recency}: it takes days, above 0`);
      }
      const within = await store.within(owner, checked(options.filter));
      const looked = { ...options, within };
      return text.trim() === '' ? newest(owner, looked) : ranked(owner, text, looked, signal);
    },
    async inFile(owner, name, pages, text, topK, signal) {
      signal.throwIfAborted();
      const within = await store.withinFile(owner, name, pages);
      if (!within)
        throw new AppError('not_found', `there is no uploaded file ${JSON.stringify(name.slice(0, 300))}`);
      const looked = { topK, within };
      const best = text.trim() === '' ? [] : await ranked(owner, text, looked, signal);
      if (best.length > 0) return best;
      const first = [...within].slice(0, whole('topK', topK, 1, MOST));
      const found = await store.read(owner, first);
      return matches(
        owner,
        found.map((one) => ({ one, score: 0 })),
        looked,
      );
    },
  };
}

function fuse(lexical: readonly Scored[], near: readonly Scored[]): Scored[] {
  const scores = new Map<number, number>();
  for (const list of [lexical, near]) {
    for (const [rank, { place }] of list.entries()) {
      scores.set(place, (scores.get(place) ?? 0) + RRF / (2 * (RRF + rank)));
    }
  }
  return [...scores]
    .map(([place, score]) => ({ place, score }))
    .sort((a, b) => b.score - a.score || b.place - a.place);
}

/** The best, of one entry not more than a few where others are left. */
function spread(found: readonly FoundPassage[], topK: number): FoundPassage[] {
  const times = new Map<string, number>();
  const first = found.filter(({ passage: { of, page, text } }) => {
    const count = (times.get(of) ?? 0) + 1;
    times.set(of, count);
    return text !== '' && (count <= OF_ONE || page !== undefined);
  });
  const taken = new Set(first.slice(0, topK));
  for (const one of found) if (taken.size < topK && one.passage.text !== '') taken.add(one);
  return found.filter((one) => taken.has(one));
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
  return filter;
}

function whole(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new AppError('bad_request', `${name} is ${value}: it takes a whole number from ${least} to ${most}`);
}
