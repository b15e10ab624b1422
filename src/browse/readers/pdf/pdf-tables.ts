import { maxOf, minOf } from '../../../lib/long-lists.ts';
import type { LineSpan, PdfLine } from './pdf-lines.ts';
import type { SegmentPiece } from './pdf-segments.ts';

export interface PdfTable {
  readonly rows: readonly (readonly string[])[];
  readonly lines: number;
}

const MIN_ROWS = 3;
const MIN_COLUMNS = 3;
/** Maximum horizontal offset between the cells of a column, as a multiple of the font size. */
const EDGE_SIZES = 0.5;
const MAX_STEP_SIZES = 6;
const MAX_HEAD_LINES = 8;
const MAX_NAME_CHARS = 60;
const LARGER_SIZES = 1.2;
const HEADING_SIZES = 1.14;
/** Maximum distance, in font sizes, from a section's name inside a table to the rows above and below. */
const MAX_SECTION_SIZES = 2.4;
/** Minimum gap between names of columns, in font sizes. LaTeX puts 12 points between the cells of a table. */
const SPLIT_SIZES = 0.8;
const [DENSE_SIZES, MAX_DENSE_SIZES, MAX_DENSE_CHARS, STRAIGHT_POINTS] = [0.65, 3, 40, 1];
const LIST_MARK = /^(?:[^\p{L}\p{N}\s$€£+=<>~?!*-]|[–—-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])$/iu;
const CAPTION = /^(figure|fig\.|table|abbildung|tabelle|tableau)\s/i;
/** Maximum distance of a line that continues the row above, as a share of the usual row distance. */
const WRAPPED_STEP_SHARE = 0.85;
/** Maximum distance between two lines of a cell, in font sizes. */
const MAX_WRAP_SIZES = 1.8;
/** Minimum distance between rows whose texts have several lines, as a multiple of the distance of the lines. */
const GAP_RATIO = 1.2;
const MAX_ITEM_LINES = 6;
/** Maximum distance of a line that belongs to the row below, as a share of the usual row distance. */
const CENTRED_SHARE = 0.4;
const CENTRED_RATIO = 0.75;

export function tableAt(lines: readonly PdfLine[], from: number): PdfTable | undefined {
  const first = lines[from];
  if (first?.row) return ruledTable(lines, from);
  const split = first && splitLine(first);
  const dense = first && denseTable(lines, from);
  if (dense) return dense;
  if (!first || (first.cells.length < 2 && !split && !isNameAbove(first, lines[from + 1]))) return undefined;
  return (
    (split && splitTable(lines, from, split)) ??
    alignedTable(lines, from, first) ??
    tableBelowHead(lines, from) ??
    (first.cells.length > 1 ? evenTable(lines, from, first.cells.length) : undefined)
  );
}

/** Returns a ruled table, or undefined if it has one row only or one cell (a title) in the first row. */
function ruledTable(lines: readonly PdfLine[], from: number): PdfTable | undefined {
  let end = from + 1;
  while (lines[end]?.row?.table === lines[from]?.row?.table) end++;
  const rows = lines.slice(from, end).map(({ row }) => row?.cells ?? []);
  return rows.length > 1 && (rows[0] ?? []).filter(Boolean).length > 1
    ? { rows, lines: end - from }
    : undefined;
}

/** Returns a table whose names of columns nearly touch, so that some of them are in one cell of the line. */
function splitTable(lines: readonly PdfLine[], from: number, split: PdfLine) {
  const table = isHead(split, lines[from + 1] ?? split) ? alignedTable(lines, from, split) : undefined;
  const rows = table?.rows.slice(1) ?? [];
  return split.cells.every((_, at) => 2 * rows.filter((row) => row[at]).length > rows.length)
    ? table
    : undefined;
}

