import { maxOf, minOf } from '../../../lib/long-lists.ts';
import { buildLines, type PdfLine } from './pdf-lines.ts';
import { joinTextLines } from './pdf-markdown.ts';
import type { RuledGrid } from './pdf-rules.ts';
import { sameLine } from './pdf-segments.ts';
import { isRightToLeft } from './runs/pdf-rtl.ts';
import type { PdfRun } from './runs/pdf-run.ts';

/** Maximum characters of a cell. A frame around a longer text is a box on the page, not a cell. */
const MAX_CELL_CHARS = 600;
/** Maximum characters of a whole table. A framed page of text has more. */
const MAX_TABLE_CHARS = 20_000;
/** Maximum height of a cell, as a share of the page. A taller frame is a column of a page. */
const MAX_HEIGHT_SHARE = 0.5;
/** A cell with more than `MAX_TEXT_LINES` lines of at least this width, in font sizes, is a box of text. */
const TEXT_SIZES = 15;
const MAX_TEXT_LINES = 8;
/** Distance, in font sizes, that a text may extend beyond a rule. */
const BEYOND_SIZES = 0.5;
/** Maximum share of texts that cross a line of the table. A larger share means a plot with grid lines. */
const MAX_BEYOND = 0.2;
const MIN_FILLED = 0.4;
/** If at least this share of two cells' lines is side by side, these lines form rows. */
const SAME_HEIGHTS = 0.8;
/** Maximum distance, in letters, between a rule and the estimated end of a word beside it. */
const MAX_OFFSET_LETTERS = 3;
const NO_WORDS = { hyphenated: new Set<string>() };

export function withRuledRows(
  runs: readonly PdfRun[],
  grids: readonly RuledGrid[],
  height: number,
): readonly PdfRun[] {
  return grids.reduce((all, grid, table) => withRows(all, grid, table, height), runs);
}

function withRows(runs: readonly PdfRun[], grid: RuledGrid, table: number, pageHeight: number) {
  const { xs, ys } = grid;
  const [left = 0, right = 0, top = 0, bottom = 0] = [xs[0], xs.at(-1), ys[0], ys.at(-1)];
  const isInside = (run: PdfRun) => {
    const [x, y] = [run.x + run.width / 2, middleOf(run)];
    return x > left && x < right && y > bottom && y < top;
  };
  const found = runs.filter(isInside);
  const chars = found.reduce((sum, { text }) => sum + text.length + 1, 0);
  const isOther = ({ isField, text }: PdfRun) => isField || text.length > MAX_CELL_CHARS;
  if (chars > MAX_TABLE_CHARS || found.some(isOther)) return runs;
  const places = new Map<PdfRun, number>();
  const parts = runs.flatMap((run) => {
    const all = isInside(run) ? partsAt(run, grid) : [];
    for (const part of all) places.set(part, regionOf(part, grid));
    return all.length > 0 ? all : [run];
  });
  // A text that begins left of the table is in no cell. It stays outside of the table.
  const isInCell = (run: PdfRun) => (places.get(run) ?? -1) >= 0;
  const inside = parts.filter(isInCell);
  if (inside.filter((run) => isBeyond(run, grid)).length > MAX_BEYOND * inside.length) return runs;
  const texts = Map.groupBy(inside, (run) => places.get(run) ?? -1);
  const isLong = (all: readonly PdfRun[]) =>
    all.reduce((sum, { text }) => sum + text.length, 0) > MAX_CELL_CHARS;
  if ([...texts.values()].some(isLong)) return runs;
  const cells = cellsOf(grid);
  for (const [region, all] of texts) cells.get(region)?.lines.push(...buildLines(all, top, bottom));
  if (areBoxes(cells, grid, pageHeight)) return runs;
  const rows = rowsOf(cells, grid);
  const used = xs
    .slice(1)
    .flatMap((_, column) => (rows.some(({ texts: row }) => row[column]) ? [column] : []));
  if (isRightToLeft(rows.flatMap(({ texts: row }) => row).join(''))) used.reverse();
  const filled = rows.filter(({ texts: row }) => row.some(Boolean));
  const isFilled = filled.length > 1 && filled.some(({ texts: row }) => row.filter(Boolean).length > 1);
  const share = [...cells.values()].filter(({ lines }) => lines.length > 0).length / cells.size;
  if (used.length < 2 || !isFilled || share < MIN_FILLED) return runs;
  const size = maxOf(inside.map((run) => run.size));
  const lines = filled.map(({ y, texts: row }): PdfRun => {
    const all = used.map((column) => row[column] ?? '');
    return { text: all.join(' '), row: { cells: all, table }, x: left, y, width: right - left, size };
  });
  const first = parts.findIndex(isInCell);
  const outside = (run: PdfRun) => !isInCell(run);
  return [...parts.slice(0, first), ...lines, ...parts.slice(first).filter(outside)];
}

