import type { Rectangle } from '../pdf-turn.ts';

export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export function multiply([a, b, c, d, e, f]: Matrix, outer: Matrix): Matrix {
  const [A, B, C, D, E, F] = outer;
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F];
}

export function transformRectangle([left, bottom, right, top]: Rectangle, matrix: Matrix): Rectangle {
  const [a, b, c, d, e, f] = matrix;
  const corners = [
    [left, bottom],
    [left, top],
    [right, bottom],
    [right, top],
  ].map(([x = 0, y = 0]) => [a * x + c * y + e, b * x + d * y + f] as const);
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