/** Returns a line with three or more cells after it is cut at its widest gaps, if it has such gaps. */
function splitLine(line: PdfLine): PdfLine | undefined {
  const split = cutAt(line, SPLIT_SIZES);
  const areWords = split?.cells.every((text, at) => (at === 0 ? /[\p{L}#№]/u : /[\p{L}\p{N}]/u).test(text));
  return areWords && split && split.cells.length >= MIN_COLUMNS ? split : undefined;
}

function cutAt(line: PdfLine, sizes: number): PdfLine | undefined {
  return withParts(line, (pieces) =>
    pieces.slice(1).every(({ left }, at) => left - (pieces[at]?.right ?? 0) > sizes * line.size),
  );
}

/** Returns a line after some of its cells are cut at gaps, or undefined if none is. */
function withParts(line: PdfLine, isCut: (pieces: readonly SegmentPiece[], cell: LineSpan) => boolean) {
  const parts = line.spans.flatMap((span, at) => {
    const pieces = line.pieces[at] ?? [];
    return pieces.length > 1 && isCut(pieces, span) ? pieces : [{ text: line.cells[at] ?? '', ...span }];
  });
  if (parts.length === line.cells.length) return undefined;
  return { ...line, cells: parts.map(({ text }) => text.trim()), spans: parts, pieces: parts.map(() => []) };
}

/** Returns a table whose columns are close to each other, so that gaps as wide as in justified text part them. */
function denseTable(lines: readonly PdfLine[], from: number): PdfTable | undefined {
  const rows: PdfLine[] = [];
  for (let at = from; lines[at]; at++) {
    const line = lines[at];
    const cut = line && !line.row && cutAt(line, DENSE_SIZES);
    const step = cut && at > from ? ((lines[at - 1]?.y ?? 0) - cut.y) / cut.size : 1;
    if (!cut || step <= 0 || step > MAX_DENSE_SIZES || cut.cells.length !== (rows[0] ?? cut).cells.length)
      break;
    rows.push(cut);
  }
  if (rows.length < MIN_ROWS || !isParted(rows)) return undefined;
  const texts = rows.map(({ cells }) => cells);
  const columns = (texts[0] ?? []).map((_, at) => rows.flatMap(({ spans }) => spans[at] ?? []));
  if (!columns.every((column) => areStraight(column)) || areMarks(texts.map(([mark = '']) => mark)))
    return undefined;
  const isShort = texts.every((row) => row.every((text) => text.length <= MAX_DENSE_CHARS));
  return isShort && (columns.length > 2 || texts.every(([name = '']) => /\p{L}/u.test(name)))
    ? { rows: texts, lines: rows.length }
    : undefined;
}

/** True if all parts of a column begin at one place, end at one, or have one middle. */
function areStraight(spans: readonly LineSpan[], most = STRAIGHT_POINTS): boolean {
  return [0, 0.5, 1].some((share) => {
    const places = spans.map(({ left, right }) => left + share * (right - left));
    return maxOf(places) - minOf(places) < most;
  });
}

function isNameAbove(line: PdfLine, below: PdfLine | undefined): boolean {
  const cell = below?.spans.findIndex(({ left, right }) => line.left < right && line.right > left) ?? 0;
  // A column's name that begins with a small letter continues the line above.
  return cell > 0 && (below?.cells.length ?? 0) >= MIN_COLUMNS && /^\p{Ll}/u.test(below?.cells[cell] ?? '');
}

function evenTable(lines: readonly PdfLine[], from: number, columns: number): PdfTable | undefined {
  let end = from;
  while (lines[end]?.cells.length === columns) end++;
  const rows = lines.slice(from, end);
  if (!isParted(rows) || (rows.length < MIN_ROWS && !isPair(rows))) return undefined;
  if (columns === 2 && areMarks(lines.slice(from, end).map(({ cells: [mark = ''] }) => mark)))
    return undefined;
  return { rows: lines.slice(from, end).map(({ cells }) => cells), lines: end - from };
}

/** True for two lines of which each text is above or below another, such as numbers and what they count. */
function isPair([one, other]: readonly PdfLine[]): boolean {
  if (!one || !other || one.cells.length < MIN_COLUMNS || one.y < other.y) return false;
  const isClose = one.y - other.y < MAX_SECTION_SIZES * Math.max(one.size, other.size);
  return isClose && one.spans.every((span, at) => areStraight([span, other.spans[at] ?? span]));
}

function areMarks(texts: readonly string[]): boolean {
  const [first = ''] = texts;
  const isSign = /^[^\p{L}\p{N}]$/u.test(first) && texts.every((text) => text === first);
  return isSign || texts.every((text) => LIST_MARK.test(text));
}

function isParted(lines: readonly PdfLine[]): boolean {
  const columns = lines[0]?.spans.map((span) => ({ ...span })) ?? [];
  for (const { spans } of lines) for (const [at, span] of spans.entries()) widen(columns[at], span);
  return isAscending(columns) || isAscending([...columns].reverse());
}

interface ColumnLine {
  readonly line: Pick<PdfLine, 'cells' | 'spans' | 'y' | 'size'>;
  readonly at: readonly number[];
  readonly isSection?: true;
}

function tableBelowHead(lines: readonly PdfLine[], from: number): PdfTable | undefined {
  for (let begin = from + 1; begin <= from + MAX_HEAD_LINES; begin++) {
    const [first, above] = [lines[begin], lines[begin - 1]];
    if (!first || !above || !isHead(above, first) || !isNear(above, first)) return undefined;
    const before = begin > from + 1 ? lines[begin - 2] : undefined;
    if (before && before.cells.length < MIN_COLUMNS && before.y - above.y > MAX_DENSE_SIZES * above.size)
      return undefined;
    const table = alignedTable(lines, begin, first);
    if (!table || table.columns.length < MIN_COLUMNS) continue;
    const head = lines.slice(from, begin).map((line) => namesOver(line, table.columns));
    if (!head.every((names) => names !== undefined)) return undefined;
    const [names = [], ...rest] = table.rows;
    const isName = namesColumns(names, rest);
    const joined = names.map((name, at) =>
      [...head.map((one) => one?.[at]), isName && name].filter(Boolean).join(' '),
    );
    return { rows: [joined, ...(isName ? rest : table.rows)], lines: begin - from + table.lines };
  }
  return undefined;
}

function isHead({ cells, size }: PdfLine, below: PdfLine): boolean {
  // Many numbers mean a row of data, not a header. Years and small numbers may be names of columns.
  const numbers = cells.filter((cell) => isNumber(cell) && !/^(\d{1,2}|(19|20)\d\d)$/.test(cell));
  if (numbers.length > cells.length / 2) return false;
  return size < LARGER_SIZES * below.size && cells.every((cell) => cell.length <= MAX_NAME_CHARS);
}

function namesOver(line: PdfLine, columns: readonly LineSpan[]) {
  const split = splitLine(line);
  // As many names as columns are theirs, also if they are centred over numbers at the right.
  const isOwn = (span: LineSpan, at: number) => columnsUnder(span, columns).every((over) => over === at);
  const even = [line, split].find((one) => one?.cells.length === columns.length && one.spans.every(isOwn));
  if (even) return even.cells;
  const { cells, spans } = split && columnsOf(split, columns) ? split : line;
  const names = columns.map(() => '');
  for (const [cell, span] of spans.entries()) {
    const over = columnsUnder(span, columns);
    if (over.length === 0) return undefined;
    for (const at of over) names[at] = [names[at], cells[cell]].filter(Boolean).join(' ');
  }
  return names;
}

function namesColumns(first: readonly string[], rest: readonly (readonly string[])[]): boolean {
  const numbers = first.map(
    (_, at) => rest.filter((row) => isNumber(row[at] ?? '')).length > rest.length / 2,
  );
  return numbers.some(Boolean) && first.every((name, at) => !(numbers[at] && isNumber(name)));
}

const isNumber = (text: string): boolean => /\d/.test(text) && !/\p{L}{2}/u.test(text);

const isCount = (text = ''): boolean => /\d/.test(text) && !/\p{L}/u.test(text);

function isNear(above: PdfLine, below: PdfLine): boolean {
  const step = above.y - below.y;
  return step > 0 && step < MAX_STEP_SIZES * below.size;
}

function alignedTable(lines: readonly PdfLine[], from: number, first: PdfLine) {
  const columns = first.spans.map((span) => ({ ...span }));
  if (columns.length < 2 || !isAscending(columns)) return undefined;
  const placed: ColumnLine[] = [{ line: first, at: columns.map((_, at) => at) }];
  for (let next = from + 1; ; next++) {
    const [line, last] = [lines[next], lines[next - 1]];
    if (!line || !last || isHeadingBelow(line, placed)) break;
    const found = isNear(last, line) ? placedIn(line, columns) : undefined;
    if (!found && isSection(last, line, lines[next + 1], columns)) {
      placed.push({ line, at: [0], isSection: true });
      continue;
    }
    if (!found) break;
    for (const [cell, column] of found.at.entries()) widen(columns[column], found.line.spans[cell]);
    placed.push(found);
  }
  const whole = itemRows(placed, columns.length);
  if (!whole) removeTail(placed);
  if (countRows(placed) < MIN_ROWS) return undefined;
  if (columns.length === 2 && !isPaired(placed)) return undefined;
  const rows = whole ?? itemRows(placed, columns.length) ?? stepRows(placed, columns.length);
  return { rows: withOneHead(rows), lines: placed.length, columns };
}

const countRows = (placed: readonly ColumnLine[]): number => placed.filter(({ at }) => at.length > 1).length;

/** True for a heading below a whole table. Among the first rows, it may be the name of a section. */
function isHeadingBelow({ cells, left, size }: PdfLine, rows: readonly ColumnLine[]): boolean {
  const isOver = ({ line }: ColumnLine) =>
    Math.abs(left - (line.spans[0]?.left ?? 0)) < size && size > HEADING_SIZES * line.size;
  return cells.length === 1 && rows.every(isOver) && countRows(rows) >= MIN_ROWS;
}

/** Removes last rows that have only a first cell, because they are the paragraph after the table. */
function removeTail(placed: ColumnLine[]): void {
  while (placed.at(-1)?.isSection) placed.pop();
  while (placed.at(-1)?.at.length === 1 && placed.at(-1)?.at[0] === 0) placed.pop();
}

function isPaired(placed: readonly ColumnLine[]): boolean {
  const second = placed.flatMap(({ line, at }) => line.spans[at.indexOf(1)] ?? []);
  const names = placed.flatMap(({ line, at }) => (at[0] === 0 ? (line.cells[0] ?? '') : []));
  return (
    areStraight(second, STRAIGHT_POINTS / 2) &&
    placed.some(({ at }) => at.length === 1) &&
    !names.some((name) => LIST_MARK.test(name)) &&
    !areMarks(names)
  );
}

function withOneHead(rows: string[][]): string[][] {
  const [names = [], second = [], ...rest] = rows;
  const isName =
    second.every((cell) => /^(?:[\p{Ll}(]|$)/u.test(cell)) && ![...names, ...second].some(isCount);
  if (!isName || rest.length < 2 || !rest.every((row) => row.some(isCount))) return rows;
  return [names.map((name, at) => `${name} ${second[at] ?? ''}`.trim()), ...rest];
}

function isSection(
  last: PdfLine,
  { cells, spans, y, size }: PdfLine,
  next: PdfLine | undefined,
  columns: readonly LineSpan[],
): boolean {
  const [[text = ''], [span], end] = [cells, spans, columns.at(-1)];
  if (cells.length !== 1 || !span || !end || !next || text.length > MAX_NAME_CHARS || CAPTION.test(text))
    return false;
  const isClose =
    last.y - y < MAX_SECTION_SIZES * size && y - next.y < MAX_SECTION_SIZES * size && y > next.y;
  const isWithin = span.left > (columns[0]?.left ?? 0) - size && span.right < end.left;
  return isClose && isWithin && (placedIn(next, columns)?.at.length ?? 0) > columns.length / 2;
}

function placedIn(line: PdfLine, columns: readonly LineSpan[]): ColumnLine | undefined {
  const at = columnsOf(line, columns);
  if (at) return { line, at };
  const split = withParts(line, (_, cell) => columnsUnder(cell, columns).length > 1);
  const found = split && columnsOf(split, columns);
  return found && { line: split, at: found };
}

function columnsUnder(span: LineSpan, columns: readonly LineSpan[]): number[] {
  return columns.flatMap(({ left, right }, at) => (span.left < right && span.right > left ? [at] : []));
}

function isAscending(spans: readonly LineSpan[]): boolean {
  return spans.every(({ left }, at) => left >= (spans[at - 1]?.right ?? Number.NEGATIVE_INFINITY));
}

function columnsOf({ spans, size }: Pick<PdfLine, 'spans' | 'size'>, columns: readonly LineSpan[]) {
  const found: number[] = [];
  for (const span of spans) {
    const over = columnsUnder(span, columns);
    const aligned = columns.findIndex(
      ({ left, right }) =>
        Math.abs(span.left - left) < EDGE_SIZES * size || Math.abs(span.right - right) < EDGE_SIZES * size,
    );
    const column = over.length === 1 ? over[0] : over.length === 0 && aligned >= 0 ? aligned : undefined;
    if (column === undefined || column <= (found.at(-1) ?? -1)) return undefined;
    found.push(column);
  }
  return found.length > 0 ? found : undefined;
}

function widen(column: { left: number; right: number } | undefined, span: LineSpan | undefined): void {
  if (!column || !span) return;
  column.left = Math.min(column.left, span.left);
  column.right = Math.max(column.right, span.right);
}

/** Returns rows that wide gaps part, each with one line of several cells, or undefined. */
function itemRows(placed: readonly ColumnLine[], columns: number): string[][] | undefined {
  const full = placed.filter(({ at }) => at.length > 1).length;
  const steps = placed.slice(1).map(({ line }, at) => (placed[at]?.line.y ?? 0) - line.y);
  const [within = 0, least = 0] = steps.toSorted((one, other) => one - other).slice(steps.length - full);
  if (full === placed.length || least < GAP_RATIO * within) return undefined;
  const items: ColumnLine[][] = [];
  for (const [index, one] of placed.entries()) {
    const step = steps[index - 1] ?? least;
    const isBelowFull = one.at[0] !== 0 && (placed[index - 1]?.at.length ?? 0) > 1;
    if (one.isSection || (isBelowFull && step < MAX_WRAP_SIZES * one.line.size)) return undefined;
    if (step < least) items.at(-1)?.push(one);
    else items.push([one]);
  }
  const isItem = (lines: ColumnLine[]) =>
    lines.length <= MAX_ITEM_LINES && lines.filter(({ at }) => at.length > 1).length === 1;
  const empty = Array.from({ length: columns }, () => '');
  return items.every(isItem) ? items.map((lines) => lines.reduce(withCells, [...empty])) : undefined;
}

function withCells(row: string[], { line, at }: ColumnLine): string[] {
  for (const [cell, column] of at.entries())
    row[column] = [row[column], line.cells[cell]].filter(Boolean).join(' ');
  return row;
}

function stepRows(placed: readonly ColumnLine[], columns: number): string[][] {
  const whole = placed.filter(({ at }) => at[0] === 0);
  const steps = whole.slice(1).map(({ line }, at) => (whole[at]?.line.y ?? line.y) - line.y);
  const usual = [...steps].sort((one, other) => one - other)[steps.length >> 1] ?? 0;
  const rows: string[][] = [];
  let [rowY, lastY] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let [wasSection, wasAbove] = [false, false];
  for (const [index, { line, at, isSection }] of placed.entries()) {
    const row = rows.at(-1);
    // In a table with vertically centred cells, a line just above a row's first cell belongs to that row.
    const below = placed[index + 1];
    const gap = at[0] !== 0 && below?.at[0] === 0 ? line.y - below.line.y : Number.POSITIVE_INFINITY;
    const isAbove = gap < Math.min(CENTRED_SHARE * usual, CENTRED_RATIO * (lastY - line.y));
    const step = (at[0] === 0 && at.length > 1 ? rowY : lastY) - line.y;
    const isCounted = at.some(
      (column, cell) =>
        isCount(line.cells[cell]) &&
        (isCount(row?.[column]) || (rows.length === 1 && !/\d/.test(row?.[column] ?? '0'))),
    );
    const isNamed = isSection || wasSection;
    wasSection = isSection ?? false;
    const isFar = step >= WRAPPED_STEP_SHARE * usual || lastY - line.y > MAX_WRAP_SIZES * line.size;
    const isNext = isFar || isCounted || isNamed || isAbove;
    const continues = row !== undefined && (wasAbove || !isNext);
    wasAbove = isAbove;
    if (!continues) {
      rows.push(Array.from({ length: columns }, () => ''));
      rowY = line.y;
    }
    withCells(rows.at(-1) ?? [], { line, at });
    lastY = line.y;
  }
  return rows;
}