interface Cell {
  /** Grid indexes of the cell's first row, first column and last row. */
  readonly row: number;
  readonly column: number;
  last: number;
  readonly left: number;
  right: number;
  readonly lines: PdfLine[];
}

function cellsOf({ xs, regions }: RuledGrid): Map<number, Cell> {
  const cells = new Map<number, Cell>();
  for (const [row, all] of regions.entries()) {
    for (const [column, region] of all.entries()) {
      const [left = 0, right = 0] = xs.slice(column, column + 2);
      const cell = cells.get(region) ?? { row, column, last: row, left, right, lines: [] };
      cells.set(region, Object.assign(cell, { last: row, right: Math.max(right, cell.right) }));
    }
  }
  return cells;
}

function areBoxes(cells: ReadonlyMap<number, Cell>, { ys, regions }: RuledGrid, pageHeight: number): boolean {
  const isHigh = ({ row, last, lines }: Cell) =>
    lines.length > MAX_TEXT_LINES && (ys[row] ?? 0) - (ys[last + 1] ?? 0) > MAX_HEIGHT_SHARE * pageHeight;
  const texts = new Set<number>();
  for (const [region, { lines }] of cells) {
    const wide = lines.filter(({ left, right, size }) => right - left >= TEXT_SIZES * size);
    if (wide.length > MAX_TEXT_LINES) texts.add(region);
  }
  const hasTexts = (row: readonly number[]) => new Set(row.filter((region) => texts.has(region))).size > 1;
  return [...cells.values()].some(isHigh) || regions.some(hasTexts);
}

function rowsOf(cells: ReadonlyMap<number, Cell>, { ys, regions }: RuledGrid) {
  return regions.flatMap((row, at) => {
    const own = row.map((region, column) => {
      const cell = cells.get(region);
      return cell?.row === at && cell.column === column ? cell : undefined;
    });
    const heights = rowHeights(own.filter((cell) => cell?.last === at) as Cell[], at === 0);
    const [top = 0, bottom = 0] = ys.slice(at, at + 2);
    const count = Math.max(1, heights.length);
    const partOf = ({ y, size }: PdfLine) =>
      Math.max(
        0,
        heights.findLastIndex((height) => height > y - size / 2),
      );
    return Array.from({ length: count }, (_, part) => ({
      y: top - ((top - bottom) * (part + 1)) / (count + 1),
      texts: own.map((cell) => textOf(cell?.lines.filter((line) => partOf(line) === part) ?? [])),
    }));
  });
}

function textOf(lines: readonly PdfLine[]): string {
  return lines
    .map(({ cells }) => cells.join(' '))
    .reduce((text, line) => (text ? joinTextLines(text, line, NO_WORDS) : line), '');
}

