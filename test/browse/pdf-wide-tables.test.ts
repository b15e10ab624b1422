import { expect, test } from 'vitest';
import { readPdf } from '../../src/browse/readers/pdf/pdf.ts';
import { layPdf, type Piece } from '../helpers/pdf.ts';

/** Tables without rules: which value belongs to which name. */

const SIZE = 8;
const read = (...pieces: readonly Piece[]) =>
  readPdf(layPdf([pieces]), 'https://site.example/paper.pdf').then(({ markdown }) => markdown);
const cells = (y: number, places: readonly (readonly [x: number, text: string])[]): Piece[] =>
  places.map(([x, text]) => ({ x, y, size: SIZE, text }));
const column = (x: number, y: number, lines: readonly string[], step = 10): Piece[] =>
  lines.map((text, at) => ({ x, y: y - at * step, size: SIZE, text }));
const prose = (subject: string, count: number) =>
  Array.from({ length: count }, (_, at) =>
    `row ${at + 10} of the ${subject} goes on to the end of it all`.padEnd(48, 'l'),
  );
const NAMES = ['3d-cube', '3d-morph', '3d-raytrace', 'access-nbody', 'access-nsieve', 'crypto-aes'];

test('a table as wide as a two-column page is one table', async () => {
  const rows = NAMES.flatMap((name, at) =>
    cells(780 - at * 10, [
      [50, name],
      [150, `${at + 1}`],
      [270, `${at + 2}`],
      [315, `${at + 3}.1`],
      [400, `${at + 4}.2`],
      [480, `${at + 5}x`],
    ]),
  );
  const text = await read(
    ...rows,
    ...column(150, 710, ['Figure 1: what was counted of all of the programs of the whole set of all']),
    ...column(50, 680, prose('left', 20)),
    ...column(310, 680, prose('right', 20)),
  );
  expect(text).toContain('| 3d-cube | 1 | 2 | 3.1 | 4.2 | 5x |');
  expect(text).toContain('| crypto-aes | 6 | 7 | 8.1 | 9.2 | 10x |');
  expect(text.indexOf('29 of the left')).toBeLessThan(text.indexOf('10 of the right'));
});

test('long names with values after them are a table, not two columns', async () => {
  const names = [
    'Carbon dioxide and all its kin',
    'Methane of all of the herds',
    'Nitrous oxide of fields',
    'Fluorine of the works',
  ];
  const rows = [...names, ...names.map((name) => `${name} II`)].flatMap((name, at) =>
    cells(700 - at * 10, [
      [50, name],
      [290, `${at + 1}00 000`],
      [370, '-'],
      [440, `${at}`],
    ]),
  );
  const text = await read(
    ...cells(710, [
      [290, 'to air'],
      [370, 'to water'],
      [440, 'to land'],
    ]),
    ...rows,
  );
  expect(text).toContain('to air');
  expect(text).toMatch(/\| Methane of all of the herds \| 200 000 \| - \| 1 \|/);
  expect(text).toMatch(/\| Fluorine of the works II \| 800 000 \| - \| 7 \|/);
});

test('a name above some rows of a table is a row, and the table continues below it', async () => {
  const rows = ['MINISTRY OF FARMS AND FISHING', 'MINISTRY OF ROADS AND BRIDGES'].flatMap((part, group) => [
    ...column(50, 700 - group * 50, [part]),
    ...[1, 2, 3, 4].flatMap((row) =>
      cells(700 - group * 50 - row * 10, [
        [50, `Dept ${group}${row}`],
        [150, `${row}8.5`],
        [220, `${row}7.2`],
        [290, `${row}6.1`],
      ]),
    ),
  ]);
  const text = await read(...rows);
  expect(text.match(/\| --- /g)).toHaveLength(4);
  expect(text).toContain(
    '| Dept 04 | 48.5 | 47.2 | 46.1 |\n| MINISTRY OF ROADS AND BRIDGES |  |  |  |\n| Dept 11 |',
  );
});

test('each of several numbers below each other is in its own row, also where names have several lines', async () => {
  const rows = [0, 1, 2, 3].flatMap((group) => [
    ...cells(700 - group * 40, [
      [50, `State ${group}`],
      [150, 'floods'],
      [250, `${group}1`],
      [320, '0'],
    ]),
    ...cells(690 - group * 40, [
      [150, 'fires'],
      [250, `${group}2`],
      [320, '0'],
    ]),
  ]);
  const text = await read(...rows);
  expect(text).toContain('| State 2 | floods | 21 | 0 |\n|  | fires | 22 | 0 |');
});

test('running text with wide gaps is not a table', async () => {
  const gaps = [120, 180, 90, 210, 150, 100];
  const rows = gaps.flatMap((gap, at) => {
    const words = `row ${at + 10} of what is said here goes on to the end of it all`;
    const count = Math.floor(gap / 4.8);
    return cells(700 - at * 10, [
      [50, words.slice(0, count).trimEnd()],
      [50 + count * 4.8 + 12, words.slice(count).trimStart()],
    ]);
  });
  const text = await read(...rows);
  expect(text).not.toContain('|');
});
