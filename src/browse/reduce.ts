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
export function reduce(markdown: string, { query, title, percentile }: Reduction): string {
  const blocks = splitBlocks(markdown);
  const ranked = rank(blocks, { query, title });
  const count = Math.max(1, Math.ceil((ranked.length * (100 - percentile)) / 99));
  return join(blocks, withOwners(ownersOf(blocks), ranked.slice(0, count)));
}

/** The indexes of the blocks that say something, best first. */
export function rank(blocks: readonly Block[], focus: Focus): number[] {
  const indexes = contentIndexes(blocks);
  const scores = relevance(blocks, indexes, focus);
  return indexes
    .map((index, i) => ({ index, score: scores[i] ?? 0 }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map(({ index }) => index);
}

/** Blocks that are ranked: all with a letter or digit, but what heads others comes with those. */
function contentIndexes(blocks: readonly Block[]): number[] {
  return blocks.flatMap(({ kind, text, level }, index) => {
    if (!/[\p{L}\p{N}]/u.test(text)) return [];
    const next = blocks[index + 1];
    if (kind === 'head') return next?.kind === 'rows' ? [] : [index];
    if (kind !== 'heading') return [index];
    return next === undefined || (next.kind === 'heading' && next.level <= level) ? [index] : [];
  });
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
