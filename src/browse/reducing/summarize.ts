import { sentences } from '../../lib/text/sentences.ts';
import { countWords, takeWords } from '../../lib/text/text.ts';
import { PageVocabulary } from '../extracting/vocabulary.ts';
import { findAnswerPattern } from './answer-patterns.ts';
import { type MarkdownBlock, splitBlocks } from './blocks.ts';
import { isBoilerplate } from './boilerplate.ts';
import { distinctWords, extractQueryStems, indexTerms, scoreBm25, type TermIndex } from './lexical.ts';
import { markdownToPlainText } from './plain-text.ts';
import type { BlockScores } from './reduce.ts';
import { raiseAnswerScores, scaleToHighest, scoreRelevance } from './relevance.ts';

const BEST_BLOCKS = 30;
const FIRST_BLOCKS = 10;
const MAX_CANDIDATES = 400;
const LEAST_WORDS = 5;
const BLOCK_WEIGHT = 0.5;
const REPEATED_PENALTY = 0.5;
/** A sentence is skipped if it shares more than this part of its words with a chosen sentence. */
const SAME_SHARE = 0.7;
/** Added to a sentence's length in the score's divisor. Short sentences would otherwise score best. */
const DAMPING_WORDS = 5;
/** Bonus of the first sentence. The second sentence gets half of the bonus, the third a third, and so on. */
const LEAD_WEIGHT = 0.01;
const LEAD_WEIGHT_ALONE = 0.3;
const ENDED = /[.!?。！？…।؟۔]["'”’»)\]]*$/u;

interface SentenceCandidate {
  readonly text: string;
  readonly words: number;
  readonly block: number;
  readonly order: number;
}

export function summarize(markdown: string, query: string, maxWords = 80): string {
  const blocks = splitBlocks(markdown);
  const indexes = blocks.flatMap((block, index) => (tells(block) ? [index] : []));
  const vocabulary = new PageVocabulary();
  const relevances = scoreRelevance(blocks, indexes, { query, title: '' }, vocabulary);
  return summarizeBlocks(blocks, { indexes, relevances }, query, vocabulary, maxWords);
}

export function summarizeBlocks(
  blocks: readonly MarkdownBlock[],
  judged: Pick<BlockScores, 'indexes' | 'relevances'>,
  query: string,
  vocabulary = new PageVocabulary(),
  maxWords = 80,
): string {
  const prose = judged.indexes.flatMap((index, at) => {
    const block = blocks[index];
    return block && tells(block) ? [{ index, relevance: judged.relevances[at] ?? 0 }] : [];
  });
  const indexes = prose.map(({ index }) => index);
  const relevances = prose.map(({ relevance }) => relevance);
  const candidates = candidatesOf(blocks, indexes, relevances, maxWords);
  if (candidates.length === 0) return '';
  const texts = candidates.map(({ text }) => text);
  const index = indexTerms(texts, vocabulary);
  const scores = scoresOf(candidates, index, scaleToHighest(relevances), query);
  return choose(candidates, index, scores, maxWords)
    .sort((a, b) => a.order - b.order)
    .map(({ text }) => withoutLoneQuote(text))
    .join(' ');
}

function withoutLoneQuote(sentence: string): string {
  const straight = sentence.split('"').length % 2 === 0;
  if (straight && sentence.endsWith('"')) return sentence.slice(0, -1);
  if (straight && sentence.startsWith('"')) return sentence.slice(1);
  if (sentence.endsWith('”') && !sentence.includes('“')) return sentence.slice(0, -1);
  return sentence.startsWith('“') && !sentence.includes('”') ? sentence.slice(1) : sentence;
}

function tells({ kind, text }: MarkdownBlock): boolean {
  return (kind === 'text' || kind === 'item' || kind === 'quote') && /[\p{L}\p{N}]/u.test(text);
}

function candidatesOf(
  blocks: readonly MarkdownBlock[],
  indexes: readonly number[],
  relevances: readonly number[],
  maxWords: number,
): SentenceCandidate[] {
  const best = indexes
    .map((_, at) => at)
    .sort((a, b) => (relevances[b] ?? 0) - (relevances[a] ?? 0) || a - b)
    .slice(0, BEST_BLOCKS);
  const looked = [...new Set([...indexes.slice(0, FIRST_BLOCKS).keys(), ...best])].sort((a, b) => a - b);
  const all = looked
    .flatMap((block) =>
      sentences(markdownToPlainText(blocks[indexes[block] ?? 0]?.text ?? '')).map((text) => ({
        text,
        block,
      })),
    )
    .slice(0, MAX_CANDIDATES)
    .map(({ text, block }, order) => ({ text, block, order, words: countWords(text) }));
  const isOwn = ({ text }: SentenceCandidate) => !isBoilerplate(text);
  const whole = all
    .filter(({ text, words }) => words >= LEAST_WORDS && words <= maxWords && ENDED.test(text))
    .filter(isOwn);
  if (whole.length > 0) return whole;
  const telling = all.filter(isOwn);
  return (telling.length > 0 ? telling : all).map((candidate) => {
    const text = takeWords(candidate.text, maxWords);
    return { ...candidate, text, words: countWords(text) };
  });
}

function scoresOf(
  candidates: readonly SentenceCandidate[],
  index: TermIndex,
  relevances: readonly number[],
  query: string,
): number[] {
  const asked = extractQueryStems(query) ?? [];
  const own = scoreBm25(index, asked);
  const lead = own.some((score) => score > 0) ? LEAD_WEIGHT : LEAD_WEIGHT_ALONE;
  const cue = findAnswerPattern(query);
  if (cue)
    raiseAnswerScores(
      own,
      candidates.map(({ text }) => text),
      cue,
    );
  const near = scaleToHighest(own);
  return candidates.map(({ words, block, order }, i) => {
    const match = (near[i] ?? 0) + BLOCK_WEIGHT * (relevances[block] ?? 0);
    return match / Math.sqrt(words + DAMPING_WORDS) + lead / (1 + order);
  });
}

function choose(
  candidates: readonly SentenceCandidate[],
  index: TermIndex,
  scores: readonly number[],
  maxWords: number,
): SentenceCandidate[] {
  const words = distinctWords(index);
  const repeats = candidates.map(() => 0);
  const open = new Set(candidates.keys());
  const chosen: SentenceCandidate[] = [];
  let left = maxWords;
  for (;;) {
    for (const i of open) {
      if ((candidates[i]?.words ?? 0) > left || (repeats[i] ?? 0) > SAME_SHARE) open.delete(i);
    }
    const best = bestOf(open, (i) => (scores[i] ?? 0) * (1 - REPEATED_PENALTY * (repeats[i] ?? 0)));
    const candidate = candidates[best ?? -1];
    if (best === undefined || !candidate) return chosen;
    chosen.push(candidate);
    left -= candidate.words;
    open.delete(best);
    const said = new Set(words[best]);
    for (const i of open) repeats[i] = Math.max(repeats[i] ?? 0, overlap(words[i] ?? [], said));
  }
}

function bestOf(open: ReadonlySet<number>, value: (i: number) => number): number | undefined {
  let best: number | undefined;
  for (const i of open) if (best === undefined || value(i) > value(best)) best = i;
  return best;
}

function overlap(a: readonly number[], b: ReadonlySet<number>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared / (Math.min(a.length, b.size) || 1);
}
