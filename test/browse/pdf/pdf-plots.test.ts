import { expect, test } from 'vitest';
import { readPdf } from '../../../src/browse/readers/pdf/pdf.ts';
import { layPdf, type Piece } from '../../helpers/pdf.ts';

/** Labels of plots, which stand between the numbers of an axis, and tables that look like one. */

const read = (...pieces: readonly Piece[]) =>
  readPdf(layPdf([pieces]), 'https://site.example/paper.pdf').then(({ markdown }) => markdown);
const SIZE = 6;
const at = (x: number, y: number, text: string): Piece => ({ x, y, size: SIZE, text });
const prose = (y: number, count: number): Piece[] =>
  Array.from({ length: count }, (_, row) => ({
    x: 50,
    y: y - row * 11,
    size: 9,
    text: `row ${row + 10} of what is said here goes on to the end of it all and then on`,
  }));
/** A plot 150 points wide: numbers every 12 points, labels at heights of their own. */
const plot = (x: number, top: number, step: number, labels: readonly string[]): Piece[] => [
  ...[5, 4, 3, 2, 1, 0].map((count, row) => at(x, top - row * 12, `${count * step}`)),
  ...labels.map((label, row) => at(x + 90, top - 5 - row * 8, label)),
  ...[0, 20, 40, 60].map((count, column) => at(x + 15 + column * 35, top - 72, `${count}`)),
  at(x + 50, top - 82, 'percent of pages'),
];

test('the numbers of an axis are one line, labels are lists, and the text below follows them', async () => {
  const text = await read(
    ...plot(60, 780, 10, ['first tried', 'then tried', 'last tried']),
    { x: 50, y: 680, size: 9, text: 'Figure 1: How many there were of all that was read' },
    ...prose(650, 12),
  );
  expect(text).toMatch(
    /^50 40 30 20 10 0\n\nfirst tried then tried last tried\n\n0 20 40 60\s+percent of pages\n\nFigure 1:/,
  );
});

test('plots side by side are read one after the other and are not a table', async () => {
  const text = await read(
    ...plot(60, 780, 10, ['bees', 'wasps', 'ants']),
    ...plot(300, 780, 1, ['oak', 'elm', 'ash']),
    {
      x: 50,
      y: 680,
      size: 9,
      text: 'Figure 1: How many there were of all that was read in all of the years',
    },
    ...prose(650, 12),
  );
  expect(text).not.toContain('|');
  const places = ['50 40 30 20 10 0', 'bees wasps ants', '5 4 3 2 1 0', 'oak elm ash', 'Figure 1'].map(
    (part) => text.indexOf(part),
  );
  expect(places).toEqual([...places].sort((one, other) => one - other));
  expect(places[0]).toBe(0);
});

test('evenly spaced numbers in a table are cells of the table', async () => {
  const rows = ['oak', 'elm', 'ash', 'fir', 'yew'].flatMap((name, row) => [
    at(60, 780 - row * 12, name),
    at(120, 780 - row * 12, `${50 - row * 10}`),
    at(180, 780 - row * 12, `${row * 7 + 11}`),
  ]);
  const text = await read(...rows, ...prose(650, 8));
  expect(text).toContain('| oak | 50 | 11 |');
  expect(text).toContain('| yew | 10 | 39 |');
});
