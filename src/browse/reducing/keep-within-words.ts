import { countWords, takeWords } from '../../lib/text/text.ts';
import type { KeptText } from '../types.ts';
import { cutBlock } from './long-blocks.ts';
import { countKeptBlocks, joinPieces, type TextRanking } from './reduce.ts';

/** Number of characters that count as a word, so that texts without spaces are limited too. */
const CHARS_PER_WORD = 10;
const LEAST_WORDS = 10;
const CODE = /^[ \t]*(?:`{3}|~{3}|\$\$)/;

export function countWordsOrChars(text: string): number {
  return Math.max(countWords(text), Math.ceil(text.length / CHARS_PER_WORD));
}

export function keepWithinWords(
  markdown: string,
  ranking: TextRanking,
  percentile: number,
  most: number,
): KeptText {
  const { spans, from } = ranking;
  const best = countKeptBlocks(ranking, percentile);
  const order = [...from.keys()]
    .filter((piece) => isKept(from[piece], best))
    .sort((a, b) => (from[a] ?? 0) - (from[b] ?? 0) || a - b);
  const textOf = (piece: number) => markdown.slice(spans[2 * piece], spans[2 * piece + 1]);
  const chosen = new Map<number, string>();
  let words = 0;
  for (let at = 0, end = 0; at < order.length; at = end) {
    const needed = from[order[at] ?? 0];
    while (end < order.length && from[order[end] ?? 0] === needed) end++;
    const above = order.slice(at, end - 1);
    const last = order[end - 1] ?? 0;
    const over = above.reduce((sum, piece) => sum + countWordsOrChars(textOf(piece)), 0);
    const length = countWordsOrChars(textOf(last));
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
      words += countWordsOrChars(own);
    }
    const beginning = beginningOf(textOf(last), Math.max(1, most - words));
    chosen.set(last, beginning);
    words += countWordsOrChars(beginning);
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

function headsWithin(heads: readonly (readonly [piece: number, text: string])[], most: number) {
  const chosen: (readonly [number, string])[] = [];
  let left = most;
  for (const [piece, text] of heads.toReversed()) {
    if (left < 1) break;
    const own = countWordsOrChars(text) > left ? beginningOf(text, left) : text;
    chosen.push([piece, own]);
    left -= countWordsOrChars(own);
  }
  return chosen;
}

const isKept = (needed = 0, best: number): boolean => needed > 0 && needed <= best;

function beginningOf(text: string, words: number): string {
  const chars = Math.min(takeWords(text, words).length, words * CHARS_PER_WORD);
  return cutBlock({ kind: CODE.test(text) ? 'code' : 'text', text }, Math.max(1, chars));
}
