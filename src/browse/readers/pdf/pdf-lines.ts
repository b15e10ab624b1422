import { maxOf, minOf } from '../../../lib/long-lists.ts';
import { oneLine } from '../markdown.ts';
import { inReadingOrder } from './pdf-columns.ts';
import { groupIntoRows, median, type SegmentPiece, sameLine, type TextSegment } from './pdf-segments.ts';
import { mendRuns } from './runs/pdf-letters.ts';
import { isRightToLeft, mergeRightToLeftRuns } from './runs/pdf-rtl.ts';
import { type PdfRun, type RuledRow, withoutDoubles } from './runs/pdf-run.ts';

export interface LineSpan {
  readonly left: number;
  readonly right: number;
}

/** Level and number of the outline entry whose title the line contains. */
export type OutlineHeading = readonly [level: number, entry: number];

export interface PdfLine {
  readonly cells: readonly string[];
  readonly spans: readonly LineSpan[];
  /** For each cell, the parts of its text that wide gaps separate. An empty list if there is no wide gap. */
  readonly pieces: readonly (readonly SegmentPiece[])[];
  readonly left: number;
  readonly right: number;
  readonly y: number;
  readonly size: number;
  readonly font?: string | undefined;
  /** Position of the line on the page, from 0 (bottom edge) to 1 (top edge). */
  readonly height: number;
  readonly isField?: true;
  readonly row?: RuledRow;
  readonly heading?: OutlineHeading;
}

/** Minimum gap between words, as a multiple of the font size. */
const WORD_GAP_SIZES = 0.15;
const COLUMN_GAP_SIZES = 1.1;
/** Texts closer than this, in font sizes, are joined, even if the file draws other texts between them. */
const TOUCHING_SIZES = 0.45;
/** Minimum gap between pieces of a cell, in font sizes. The pieces may belong to different columns. */
const PIECE_GAP_SIZES = 0.5;

/** Returns the lines of a page, column by column. `top` and `bottom` are the page's edges in points. */
export function buildLines(runs: readonly PdfRun[], top: number, bottom: number): PdfLine[] {
  const segments = segmentsOf(mendRuns(mergeRightToLeftRuns(withoutDoubles(runs))));
  const ordered = inReadingOrder(withoutLineNumbers(withoutLineNumbers(segments, 0), -1));
  const lines: PdfLine[] = [];
  for (const segments of withWholeTables(ordered)) {
    const [first] = segments;
    if (!first) continue;
    const filled = segments
      .map(({ text, left, right, pieces = [] }) => ({
        text: oneLine(text)
          .replace(/(?<=^|\s)\u00ad|\u00ad(?!$)/g, '')
          .trim(),
        left,
        right,
        pieces,
      }))
      .filter(({ text }) => text !== '');
    if (isRightToLeft(filled.map(({ text }) => text).join(''))) filled.reverse();
    lines.push({
      cells: filled.map(({ text }) => text),
      spans: filled.map(({ left, right }) => ({ left, right })),
      pieces: filled.map(({ pieces }) => pieces.map((piece) => ({ ...piece, text: oneLine(piece.text) }))),
      left: first.left,
      right: maxOf(segments.map(({ right }) => right)),
      y: first.y,
      size: usualSize(segments),
      font: segments.every(({ font }) => font === first.font) ? first.font : undefined,
      height: (first.y - bottom) / (top - bottom || 1),
      ...(segments.some(({ isField }) => isField) && { isField: true }),
      ...(first.row && { row: first.row }),
    });
  }
  return lines.filter(({ cells }) => cells.length > 0);
}

function withWholeTables(ordered: readonly TextSegment[][]): readonly TextSegment[][] {
  if (!ordered.some((segments) => segments.some(({ row }) => row))) return ordered;
  const single = ordered.flatMap((segments) => {
    const texts = segments.filter(({ row }) => !row);
    return [...segments.filter(({ row }) => row).map((one) => [one]), ...(texts.length > 0 ? [texts] : [])];
  });
  const tables = Map.groupBy(single, ([first]) => first?.row?.table);
  return single.flatMap((segments) => {
    const table = segments[0]?.row?.table;
    if (table === undefined) return [segments];
    return segments === tables.get(table)?.[0] ? (tables.get(table) ?? []) : [];
  });
}

