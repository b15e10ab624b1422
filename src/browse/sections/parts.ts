import { countWords, takeWords } from '../../lib/text/text.ts';
import { type Block, splitBlocks } from '../reducing/blocks.ts';

/** Words of one part, near enough: parts end where blocks end. */
export const PART_WORDS = 2000;
/** Characters a word within which a part is searched, at first and at most: far more than words have. */
const NARROW_CHARS_PER_WORD = 2;
const MAX_CHARS_PER_WORD = 50;
/** Share of a part that is full enough to end it before a heading. */
const ENOUGH_SHARE = 0.6;
/** Headings and headers in a row that are still taken to head something. */
const MAX_HEADS = 8;

interface Piece {
  readonly text: string;
  readonly words: number;
  readonly kind: Block['kind'];
}

/**
 * Consecutive parts of about `words` words, cut between blocks, before a heading where one is near. Joined with
 * nothing between, they are the text, to the letter. A block longer than a part is cut at lines, then sentences,
 * then words.
 */
export function cutParts(markdown: string, words = PART_WORDS): string[] {
  const parts: string[] = [];
  let part: Piece[] = [];
  let size = 0;
  for (const piece of piecesOf(markdown, words)) {
    if (size + piece.words > words) {
      const cut = bestCut(part, words, piece.kind);
      parts.push(textOf(part.slice(0, cut)));
      part = part.slice(cut);
      size = part.reduce((sum, { words }) => sum + words, 0);
      if (size + piece.words > words) {
        parts.push(textOf(part));
        part = [];
        size = 0;
      }
    }
    part.push(piece);
    size += piece.words;
  }
  const rest = textOf(part);
  if (rest.trim() !== '') parts.push(rest);
  return parts;
}

function piecesOf(markdown: string, words: number): Piece[] {
  return splitBlocks(markdown).flatMap(({ text, gap, kind }) =>
    cutLong(text + gap, words).map((piece) => ({ text: piece, words: countWords(piece), kind })),
  );
}

/** How many pieces of a full part stay in it; `next` is the kind of the piece that no longer fits. */
function bestCut(part: readonly Piece[], words: number, next: Block['kind']): number {
  const kindAt = (at: number) => part[at]?.kind;
  if (next === 'heading' && kindAt(part.length - 1) !== 'heading') return part.length;
  let before = part.reduce((sum, piece) => sum + piece.words, 0);
  for (let at = part.length - 1; at > 0; at--) {
    before -= part[at]?.words ?? 0;
    if (before < words * ENOUGH_SHARE) break;
    if (kindAt(at) === 'heading' && kindAt(at - 1) !== 'heading') return at;
  }
  // What heads the next part goes with it; a text of nothing but headings is cut anywhere.
  let end = part.length;
  while (end > 1 && (kindAt(end - 1) === 'heading' || kindAt(end - 1) === 'head')) end--;
  return part.length - end <= MAX_HEADS ? end : part.length;
}

function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}

/** Pieces of at most `words` words that joined are the text. */
function cutLong(text: string, words: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  // A text has at most as many words as characters, and most blocks are short.
  while (rest.length > words) {
    const window = windowOf(rest, words);
    const most = takeWords(window, words);
    if (most.length >= rest.length) break;
    const end = wholeCharacters(rest, goodEnd(most) || most.length || window.length);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  pieces.push(rest);
  return pieces;
}

/**
 * As much of a text as holds `words` words, near enough. Neither a text of one endless word nor one whose words are
 * single characters costs more than any other.
 */
function windowOf(text: string, words: number): string {
  let width = words * NARROW_CHARS_PER_WORD;
  while (
    width < words * MAX_CHARS_PER_WORD &&
    width < text.length &&
    countWords(text.slice(0, width)) <= words
  ) {
    width = Math.min(width * 3, words * MAX_CHARS_PER_WORD);
  }
  return text.slice(0, width);
}

/** One less where the cut would part the halves of a character. */
export function wholeCharacters(text: string, end: number): number {
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end;
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
