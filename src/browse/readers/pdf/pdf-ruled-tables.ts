import { buildLines } from './pdf-lines.ts';
import { joined } from './pdf-markdown.ts';
import type { RuledGrid } from './pdf-rules.ts';
import { isRightToLeft } from './runs/pdf-rtl.ts';
import type { PdfRun } from './runs/pdf-run.ts';

/** Maximum characters of a cell. Frames around longer texts are boxes of a page and not cells. */
const MAX_CELL_CHARS = 600;
/** Maximum part of a text that lies beyond a rule, as a multiple of the font size. */
const BEYOND_SIZES = 0.5;
/** Maximum share of texts that lie beyond a rule. Lines of a plot have more. */
const MAX_BEYOND = 0.2;
/** Minimum share of cells with text. */
const MIN_FILLED = 0.4;
/** Maximum distance of a word's estimated end from the rule beside it, in letters. */
const MAX_OFFSET_LETTERS = 3;
const NO_WORDS = { hyphenated: new Set<string>() };

/** Puts one run with its cells in place of the texts of each row of a ruled table. */
export function withRuledRows(runs: readonly PdfRun[], grids: readonly RuledGrid[]): readonly PdfRun[] {
  return grids.reduce(withRows, runs);
}

function withRows(runs: readonly PdfRun[], grid: RuledGrid, table: number): readonly PdfRun[] {
  const { xs, ys, regions } = grid;
  const [left = 0, right = 0, top = 0, bottom = 0] = [xs[0], xs.at(-1), ys[0], ys.at(-1)];
  const middleOf = ({ y, size }: PdfRun) => y + size / 3;
  const isWithin = (x: number, y: number) => x > left && x < right && y > bottom && y < top;
  const isInside = (run: PdfRun) => isWithin(run.x + run.width / 2, middleOf(run));
  const inside = runs
    .filter(isInside)
    .flatMap((run) => partsAt(run, xs, regions[rowAt(ys, middleOf(run))] ?? []));
  const texts = new Map<number, PdfRun[]>();
  for (const run of inside) {
    const region =
      regions[rowAt(ys, middleOf(run))]?.[columnAt(xs, run.x + Math.min(run.width, run.size) / 2)] ?? -1;
    texts.set(region, [...(texts.get(region) ?? []), run]);
  }
  const beyond = inside.filter((run) => isBeyond(run, grid));
  if (inside.some(({ isField }) => isField) || beyond.length > MAX_BEYOND * inside.length) return runs;
  const written = new Map(
    [...texts].map(([region, all]) => [
      region,
      buildLines(all, top, bottom).map(({ cells }) => cells.join(' ')),
    ]),
  );
  if (regions.some((row) => isSeveralRows(new Set(row), written))) return runs;
  const words = new Map(
    [...written].map(([region, all]) => [
      region,
      all.reduce((text, line) => (text ? joined(text, line, NO_WORDS) : line), ''),
    ]),
  );
  const seen = new Set<number>();
  const rows = regions.map((row) =>
    row.map((region) => {
      const text = seen.has(region) ? '' : (words.get(region) ?? '');
      seen.add(region);
      return text;
    }),
  );
  const used = xs.slice(1).flatMap((_, column) => (rows.some((row) => row[column]) ? [column] : []));
  if (isRightToLeft([...words.values()].join(''))) used.reverse();
  const isFilled =
    rows.filter((row) => row.some(Boolean)).length > 1 && rows.some((row) => row.filter(Boolean).length > 1);
  const share = [...words.values()].filter(Boolean).length / seen.size;
  const isTable = used.length > 1 && isFilled && share >= MIN_FILLED;
  if (!isTable || [...words.values()].some((text) => text.length > MAX_CELL_CHARS)) return runs;
  const size = Math.max(...inside.map((run) => run.size));
  const lines = rows.flatMap((row, at): PdfRun[] => {
    const cells = used.map((column) => row[column] ?? '');
    if (!cells.some(Boolean)) return [];
    const own = inside.filter((run) => rowAt(ys, middleOf(run)) === at);
    const y = Math.min((ys[at] ?? 0) - size, ...own.map((run) => run.y));
    return [{ text: cells.join(' '), row: { cells, table }, x: left, y, width: right - left, size }];
  });
  const first = runs.findIndex(isInside);
  const outside = (run: PdfRun) => !isInside(run);
  return [...runs.slice(0, first).filter(outside), ...lines, ...runs.slice(first).filter(outside)];
}

/** True if a cell has a number in each of its lines and another cell has as many lines: such tables have rules between groups of rows. */
function isSeveralRows(row: ReadonlySet<number>, written: ReadonlyMap<number, readonly string[]>): boolean {
  const all = [...row].map((region) => written.get(region) ?? []);
  return all.some(
    (lines) =>
      lines.length > 1 &&
      lines.every((line) => /\d/.test(line) && !/\p{L}/u.test(line)) &&
      all.some((other) => other !== lines && other.length >= lines.length),
  );
}

function rowAt(ys: readonly number[], y: number): number {
  return ys.findLastIndex((place) => place > y);
}

function columnAt(xs: readonly number[], x: number): number {
  return xs.findLastIndex((place) => place < x);
}

/** Matches the end of a word: a space, or the change from small letters to a number or to a large letter. */
const WORD_END = /(?<=\S)(?=\s)|(?<=\p{Ll})(?=[\d\p{Lu}])|(?<=\d)(?=\p{L})/gu;

/** Divides a run that goes over a rule at the end of a word, because pdf.js joins texts that are close to each other. */
function partsAt(run: PdfRun, xs: readonly number[], row: readonly number[]): PdfRun[] {
  const letter = run.width / (run.text.length || 1);
  const over = xs.find(
    (x, at) => x > run.x + letter && x < run.x + run.width - letter && row[at - 1] !== row[at],
  );
  if (over === undefined) return [run];
  const distance = (at: number) => Math.abs(run.x + at * letter - over) / letter;
  const [end = 0] = [...run.text.matchAll(WORD_END)]
    .map(({ index }) => index)
    .sort((one, other) => distance(one) - distance(other));
  if (end === 0 || distance(end) > MAX_OFFSET_LETTERS) return [run];
  const rest = { ...run, text: run.text.slice(end), x: over, width: run.x + run.width - over };
  return [{ ...run, text: run.text.slice(0, end), width: over - run.x }, ...partsAt(rest, xs, row)];
}

function isBeyond(run: PdfRun, { xs, ys, regions }: RuledGrid): boolean {
  const row = regions[rowAt(ys, run.y + run.size / 3)] ?? [];
  const most = run.text.trim() ? BEYOND_SIZES * run.size : run.width;
  return xs.some((x, at) => x > run.x + most && x < run.x + run.width - most && row[at - 1] !== row[at]);
}
