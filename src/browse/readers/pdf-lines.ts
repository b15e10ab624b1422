import { inReadingDirection, isRightToLeft } from './pdf-rtl.ts';
import type { Run } from './pdf-run.ts';

/** From the left of the page, in points. */
export interface Span {
  readonly left: number;
  readonly right: number;
}

/** A line of a page, in reading order. */
export interface Line {
  /** Cells of a table's row, or the one text of a line. */
  readonly cells: readonly string[];
  /** Where each cell stands. */
  readonly spans: readonly Span[];
  readonly left: number;
  readonly right: number;
  readonly y: number;
  readonly size: number;
  /** 0 at the bottom of the page to 1 at its top. */
  readonly height: number;
}

/** A run of runs without a wide gap. */
interface Segment {
  text: string;
  readonly left: number;
  right: number;
  readonly y: number;
  size: number;
}

/** Letters' sizes that a gap between words, and one between columns, is wide at least. */
const WORD_GAP_SIZES = 0.15;
const COLUMN_GAP_SIZES = 1.1;
/** Lines that a column of text has at least; less is a table or a caption. */
const MIN_COLUMN_LINES = 5;
/** Share of its column that a usual line of text fills; cells of tables fill less. */
const COLUMN_FILL_SHARE = 0.55;
const MAX_CUTS = 12;

/** The lines of a page, columns one after the other. `top` and `bottom` are the page's edges. */
export function linesOf(runs: readonly Run[], top: number, bottom: number): Line[] {
  const ordered = inReadingOrder(segmentsOf(inReadingDirection(runs)), 0);
  const lines: Line[] = [];
  for (const segments of ordered) {
    const [first] = segments;
    if (!first) continue;
    const filled = segments
      .map(({ text, left, right }) => ({ text: text.replace(/\s+/g, ' ').trim(), left, right }))
      .filter(({ text }) => text !== '');
    if (isRightToLeft(filled.map(({ text }) => text).join(''))) filled.reverse();
    lines.push({
      cells: filled.map(({ text }) => text),
      spans: filled.map(({ left, right }) => ({ left, right })),
      left: first.left,
      right: most(segments.map(({ right }) => right)),
      y: first.y,
      size: most(segments.map(({ size }) => size)),
      height: (first.y - bottom) / (top - bottom || 1),
    });
  }
  return lines.filter(({ cells }) => cells.length > 0);
}

/** Runs that follow one another on a line, joined; a space where there is room for one. */
function segmentsOf(runs: readonly Run[]): Segment[] {
  const joiner = new RunJoiner();
  for (const run of runs) {
    if (run.text.trim()) joiner.addRun(run);
    else joiner.addSpace(run);
  }
  joiner.closeLink();
  return joiner.segments;
}

class RunJoiner {
  readonly segments: Segment[] = [];
  #last: Segment | undefined;
  /** The address of the link that is open. */
  #link: string | undefined;

  addSpace(run: Run): void {
    const last = this.#last;
    if (last && onLine(last, run) && run.x - last.right < run.size) last.text += ' ';
  }

