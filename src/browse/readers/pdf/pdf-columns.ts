import { maxOf, minOf } from '../../../lib/long-lists.ts';
import { findGutterBands } from './pdf-gutters.ts';
import { groupPlots } from './pdf-plots.ts';
import { groupIntoRows, median, type TextSegment } from './pdf-segments.ts';
import { isRightToLeft } from './runs/pdf-rtl.ts';

const MAX_CUTS = 24;
const MIN_COLUMN_ROWS = 3;
const MIN_NOTE_ROWS = 2;
const NOTE_STEP_SIZES = 1.7;
/** Minimum width of a line of running text, in font sizes. Table cells and labels are narrower. */
const PROSE_SIZES = 10;
/** If only one of two columns has running text, the column widths may differ by at most this factor. */
const MAX_WIDTH_RATIO = 1.4;
const SAME_GUTTER_POINTS = 10;
/** Minimum gap between rows of a table with multi-line cells, as a multiple of the usual line distance. */
const ROW_STEPS = 1.4;
const MAX_ROW_LINES = 3.5;
/** If at least this share of rows has text on both sides of a gutter, the sides may be one table. */
const TABLE_ROWS = 0.7;
const TABLE_CELLS = 4;
/** A column contains values if at least this share of its cells is short and without words. */
const VALUES_SHARE = 0.6;
const MAX_VALUE_CHARS = 16;
const MAX_LABEL_WORDS = 4;
const MAX_VALUE_WORDS = 6;
/** Minimum gap between a label and its value, in font sizes. */
const LABEL_GAP_SIZES = 4;
/** Minimum font size of a title over a column, as a multiple of its texts' font size. */
const [TITLE_SIZES, MAX_TITLE_SHARE] = [1.14, 0.7];
/** Maximum distance between two lines of one block, in font sizes. */
const [TIGHT_SIZES, RUNNING_SHARE] = [1.8, 0.6];

/** Matches a line of a letter's data, such as `Date: 3 March` or `Customer number 558`. */
const LABELLED =
  /^(?:\p{Lu}[^:\d]{1,40}: ?\S|(?:Account|Bill|Client|Customer|Dat[eu]|Due|Fax|Invoice|Kunde|Order|Our|Page|Phone|Re[cf]|T[eé]l|Your)[^:\d]{0,40}\d)/u;
