import type { Rectangle } from '../pdf-turn.ts';
import type { PdfRun } from './pdf-run.ts';

/** Maximum width of a bullet, and maximum distance to its text, in font sizes of the text. */
const [BULLET_SIZES, GAP_SIZES] = [0.55, 2.5];

/** Adds the bullets that a browser draws as shapes before the items of a list. */
export function withDrawnBullets(runs: readonly PdfRun[], shapes: readonly Rectangle[]): readonly PdfRun[] {
  const found = new Map<PdfRun, PdfRun>();
  for (const [left, bottom, right, top] of shapes) {
    const middle = (bottom + top) / 2;
    const line = runs.filter(
      ({ text, y, size }) => text.trim() && middle > y + 0.1 * size && middle < y + 0.6 * size,
    );
    const [next] = line.filter(({ x }) => x >= right).sort((one, other) => one.x - other.x);
    if (!next || right - left > BULLET_SIZES * next.size || next.x - right > GAP_SIZES * next.size) continue;
    found.set(next, { text: '•', x: left, y: next.y, width: right - left, size: next.size });
  }
  const places = [...found.values()].map(({ x }) => Math.round(x));
  if (new Set(places).size === places.length) return runs;
  return runs.flatMap((run) => {
    const bullet = found.get(run);
    return bullet ? [bullet, { ...run, joins: true }] : [run];
  });
}
