import { stem } from '../lib/stem.ts';
import { isStopWord } from '../lib/stop-words.ts';
import { terms } from '../lib/text.ts';
import type { RankedPage } from './merge.ts';

/** How near each text is to the question, 0 to 1, in their order; an embedder's cosine, say. */
export type Similarity = (
  query: string,
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<readonly number[]>;

/** What counts besides the engines' ranks, which count 1; all of it is 0..1 before it is weighed. */
export interface Reranking {
  readonly words: number;
  readonly meaning: number;
  /** Without it, `meaning` counts nothing. */
  readonly similarity?: Similarity;
}

/** BM25 (Robertson and Zaragoza 2009); texts are short and of one length, so length matters less than in pages. */
const K1 = 1.2;
const B = 0.4;
/** A word of the title counts as this many of the snippet. */
const TITLE_WEIGHT = 2;
/** Milliseconds that the similarity may take. */
const PATIENCE = 500;

/**
 * The merged list in the order of its engines' ranks, the BM25 of title and snippet within the list, and the
 * similarity of both to the question, each brought to 0..1 and weighed. A similarity that fails or is late leaves
 * the other two. By words alone it lowers nDCG@10 unless engines are careless: `npm run bench -- rerank`.
 */
export async function rerank<Page extends RankedPage>(
  pages: readonly Page[],
  query: string,
  { words, meaning, similarity }: Reranking,
  signal: AbortSignal,
): Promise<Page[]> {
  const ranks = spread(pages.map(({ score }) => score));
  const wordScores = spread(bm25(pages, query));
  const near = similarity ? await nearness(pages, query, similarity, signal) : [];
  const total = (at: number) => (ranks[at] ?? 0) + words * (wordScores[at] ?? 0) + meaning * (near[at] ?? 0);
  return pages
    .map((page, at) => ({ page, score: total(at) }))
    .sort((a, b) => b.score - a.score)
    .map(({ page }) => page);
}

async function nearness(
  pages: readonly RankedPage[],
  query: string,
  similarity: Similarity,
  signal: AbortSignal,
): Promise<number[]> {
  const texts = pages.map(({ title, snippet }) => `${title}. ${snippet}`);
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]);
  const late = Promise.withResolvers<never>();
  patience.addEventListener('abort', () => late.reject(patience.reason), { once: true });
  try {
    return spread(await Promise.race([similarity(query, texts, patience), late.promise]));
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

/** Scores from 0 for the least to 1 for the most; all 0 where they are alike. */
function spread(scores: readonly number[]): number[] {
  const least = Math.min(...scores);
  const range = Math.max(...scores) - least;
  return scores.map((score) => (range > 0 ? (score - least) / range : 0));
}

function bm25(pages: readonly RankedPage[], query: string): number[] {
  const asked = new Set(stems(query));
  const documents = pages.map(({ title, snippet }) => counts(title, snippet));
  const mean = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length);
  const scores = documents.map(() => 0);
  for (const term of asked) {
    const having = documents.filter(({ count }) => count.has(term)).length;
    const idf = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
    documents.forEach(({ count, length }, at) => {
      const tf = count.get(term) ?? 0;
      scores[at] = (scores[at] ?? 0) + (idf * tf * (K1 + 1)) / (tf + K1 * (1 - B + (B * length) / mean) || 1);
    });
  }
  return scores;
}

function counts(title: string, snippet: string): { count: Map<string, number>; length: number } {
  const count = new Map<string, number>();
  let length = 0;
  for (const [text, weight] of [
    [title, TITLE_WEIGHT],
    [snippet, 1],
  ] as const) {
    for (const term of stems(text)) {
      count.set(term, (count.get(term) ?? 0) + weight);
      length += weight;
    }
  }
  return { count, length };
}

function stems(text: string): string[] {
  return terms(text)
    .filter((term) => !isStopWord(term))
    .map(stem);
}
