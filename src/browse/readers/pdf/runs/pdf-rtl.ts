import { minOf } from '../../../../lib/long-lists.ts';
import type { PdfRun } from './pdf-run.ts';

const RTL = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu;
const LETTER = /\p{L}/gu;
/** Minimum gap between words, as a multiple of the font size. */
const WORD_GAP_SIZES = 0.15;
const TEXT_GAP_SIZES = 1.1;

/** True if most letters or most words of a text are written from right to left. An address is one word. */
export function isRightToLeft(text: string): boolean {
  const right = text.match(RTL)?.length ?? 0;
  if (right === 0 || right * 2 > (text.match(LETTER)?.length ?? 0)) return right > 0;
  const words = text.split(/\s/).filter((word) => word.search(LETTER) >= 0);
  return words.filter((word) => word.search(RTL) >= 0).length * 2 > words.length;
}

export function mergeRightToLeftRuns(runs: readonly PdfRun[]): readonly PdfRun[] {
  if (!runs.some(({ text }) => text.search(RTL) >= 0)) return runs;
  const groups: PdfRun[][] = [];
  let [left, right] = [0, 0];
  for (const run of runs) {
    const group = groups.at(-1) ?? [];
    const [first] = group;
    const gap = Math.max(run.x - right, left - (run.x + run.width));
    const isBeside =
      first &&
      !(run.row || first.row) &&
      Math.abs(first.y - run.y) < 0.5 * first.size &&
      gap < TEXT_GAP_SIZES * run.size;
    if (isBeside) group.push(run);
    else groups.push([run]);
    left = isBeside ? Math.min(left, run.x) : run.x;
    right = isBeside ? Math.max(right, run.x + run.width) : run.x + run.width;
  }
  const texts = groups.map((group) =>
    !group[0]?.row && isRightToLeft(group.map(({ text }) => text).join('')) ? textsOf(group) : [],
  );
  // Most files contain mirrored brackets as they are drawn. A line with one bracket follows the others.
  const [drawn, meant] = [0, 1].map((at) => texts.reduce((sum, both) => sum + turnedIn(both[at]), 0));
  return groups.flatMap((group, at) => {
    const [asDrawn, asMeant] = texts[at] ?? [];
    if (asDrawn === undefined || asMeant === undefined) return group;
    const more = turnedIn(asDrawn) - turnedIn(asMeant) || (drawn ?? 0) - (meant ?? 0);
    return [merged(group, more > 0 ? asMeant : asDrawn)];
  });
}

function merged(group: readonly PdfRun[], text: string): PdfRun {
  const x = minOf(group.map((run) => run.x));
  const first = group.reduce((one, run) => (run.x + run.width > one.x + one.width ? run : one));
  const url = group.every((run) => run.url === first.url) ? first.url : undefined;
  return { text, x, y: first.y, width: first.x + first.width - x, size: first.size, url };
}

/** A part of a line. `left` means letters from left to right. `right` means text in its logical order. */
interface LinePiece {
  readonly text: string;
  readonly kind: 'right' | 'left' | 'number' | 'neutral';
}

const SPACE: LinePiece = { text: ' ', kind: 'neutral' };
const SIGNS = '[#%‰°$€₪£¥]{0,3}';
const PIECES = new RegExp(
  `${SIGNS}\\p{Nd}{1,40}(?:[.,:/+-]\\p{Nd}{1,40}){0,20}(?!\\p{L})${SIGNS}|[\\p{L}\\p{M}\\p{Nd}]{1,200}|[^]`,
  'gu',
);