/** Returns the y positions of rows between two drawn lines. Some tables have no drawn line below each row. */
function rowHeights(cells: readonly Cell[], isHead: boolean): number[] {
  const lists = cells.filter((cell) => isList(cell, isHead));
  for (const { lines } of lists) {
    for (const other of cells) {
      if (other.lines === lines) continue;
      const same = lines.filter((line) => other.lines.some((beside) => sameLine(line, beside)));
      const most = Math.max(lines.length, other.lines.length);
      const isAlike = lists.includes(other) && same.length > 1 && same.length >= SAME_HEIGHTS * most;
      if (isAlike) return same.map(({ y }) => y);
      if (most === other.lines.length && lines.every(isNumber)) return lines.map(({ y }) => y);
    }
  }
  return [];
}

function isNumber({ cells }: PdfLine): boolean {
  return /\d/.test(cells.join('')) && !/\p{L}/u.test(cells.join(''));
}

/** True if each line of a cell is a separate value, and not a line of running text. */
function isList({ left, right, lines }: Cell, isHead: boolean): boolean {
  if (lines.length < 2 || lines.every(isNumber)) return lines.length > 1;
  const texts = lines.map(({ cells }) => cells.join(' '));
  const edge = Math.max(0, minOf(lines.flatMap((line) => [line.left - left, right - line.right])));
  const open = lines.slice(1).filter((_, at) => {
    const width = (lines[at]?.right ?? 0) - (lines[at]?.left ?? 0);
    const letter = width / (texts[at]?.length || 1);
    const word = texts[at + 1]?.split(' ', 1)[0] ?? '';
    return width + (word.length + 2) * letter < right - left - 2 * edge;
  });
  const isNew = texts.every((text) => /^[\p{Lu}\p{N}\p{Sc}]/u.test(text));
  const isOpen = open.length >= (lines.length - 1) / 2;
  return lines.length > 2 ? isOpen || isNew : isOpen && isNew && !isHead;
}

const middleOf = ({ y, size }: PdfRun): number => y + size / 3;

function regionOf(run: PdfRun, { xs, ys, regions }: RuledGrid): number {
  const column = xs.findLastIndex((place) => place < run.x + Math.min(run.width, run.size) / 2);
  return regions[rowAt(ys, middleOf(run))]?.[column] ?? -1;
}

const rowAt = (ys: readonly number[], y: number): number => ys.findLastIndex((place) => place > y);

/** Matches the end of a word: before a space, or between the characters of `a1`, `aB` and `1a`. */
const WORD_END = /(?<=\S)(?=\s)|(?<=\p{Ll})(?=[\d\p{Lu}])|(?<=\d)(?=\p{L})/gu;

/** Splits a text at a drawn line that it crosses: pdf.js may join the texts of neighbouring cells. */
function partsAt(run: PdfRun, grid: RuledGrid): PdfRun[] {
  const row = grid.regions[rowAt(grid.ys, middleOf(run))] ?? [];
  const letter = run.width / (run.text.length || 1);
  const over = grid.xs.find(
    (x, at) => x > run.x + letter && x < run.x + run.width - letter && isBetween(row, at),
  );
  if (over === undefined || run.row) return [run];
  const distance = (at: number) => Math.abs(run.x + at * letter - over) / letter;
  const [end = 0] = [...run.text.matchAll(WORD_END)]
    .map(({ index }) => index)
    .sort((one, other) => distance(one) - distance(other));
  if (end === 0 || distance(end) > MAX_OFFSET_LETTERS) return [run];
  const rest = { ...run, text: run.text.slice(end), x: over, width: run.x + run.width - over };
  return [{ ...run, text: run.text.slice(0, end), width: over - run.x }, ...partsAt(rest, grid)];
}

function isBeyond(run: PdfRun, { xs, ys, regions }: RuledGrid): boolean {
  const row = regions[rowAt(ys, middleOf(run))] ?? [];
  const most = run.text.trim() ? BEYOND_SIZES * run.size : run.width;
  return xs.some((x, at) => x > run.x + most && x < run.x + run.width - most && isBetween(row, at));
}

function isBetween(row: readonly number[], at: number): boolean {
  return at > 0 && at < row.length && row[at - 1] !== row[at];
}
