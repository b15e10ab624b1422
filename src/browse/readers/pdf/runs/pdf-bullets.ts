import type { Rectangle } from '../pdf-turn.ts';
import type { PdfRun } from './pdf-run.ts';

/** Maximum width of a bullet, and maximum distance to its text, in font sizes of the text. */
const [BULLET_SIZES, GAP_SIZES] = [0.55, 2.5];
/** Minimum distance of a bullet from what is before it, in font sizes of the text. */
const FREE_SIZES = 0.4;
/** A page with more small shapes than this has a plot. */
const MAX_SHAPES = 1500;

/** Adds the bullets that a browser draws as shapes before the items of a list. */
export function withDrawnBullets(runs: readonly PdfRun[], shapes: readonly Rectangle[]): readonly PdfRun[] {
  if (shapes.length > MAX_SHAPES) return runs;
  const found = new Map<PdfRun, PdfRun>();
  for (const [left, bottom, right, top] of shapes) {
    const middle = (bottom + top) / 2;
    const line = runs.filter(
      ({ text, y, size }) => text.trim() && middle > y + 0.1 * size && middle < y + 0.6 * size,
    );
    const [next] = line.filter(({ x }) => x >= right).sort((one, other) => one.x - other.x);
    if (!next || right - left > BULLET_SIZES * next.size || next.x - right > GAP_SIZES * next.size) continue;
    // A dot at a text's end, or after another dot, is a part of the text or of the line from a title to its page.
    const isNear = (end: number) => end > left - FREE_SIZES * next.size && end <= next.x;
    if (line.some(({ x, width }) => x < right && isNear(x + width))) continue;
    if (shapes.some(([x, y, end]) => x < left && isNear(end) && y < middle && middle - y < next.size))
      continue;
    found.set(next, { text: '•', x: left, y: next.y, width: right - left, size: next.size });
  }
  const places = [...found.values()].map(({ x }) => Math.round(x));
  if (new Set(places).size === places.length) return runs;
  return runs.flatMap((run) => {
    const bullet = found.get(run);
    return bullet ? [bullet, { ...run, joins: true }] : [run];
  });
}