/** Returns a line's text twice: its brackets are mirrored in the file, or they are already meant so. */
function textsOf(group: readonly PdfRun[]): readonly string[] {
  const pieces: LinePiece[] = [];
  let last: PdfRun | undefined;
  for (const run of [...group].sort((a, b) => b.x + b.width - (a.x + a.width))) {
    const gap = last ? Math.max(last.x - (run.x + run.width), run.x - (last.x + last.width)) : 0;
    const isSpaced = [last?.text ?? ' ', run.text].some((text) => /^\s|\s$|^$/.test(text));
    if (gap > WORD_GAP_SIZES * run.size && !isSpaced) pieces.push(SPACE);
    for (const piece of piecesOf(run.text)) pieces.push(piece);
    last = run;
  }
  let [asDrawn, asMeant] = ['', ''];
  for (let at = 0; at < pieces.length; ) {
    const end = endOfLeft(pieces, at);
    const text = wordsOf(pieces.slice(at, Math.max(end, at + 1)));
    asDrawn += end > at ? text : text.replace(/[()[\]{}<>«»‹›≤≥]/g, mirrored);
    asMeant += text;
    at = Math.max(end, at + 1);
  }
  return [asDrawn, asMeant];
}

/** Returns the pieces of a text from right to left. */
function piecesOf(text: string): LinePiece[] {
  if (text.search(RTL) >= 0) return [{ text, kind: 'right' }];
  const all = (text.match(PIECES) ?? []).map((piece): LinePiece => {
    const kind = /\p{L}/u.test(piece) ? 'left' : /\p{Nd}/u.test(piece) ? 'number' : 'neutral';
    return { text: piece, kind };
  });
  return all.reverse();
}

const wordsOf = (pieces: readonly LinePiece[]): string =>
  pieces
    .map(({ text }) => text)
    .reverse()
    .join('');

/** Returns the end of the text from left to right that begins at `at`, or `at` if there is none. */
function endOfLeft(pieces: readonly LinePiece[], at: number): number {
  // The brackets around the end of such a text may belong to it, as in `A12 (test)`.
  const isBracket = /^[)\]]$/.test(pieces[at]?.text ?? '');
  const from = isBracket ? at + 1 : at;
  const end = endOfWords(pieces, from);
  const text = wordsOf(pieces.slice(from, end));
  if (faultsIn(text) === 0) return isBracket ? at : end;
  if (isBracket) return /[([]/.test(text) ? end : at;
  return /[)\]]/.test(text) && /^[([]$/.test(pieces[end]?.text ?? '') ? end + 1 : end;
}

function endOfWords(pieces: readonly LinePiece[], at: number): number {
  let end = at;
  for (let next = at; pieces[next] && pieces[next]?.kind !== 'right'; next++) {
    const [last, piece] = [pieces[end - 1], pieces[next]];
    if (piece?.kind === 'neutral') {
      if (end === at) break;
    } else if (piece && (end === at || joins(last, wordsOf(pieces.slice(end, next)), piece))) end = next + 1;
    else break;
  }
  return end;
}

/** By the Unicode bidirectional algorithm, numbers with a gap between them stand from right to left. */
function joins(one: LinePiece | undefined, between: string, other: LinePiece): boolean {
  if (one?.kind === other.kind) return one.kind === 'left' || /^[.,:/+-]?$/.test(between);
  return faultsIn(between) === 0 && !/\s[,.;:!?]/.test(between);
}

const MIRRORED = '()[]{}<>«»‹›≤≥';

const mirrored = (sign: string): string => MIRRORED[MIRRORED.indexOf(sign) ^ 1] ?? sign;

/** Counts brackets that are probably turned: without their other half, or open towards a blank. */
function turnedIn(text = ''): number {
  return faultsIn(text) + (text.match(/[([{](?=\s|$)|(?<=\s|^)[)\]}]/g)?.length ?? 0);
}

function faultsIn(text: string): number {
  const open: string[] = [];
  let faults = 0;
  for (const sign of text.match(/[()[\]{}]/g) ?? []) {
    if (MIRRORED.indexOf(sign) % 2 === 0) open.push(sign);
    else if (open.pop() !== mirrored(sign)) faults++;
  }
  return faults + open.length;
}
