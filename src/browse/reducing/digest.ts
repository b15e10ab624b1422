import { terms } from '../../lib/text/text.ts';
import { Vocabulary } from '../extracting/vocabulary.ts';
import { withoutAddresses } from '../sections/addresses.ts';
import type { Digest, DigestWanted, Highlight } from '../types.ts';
import { splitBlocks } from './blocks.ts';
import { highlightsOf } from './highlights.ts';
import { askedTerms } from './lexical.ts';
import { boundBlocks, partPassages } from './long-blocks.ts';
import { judgeBlocks, keptOf, type Ranking, rankingOf } from './reduce.ts';
import { sharedShare, sketchOfBlocks } from './sketch.ts';
import { summarizeBlocks } from './summarize.ts';
import { keptWithin, lengthOf } from './within.ts';

/** A digest that can be sent between threads: it has the text and its ranking in place of functions. */
export type DigestParts = Omit<Digest, 'reduced' | 'within' | 'likeness'> & {
  readonly kept?: { readonly text: string; readonly ranking: Ranking };
};

/** Extracts all that an answer to a question needs from a page, in one parse and one ranking. Linear in the text. */
export function digestText(markdown: string, wanted: DigestWanted): DigestParts {
  const { query, title, phrases, blockChars } = wanted;
  const whole = partPassages(splitBlocks(markdown));
  const { blocks, cut } = boundBlocks(
    markdown.includes('](')
      ? whole.map((block) =>
          block.kind === 'code' ? block : { ...block, text: withoutAddresses(block.text, 'all') },
        )
      : whole,
    blockChars ?? Infinity,
  );
  const vocabulary = new Vocabulary();
  const judgement = judgeBlocks(blocks, { query, title }, vocabulary);
  const text = blocks.map((block) => block.text + block.gap).join('');
  const highlights = highlightsOf(blocks, judgement, query, vocabulary);
  return {
    sketch: sketchOfBlocks(blocks, text, vocabulary),
    summary: summarizeBlocks(blocks, judgement, query, vocabulary),
    highlights,
    match: matchOf(highlights, query, vocabulary),
    hasPhrases: hasPhrases(text, phrases),
    cut,
    words: blockChars === undefined ? 0 : blocks.reduce((sum, block) => sum + lengthOf(block.text), 0),
    ...(blockChars !== undefined && { kept: { text, ranking: rankingOf(blocks, judgement) } }),
  };
}

/** Adds to a digest the functions that a message from a worker cannot carry. */
export function digestOf({ kept, ...digest }: DigestParts): Digest {
  return {
    ...digest,
    likeness: ({ sketch }) => sharedShare(digest.sketch, sketch),
    ...(kept && {
      reduced: (percentile) => keptOf(kept.text, kept.ranking, percentile),
      within: (percentile, words) => keptWithin(kept.text, kept.ranking, percentile, words),
    }),
  };
}

function matchOf(highlights: readonly Highlight[], query: string, vocabulary: Vocabulary): number {
  const asked = askedTerms(query) ?? [];
  const said = new Set(
    highlights.flatMap(({ text, section = '' }) =>
      [text, section].flatMap((one) => vocabulary.numbersOf(one).map((word) => vocabulary.stemOf(word))),
    ),
  );
  return asked.filter((term) => said.has(term)).length / Math.max(1, asked.length);
}

function hasPhrases(text: string, phrases: readonly string[]): boolean {
  if (phrases.length === 0) return true;
  const words = ` ${terms(text).join(' ')} `;
  return phrases.every((phrase) => words.includes(` ${terms(phrase).join(' ')} `));
}