  addRun(run: Run): void {
    const joined = this.#joined(run);
    if (!joined || run.url !== this.#link) this.closeLink();
    const goesOn = joined !== undefined && run.url === this.#link;
    const text = run.url !== undefined && !goesOn ? opened(run.text) : run.text;
    this.#link = run.url;
    if (joined) this.#append(joined, run, text);
    else {
      this.#last = { text, left: run.x, right: run.x + run.width, y: run.y, size: run.size };
      this.segments.push(this.#last);
    }
  }

  closeLink(): void {
    if (this.#last && this.#link !== undefined) this.#last.text = closeLink(this.#last.text, this.#link);
  }

  /** The last segment, where the run continues it. */
  #joined(run: Run): Segment | undefined {
    const last = this.#last;
    if (!last || !onLine(last, run)) return undefined;
    const gap = run.x - last.right;
    return gap > -run.size && gap < COLUMN_GAP_SIZES * Math.max(run.size, last.size) ? last : undefined;
  }

  #append(last: Segment, run: Run, text: string): void {
    const spaced = run.x - last.right > WORD_GAP_SIZES * run.size && !/\s$/.test(last.text);
    last.text += spaced ? ` ${text}` : text;
    last.right = Math.max(last.right, run.x + run.width);
    // A raised note or an initial is not what the line is set in.
    if (run.text.length > last.text.length / 2) last.size = run.size;
  }
}

function opened(text: string): string {
  const words = text.trimStart();
  return `${text.slice(0, text.length - words.length)}\u0001${words}`;
}

/** Where a link begins is marked until its end is known. */
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

function onLine(segment: Segment, run: { readonly y: number; readonly size: number }): boolean {
  return Math.abs(segment.y - run.y) < 0.5 * Math.max(segment.size, run.size);
}

/**
 * Rows of segments in the order of reading, by cutting the page along its gutters (the XY-cut of Nagy and
 * Seth, 1984): what stands beside one another as columns of text is read one after the other, all else from
 * top to bottom.
 */
function inReadingOrder(segments: readonly Segment[], depth: number): Segment[][] {
  const rows = rowsOf(segments);
  if (depth >= MAX_CUTS || rows.length < MIN_COLUMN_LINES) return rows;
  // What reaches over the gutter divides the page: the columns above it are read before it.
  const gutter = gutterOf(segments);
  if (gutter === undefined) return rows;
  const result: Segment[][] = [];
  let band: Segment[] = [];
  const flush = () => {
    const [left, right] = [
      band.filter((one) => one.right <= gutter),
      band.filter((one) => one.left >= gutter),
    ];
    if (isColumn(left) && isColumn(right)) {
      const columns = [left, right];
      if (isRightToLeft(band.map(({ text }) => text).join(''))) columns.reverse();
      result.push(...columns.flatMap((column) => inReadingOrder(column, depth + 1)));
    } else result.push(...rowsOf(band));
    band = [];
  };
  for (const row of rows) {
    if (row.some(({ left, right }) => left < gutter && right > gutter)) {
      flush();
      result.push(row);
    } else band.push(...row);
  }
  flush();
  return result;
}

/** Segments of one height side by side, rows from top to bottom. */
function rowsOf(segments: readonly Segment[]): Segment[][] {
  const rows: Segment[][] = [];
  for (const segment of [...segments].sort((a, b) => b.y - a.y)) {
    const row = rows.at(-1);
    const [first] = row ?? [];
    if (row && first && onLine(first, segment)) row.push(segment);
    else rows.push([segment]);
  }
  for (const row of rows) row.sort((a, b) => a.left - b.left);
  return rows;
}

/** Where few segments reach across and many stand on both sides; undefined when there is no such place. */
function gutterOf(segments: readonly Segment[]): number | undefined {
  const left = least(segments.map((one) => one.left));
  const right = most(segments.map((one) => one.right));
  const steps = 60;
  const width = (right - left) / steps;
  if (!(width > 0)) return undefined;
  const crossing = new Array<number>(steps + 1).fill(0);
  for (const one of segments) {
    const [from, to] = [Math.ceil((one.left - left) / width), Math.floor((one.right - left) / width)];
    for (let step = Math.max(0, from); step <= Math.min(steps, to); step++)
      crossing[step] = (crossing[step] ?? 0) + 1;
  }
  let best: { at: number; crossed: number } | undefined;
  for (let step = Math.round(steps * 0.25); step <= steps * 0.75; step++) {
    const crossed = crossing[step] ?? 0;
    if (best === undefined || crossed < best.crossed) best = { at: left + step * width, crossed };
  }
  return best && best.crossed < segments.length * 0.3 ? best.at : undefined;
}

/** Whether segments are a column of running text, and not one of a table. */
function isColumn(segments: readonly Segment[]): boolean {
  if (segments.length < MIN_COLUMN_LINES) return false;
  const left = least(segments.map((one) => one.left));
  const width = most(segments.map((one) => one.right)) - left;
  const filled = segments.map((one) => (one.right - one.left) / width).sort((a, b) => a - b);
  return (filled[filled.length >> 1] ?? 0) >= COLUMN_FILL_SHARE;
}

/** Not by spreading: a page may have more runs than a call can have arguments. */
function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
}
