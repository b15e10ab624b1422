import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stem } from '../src/lib/stem.ts';
import { isStopWord } from '../src/lib/stop-words.ts';
import { terms } from '../src/lib/text.ts';
import type { SearchHit } from '../src/search/engine.ts';
import { excerpt } from '../src/search/excerpt.ts';

/** Search engines made of rankers over a judged collection, so that fusion and reranking have figures. */

export interface Collection {
  readonly documents: readonly { readonly id: string; readonly title: string; readonly text: string }[];
  readonly queries: readonly { readonly id: string; readonly text: string }[];
  /** Gain by query and document. */
  readonly judged: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

export function loadCollection(folder: string): Collection {
  const lines = (name: string) => readFileSync(join(folder, name), 'utf8').trim().split('\n');
  const rows = (name: string) =>
    lines(name).map((line) => JSON.parse(line) as { _id: string; title?: string; text: string });
  const judged = new Map<string, Map<string, number>>();
  for (const line of lines('qrels.tsv').slice(1)) {
    const [query = '', document = '', gain = ''] = line.split('\t');
    judged.set(query, (judged.get(query) ?? new Map<string, number>()).set(document, Number(gain)));
  }
  return {
    documents: rows('corpus.jsonl').map(({ _id, title = '', text }) => ({ id: _id, title, text })),
    queries: rows('queries.jsonl').map(({ _id, text }) => ({ id: _id, text })),
    judged,
  };
}

export interface Ranker {
  readonly name: string;
  /** Documents by place in the collection, best first. */
  rank(query: { readonly id: string; readonly text: string }): number[];
}

/** Numbers in 0..1 that are the same in every run. */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Words = (text: string) => string[];
const plain: Words = terms;
const stemmed: Words = (text) =>
  terms(text)
    .filter((term) => !isStopWord(term))
    .map(stem);

/** BM25 over what `field` gives of each document, of the share `coverage` of them that the engine knows. */
function bm25(
  collection: Collection,
  name: string,
  field: (at: number) => string,
  words: Words,
  coverage: number,
): Ranker {
  const random = dice(name.length * 7919);
  const postings = new Map<string, Map<number, number>>();
  const lengths = collection.documents.map((_, at) => {
    if (random() > coverage) return 0;
    const found = words(field(at));
    for (const word of found) {
      const list = postings.get(word) ?? new Map<number, number>();
      list.set(at, (list.get(at) ?? 0) + 1);
      postings.set(word, list);
    }
    return found.length;
  });
  const mean = lengths.reduce((sum, one) => sum + one, 0) / lengths.length;
  return {
    name,
    rank({ text }) {
      const scores = new Map<number, number>();
      for (const word of new Set(words(text))) {
        const list = postings.get(word) ?? new Map<number, number>();
        const idf = Math.log(1 + (lengths.length - list.size + 0.5) / (list.size + 0.5));
        for (const [at, tf] of list) {
          const norm = tf + 1.2 * (0.25 + (0.75 * (lengths[at] ?? 0)) / mean);
          scores.set(at, (scores.get(at) ?? 0) + (idf * tf * 2.2) / norm);
        }
      }
      return byScore(scores);
    },
  };
}

/** An engine that knows more than words: judged documents come up, each with the chance `skill`, behind noise. */
function skilled(collection: Collection, name: string, base: Ranker, skill: number): Ranker {
  return {
    name,
    rank(query) {
      const random = dice(Number(query.id) * 31 + name.length * 1009);
      const scores = new Map(
        base
          .rank(query)
          .slice(0, 60)
          .map((at, place) => [at, 1 / (place + 3)]),
      );
      for (const [id, gain] of collection.judged.get(query.id) ?? []) {
        const at = Number(id) - 1;
        if (random() < skill) scores.set(at, (scores.get(at) ?? 0) + gain * random() * 0.3);
      }
      return byScore(scores);
    },
  };
}

/** An engine of which the share `junk` of the answers is beside the question. */
function careless(collection: Collection, name: string, base: Ranker, junk: number): Ranker {
  return {
    name,
    rank(query) {
      const random = dice(Number(query.id) * 17 + 5);
      return base
        .rank(query)
        .map((at) => (random() < junk ? Math.floor(random() * collection.documents.length) : at));
    },
  };
}

function byScore(scores: ReadonlyMap<number, number>): number[] {
  return [...scores].sort(([a, x], [b, y]) => y - x || a - b).map(([at]) => at);
}

/** Sets of engines as one may meet them. */
export function makeEngines(collection: Collection): Readonly<Record<string, readonly Ranker[]>> {
  const { documents } = collection;
  const title = (at: number) => documents[at]?.title ?? '';
  const body = (at: number) => documents[at]?.text ?? '';
  const titles = bm25(collection, 'titles, stemmed', title, stemmed, 1);
  const bodies = bm25(collection, 'texts, words as they are', body, plain, 1);
  const partial = bm25(collection, 'texts, stemmed, of 6 in 10 pages', body, stemmed, 0.6);
  const other = bm25(collection, 'texts, stemmed, of 6 in 10 others', body, stemmed, 0.6);
  const good = skilled(collection, 'good', bodies, 0.4);
  const better = skilled(collection, 'better', partial, 0.6);
  return {
    'by words only': [titles, bodies, partial, other],
    'two that know more': [good, better, titles, partial],
    'all know more': [good, better, skilled(collection, 'third one', other, 0.5)],
    'one careless': [careless(collection, 'careless', bodies, 0.4), titles, partial],
  };
}

/** The first ten of a ranker's list as an engine gives them, the snippet round the words that were asked. */
export function hitsOf(
  ranker: Ranker,
  collection: Collection,
  query: Collection['queries'][number],
): SearchHit[] {
  const asked = stemmed(query.text);
  return ranker
    .rank(query)
    .slice(0, 10)
    .flatMap((at) => {
      const document = collection.documents[at];
      if (!document) return [];
      return [
        {
          url: `https://${document.id}.example/`,
          title: document.title,
          snippet: excerpt(document.text, asked),
        },
      ];
    });
}

/** nDCG@10 with the gains as they are judged (Jarvelin and Kekalainen 2002). */
export function ndcg(ids: readonly string[], gains: ReadonlyMap<string, number>): number {
  const dcg = (values: readonly number[]) =>
    values.slice(0, 10).reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0);
  const best = dcg([...gains.values()].sort((a, b) => b - a));
  return best > 0 ? dcg(ids.map((id) => gains.get(id) ?? 0)) / best : 0;
}
