import { maxOf } from '../../lib/long-lists.ts';
import { sentences } from '../../lib/text/sentences.ts';
import { countWords, splitTerms, takeWords } from '../../lib/text/text.ts';
import { PageVocabulary } from '../extracting/vocabulary.ts';
import { findHeadings } from '../reading/outline.ts';
import type { PageHighlight } from '../types.ts';
import type { MarkdownBlock } from './blocks.ts';
import { isBoilerplate } from './boilerplate.ts';
import { extractQueryStems, indexTerms, scoreBm25 } from './lexical.ts';
import { markdownToPlainText } from './plain-text.ts';
import type { BlockScores } from './reduce.ts';

const MAX_HIGHLIGHTS = 3;
const MAX_WORDS = 60;
const UNSPACED_FACTOR = 2;
const CONSIDERED = 12;
const LEAST_WORDS = 4;
/** A passage is a repetition if it shares more than this part of its words with a better passage. */
const SAME_SHARE = 0.7;
/** Minimum score of a highlight, as a share of the best score. */
const LEAST_MATCH = 0.4;

export function findHighlights(
  blocks: readonly MarkdownBlock[],
  { indexes, relevances }: Pick<BlockScores, 'indexes' | 'relevances'>,
  query: string,
  vocabulary = new PageVocabulary(),
): PageHighlight[] {
  const asked = extractQueryStems(query);
  if (!asked) return [];
  const best = indexes
    .map((index, at) => ({ index, score: relevances[at] ?? 0 }))
    .filter(({ index }) => isPassage(blocks[index]))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, CONSIDERED)
    .flatMap(({ index }) => {
      const text = passageOf(blocks[index]?.text ?? '', asked, vocabulary);
      const count = countWords(text);
      return count < LEAST_WORDS * factorOf(text, count) || isBoilerplate(text) ? [] : [{ index, text }];
    });
  const texts = best.map(({ text }) => text);
  const match = scoreBm25(indexTerms(texts, vocabulary), asked);
  const most = Math.max(0, maxOf(match));
  const chosen: { readonly index: number; readonly text: string; readonly words: ReadonlySet<string> }[] = [];
  for (const [at, { index, text }] of best.entries()) {
    if (chosen.length === MAX_HIGHLIGHTS) break;
    if (most === 0 || (match[at] ?? 0) < LEAST_MATCH * most) continue;
    const words = new Set(splitTerms(text));
    if (chosen.some((other) => shareOf(words, other.words) > SAME_SHARE)) continue;
    chosen.push({ index, text, words });
  }
  const places = findHeadings(blocks);
  return chosen.map(({ index, text }) => {
    const section = places.findLast(({ at }) => at < index)?.title;
    return { text, ...(section && { section }) };
  });
}

function isPassage(block: MarkdownBlock | undefined): boolean {
  return block !== undefined && block.kind !== 'heading' && block.kind !== 'code' && block.kind !== 'head';
}

function passageOf(markdown: string, asked: readonly string[], vocabulary: PageVocabulary): string {
  const text = markdownToPlainText(markdown);
  const count = countWords(text);
  const most = MAX_WORDS * factorOf(text, count);
  if (count <= most) return text;
  const all = sentences(text);
  const match = scoreBm25(indexTerms(all, vocabulary), asked);
  let first = match.indexOf(maxOf(match));
  let last = first;
  const words = all.map(countWords);
  let sum = words[first] ?? 0;
  while (sum + (words[last + 1] ?? Infinity) <= most) sum += words[++last] ?? 0;
  while (sum + (words[first - 1] ?? Infinity) <= most) sum += words[--first] ?? 0;
  const run = all.slice(first, last + 1).join(most > MAX_WORDS ? '' : ' ');
  return sum <= most ? run : `${takeWords(run, most)} …`;
}

function factorOf(text: string, count: number): number {
  return count > 2 * text.split(' ').length ? UNSPACED_FACTOR : 1;
}

function shareOf(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of words) if (others.has(word)) shared++;
  return shared / Math.max(1, words.size);
}
