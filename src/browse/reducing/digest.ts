import { splitTerms } from '../../lib/text/text.ts';
import { PageVocabulary } from '../extracting/vocabulary.ts';
import { dropInlineAddresses } from '../sections/addresses.ts';
import type { PageDigest, PageDigestRequest, PageHighlight } from '../types.ts';
import { splitBlocks } from './blocks.ts';
import { findHighlights } from './highlights.ts';
import { countWordsOrChars, keepWithinWords } from './keep-within-words.ts';
import { extractQueryStems } from './lexical.ts';
import { boundBlocks, splitLongParagraphs } from './long-blocks.ts';
import { buildRanking, keepPercentile, scoreBlocks, type TextRanking } from './reduce.ts';
import { estimateSharedText, sketchBlocks } from './sketch.ts';
import { summarizeBlocks } from './summarize.ts';

/** A `PageDigest` as data without functions, so that threads can exchange it. */
export type DigestParts = Omit<PageDigest, 'reduced' | 'within' | 'likeness'> & {
  readonly kept?: { readonly text: string; readonly ranking: TextRanking };
};

export function buildPageDigest(markdown: string, wanted: PageDigestRequest): DigestParts {
  const { query, title, phrases, blockChars } = wanted;
  const whole = splitLongParagraphs(splitBlocks(markdown));
  const { blocks, cut } = boundBlocks(
    markdown.includes('](')
      ? whole.map((block) =>
          block.kind === 'code' ? block : { ...block, text: dropInlineAddresses(block.text, 'all') },
        )
      : whole,
    blockChars ?? Infinity,
  );
  const vocabulary = new PageVocabulary();
  const judgement = scoreBlocks(blocks, { query, title }, vocabulary);
  const text = blocks.map((block) => block.text + block.gap).join('');
  const highlights = findHighlights(blocks, judgement, query, vocabulary);
  return {
    sketch: sketchBlocks(blocks, text, vocabulary),
    summary: summarizeBlocks(blocks, judgement, query, vocabulary),
    highlights,
    match: matchOf(highlights, query, vocabulary),
    hasPhrases: hasPhrases(text, phrases),
    cut,
    words:
      blockChars === undefined ? 0 : blocks.reduce((sum, block) => sum + countWordsOrChars(block.text), 0),
    ...(blockChars !== undefined && { kept: { text, ranking: buildRanking(blocks, judgement) } }),
  };
}

export function toDigest({ kept, ...digest }: DigestParts): PageDigest {
  return {
    ...digest,
    likeness: ({ sketch }) => estimateSharedText(digest.sketch, sketch),
    ...(kept && {
      reduced: (percentile) => keepPercentile(kept.text, kept.ranking, percentile),
      within: (percentile, words) => keepWithinWords(kept.text, kept.ranking, percentile, words),
    }),
  };
}

function matchOf(highlights: readonly PageHighlight[], query: string, vocabulary: PageVocabulary): number {
  const asked = extractQueryStems(query) ?? [];
  const said = new Set(
    highlights.flatMap(({ text, section = '' }) =>
      [text, section].flatMap((one) => vocabulary.numbersOf(one).map((word) => vocabulary.stemOf(word))),
    ),
  );
  return asked.filter((term) => said.has(term)).length / Math.max(1, asked.length);
}

function hasPhrases(text: string, phrases: readonly string[]): boolean {
  if (phrases.length === 0) return true;
  const words = ` ${splitTerms(text).join(' ')} `;
  return phrases.every((phrase) => words.includes(` ${splitTerms(phrase).join(' ')} `));
}
