import { describe, expect, it } from 'vitest';
import { readPdf } from '../../../src/browse/readers/pdf/pdf.ts';
import { layPdf, type Piece } from '../../helpers/pdf.ts';

const LINES = Array.from(
  { length: 12 },
  (_, at) => `the ${'abcdefghijkl'[at]} of what was said on that day in the house`,
);
/** A page of lines whose numbers stand at `x`, as far as `label` gives one. */
const pageOf = async (x: number, label: (line: number) => string) => {
  const pieces = LINES.flatMap((text, at): Piece[] => {
    const [y, number] = [700 - 12 * at, label(at + 1)];
    const beside = { x: x - 4 * number.length, y, size: 7, text: number };
    return [{ x: 80, y, size: 9, text }, ...(number ? [beside] : [])];
  });
  return (await readPdf(layPdf([pieces]), 'https://files.example/motion.pdf')).markdown;
};

describe('numbers of lines', () => {
  it.each([
    ['left', 60],
    ['right', 520],
  ] as const)('of all or of every fifth line are left out at the %s', async (_side, x) => {
    expect(await pageOf(x, String)).toBe(LINES.join(' '));
    expect(await pageOf(x, (line) => (line % 5 === 0 ? String(line) : ''))).toBe(LINES.join(' '));
    expect(await pageOf(x, (line) => (line % 5 === 3 ? String(line + 42) : ''))).toBe(LINES.join(' '));
  });

  it.each([60, 520])('are kept where they do not count the lines (at %d)', async (x) => {
    const uneven = await pageOf(x, (line) => (line === 5 ? '5' : line === 9 ? '10' : ''));
    expect(uneven).toMatch(/\b5\b.*\b10\b/s);
    const others = await pageOf(x, (line) => (line % 2 === 0 ? String(line * line) : ''));
    expect(others).toMatch(/\b16\b.*\b36\b/s);
  });
});
