import { badRequestError, notFoundError } from '../../errors.ts';
import { normalizeCollection } from '../../lib/collection.ts';
import { omitUndefined } from '../../lib/omit-undefined.ts';
import { isBlankText } from '../../lib/text/invisible.ts';
import type { EntryStore, FoundPassage } from '../store.ts';
import type { EntryFilter, Knowledge, PassageMatch, QueryOptions } from '../types.ts';
import { hasSubject } from './missing-words.ts';
import { termWeights } from './query-words.ts';
import { type ChosenPassage, createRankedSearch, hasEnded } from './ranked-search.ts';
import { extractSearchWords } from './search-words.ts';
import { createVectorSearch, type VectorSearchParts } from './vector-search.ts';

export interface QueryParts extends VectorSearchParts {
  readonly store: EntryStore;
}

export interface KnowledgeQueries {
  readonly findPassages: Knowledge['findPassages'];
  readonly findInFile: Knowledge['findDocumentPassages'];
}

const DEFAULT_TOP_K = 10;
const MAX_TOP_K = 100;
const MAX_NEIGHBOURS = 10;

export function createKnowledgeQueries(parts: QueryParts): KnowledgeQueries {
  const { store, models } = parts;
  const search = createRankedSearch(store, createVectorSearch(parts));

  async function toMatches(
    owner: string,
    chosen: readonly ChosenPassage[],
    { includeValues = false, neighbours = 0 }: QueryOptions,
  ): Promise<PassageMatch[]> {
    const count = whole('neighbours', neighbours, 0, MAX_NEIGHBOURS);
    const places = chosen.map(({ one }) => one.place);
    const values = includeValues
      ? await store.readVectors(owner, (await models.chooseModel(owner))?.embedder.name ?? '', places)
      : undefined;
    const starts = await store.readStarts(owner, places);
    const matches: PassageMatch[] = [];
    for (const { one, score, weak, ...marks } of chosen) {
      const { place, updatedAt: _, ...about } = one;
      const extras = omitUndefined({
        start: starts.get(place),
        weak: weak || undefined,
        values: values && [...(values.get(place) ?? [])],
        sparseValues: values && termWeights(one.passage.text),
        neighbours: count > 0 ? await store.readNeighbours(owner, place, count) : undefined,
      });
      matches.push({ ...about, score, ...extras, ...marks });
    }
    return matches;
  }

  return {
    async findPassages(owner, text, options, signal) {
      signal.throwIfAborted();
      const { recency, speaker, onWordsOnly } = options;
      if (recency !== undefined && !(recency > 0)) {
        throw badRequestError(`recency is ${recency}: it takes days, above 0`);
      }
      const { asOf = Date.now() * 1000 } = options;
      const within = await store.filterPlaces(owner, checkFilter(filterAsOf(options)));
      const topK = topKOf(options);
      const chosen = isBlankText(text)
        ? unscored(await store.readPassages(owner, await store.listNewestPlaces(owner, topK, within)), asOf)
        : await search(owner, { text, topK, within, recency, speaker, onWordsOnly, asOf }, signal);
      return toMatches(owner, chosen, options);
    },

    async findInFile(owner, name, pages, text, most, signal) {
      signal.throwIfAborted();
      const within = await store.listFilePlaces(owner, name, pages);
      if (!within) throw notFoundError(`there is no uploaded file ${JSON.stringify(name.slice(0, 300))}`);
      const topK = topKOf({ topK: most });
      // A query without words is not searched, because its vector is near to unrelated passages.
      const best =
        extractSearchWords(text).length === 0
          ? []
          : await search(owner, { text, topK, within, asOf: Date.now() * 1000 }, signal);
      // A question about the whole file, such as `what is it about`, is answered by any passage.
      const isJudged = hasSubject(text);
      if (best.some(({ score }) => score > 0)) {
        const judged = isJudged ? best : best.map(({ missing: _, ...one }) => ({ ...one, weak: false }));
        return toMatches(owner, judged, {});
      }
      const missing = isJudged ? best[0]?.missing : undefined;
      const first = unscored(await store.readPassages(owner, [...within].slice(0, topK)));
      return toMatches(
        owner,
        first.map((one) => ({ ...one, weak: isJudged, ...(missing && { missing }) })),
        {},
      );
    },
  };
}

/** Leaves out what was said after the asked time. */
function filterAsOf({ filter, asOf }: QueryOptions): EntryFilter | undefined {
  return asOf === undefined ? filter : { ...filter, until: Math.min(filter?.until ?? Infinity, asOf + 1) };
}

function unscored(passages: readonly FoundPassage[], asOf = Date.now() * 1000): ChosenPassage[] {
  return passages.map((one) => ({ one, score: 0, weak: false, ...(hasEnded(one, asOf) && { ended: true }) }));
}

export function checkFilter(filter: EntryFilter = {}): EntryFilter {
  const { since, until } = filter;
  for (const [name, value] of [['since', since] as const, ['until', until] as const]) {
    if (value !== undefined && !Number.isSafeInteger(value)) {
      throw badRequestError(`${name} is ${value}: it takes microseconds since 1970`);
    }
  }
  if (since !== undefined && until !== undefined && since >= until) {
    throw badRequestError('since must be before until');
  }
  return filter.collection === undefined
    ? filter
    : { ...filter, collection: normalizeCollection(filter.collection) };
}

function topKOf({ topK = DEFAULT_TOP_K }: QueryOptions): number {
  return whole('topK', topK, 1, MAX_TOP_K);
}

function whole(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw badRequestError(`${name} is ${value}: it takes a whole number from ${least} to ${most}`);
}
