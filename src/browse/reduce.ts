import { type Block, splitBlocks } from './blocks.ts';
import { ownersOf, withOwners } from './context.ts';
import { type Focus, relevance } from './relevance.ts';

export interface Reduction extends Focus {
  /** 1 keeps all but noise, 100 only the best block. */
  readonly percentile: number;
}

/**
 * The blocks whose relevance is at or above the percentile of the page's scores, in page order, with what they
 * cannot be read without: the headings above them, a table's header, the items they are nested in. One ranking
 * serves every percentile, so a higher one always keeps a subset of a lower one: of n blocks,
 * max(1, ceil(n * (100 - p) / 99)) are kept.
 */
export function reduce(markdown: string, { percentile, ...focus }: Reduction): string {
  return reducer(markdown, focus)(percentile);
}

/** `reduce` of one text at several percentiles: it is ranked once, which is where the time goes. */
export function reducer(markdown: string, focus: Focus): (percentile: number) => string {
  const blocks = splitBlocks(markdown);
  const owners = ownersOf(blocks);
  const ranked = rank(blocks, owners, focus);
  return (percentile) => {
    const count = Math.max(1, Math.ceil((ranked.length * (100 - percentile)) / 99));
    return join(blocks, withOwners(owners, ranked.slice(0, count)));
  };
}

/** The indexes of the blocks that say something, best first; `owners` as `ownersOf` gives them. */
export function rank(blocks: readonly Block[], owners: Int32Array, focus: Focus): number[] {
  const indexes = contentIndexes(blocks, owners);
  const scores = relevance(blocks, indexes, focus);
  return indexes
    .map((index, i) => ({ index, score: scores[i] ?? 0 }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map(({ index }) => index);
}

/** Blocks that are ranked: all with a letter or digit, but what heads a ranked one comes with that. */
function contentIndexes(blocks: readonly Block[], owners: Int32Array): number[] {
  const heads = new Set<number>();
  const ranked: number[] = [];
  // What a block stands under comes before it, so from the end all that it heads is known.
  for (let index = blocks.length - 1; index >= 0; index--) {
    const { kind, text } = blocks[index] ?? { kind: 'text', text: '' };
    const heading = kind === 'heading' || kind === 'head';
    const counts = /[\p{L}\p{N}]/u.test(text) && !(heading && heads.has(index));
    if (counts) ranked.push(index);
    if (counts || heads.has(index)) heads.add(owners[index] ?? -1);
  }
  return ranked.reverse();
}

/** The blocks named by `indexes`, as Markdown. */
export function join(blocks: readonly Block[], indexes: readonly number[]): string {
  const chosen = indexes.flatMap((index) => blocks[index] ?? []);
  return chosen
    .map(({ text, gap, kind }, i) => {
      const next = chosen[i + 1];
      if (!next) return text;
      const sameTable = next.kind === 'rows' && (kind === 'head' || kind === 'rows');
      const sameList = next.kind === 'item' && kind === 'item' && !/\n\s*\n/.test(gap);
      return text + (sameTable || sameList ? '\n' : '\n\n');
    })
    .join('');
}
