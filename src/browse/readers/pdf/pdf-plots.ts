import { maxOf, minOf, pushAll } from '../../../lib/long-lists.ts';
import { groupIntoRows, type TextSegment } from './pdf-segments.ts';

/** Minimum count of numbers on a plot's axis. `MAX_TICK_SIZES` limits the distance between two numbers. */
const MIN_TICKS = 3;
const MAX_TICK_SIZES = 10;
const EDGE_SIZES = 0.4;
const STEP_SHARE = 0.2;
const VALUE_SHARE = 0.05;
/** Maximum share of an axis's numbers that have text beside them. With more, they are a table column. */
const MAX_CELLS_SHARE = 0.5;
/** Maximum vertical distance between labels of one list, in font sizes. */
const LIST_SIZES = 2.2;
/** Maximum gap between two labels side by side, as a multiple of the font size. */
const LIST_GAP_SIZES = 8;
const BELOW_SIZES = 3.5;
const MAX_AXES = 64;
const MAX_LABELS = 500;
/** Maximum rows below a plot: the axis numbers, the axis title, and a label of the plot such as `(a)`. */
const MAX_ROWS_BELOW = 3;

const NUMBER = /^[-\u2212\u2013]?\d{1,9}([.,]\d{1,6})?(e[-+]?\d{1,3})?\s?[%kKMGB]?$/;
const CAPTION = /^(figure|fig\.|table|abbildung|tabelle)/i;

type Axis = TextSegment[];

/** Puts the axis and labels of each plot together, so that plots side by side are not mixed. */
export function groupPlots(rows: TextSegment[][]): TextSegment[][] {
  const axes = axesOf(rows);
  if (axes.length === 0) return rows;
  const taken = new Set<TextSegment>();
  const plots = axes.map((axis) => plotOf(axis, axes, rows, taken));
  const result: TextSegment[][] = [];
  for (const row of rows) {
    for (const [at, axis] of axes.entries()) {
      if (row.some((one) => axis.includes(one))) pushAll(result, plots.splice(at, 1, [])[0] ?? []);
    }
    const left = row.filter((one) => !taken.has(one));
    if (left.length > 0) result.push(left);
  }
  return result;
}

function numberOf(text: string): number | undefined {
  const plain = text.trim();
  return NUMBER.test(plain)
    ? Number.parseFloat(plain.replace(/[\u2212\u2013]/, '-').replace(',', ''))
    : undefined;
}

function axesOf(rows: readonly TextSegment[][]): Axis[] {
  const open: Axis[] = [];
  const found: Axis[] = [];
  for (const row of rows) {
    for (const one of row) {
      const value = numberOf(one.text);
      if (value === undefined) continue;
      const axis = open.find((numbers) => goesDown(numbers, one, value));
      if (axis) axis.push(one);
      else if (open.length < 4 * MAX_AXES) open.push([one]);
    }
    const y = row[0]?.y ?? 0;
    for (let at = open.length - 1; at >= 0; at--) {
      const last = open[at]?.at(-1);
      if (last && last.y - y > MAX_TICK_SIZES * last.size) found.push(...open.splice(at, 1));
    }
  }
  const axes = [...found, ...open].filter(isEven);
  const numbers = new Set(axes.flat());
  const rowOf = new Map(rows.flatMap((row) => row.map((one) => [one, row] as const)));
  return axes
    .filter((axis) => {
      const cells = axis.filter((one) =>
        rowOf.get(one)?.some((other) => !numbers.has(other) && Math.abs(other.y - one.y) < 0.08 * one.size),
      );
      return cells.length < MAX_CELLS_SHARE * axis.length;
    })
    .slice(0, MAX_AXES)
    .sort((one, other) => (one[0]?.left ?? 0) - (other[0]?.left ?? 0));
}

