import { eachSentence } from '../../lib/text/sentences.ts';
import { countWords } from '../../lib/text/text.ts';
import { goodEnd, wholeCharacters } from '../sections/parts.ts';
import type { Block } from './blocks.ts';

/** Words from which a paragraph is parted into passages, and words of one, near enough. */
const LONG_WORDS = 300;
const PASSAGE_WORDS = 150;
/** Characters of a word of prose and the space after it, on average, at most: German has 7. */
const MOST_CHARS_PER_WORD = 10;

/** Blocks of which none is too long. */
export interface Bounded {
  readonly blocks: readonly Block[];
  /** How many lost their end. */
  readonly cut: number;
}

/**
 * Cuts each block that has more than `chars` characters after a line, else a sentence, else a word, and marks the
 * place with an ellipsis: a lock file or a log is one block, and no percentile parts that. Code stays fenced.
 */
export function boundBlocks(blocks: readonly Block[], chars: number): Bounded {
  const cut = blocks.filter(({ text }) => text.length > chars).length;
  if (cut === 0) return { blocks, cut };
  return { blocks: blocks.map((block) => ({ ...block, text: cutBlock(block, chars) })), cut };
}

/**
 * Blocks in which a long paragraph, as PDFs have them, is parted between sentences, so that the passage of it that answers can be
 * kept alone. Joined with their gaps they are the same text.
 */
export function partPassages(blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block) => (isLongProse(block) ? passagesOf(block) : block));
}

/** A log or a lock file is a long text too; its words are longer. */
function isLongProse({ kind, text }: Block): boolean {
  if (kind !== 'text' || text.length <= LONG_WORDS) return false;
  const words = countWords(text);
  return words > LONG_WORDS && text.length <= MOST_CHARS_PER_WORD * words;
}

function passagesOf({ text, gap, ...block }: Block): Block[] {
  const starts = [0];
  let [at, words] = [0, 0];
  for (const sentence of eachSentence(text)) {
    at = text.indexOf(sentence, at);
    if (at < 0) break;
    if (words >= PASSAGE_WORDS) {
      starts.push(at);
      words = 0;
    }
    words += countWords(sentence);
    at += sentence.length;
  }
  return starts.map((start, index) => {
    const whole = text.slice(start, starts[index + 1]);
    const own = whole.trimEnd();
    return { ...block, text: own, gap: index === starts.length - 1 ? gap : whole.slice(own.length) };
  });
}

/** The beginning of a block. */
export function cutBlock({ kind, text }: Pick<Block, 'kind' | 'text'>, chars: number): string {
  if (text.length <= chars) return text;
  const most = text.slice(0, wholeCharacters(text, chars));
  const kept = most.slice(0, goodEnd(most) || most.length).trimEnd();
  const fence = kind === 'code' ? /\n[ \t]*(`{3,}|~{3,}|\$\$)$/.exec(text)?.[0] : undefined;
  return fence === undefined ? `${kept} …` : `${kept}\n…${fence}`;
}
