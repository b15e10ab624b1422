import { fuse } from '../src/search/merge.ts';
import { rerank } from '../src/search/rerank.ts';
import { CRANFIELD, dataFolder } from './data.ts';
import { printTable } from './figures.ts';
import {
  type Collection,
  dice,
  hitsOf,
  loadCollection,
  makeEngines,
  ndcg,
  type Ranker,
} from './rerank-engines.ts';

/**
 * nDCG@10 of the merged list as reciprocal-rank fusion has it and as reranking by words orders it, over sets
 * of simulated engines. In each search one engine may be late and is missing.
 */

const WEIGHTS = [0.01, 0.05, 0.1, 0.5, 1000];
const CANDIDATES = 30;

/** `npm run bench -- rerank [folder]`; the folder has corpus.jsonl, queries.jsonl and qrels.tsv. */
export async function run([given]: readonly string[] = []): Promise<void> {
  const folder = dataFolder(CRANFIELD, given);
  if (folder === undefined) return;
  const collection = loadCollection(folder);
  const rows: string[][] = [];
  for (const [name, engines] of Object.entries(makeEngines(collection))) {
    for (const late of [false, true]) {
      const scores = await measure(collection, engines, late);
      rows.push([name, late ? 'yes' : 'no', ...scores.map((score) => score.toFixed(3))]);
    }
  }
  const heads = WEIGHTS.map((weight) => (weight > 100 ? 'words only' : `words ${weight}`));
  printTable(['engines', 'one late', 'fused', ...heads], rows);
}

async function measure(collection: Collection, engines: readonly Ranker[], late: boolean): Promise<number[]> {
  const random = dice(11);
  const sums = [0, ...WEIGHTS].map(() => 0);
  for (const query of collection.queries) {
    const missing = late ? Math.floor(random() * engines.length) : -1;
    const lists = engines
      .filter((_, at) => at !== missing)
      .map((ranker) => ({ engine: ranker.name, hits: hitsOf(ranker, collection, query) }));
    const pages = fuse(lists, CANDIDATES);
    const gains = collection.judged.get(query.id) ?? new Map<string, number>();
    for (const [column, words] of [0, ...WEIGHTS].entries()) {
      const { signal } = new AbortController();
      const ordered = await rerank(pages, query.text, { words, meaning: 0 }, signal);
      const ids = ordered.map(({ url }) => new URL(url).hostname.replace('.example', ''));
      sums[column] = (sums[column] ?? 0) + ndcg(ids, gains);
    }
  }
  return sums.map((sum) => sum / collection.queries.length);
}
