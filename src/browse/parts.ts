import { countWords, takeWords } from '../lib/text.ts';
import { splitBlocks } from './blocks.ts';

/** Words of one part, near enough: parts end where blocks end. */
export const PART_WORDS = 2000;
/** Characters a word that a part is looked for in: far more than words have. */
const WINDOW = 50;

/**
 * Consecutive parts of about `words` words, cut between blocks. Joined with nothing between, they are the
 * text, to the letter. A block longer than a part is cut at lines, then sentences, then words.
 */
export function cutParts(markdown: string, words = PART_WORDS): string[] {
  const parts: string[] = [];
  let part = '';
  let size = 0;
  for (const { text, gap } of splitBlocks(markdown)) {
    for (const piece of cutLong(text + gap, words)) {
      const length = countWords(piece);
      if (size > 0 && size + length > words) {
        parts.push(part);
        part = '';
        size = 0;
      }
      part += piece;
      size += length;
    }
  }
  if (part.trim() !== '') parts.push(part);
  else if (part !== '' && parts.length > 0) parts.push((parts.pop() ?? '') + part);
  return parts;
}

/** Pieces of at most `words` words that joined are the text. */
function cutLong(text: string, words: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  for (;;) {
    // Looked at through a window, so that a text of one endless word costs no more than any other.
    const window = rest.slice(0, words * WINDOW);
    const most = takeWords(window, words);
    if (most.length >= rest.length) break;
    const end = goodEnd(most) || most.length || window.length;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  pieces.push(rest);
  return pieces;
}

/** Where to cut a beginning: after its last line, else sentence, else word, if that keeps half of it; else 0. */
export function goodEnd(text: string): number {
  const half = text.length / 2;
  for (const mark of ['\n', '. ', '。', ' ']) {
    const at = text.lastIndexOf(mark);
    if (at >= half) return at + mark.length;
  }
  return 0;
}
