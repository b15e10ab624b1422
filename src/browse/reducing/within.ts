import { countWords, takeWords } from '../../lib/text/text.ts';
import type { Kept } from '../types.ts';
import { cutBlock } from './long-blocks.ts';
import { bestKept, joinPieces, type Ranking } from './reduce.ts';

/** Characters that count as a word at least: what has no spaces is not free. */
const CHARS_PER_WORD = 10;
/** Fewer words of a block's beginning than this say nothing. */
const LEAST_WORDS = 10;
const CODE = /^[ \t]*(?:`{3}|~{3}|\$\$)/;

/** The words of a text, or as many as its characters count for. */
export function lengthOf(text: string): number {
  return Math.max(countWords(text), Math.ceil(text.length / CHARS_PER_WORD));
}

/**
 * What a percentile keeps of a text that was ranked, in so many words at most: the best blocks in page order, with what they stand
 * under, and the beginning of the first one that no longer fits. More words, or a lower percentile, keep all of it and more.
 */
export function keptWithin(markdown: string, ranking: Ranking, percentile: number, most: number): Kept {
  const { spans, from } = ranking;
  const best = bestKept(ranking, percentile);
  const order = [...from.keys()]
    .filter((piece) => isKept(from[piece], best))
    .sort((a, b) => (from[a] ?? 0) - (from[b] ?? 0) || a - b);
  const textOf = (piece: number) => markdown.slice(spans[2 * piece], spans[2 * piece + 1]);
  const chosen = new Map<number, string>();
  let words = 0;
  for (let at = 0, end = 0; at < order.length; at = end) {
    const needed = from[order[at] ?? 0];
    while (end < order.length && from[order[end] ?? 0] === needed) end++;
    // What a block stands under comes before it.
    const above = order.slice(at, end - 1);
    const last = order[end - 1] ?? 0;
    const over = above.reduce((sum, piece) => sum + lengthOf(textOf(piece)), 0);
    const length = lengthOf(textOf(last));
    const room = most - words - over;
    if (length <= room) {
      for (const piece of [...above, last]) chosen.set(piece, textOf(piece));
      words += over + length;
      continue;
    }
    if (room < LEAST_WORDS && chosen.size > 0) break;
    const heads = above.map((piece) => [piece, textOf(piece)] as const);
    for (const [piece, own] of chosen.size > 0 ? heads : headsWithin(heads, Math.floor(most / 2))) {
      chosen.set(piece, own);
      words += lengthOf(own);
    }
    const beginning = beginningOf(textOf(last), Math.max(1, most - words));
    chosen.set(last, beginning);
    words += lengthOf(beginning);
    break;
  }
  const text = joinPieces(
    markdown,
    ranking,
    (_, piece) => chosen.has(piece),
    (own, piece) => chosen.get(piece) ?? own,
  );
  const cut = order.some((piece) => chosen.get(piece) !== textOf(piece));
  return { text, words, cut };
}

/** Of what a block stands under the nearest, in half of the words: heads may be as long as any text. */
function headsWithin(
  heads: readonly (readonly [piece: number, text: string])[],
  most: number,
): (readonly [number, string])[] {
  const chosen: (readonly [number, string])[] = [];
  let left = most;
  for (const [piece, text] of heads.toReversed()) {
    if (left < 1) break;
    const own = lengthOf(text) > left ? beginningOf(text, left) : text;
    chosen.push([piece, own]);
    left -= lengthOf(own);
  }
  return chosen;
}

function isKept(needed = 0, best: number): boolean {
  return needed > 0 && needed <= best;
}

function beginningOf(text: string, words: number): string {
  const chars = Math.min(takeWords(text, words).length, words * CHARS_PER_WORD);
  return cutBlock({ kind: CODE.test(text) ? 'code' : 'text', text }, Math.max(1, chars));
}
