import { terms } from '../lib/text.ts';
import { type Block, splitBlocks } from './blocks.ts';

export interface Reduction {
  /** What the caller looks for; empty when the page itself is what is asked for. */
  readonly query: string;
  readonly title: string;
  /** 1 keeps all but noise, 100 only the best block. */
  readonly percentile: number;
}

/** BM25's usual constants (Robertson and Zaragoza 2009). */
const K1 = 1.2;
const B = 0.75;
/** Pseudo-words added to a block's length, so that a block of three words does not count as central. */
const DAMPING = 20;

/**
 * The blocks whose relevance is at or above the percentile of the page's scores, in page order, with the
 * headings that they stand under. One ranking serves every percentile, so a higher one always keeps a
 * subset of a lower one: of n blocks, max(1, ceil(n * (100 - p) / 99)) are kept. Linear in the text.
 */
export function reduce(markdown: string, { query, title, percentile }: Reduction): string {
  const blocks = splitBlocks(markdown);
  const scored = contentIndexes(blocks);
  const scores = score(
    scored.map((index) => blocks[index]?.text ?? ''),
    query,
    title,
  );
  const ranked = scored
    .map((index, i) => ({ index, score: scores[i] ?? 0 }))
    .sort((a, b) => b.score - a.score || a.index - b.index);
  const count = Math.max(1, Math.ceil((ranked.length * (100 - percentile)) / 99));
  const kept = new Set(ranked.slice(0, count).map(({ index }) => index));
  return join(withHeadings(blocks, kept));
}

/** Blocks that are ranked: all with a letter or digit, and of the headings only those that head nothing. */
function contentIndexes(blocks: readonly Block[]): number[] {
  return blocks.flatMap((block, index) => {
    if (!/[\p{L}\p{N}]/u.test(block.text)) return [];
    if (block.kind !== 'heading') return [index];
    const next = blocks[index + 1];
    return next === undefined || (next.kind === 'heading' && next.level <= block.level) ? [index] : [];
  });
}

/** Relevance of each text: BM25 to the query (or the title, when there is none) and closeness to the page's centre. */
function score(texts: readonly string[], query: string, title: string): number[] {
  const documents = texts.map((text) => counts(terms(text)));
  const asked = new Set(terms(query));
  const focus = asked.size > 0 ? asked : new Set(terms(title));
  const match = normalised(bm25(documents, focus));
  const centre = normalised(centrality(documents));
  const weight = asked.size > 0 ? 0.1 : 0.7;
  return documents.map((_, i) => (1 - weight) * (match[i] ?? 0) + weight * (centre[i] ?? 0));
}

interface Counted {
  readonly of: ReadonlyMap<string, number>;
  readonly length: number;
}

function counts(words: readonly string[]): Counted {
  const of = new Map<string, number>();
  for (const word of words) of.set(word, (of.get(word) ?? 0) + 1);
  return { of, length: words.length };
}

function bm25(documents: readonly Counted[], query: ReadonlySet<string>): number[] {
  const average = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length);
  const weights = new Map<string, number>();
  for (const word of query) {
    const having = documents.filter(({ of }) => of.has(word)).length;
    weights.set(word, Math.log(1 + (documents.length - having + 0.5) / (having + 0.5)));
  }
  return documents.map(({ of, length }) => {
    let sum = 0;
    for (const [word, weight] of weights) {
      const frequency = of.get(word) ?? 0;
      sum += (weight * frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * length) / (average || 1)));
    }
    return sum;
  });
}

/** How much of the page's own vocabulary a block carries: words that recur across blocks, per word of the block. */
function centrality(documents: readonly Counted[]): number[] {
  const spread = new Map<string, number>();
  for (const { of } of documents) for (const word of of.keys()) spread.set(word, (spread.get(word) ?? 0) + 1);
  return documents.map(({ of, length }) => {
    let sum = 0;
    for (const word of of.keys()) {
      const share = (spread.get(word) ?? 0) / documents.length;
      // Words in nearly every block tell as little as words in one.
      sum += share * (1 - share);
    }
    return sum / (length + DAMPING) + Math.min(length, 200) * 1e-5;
  });
}

function normalised(values: readonly number[]): number[] {
  const most = values.reduce((a, b) => Math.max(a, b), 0);
  return most > 0 ? values.map((value) => value / most) : [...values];
}

/** The kept blocks, and every heading that one of them stands under. */
function withHeadings(blocks: readonly Block[], kept: ReadonlySet<number>): Block[] {
  const chosen = new Set(kept);
  const above: number[] = [];
  blocks.forEach((block, index) => {
    if (block.kind === 'heading') {
      while (above.length > 0 && (blocks[above.at(-1) ?? 0]?.level ?? 0) >= block.level) above.pop();
      above.push(index);
    }
    if (kept.has(index)) for (const heading of above.splice(0)) chosen.add(heading);
  });
  return blocks.filter((_, index) => chosen.has(index));
}

function join(blocks: readonly Block[]): string {
  return blocks
    .map(({ text, gap, kind }, i) => {
      const next = blocks[i + 1];
      if (!next) return text;
      const tight = kind === next.kind && (kind === 'item' || kind === 'table') && !/\n\s*\n/.test(gap);
      return text + (tight ? '\n' : '\n\n');
    })
    .join('');
}