function goesDown(axis: Axis, next: TextSegment, value: number): boolean {
  const last = axis.at(-1);
  if (!last || Math.abs(last.size - next.size) > 0.1 * next.size) return false;
  const edges = [
    last.left - next.left,
    last.right - next.right,
    (last.left + last.right - next.left - next.right) / 2,
  ];
  return (
    edges.some((edge) => Math.abs(edge) < EDGE_SIZES * next.size) && value < (numberOf(last.text) ?? value)
  );
}

function isEven(axis: Axis): boolean {
  if (axis.length < MIN_TICKS) return false;
  const values = axis.map(({ text }) => numberOf(text) ?? 0);
  const places = stepsOf(axis.map(({ y }) => y));
  const isLog = values.every((value) => value > 0) && areEven(stepsOf(values.map(Math.log)), VALUE_SHARE);
  return areEven(places, STEP_SHARE) && (isLog || areEven(stepsOf(values), VALUE_SHARE));
}

function stepsOf(values: readonly number[]): number[] {
  return values.slice(1).map((value, at) => (values[at] ?? value) - value);
}

function areEven(steps: readonly number[], share: number): boolean {
  const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length;
  return steps.every((step) => Math.abs(step - mean) <= share * mean);
}

function plotOf(axis: Axis, axes: readonly Axis[], rows: readonly TextSegment[][], taken: Set<TextSegment>) {
  const [first, last] = [axis[0], axis.at(-1)];
  if (!first || !last) return [];
  const { size } = first;
  const [top, bottom] = [first.y + size, last.y - size];
  const beside = axes.filter(
    ([one]) =>
      one && one.left > maxOf(axis.map(({ right }) => right)) && one.y > bottom && one.y < top + 4 * size,
  );
  const from = minOf(axis.map(({ left }) => left)) - 2 * size;
  const to = minOf(beside.map((other) => minOf(other.map(({ left }) => left)))) - 0.1;
  const isWithin = (one: TextSegment) => {
    const middle = (one.left + one.right) / 2;
    return middle > from && middle < to && !taken.has(one);
  };
  const numbers = new Set(axis);
  const all = rows.flat().filter(isWithin);
  const labels = all.filter((one) => !numbers.has(one) && one.y <= top && one.y >= bottom);
  const below = rowsBelow(groupIntoRows(all.filter(({ y }) => y < bottom)), bottom, size);
  for (const one of [...axis, ...labels, ...below.flat()]) taken.add(one);
  const line: TextSegment = {
    text: axis.map(({ text }) => text.trim()).join(' '),
    left: first.left,
    right: maxOf(axis.map(({ right }) => right)),
    y: last.y,
    size,
  };
  return [[line], ...listsOf(labels).flatMap(groupIntoRows), ...below];
}

function rowsBelow(rows: TextSegment[][], bottom: number, size: number): TextSegment[][] {
  const found: TextSegment[][] = [];
  let y = bottom + size;
  for (const row of rows.slice(0, MAX_ROWS_BELOW)) {
    const [first] = row;
    if (!first || y - first.y > BELOW_SIZES * size || first.size > 1.5 * size) break;
    const numbers = row
      .flatMap(({ text }) => text.trim().split(/\s+/))
      .filter((word) => numberOf(word) !== undefined);
    if (found.length === 0 ? numbers.length < 2 : CAPTION.test(first.text)) break;
    found.push(row);
    y = first.y;
  }
  return found;
}

function listsOf(labels: readonly TextSegment[]): TextSegment[][] {
  if (labels.length > MAX_LABELS) return [[...labels]];
  const lists: TextSegment[][] = [];
  for (const label of [...labels].sort((one, other) => other.y - one.y || one.left - other.left)) {
    const list = lists.find((list) => list.some((one) => isNear(one, label)));
    if (list) list.push(label);
    else lists.push([label]);
  }
  return lists;
}

function isNear(one: TextSegment, other: TextSegment): boolean {
  const { size } = one;
  const step = one.y - other.y;
  if (Math.abs(step) < 0.3 * size) return other.left - one.right < LIST_GAP_SIZES * size;
  const isAligned = Math.abs(one.left - other.left) < size || Math.abs(one.right - other.right) < size;
  return isAligned && step < LIST_SIZES * size;
}
