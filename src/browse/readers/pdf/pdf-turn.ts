/** Number of anticlockwise quarter turns that make most of the page's text upright. */
export type QuarterTurns = 0 | 1 | 2 | 3;

/** Left, bottom, right and top of a rectangle, in points. */
export type Rectangle = readonly [number, number, number, number];

export function turnOfText([a = 0, b = 0, , d = 0]: readonly number[]): QuarterTurns | undefined {
  if (Math.abs(b) < 0.2 * Math.abs(a)) return a < 0 && d < 0 ? 2 : 0;
  if (Math.abs(a) < 0.2 * Math.abs(b)) return b > 0 ? 1 : 3;
  return a === 0 && b === 0 ? 0 : undefined;
}

export function usualTurn(
  texts: readonly { readonly str: string; readonly transform: readonly number[] }[],
): QuarterTurns {
  const letters = [0, 0, 0, 0];
  for (const { str, transform } of texts) {
    const turn = turnOfText(transform);
    if (turn !== undefined) letters[turn] = (letters[turn] ?? 0) + str.trim().length;
  }
  return ([1, 2, 3] as const).reduce<QuarterTurns>(
    (best, turn) => ((letters[turn] ?? 0) > (letters[best] ?? 0) ? turn : best),
    0,
  );
}

export function turnPoint(turn: QuarterTurns, x: number, y: number): readonly [number, number] {
  if (turn === 1) return [y, -x];
  if (turn === 2) return [-x, -y];
  return turn === 3 ? [-y, x] : [x, y];
}

export function turnRectangle(turn: QuarterTurns, [x1, y1, x2, y2]: Rectangle): Rectangle {
  const [one, other] = [turnPoint(turn, x1, y1), turnPoint(turn, x2, y2)];
  return [
    Math.min(one[0], other[0]),
    Math.min(one[1], other[1]),
    Math.max(one[0], other[0]),
    Math.max(one[1], other[1]),
  ];
}

export function joinRectangles(one: Rectangle, other: Rectangle): Rectangle {
  const [left, bottom] = [Math.min(one[0], other[0]), Math.min(one[1], other[1])];
  return [left, bottom, Math.max(one[2], other[2]), Math.max(one[3], other[3])];
}