/** Matches a line such as `80331 Munich`, `1017 AB Amsterdam`, `Leeds NB4 2QT` or `Springfield, IL 62704`. */
const PLACE =
  /^(?:[A-Z]{1,2}-)?(?:\d{4,6}|\d{3} \d{2}|\d{2,4}-\d{3,4}) \p{Lu}\p{L}|(?<![\w.,])(?:[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d)$|(?:,|[A-Z]{2}) [A-Z]{2} \d{5}$/u;

/** Returns rows in reading order. Cuts the page at gutters, like the XY-cut of Nagy and Seth (1984). */
export function inReadingOrder(segments: readonly TextSegment[]): TextSegment[][] {
  return ordered(groupIntoRows(segments), 0, []);
}

function ordered(rows: TextSegment[][], depth: number, known: readonly number[]): TextSegment[][] {
  if (depth >= MAX_CUTS || rows.length < MIN_COLUMN_ROWS) return orderAuthors(groupPlots(rows));
  for (const { top, from, to, gutter, left, right } of bandsOf(rows)) {
    const isKnown = known.some((other) => Math.abs(other - gutter) < SAME_GUTTER_POINTS);
    const [isBefore, isAfter] = [isNote(left, right), isNote(right, left)];
    const text = [...left, ...right].flatMap((row) => row.map((one) => one.text)).join('');
    const isReversed = isBefore || (!isAfter && isRightToLeft(text));
    const [first, second] = isReversed ? [right, left] : [left, right];
    const isColumned = areColumns(left, right, isKnown);
    const end = endBeside([...first, rows[to] ?? []], second);
    const isBeside = areBeside(first, second, end, isColumned);
    const at = isBeside ? -1 : firstItem(rows, left, right);
    if (at >= 0) {
      const [above = [], below = []] = [rows.slice(0, at), rows.slice(to)].map((part) =>
        ordered(part, depth + 1, known),
      );
      return [...above, ...rows.slice(at, to), ...below];
    }
    if (!isBeside && !isColumned && !isBefore && !isAfter) continue;
    const parts = isBeside ? [first.slice(0, end), second, first.slice(end)] : [first, second];
    const gutters = isKnown ? known : [...known, gutter];
    return [
      ...ordered(rows.slice(0, top), depth + 1, gutters),
      ...orderAuthors(rows.slice(top, from), true),
      ...parts.flatMap((column) => ordered(column, depth + 1, gutters)),
      ...ordered(rows.slice(to), depth + 1, gutters),
    ];
  }
  return orderAuthors(groupPlots(rows));
}

/** Returns bands split at their gutters, below the authors over them. Titled columns come alone. */
function bandsOf(rows: readonly TextSegment[][]) {
  const bands = findGutterBands(rows, MIN_NOTE_ROWS).map(({ from: top, to, gutter }) => {
    const from = top + countAuthorRows(rows.slice(top, to), gutter);
    const within = rows.slice(from, to).flat();
    const left = groupIntoRows(within.filter((one) => one.right <= gutter));
    const right = groupIntoRows(within.filter((one) => one.right > gutter));
    return { top, from, to, gutter, left, right };
  });
  const clear = bands.filter(({ left, right }) => areTitled(left, right));
  return clear.length > 0 ? clear : bands;
}

function isNote(note: readonly TextSegment[][], text: readonly TextSegment[][]): boolean {
  if (note.length < MIN_NOTE_ROWS || text.length < note.length + MIN_COLUMN_ROWS) return false;
  if (!isProse(text) || isProse(note) || areValues(note)) return false;
  const most = NOTE_STEP_SIZES * (note[0]?.[0]?.size ?? 0);
  return maxOf(stepsOf(note)) < most && maxOf(stepsOf(text)) < ROW_STEPS * usualStep(text);
}

function areBeside(first: TextSegment[][], second: TextSegment[][], end: number, isColumned: boolean) {
  const block = first.slice(0, end);
  const areShort = isColumned && (isClosing(first, end) || !(isProse(block) || isProse(second)));
  return end > 0 && (areShort || areBlocks(block, second) || isLetterhead(block, second));
}

/** Returns the index of the first row that is below the other column and below a wide gap, or -1. */
function endBeside(rows: readonly TextSegment[][], other: readonly TextSegment[][]): number {
  const bottom = other.at(-1)?.[0]?.y ?? 0;
  return rows.findIndex(([one], at) => {
    const step = (rows[at - 1]?.[0]?.y ?? 0) - (one?.y ?? 0);
    return !one || (one.y < bottom && step > GAP_SIZES * one.size);
  });
}

/** True if a line or two, such as the sources of an article, follow far below both columns. */
function isClosing(rows: readonly TextSegment[][], end: number): boolean {
  const [step, [one]] = [stepsOf(rows)[end - 1] ?? 0, rows[end] ?? []];
  return one !== undefined && rows.length - end <= MIN_NOTE_ROWS && step > CLOSING_SIZES * one.size;
}

/** True for two short blocks with different line distances, such as a letter's address and its data. */
function areBlocks(one: readonly TextSegment[][], other: readonly TextSegment[][]): boolean {
  if (![one, other].every((rows) => isBlock(rows))) return false;
  const [step, otherStep] = [usualStep(one), usualStep(other)];
  const isAlike = Math.max(step, otherStep) < ROW_STEPS * Math.min(step, otherStep);
  const level = other.flat().filter(({ y }) => one.flat().some((beside) => Math.abs(beside.y - y) < 1));
  return isAlike && Math.abs(step - otherStep) >= 0.5 && 3 * level.length <= other.flat().length;
}

/** True for two blocks on the same lines of which one is an address, and the other the data of a letter. */
function isLetterhead(one: readonly TextSegment[][], other: readonly TextSegment[][]): boolean {
  const most = ROW_STEPS * usualStep(one);
  const lastBlock = (rows: readonly TextSegment[][]) =>
    rows.slice(stepsOf(rows).findLastIndex((step) => step > most) + 1);
  const isAbove = (other[0]?.[0]?.y ?? 0) > (one[0]?.[0]?.y ?? 0) + 1;
  const blocks = [lastBlock(one), isAbove ? other : lastBlock(other)];
  if (!blocks.every((rows) => isBlock(rows, MIN_NOTE_ROWS))) return false;
  const kinds = blocks.map((rows) => {
    const texts = rows.map((row) => row.map(({ text }) => text.trim()).join(' '));
    const labels = texts.filter((text) => LABELLED.test(text)).map((text) => text.split(/[\s:]/)[0]);
    const isData = new Set(labels).size >= TABLE_ROWS * texts.length;
    const isNamed = rows.length >= MIN_COLUMN_ROWS && /^[^\d:]+$/.test(texts[0] ?? '');
    const isPlain = isNamed && texts.every((text, at) => !text.includes(':') && rows[at]?.length === 1);
    const places = texts.flatMap((text, at) => (PLACE.test(text) ? [at - texts.length] : []));
    // Below the place, an address has its country at most.
    return { isData, isAddress: isPlain && places.length === 1 && Number(places[0]) >= -2 };
  });
  return kinds.some(({ isAddress }) => isAddress) && kinds.every((one) => one.isAddress || one.isData);
}

function isBlock(rows: readonly TextSegment[][], least = MIN_COLUMN_ROWS): boolean {
  const [steps, lefts] = [stepsOf(rows), rows.map(([one]) => one?.left ?? 0)];
  const isEven = maxOf(steps) < 1.1 * minOf(steps) && maxOf(lefts) - minOf(lefts) < 1;
  return isEven && rows.length >= least && rows.length <= MAX_ROWS;
}

function areColumns(left: readonly TextSegment[][], right: readonly TextSegment[][], isKnown: boolean) {
  if (left.length < MIN_COLUMN_ROWS || right.length < MIN_COLUMN_ROWS) return false;
  if (areTitled(left, right) || isApart(left, right) || isApart(right, left)) return true;
  if (isGrid(left, right) || isTable(left, right) || areLabelled(left, right)) return false;
  const [isLeft, isRight] = [isProse(left), isProse(right)];
  if (isLeft && isRight) return true;
  if (isKnown) return true;
  if (!isLeft && !isRight) return false;
  const [one, other] = [widthOf(left), widthOf(right)];
  const prose = isLeft ? left : right;
  return prose.length >= 2 * MIN_COLUMN_ROWS && Math.max(one, other) < MAX_WIDTH_RATIO * Math.min(one, other);
}

/** True for two columns of which each has a title of its own. The names over a table have the size of its texts. */
function areTitled(...sides: (readonly TextSegment[][])[]): boolean {
  const isTitled = ([title = [], ...rows]: readonly TextSegment[][]) => {
    const [one] = title;
    if (!one || title.length > 1) return false;
    const sizes = rows.flat().map(({ size }) => size);
    const isLarger = one.size > TITLE_SIZES * median(sizes) && one.size > maxOf(sizes) - 0.1;
    const isShort = one.right - one.left < MAX_TITLE_SHARE * widthOf(rows);
    const edge = minOf(rows.map(([first]) => first?.left ?? 0));
    return isLarger && isShort && Math.abs(one.left - edge) < one.size / 2;
  };
  const isSplit = (rows: readonly TextSegment[][]) =>
    2 * rows.filter((row) => row.length > 1).length > rows.length;
  return sides.every(isTitled) && sides.some((rows) => isProse(rows) || isSplit(rows));
}

/** True for running text and another block beside it, such as a box or a sidebar. */
function isApart(text: readonly TextSegment[][], beside: readonly TextSegment[][]): boolean {
  const isTight = (rows: readonly TextSegment[][], share: number) => {
    const most = TIGHT_SIZES * (rows[0]?.[0]?.size ?? 0);
    return stepsOf(rows).filter((step) => step < most).length >= share * (rows.length - 1);
  };
  const single = text.flatMap((row) => (row.length === 1 ? row : []));
  const isText = isProse(text) && single.length >= TABLE_ROWS * text.length && isTight(text, RUNNING_SHARE);
  if (!isText || !isTight(beside, RUNNING_SHARE)) return false;
  const levels = Map.groupBy(single, ({ y }) => Math.floor(y));
  const isLevel = ([one]: TextSegment[]) => {
    const at = one?.y ?? 0;
    const near = [-1, 0, 1].flatMap((step) => levels.get(Math.floor(at) + step) ?? []);
    return near.some(({ y }) => Math.abs(y - at) < 1);
  };
  const values = beside.flat().filter((one) => !/\p{L}{3}/u.test(one.text));
  const isBlock =
    Math.min(beside.length, text.length) > MIN_COLUMN_ROWS + 1 && 3 * values.length < beside.length;
  if (isBlock && 2 * beside.filter(isLevel).length < beside.length) return true;
  const edge = maxOf(single.map(({ right }) => right));
  const full = single.slice(1).filter(({ text: next, left, right }, at) => {
    const word = next.trim().split(/\s/, 1)[0] ?? '';
    const isFull = (single[at]?.right ?? 0) + ((right - left) * (word.length + 1)) / next.length > edge;
    return isFull && /^\s*\p{Ll}\S*\s\S+\s\S/u.test(next);
  });
  return full.length >= (single.length - 1) / 2 && isTight(beside, 1);
}

function isProse(rows: readonly TextSegment[][]): boolean {
  let [wide, all] = [0, 0];
  for (const { left, right, size } of rows.flat()) {
    const width = (right - left) / (size || 1);
    all += width;
    if (width >= PROSE_SIZES) wide += width;
  }
  return wide > 0.5 * all;
}

function isGrid(left: readonly TextSegment[][], right: readonly TextSegment[][]): boolean {
  const heights = [...left, ...right].map(([first]) => first?.y ?? 0).sort((one, other) => other - one);
  const usual = Math.max(usualStep(left), usualStep(right));
  const starts = heights.filter(
    (y, at) => (heights[at - 1] ?? Number.POSITIVE_INFINITY) - y > ROW_STEPS * usual,
  );
  if (starts.length < 3 || Math.max(left.length, right.length) / starts.length > MAX_ROW_LINES) return false;
  const begins = (rows: readonly TextSegment[][], y: number) =>
    rows.some(([first]) => first && Math.abs(first.y - y) < 1);
  return starts.filter((y) => begins(left, y) && begins(right, y)).length >= 0.8 * starts.length;
}

function isTable(left: readonly TextSegment[][], right: readonly TextSegment[][]): boolean {
  const heights = new Map(right.map((row) => [Math.round(row[0]?.y ?? 0), row]));
  const both = left.flatMap((row) => {
    const y = Math.round(row[0]?.y ?? 0);
    const other = heights.get(y) ?? heights.get(y - 1) ?? heights.get(y + 1);
    return other ? [[...row, ...other]] : [];
  });
  const [fewer, more] = [Math.min(left.length, right.length), Math.max(left.length, right.length)];
  if (both.length >= TABLE_ROWS * fewer && both.length > more / 2 && areValues(right)) return true;
  if (both.length < TABLE_ROWS * more) return false;
  const isCell = ({ left: from, right: to, size }: TextSegment) => to - from < PROSE_SIZES * (size || 1);
  const cells = both.filter((row) => row.length >= TABLE_CELLS && row.filter(isCell).length > row.length / 2);
  return cells.length >= TABLE_ROWS * both.length;
}

/** Returns the first row with values beside texts, level with a line or midway between two lines, or -1. */
function firstItem(rows: TextSegment[][], left: TextSegment[][], right: TextSegment[][]): number {
  const isValued = (row: readonly TextSegment[]) => row.some((one) => areValues([[one]]));
  // The row above the first values may have the names of the columns.
  const top = right[Math.max(0, right.findIndex(isValued) - 1)]?.[0]?.y ?? 0;
  const heights = left.map(([one]) => one?.y ?? 0).filter((y) => y < top + 1);
  const places = [...heights, ...heights.slice(1).map((y, at) => (y + (heights[at] ?? y)) / 2)];
  const beside = right.filter(([one]) => one && one.y < top + 1 && one.y > minOf(heights) - 1);
  const items = beside.slice(1);
  const areItems = areValues(items) && items.filter(isValued).length >= TABLE_ROWS * items.length;
  const areLevel = beside.every(([one]) => places.some((y) => Math.abs(y - (one?.y ?? 0)) < 1));
  const areTexts = !areValues(left.slice(-heights.length)) && heights.length <= MAX_ROW_LINES * beside.length;
  const isTable = items.length > 0 && areItems && areLevel && areTexts;
  return isTable ? rows.findIndex(([one]) => one && one.y < top + 1) : -1;
}

function areLabelled(left: readonly TextSegment[][], right: readonly TextSegment[][]): boolean {
  return right.every(([value, ...others]) => {
    const row = value && left.find(([first]) => first && Math.abs(first.y - value.y) < 1);
    const label = row?.length === 1 ? row[0] : undefined;
    if (!value || !label || others.length > 0 || value.left - label.right < LABEL_GAP_SIZES * label.size)
      return false;
    const isShort = ({ text }: TextSegment, most: number) => text.trim().split(/\s+/).length <= most;
    return (
      isShort(label, MAX_LABEL_WORDS) && isShort(value, MAX_VALUE_WORDS) && !/^\s*\p{Ll}/u.test(value.text)
    );
  });
}

function areValues(rows: readonly TextSegment[][]): boolean {
  const cells = rows.flat();
  const values = cells.filter(({ text }) => !/\p{L}{3}/u.test(text) && text.trim().length <= MAX_VALUE_CHARS);
  return values.length >= VALUES_SHARE * cells.length;
}

function stepsOf(rows: readonly TextSegment[][]): number[] {
  return rows.slice(1).map(([first], at) => (rows[at]?.[0]?.y ?? 0) - (first?.y ?? 0));
}

const usualStep = (rows: readonly TextSegment[][]): number => median(stepsOf(rows));

function widthOf(rows: readonly TextSegment[][]): number {
  return (
    maxOf(rows.map((row) => maxOf(row.map(({ right }) => right)))) -
    minOf(rows.map((row) => row[0]?.left ?? 0))
  );
}

/** A group of authors below a paper's title has at most this many rows. */
const MAX_ROWS = 10;
const GAP_SIZES = 1.9;
const CLOSING_SIZES = 3;
const SAME_MIDDLE_POINTS = 2;

/** Counts the rows of authors. No text of theirs begins at the edge of a column, and not all are its titles. */
function countAuthorRows(rows: readonly TextSegment[][], gutter: number): number {
  const sides = [true, false].map((isRight) => {
    const isSide = ({ right }: TextSegment) => right > gutter === isRight;
    const all = rows.flat().filter(isSide);
    return { isSide, from: minOf(all.map(({ left }) => left)), to: median(all.map(({ right }) => right)) };
  });
  for (let end = 0; ; ) {
    const group = rows.slice(end, end + Math.max(1, groupAt(rows, end)));
    const owns = sides.map(({ isSide }) => group.flat().filter(isSide));
    const areOver = sides.every(
      ({ from }, at) => owns[at]?.[0] && owns[at].every((one) => one.left > from + one.size),
    );
    const areTitles = sides.every(({ from, to }, at) =>
      owns[at]?.every(({ left, right }) => Math.abs(left + right - from - to) < (to - from) / 2),
    );
    if (!columnsOf(group) && (areTitles || !areOver)) return end;
    end += group.length;
  }
}

/** Puts authors who are printed side by side one below the other. Otherwise, they look like a table. */
function orderAuthors(rows: TextSegment[][], areAuthors = false): TextSegment[][] {
  const result: TextSegment[][] = [];
  for (let at = 0; at < rows.length; ) {
    const count = Math.max(1, groupAt(rows, at));
    const group = rows.slice(at, at + count);
    const columns = columnsOf(group, areAuthors);
    for (const row of columns ? columns.flat().map((one) => [one]) : group) result.push(row);
    at += count;
  }
  return result;
}

function groupAt(rows: readonly TextSegment[][], from: number): number {
  let end = from + 1;
  const stepTo = (at: number) => (rows[at - 1]?.[0]?.y ?? 0) - (rows[at]?.[0]?.y ?? 0);
  while (end < rows.length && end - from <= MAX_ROWS && stepTo(end) < GAP_SIZES * (rows[end]?.[0]?.size ?? 0))
    end++;
  const count = end - from;
  return rows[from] && count > 1 && count <= MAX_ROWS ? count : 0;
}

function columnsOf(rows: readonly TextSegment[][], areAuthors = false): TextSegment[][] | undefined {
  const all = rows.flat();
  if (rows.length < 2 || !(areAuthors || all.some(({ text }) => text.includes('@')))) return undefined;
  const columns: { right: number; segments: TextSegment[] }[] = [];
  for (const one of [...all].sort((a, b) => a.left - b.left)) {
    const last = columns.at(-1);
    if (last && one.left < last.right) {
      last.segments.push(one);
      last.right = Math.max(last.right, one.right);
    } else columns.push({ right: one.right, segments: [one] });
  }
  if (columns.length < 2 || !columns.every(({ segments }) => isCentred(segments))) return undefined;
  return columns.map(({ segments }) => segments.sort((a, b) => b.y - a.y));
}

function isCentred(segments: readonly TextSegment[]): boolean {
  const [first] = segments;
  if (!first || segments.length < 2) return false;
  const middle = ({ left, right }: TextSegment) => (left + right) / 2;
  return (
    segments.every((one) => Math.abs(middle(one) - middle(first)) < SAME_MIDDLE_POINTS) &&
    segments.some((one) => Math.abs(one.left - first.left) > SAME_MIDDLE_POINTS)
  );
}
