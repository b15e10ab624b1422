import { eachSentence } from '../../lib/text/sentences.ts';
import { countWords } from '../../lib/text/text.ts';
import { avoidSurrogateSplit, findCutPosition } from '../sections/parts.ts';
import type { MarkdownBlock } from './blocks.ts';

const LONG_WORDS = 300;
const PASSAGE_WORDS = 150;
const MOST_CHARS_PER_WORD = 10;

/** Shortens each block to about `chars` characters. A code block keeps the closing fence. */
export function boundBlocks(blocks: readonly MarkdownBlock[], chars: number) {
  const cut = blocks.filter(({ text }) => text.length > chars).length;
  if (cut === 0) return { blocks, cut };
  return { blocks: blocks.map((block) => ({ ...block, text: cutBlock(block, chars) })), cut };
}

export function splitLongParagraphs(blocks: readonly MarkdownBlock[]): MarkdownBlock[] {
  return blocks.flatMap((block) => (isLongProse(block) ? passagesOf(block) : block));
}

function isLongProse({ kind, text }: MarkdownBlock): boolean {
  if (kind !== 'text' || text.length <= LONG_WORDS) return false;
  const words = countWords(text);
  return words > LONG_WORDS && text.length <= MOST_CHARS_PER_WORD * words;
}

function passagesOf({ text, gap, ...block }: MarkdownBlock): MarkdownBlock[] {
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

export function cutBlock({ kind, text }: Pick<MarkdownBlock, 'kind' | 'text'>, chars: number): string {
  if (text.length <= chars) return text;
  const most = text.slice(0, avoidSurrogateSplit(text, chars));
  const kept = most.slice(0, findCutPosition(most) || most.length).trimEnd();
  const fence = kind === 'code' ? /\n[ \t]*(`{3,}|~{3,}|\$\$)$/.exec(text)?.[0] : undefined;
  return fence === undefined ? `${kept} …` : `${kept}\n…${fence}`;
}
