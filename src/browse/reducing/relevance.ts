import { PageVocabulary } from '../extracting/vocabulary.ts';
import type { RelevanceFocus } from '../types.ts';
import { findAnswerPattern } from './answer-patterns.ts';
import type { MarkdownBlock } from './blocks.ts';
import {
  distinctWords,
  extractQueryStems,
  indexTerms,
  inverseDocumentFrequency,
  scoreBm25,
  type TermIndex,
} from './lexical.ts';

/** A block gets this share of its better neighbour's score: answers are often beside matching words. */
const NEIGHBOUR_WEIGHT = 0.2;
/** Bonus for the expected kind of answer, for example a date. A matching word scores about 1. */
const CUE_WEIGHT = 1;
const CENTRE_WEIGHT = 0.1;
/** Weight of words that are frequent on the page, if there is no question. */
const CENTRE_WEIGHT_ALONE = 0.9;
const FACTS_WEIGHT_ALONE = 1;
/** Added to a block's length in the score's divisor. Very short blocks would otherwise score best. */
const DAMPING_WORDS = 60;
const FACT_DAMPING_WORDS = 20;
const WORD_CHARS = 6;

/** Scores blocks by BM25 for the query or title. Weights were tuned on bench/data/questions.json. */
export function scoreRelevance(
  blocks: readonly MarkdownBlock[],
  indexes: readonly number[],
  { query, title }: RelevanceFocus,
  vocabulary = new PageVocabulary(),
): number[] {
  const texts = indexes.map((index) => removeLinkTargets(blocks[index]?.text ?? ''));
  const index = indexTerms(texts, vocabulary);
  const asked = extractQueryStems(query) ?? extractQueryStems(title) ?? [];
  const above = headingTerms(blocks, asked, vocabulary);
  const match = scoreBm25(
    index,
    asked,
    indexes.map((at) => above[at] ?? []),
  );
  const cue = findAnswerPattern(query);
  if (cue) raiseAnswerScores(match, texts, cue);
  const near = scaleToHighest(match);
  const beside = near.map(
    (score, i) => score + NEIGHBOUR_WEIGHT * Math.max(near[i - 1] ?? 0, near[i + 1] ?? 0),
  );
  const centre = scaleToHighest(centrality(index));
  const alone = query.trim() === '';
  const weight = alone ? CENTRE_WEIGHT_ALONE : CENTRE_WEIGHT;
  const facts = alone ? scaleToHighest(texts.map(factsOf)) : [];
  return beside.map(
    (score, i) => (1 - weight) * score + weight * (centre[i] ?? 0) + FACTS_WEIGHT_ALONE * (facts[i] ?? 0),
  );
}

function headingTerms(
  blocks: readonly MarkdownBlock[],
  asked: readonly string[],
  vocabulary: PageVocabulary,
): number[][] {
  const above: { level: number; has: number[] }[] = [];
  return blocks.map(({ kind, level, text }) => {
    if (kind !== 'heading') return above.at(-1)?.has ?? [];
    while ((above.at(-1)?.level ?? 0) >= level) above.pop();
    const words = new Set(vocabulary.numbersOf(text).map((number) => vocabulary.stemOf(number)));
    const own = asked.flatMap((term, at) => (words.has(term) ? [at] : []));
    const has = [...new Set([...(above.at(-1)?.has ?? []), ...own])];
    above.push({ level, has });
    return has;
  });
}

export function raiseAnswerScores(scores: number[], texts: readonly string[], cue: RegExp): void {
  const shows = texts.map((text) => cue.test(text));
  const weight = CUE_WEIGHT * inverseDocumentFrequency(shows.filter(Boolean).length, texts.length);
  shows.forEach((shown, i) => {
    if (shown) scores[i] = (scores[i] ?? 0) + weight;
  });
}

function centrality(index: TermIndex): number[] {
  const { vocabulary, texts } = index;
  const spread = new Uint32Array(vocabulary.words.length);
  const different = distinctWords(index);
  for (const ids of different) for (const id of ids) spread[id] = (spread[id] ?? 0) + 1;
  return texts.map((ids, at) => {
    let sum = 0;
    for (const id of different[at] ?? []) {
      const share = (spread[id] ?? 0) / texts.length;
      // Words in about half of the blocks weigh most. Words in all blocks or in a single block say little.
      sum += share * (1 - share);
    }
    return sum / (ids.length + DAMPING_WORDS) + Math.min(ids.length, 200) * 1e-5;
  });
}

function factsOf(text: string): number {
  const told = new Set(text.match(/\p{N}+|(?<=[\p{Ll},] )\p{Lu}\p{L}+/gu) ?? []);
  return told.size / (text.length / WORD_CHARS + FACT_DAMPING_WORDS);
}

export function scaleToHighest(values: readonly number[]): number[] {
  const most = values.reduce((a, b) => Math.max(a, b), 0);
  return most > 0 ? values.map((value) => value / most) : [...values];
}

export function removeLinkTargets(markdown: string): string {
  return markdown.replace(/\]\([^)\s]{0,2000}\)?/g, ']');
}
