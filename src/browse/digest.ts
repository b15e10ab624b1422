import { terms } from '../lib/text.ts';
import { withoutAddresses } from './addresses.ts';
import { splitBlocks } from './blocks.ts';
import { highlightsOf } from './highlights.ts';
import { boundBlocks } from './long-blocks.ts';
import { judgeBlocks, type Ranking, rankingOf } from './reduce.ts';
import { sketchOfBlocks } from './sketch.ts';
import { summarizeBlocks } from './summarize.ts';
import type { Digest, DigestWanted } from './types.ts';
import { Vocabulary } from './vocabulary.ts';

/** A digest as a worker hands it over: a text and its ranking in place of a reducer. */
export type DigestParts = Omit<Digest, 'reduced' | 'likeness'> & {
  readonly kept?: { readonly text: string; readonly ranking: Ranking };
};

/** A page for an answer to a question: it is taken apart once and judged once. Linear in the text. */
export function digestText(markdown: string, wanted: DigestWanted): DigestParts {
  const { query, title, phrases, blockChars } = wanted;
  const whole = splitBlocks(markdown);
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
  return {
    sketch: sketchOfBlocks(blocks, text, vocabulary),
    summary: summarizeBlocks(blocks, judgement, query, vocabulary),
    highlights: highlightsOf(blocks, judgement, query, vocabulary),
    hasPhrases: hasPhrases(text, phrases),
    cut,
    ...(blockChars !== undefined && { kept: { text, ranking: rankingOf(blocks, judgement) } }),
  };
}

/** Whether a text has each run of words, whatever their case and the signs between them. */
function hasPhrases(text: string, phrases: readonly string[]): boolean {
  if (phrases.length === 0) return true;
  const words = ` ${terms(text).join(' ')} `;
  return phrases.every((phrase) => words.includes(` ${terms(phrase).join(' ')} `));
}
