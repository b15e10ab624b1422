import { countWords, takeWords } from '../../lib/text/text.ts';
import { type MarkdownBlock, splitBlocks } from '../reducing/blocks.ts';

/** Approximate number of words in each part of a text. Parts usually end between blocks. */
export const WORDS_PER_PART = 2000;
/** First estimate of a long block's characters per word. It grows up to `MAX_CHARS_PER_WORD`. */
const NARROW_CHARS_PER_WORD = 2;
const MAX_CHARS_PER_WORD = 50;
/** A part may end before a heading if it has at least this share of the maximum words. */
const ENOUGH_SHARE = 0.6;
const MAX_HEADS = 8;

interface PartPiece {
  readonly text: string;
  readonly words: number;
  readonly kind: MarkdownBlock['kind'];
}

/** Cuts a text into parts, preferably before headings. The joined parts are exactly the text. */
export function cutParts(markdown: string, words = WORDS_PER_PART): string[] {
  const parts: string[] = [];
  let part: PartPiece[] = [];
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

function piecesOf(markdown: string, words: number): PartPiece[] {
  return splitBlocks(markdown).flatMap(({ text, gap, kind }) =>
    cutLong(text + gap, words).map((piece) => ({ text: piece, words: countWords(piece), kind })),
  );
}

function bestCut(part: readonly PartPiece[], words: number, next: MarkdownBlock['kind']): number {
  const kindAt = (at: number) => part[at]?.kind;
  if (next === 'heading' && kindAt(part.length - 1) !== 'heading') return part.length;
  let before = part.reduce((sum, piece) => sum + piece.words, 0);
  for (let at = part.length - 1; at > 0; at--) {
    before -= part[at]?.words ?? 0;
    if (before < words * ENOUGH_SHARE) break;
    if (kindAt(at) === 'heading' && kindAt(at - 1) !== 'heading') return at;
  }
  // Headings and table headers at the end move to the next part, which contains the text below them.
  let end = part.length;
  while (end > 1 && (kindAt(end - 1) === 'heading' || kindAt(end - 1) === 'head')) end--;
  return part.length - end <= MAX_HEADS ? end : part.length;
}

const textOf = (pieces: readonly PartPiece[]): string => pieces.map(({ text }) => text).join('');

function cutLong(text: string, words: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > words) {
    const window = windowOf(rest, words);
    const most = takeWords(window, words);
    if (most.length >= rest.length) break;
    const end = avoidSurrogateSplit(rest, findCutPosition(most) || most.length || window.length);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  pieces.push(rest);
  return pieces;
}

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

export function avoidSurrogateSplit(text: string, end: number): number {
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end;
}

/** Returns where to cut a text: after the last line, sentence or word in its second half. Otherwise 0. */
export function findCutPosition(text: string): number {
  const half = text.length / 2;
  for (const mark of ['\n', '. ', '。', ' ']) {
    const at = text.lastIndexOf(mark);
    if (at >= half) return at + mark.length;
  }
  return 0;
}