/** Returns the font size of most letters in a line. A sign such as `∑` may be much larger than the text. */
function usualSize(segments: readonly TextSegment[]): number {
  const letters = (size: number) =>
    segments.reduce((sum, one) => sum + (Math.abs(one.size - size) < 0.5 ? one.text.trim().length : 0), 0);
  return segments.reduce(
    (best, { size }) => (letters(size) > letters(best) ? size : best),
    segments[0]?.size ?? 0,
  );
}

function segmentsOf(runs: readonly PdfRun[]): TextSegment[] {
  const joiner = new RunJoiner();
  for (const run of runs) {
    if (run.text.trim()) joiner.addRun(run);
    else joiner.addSpace(run);
  }
  joiner.closeLink();
  return groupIntoRows(joiner.segments).flatMap(joinTouching);
}

/** Joins neighbouring segments of a row. Some files do not draw the words of a line one after the other. */
function joinTouching(row: readonly TextSegment[]): TextSegment[] {
  const joined: TextSegment[] = [];
  for (const next of row) {
    const last = joined.at(-1);
    const gap = (next.left - (last?.right ?? 0)) / Math.max(next.size, last?.size ?? 0);
    const isAlike = last && Math.max(last.size, next.size) < 1.5 * Math.min(last.size, next.size);
    const isText = [last, next].every((one) => !one?.isField && !one?.row);
    if (last && isAlike && isText && Math.abs(gap) < TOUCHING_SIZES) {
      const isSentence = /[.!?:;]\s*$/.test(last.text) && /^[\p{L}(]/u.test(next.text);
      last.text = `${last.text.trimEnd()}${gap > WORD_GAP_SIZES || isSentence ? ' ' : ''}${next.text}`;
      last.right = Math.max(last.right, next.right);
      if (last.font !== next.font) last.font = undefined;
      last.pieces = undefined;
    } else joined.push(next);
  }
  return joined;
}

/** True for the small raised mark before the text of a footnote. */
function isNoteMark({ text, y, size }: TextSegment, run: PdfRun): boolean {
  const rise = y - run.y;
  return /^(?:\d{1,3}|[*†‡§])\s?$/.test(text) && run.size > 1.2 * size && rise > 0 && rise < 0.65 * run.size;
}

class RunJoiner {
  readonly segments: TextSegment[] = [];
  #last: TextSegment | undefined;
  #link: string | undefined;

  addSpace(run: PdfRun): void {
    const last = this.#last;
    if (!last || !sameLine(last, run) || run.x - last.right >= run.size) return;
    last.text += ' ';
    const piece = last.pieces?.at(-1);
    if (piece) piece.text += ' ';
  }

  addRun(run: PdfRun): void {
    const joined = this.#joined(run);
    if (!joined || run.url !== this.#link) this.closeLink();
    const goesOn = joined !== undefined && run.url === this.#link;
    const text = run.url !== undefined && !goesOn ? opened(run.text) : run.text;
    this.#link = run.url;
    if (joined) this.#append(joined, run, text);
    else {
      const { x: left, y, width, size, font, row } = run;
      this.#last = { text, left, right: left + width, y, size, font, row };
      this.segments.push(this.#last);
    }
    if (run.isField && this.#last) this.#last.isField = true;
  }

  closeLink(): void {
    if (!this.#last || this.#link === undefined) return;
    this.#last.text = closeLink(this.#last.text, this.#link);
    this.#last.pieces = undefined;
  }

  #joined(run: PdfRun): TextSegment | undefined {
    const last = this.#last;
    if (!last || last.row || run.row || !(sameLine(last, run) || isNoteMark(last, run))) return undefined;
    const gap = run.x - last.right;
    if (run.joins && gap > -run.size) return last;
    return gap > -run.size && gap < COLUMN_GAP_SIZES * Math.max(run.size, last.size) ? last : undefined;
  }

  #append(last: TextSegment, run: PdfRun, text: string): void {
    const gap = run.x - last.right;
    const isNote = isNoteMark(last, run);
    const spaced = (isNote || gap > WORD_GAP_SIZES * Math.min(run.size, last.size)) && !/\s$/.test(last.text);
    this.#addPiece(last, run, gap, spaced);
    if (run.font !== last.font) last.font = undefined;
    // `^` marks superscript. Otherwise, `10³` would become 103, and a footnote mark would join a word.
    const isRaised = run.size < 0.85 * last.size && run.y > last.y + 0.15 * last.size && !spaced;
    const [isPower, isLetter] = [/^[+−–-]?\d/.test(text), /^[a-z]$/.test(text)];
    if (isRaised && isPower && /(?:\p{L}{4}|[\d).,;:!?”"»])$/u.test(last.text)) last.text += '^';
    if (isRaised && isLetter && /\p{Ll}{4}$/u.test(last.text)) last.text += '^';
    last.text += spaced ? ` ${text}` : text;
    last.right = Math.max(last.right, run.x + run.width);
    if (isNote) last.y = run.y;
    // Takes the font size of the longer text, because a footnote mark has another size.
    if (run.text.length > last.text.length / 2) last.size = run.size;
  }

  #addPiece(last: TextSegment, run: PdfRun, gap: number, spaced: boolean): void {
    const piece = last.pieces?.at(-1);
    const right = run.x + run.width;
    if (gap >= PIECE_GAP_SIZES * run.size && !run.joins) {
      last.pieces ??= [{ text: last.text, left: last.left, right: last.right }];
      last.pieces.push({ text: run.text, left: run.x, right });
    } else if (piece) {
      piece.text += spaced ? ` ${run.text}` : run.text;
      piece.right = Math.max(piece.right, right);
    }
  }
}

function opened(text: string): string {
  const words = text.trimStart();
  return `${text.slice(0, text.length - words.length)}\u0001${words}`;
}

function closeLink(text: string, url: string): string {
  const start = text.lastIndexOf('\u0001');
  if (start < 0) return text;
  const label = text.slice(start + 1);
  const bare = label.trim();
  const same =
    bare === url || bare.replace(/\/$/, '') === url.replace(/^(mailto:|https?:\/\/)/, '').replace(/\/$/, '');
  return (
    text.slice(0, start) + (bare === '' || same ? label : `[${bare}](${url})${/\s$/.test(label) ? ' ' : ''}`)
  );
}

const MIN_NUMBERS = 5;
/** Minimum width of a line of running text, as a multiple of the font size. */
const TEXT_SIZES = 15;
/** Line numbers are removed only if at least this share of the other lines is running text. */
const TEXT_SHARE = 0.6;
const GOES_ON_SHARE = 0.3;

/** Removes the numbers at the left (`side` 0) or right (-1) of the lines. At least two count every fifth line. */
function withoutLineNumbers(segments: readonly TextSegment[], side: 0 | -1): readonly TextSegment[] {
  const rows = groupIntoRows(segments);
  const ends = rows.flatMap((row) => row.at(side) ?? []);
  const found = ends.filter(({ text }) => /^\s*\d{1,4}\s*$/.test(text));
  const edge = median(found.map(({ right }) => right));
  const numbers = new Set(found.filter(({ right, size }) => Math.abs(right - edge) < 1.5 * size));
  const [one = 0, ...others] = [...numbers].map(({ text }) => Number(text));
  const step = (others[0] ?? 0) - one;
  const [first = 0, second = 0] = [...numbers].map((number) => ends.indexOf(number));
  const least = step === 5 && second - first === step ? 2 : MIN_NUMBERS;
  if (numbers.size < least || step < 1 || others.some((other, at) => other !== one + (at + 1) * step))
    return segments;
  const rest = segments.filter((segment) => !numbers.has(segment));
  const text = rest.filter(({ left, right, size }) => right - left > TEXT_SIZES * size);
  const isText = text.length > TEXT_SHARE * Math.max(rest.length, numbers.size);
  const goesOn = text.filter((line) => /^\s*\p{Ll}/u.test(line.text)).length > GOES_ON_SHARE * text.length;
  const [nearest, farthest] = side === 0 ? [rest, [...numbers]] : [[...numbers], rest];
  const isBeside = maxOf(farthest.map(({ right }) => right)) < minOf(nearest.map(({ left }) => left));
  return isText && goesOn && isBeside ? rest : segments;
}
