import { type Matrix, multiply } from './hidden/matrix.ts';
import { joinRectangles, type QuarterTurns, type Rectangle, turnRectangle } from './pdf-turn.ts';

/** A horizontal or vertical line, in points. `at` is the y of a horizontal or the x of a vertical line. */
interface Ruling {
  readonly isLevel: boolean;
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** Cells of a ruled table. `regions[row][column]` is a cell's number, equal in all parts of a merged cell. */
export interface RuledGrid {
  /** Positions of vertical rules from left to right, and of horizontal rules from top to bottom. */
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly regions: readonly (readonly number[])[];
}

interface OperatorPage {
  getOperatorList(options: {
    annotationMode: number;
  }): Promise<{ fnArray: number[]; argsArray: unknown[][] }>;
}

/** Maximum thickness of a rule (a drawn line of a table), in points. */
const THIN_POINTS = 3;
const OFFSET_POINTS = 3;
const LENGTH_POINTS = 6;
const MAX_RULES = 1500;
const MAX_CELLS = 4000;
/** Minimum and maximum width and height of the drawn dot or square of a list item, in points. */
const BULLET_POINTS = [1, 8] as const;
/** Numbers of drawing operators in pdf.js. `PART_NUMBERS` has the count of coordinates of each path part. */
const [SAVE, RESTORE, TRANSFORM, FORM_BEGIN, FORM_END, PATH] = [10, 11, 12, 74, 75, 91];
const STROKES: ReadonlySet<number> = new Set([20, 21, 24, 25, 26, 27]);
const FILLS: ReadonlySet<number> = new Set([22, 23]);
const PART_NUMBERS = [2, 2, 6, 4, 0];
const [MOVE, LINE, CLOSE] = [0, 1, 4];

/** Returns the ruled tables of a page, and the small shapes that may be the bullets of a list. */
export async function findShapes(page: OperatorPage, turn: QuarterTurns) {
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: 0 });
  const [rules, bullets]: [Ruling[], Rectangle[]] = [[], []];
  const stack: Matrix[] = [];
  let matrix: Matrix = [1, 0, 0, 1, 0, 0];
  for (const [at, operator] of fnArray.entries()) {
    const args = argsArray[at] ?? [];
    if (operator === SAVE || operator === FORM_BEGIN) stack.push(matrix);
    if (operator === RESTORE || operator === FORM_END) matrix = stack.pop() ?? matrix;
    const change = operator === TRANSFORM ? args : operator === FORM_BEGIN ? args[0] : undefined;
    if (change) matrix = multiply(Array.from(change as number[]) as unknown as Matrix, matrix);
    if (operator === PATH) {
      rules.push(...rulesOf(args, matrix, turn));
      bullets.push(...bulletOf(args, matrix, turn));
    }
    if (rules.length > MAX_RULES) return { grids: [], bullets };
  }
  return { grids: groupsOf(rules).flatMap(gridOf), bullets };
}

function placeBox([x1, y1, x2, y2]: Rectangle, [a, b, c, d, e, f]: Matrix, turn: QuarterTurns): Rectangle {
  const placed = (x: number, y: number) => [a * x + c * y + e, b * x + d * y + f] as const;
  return turnRectangle(turn, [...placed(x1, y1), ...placed(x2, y2)]);
}

function bulletOf([paint, , bounds]: readonly unknown[], matrix: Matrix, turn: QuarterTurns): Rectangle[] {
  if (!bounds || !(STROKES.has(paint as number) || FILLS.has(paint as number))) return [];
  const box = placeBox(Array.from(bounds as number[]) as unknown as Rectangle, matrix, turn);
  const [width, height] = [box[2] - box[0], box[3] - box[1]];
  const isSmall = [width, height].every((one) => one > BULLET_POINTS[0] && one < BULLET_POINTS[1]);
  return isSmall && Math.abs(width - height) < 0.2 * width ? [box] : [];
}

function rulesOf(args: readonly unknown[], matrix: Matrix, turn: QuarterTurns): Ruling[] {
  const [paint, [path]] = args as [number, (ArrayLike<number> | null)[]];
  if (!path || !(STROKES.has(paint) || FILLS.has(paint))) return [];
  return boxesOf(path, STROKES.has(paint)).flatMap((box) => ruleOf(placeBox(box, matrix, turn)));
}

