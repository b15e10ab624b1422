import { shareByWeight } from '../../lib/share-by-weight.ts';
import { countWords, takeWords } from '../../lib/text/text.ts';
import { findCutPosition } from '../sections/parts.ts';
import type { RelevanceFocus, WeightedText } from '../types.ts';
import { type MarkdownBlock, splitBlocks } from './blocks.ts';
import { collectIntroducingBlocks, findIntroducingBlocks } from './owner-blocks.ts';
import { joinBlocks, rankBlocks } from './reduce.ts';

const LEAST_WORDS = 10;

/** Shortens texts to `ceiling` words in total. A text with a higher `weight` keeps more of its words. */
export function shareWordBudget(shares: readonly WeightedText[], ceiling: number): string[] {
  const wanted = shares.map(({ text }) => countWords(text));
  const given = shareByWeight(
    wanted,
    shares.map(({ weight }) => weight),
    ceiling,
  );
  return shares.map(({ text, focus }, i) => {
    const words = given[i] ?? 0;
    if (words >= (wanted[i] ?? 0)) return text;
    return focus ? mostRelevant(text, words, focus) : cut(text, words);
  });
}

function mostRelevant(text: string, words: number, focus: RelevanceFocus): string {
  const blocks = splitBlocks(text);
  const owners = findIntroducingBlocks(blocks);
  const sizes = blocks.map(({ text: own, gap }) => countWords(own) + countWords(gap));
  const chosen = new Set<number>();
  const sizeOf = (indexes: readonly number[]) => indexes.reduce((sum, at) => sum + (sizes[at] ?? 0), 0);
  let left = words;
  let unfit: number[] = [];
  for (const index of rankBlocks(blocks, owners, focus)) {
    const needed = collectIntroducingBlocks(owners, index, chosen);
    const size = sizeOf(needed);
    if (size > left) {
      if (unfit.length === 0) unfit = needed;
      continue;
    }
    for (const at of needed) chosen.add(at);
    left -= size;
  }
  const [last, ...above] = unfit.filter((at) => !chosen.has(at));
  const room = left - sizeOf(above);
  if (last !== undefined && room >= LEAST_WORDS) {
    for (const at of [last, ...above]) chosen.add(at);
    return joinBlocks(
      blocks.map((block, at) => (at === last ? { ...block, text: cut(block.text, room) } : block)),
      inOrder(blocks, chosen),
    );
  }
  return chosen.size > 0 ? joinBlocks(blocks, inOrder(blocks, chosen)) : cut(text, words);
}

function inOrder(blocks: readonly MarkdownBlock[], chosen: ReadonlySet<number>): number[] {
  return blocks.flatMap((_, index) => (chosen.has(index) ? [index] : []));
}

function cut(text: string, words: number): string {
  const most = takeWords(text, words);
  return most.slice(0, findCutPosition(`${most} `) || most.length).trimEnd();
}