/** Returns the lines of a stroked path or the boxes of a filled path, each as two opposite corners. */
function boxesOf(path: ArrayLike<number>, isStroked: boolean): Rectangle[] {
  const boxes: Rectangle[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  for (let at = 0; at < path.length; ) {
    const part = path[at] ?? 0;
    const count = PART_NUMBERS[part] ?? 0;
    const isClosed = part === CLOSE;
    const [toX, toY] = isClosed ? [startX, startY] : [path[at + count - 1] ?? 0, path[at + count] ?? 0];
    const last = boxes.at(-1);
    if (part === MOVE) [startX, startY] = [toX, toY];
    if (part === MOVE && !isStroked) boxes.push([toX, toY, toX, toY]);
    else if (!isStroked && last) boxes[boxes.length - 1] = joinRectangles(last, [toX, toY, toX, toY]);
    else if (part === LINE || isClosed) boxes.push([x, y, toX, toY]);
    [x, y] = [toX, toY];
    at += count + 1;
  }
  return boxes;
}

function ruleOf([left, bottom, right, top]: Rectangle): Ruling[] {
  const [width, height] = [right - left, top - bottom];
  if (height < THIN_POINTS && width > LENGTH_POINTS)
    return [{ isLevel: true, at: (top + bottom) / 2, from: left, to: right }];
  const isUpright = width < THIN_POINTS && height > LENGTH_POINTS;
  return isUpright ? [{ isLevel: false, at: (left + right) / 2, from: bottom, to: top }] : [];
}

function meet(one: Ruling, other: Ruling): boolean {
  const isWithin = (rule: Ruling, at: number) =>
    at > rule.from - OFFSET_POINTS && at < rule.to + OFFSET_POINTS;
  if (one.isLevel !== other.isLevel) return isWithin(one, other.at) && isWithin(other, one.at);
  return (
    Math.abs(one.at - other.at) < OFFSET_POINTS && (isWithin(one, other.from) || isWithin(other, one.from))
  );
}

function groupsOf(rules: readonly Ruling[]): Ruling[][] {
  const left = new Set(rules);
  const groups: Ruling[][] = [];
  for (const first of left) {
    left.delete(first);
    const group = [first];
    for (const one of group) {
      for (const other of left) {
        if (!meet(one, other)) continue;
        left.delete(other);
        group.push(other);
      }
    }
    groups.push(group);
  }
  return groups;
}

function placesOf(values: readonly number[]): number[] {
  const places: number[] = [];
  for (const value of [...values].sort((one, other) => one - other)) {
    if (value - (places.at(-1) ?? Number.NEGATIVE_INFINITY) > OFFSET_POINTS) places.push(value);
  }
  return places;
}

function gridOf(rules: readonly Ruling[]): RuledGrid[] {
  const [level, upright] = [rules.filter(({ isLevel }) => isLevel), rules.filter(({ isLevel }) => !isLevel)];
  // A table without rules at its edges ends where its other rules end.
  const ends = (all: readonly Ruling[]) => all.flatMap(({ from, to }) => [from, to]);
  const xs = placesOf([...upright.map(({ at }) => at), ...ends(level)]);
  const ys = placesOf([...level.map(({ at }) => at), ...ends(upright)]).reverse();
  if (xs.length < 3 || ys.length < 3 || level.length < 2 || upright.length === 0) return [];
  if (xs.length * ys.length > MAX_CELLS) return [];
  const isRuled = (all: readonly Ruling[], place: number, middle: number) =>
    all.some(({ at, from, to }) => Math.abs(at - place) <= OFFSET_POINTS && middle > from && middle < to);
  const regions = ys.slice(1).map(() => xs.slice(1).map(() => -1));
  let count = 0;
  const spread = (row: number, column: number, region: number): void => {
    const cells = regions[row];
    if (!cells || cells[column] !== -1) return;
    cells[column] = region;
    const x = ((xs[column] ?? 0) + (xs[column + 1] ?? 0)) / 2;
    const y = ((ys[row] ?? 0) + (ys[row + 1] ?? 0)) / 2;
    if (!isRuled(upright, xs[column + 1] ?? 0, y)) spread(row, column + 1, region);
    if (!isRuled(upright, xs[column] ?? 0, y)) spread(row, column - 1, region);
    if (!isRuled(level, ys[row + 1] ?? 0, x)) spread(row + 1, column, region);
    if (!isRuled(level, ys[row] ?? 0, x)) spread(row - 1, column, region);
  };
  for (const [row, cells] of regions.entries())
    for (const column of cells.keys()) if (cells[column] === -1) spread(row, column, count++);
  return areRectangles(regions) ? [{ xs, ys, regions }] : [];
}

function areRectangles(regions: readonly (readonly number[])[]): boolean {
  const places = regions.flatMap((row, y) => row.map((region, x) => ({ region, x, y })));
  return [...Map.groupBy(places, ({ region }) => region).values()].every((all) => {
    const [xs, ys] = [new Set(all.map(({ x }) => x)), new Set(all.map(({ y }) => y))];
    return xs.size * ys.size === all.length;
  });
}
