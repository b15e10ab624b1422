import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPdf } from '../../../src/browse/readers/pdf/pdf.ts';
import { layPdf, type Piece } from '../../helpers/pdf.ts';

/** Cells that nearly touch, texts beside values, and blocks that stand side by side but are no table. */

const SIZE = 10;
/** Courier's letters are 0.6 of their size wide. */
const LETTER = 0.6 * SIZE;
const read = (...pieces: readonly Piece[]) =>
  readPdf(layPdf([pieces]), 'https://site.example/bill.pdf').then(({ markdown }) => markdown);
const piece = (x: number, y: number, text: string, size = SIZE): Piece => ({ x, y, size, text });
const ending = (right: number, y: number, text: string) => piece(right - text.length * LETTER, y, text);
const word = (min: number, max: number) =>
  fc.string({ minLength: min, maxLength: max, unit: fc.constantFrom(...'abdeglmnorstu') });
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const prose = (x: number, y: number, rows: number, width = 80): Piece[] =>
  Array.from({ length: rows }, (_, at) =>
    piece(
      x,
      y - at * 12,
      `${at + 10} of the letter goes on to the end of it all, and then on`.padEnd(width, 'l').slice(0, width),
    ),
  );

test('names of columns that nearly touch and are wider than their cells stay apart', async () => {
  const column = fc.record({
    name: word(4, 9),
    cells: fc.array(fc.integer({ min: 10, max: 99 }), { minLength: 4, maxLength: 4 }),
  });
  const columns = fc.array(column, { minLength: 3, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      columns,
      fc.double({ min: 9, max: 12, noNaN: true }),
      fc.boolean(),
      async (all, gap, isRight) => {
        let right = 50 + 8 * LETTER;
        const pieces = [
          piece(50, 700, 'Gauge'),
          ...['Alder', 'Brick', 'Dyke', 'Ferry'].map((name, at) => piece(50, 685 - at * 13, name)),
        ];
        for (const { name, cells } of all) {
          const left = right + gap;
          right = left + name.length * LETTER;
          pieces.push(piece(left, 700, name));
          for (const [at, cell] of cells.entries())
            pieces.push(
              isRight ? ending(right, 685 - at * 13, `${cell}`) : piece(left, 685 - at * 13, `${cell}`),
            );
        }
        const text = await read(...pieces.toSorted((a, b) => b.y - a.y || a.x - b.x), ...prose(50, 600, 3));
        expect(text).toContain(row(['Gauge', ...all.map(({ name }) => name)]));
        expect(text).toContain(row(['Dyke', ...all.map(({ cells }) => `${cells[2]}`)]));
      },
    ),
    { seed: 7, numRuns: 40 },
  );
});

test('each description of a bill stays in the row of its quantity, price and amount', async () => {
  const items = fc.array(fc.array(word(20, 26), { minLength: 1, maxLength: 4 }), {
    minLength: 3,
    maxLength: 6,
  });
  const layout = fc.record({
    items,
    padding: fc.integer({ min: 6, max: 20 }),
    isMiddle: fc.boolean(),
    unit: fc.constantFrom('', ' pcs', ' h'),
    hasTotal: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(layout, async ({ items, padding, isMiddle, unit, hasTotal }) => {
      let y = 700;
      const edges = [350, 450, 540];
      const names = ['Quantity', 'Unit price', 'Amount'];
      const pieces = [piece(50, 780, 'Bill 2025-0147', 18), piece(50, y, 'Description')];
      pieces.push(...names.map((name, at) => ending(edges[at] ?? 0, y, name)));
      const expected = items.map((lines, at) => {
        const cells = [`${at + 1}${unit}`, `${at + 12}.50`, `${(at + 1) * (at + 12)}.50`];
        y -= 14 + padding;
        const middle = isMiddle ? y - 7 * (lines.length - 1) : y;
        pieces.push(...cells.map((cell, column) => ending(edges[column] ?? 0, middle, cell)));
        for (const [line, text] of lines.entries()) pieces.push(piece(50, y - 14 * line, text));
        y -= 14 * (lines.length - 1);
        return row([lines.join(' '), ...cells]);
      });
      if (hasTotal)
        pieces.push(ending(450, y - 14 - padding, 'Total due'), ending(540, y - 14 - padding, '900.00'));
      const text = await read(...pieces, piece(50, y - 80, 'Please pay within 14 days.'));
      for (const one of expected) expect(text).toContain(one);
    }),
    { seed: 19, numRuns: 60 },
  );
});

test('an address and the data of a letter on the same lines are two blocks, and not a table', async () => {
  const places = [
    'Northbank NB4 2QT',
    '80331 Munich',
    'Springfield, IL 62704',
    '1017 AB Amsterdam',
    '00-950 Warsaw',
  ];
  const data = [
    'Customer number 558 210',
    'Your adviser: Paul Irwin',
    'Telephone 0131 496 0155',
    'Date: 3 March 2025',
  ];
  const layout = fc.record({
    place: fc.constantFrom(...places),
    lines: fc.integer({ min: 1, max: 4 }),
    kept: fc.subarray(data, { minLength: 2 }),
    isLeft: fc.boolean(),
    shift: fc.constantFrom(0, 0.4),
  });
  await fc.assert(
    fc.asyncProperty(layout, async ({ place, lines, kept, isLeft, shift }) => {
      const address = ['Mrs Helen Ward', 'Flat 3, Mill House', '27 Tanner Street', 'Old Town'].slice(
        0,
        lines,
      );
      const block = (x: number, rows: readonly string[]) =>
        rows.map((text, at) => piece(x, 700 - at * 15 - (at % 2) * shift, text));
      const blocks = [[...address, 'Mill Road', place], kept];
      const [here, there] = isLeft ? [50, 340] : [340, 50];
      const text = await read(
        piece(50, 760, 'Northbank Water Company', 15),
        ...block(here, blocks[0] ?? []),
        ...block(there, kept),
        piece(50, 560, 'Dear Mrs Ward,'),
        ...prose(50, 530, 6),
      );
      expect(text).not.toContain('|');
      for (const rows of blocks) expect(text.replace(/\s+/g, ' ')).toContain(rows.join(' '));
    }),
    { seed: 20, numRuns: 50 },
  );
});

test('a table of two columns with names and numbers is still a table', async () => {
  const rows = [
    ['Height', '30 mm'],
    ['Weight', '12 kg'],
    ['Colour', 'blue'],
    ['Built in', '1985'],
  ];
  const text = await read(
    ...rows.flatMap(([name = '', value = ''], at) => [
      piece(50, 700 - at * 15, name),
      piece(300, 700 - at * 15, value),
    ]),
  );
  expect(text).toContain('| Weight | 12 kg |');
});

test('a short table of two columns with years, numbers or labels is not torn apart', async () => {
  const tables = [
    'Start/End 1990/1994 1995/1999 2000/2004',
    'Year/Visitors 2019/12345 2020/23456 2021/34567',
    'Model/Price Alpha_2000/Euro_500 Beta/Dollar_300 Gamma/Franc_200',
    'Town_Hall/Phone:_555 Police_1100/Fax:_556 Fire/Mobile:_557 Doctor/Mail:_a',
    'Office_North/Head 12345_Ulm/54321_Bonn Lane/Hill Town/City',
    'Name:/Anna_Lake Street:/Mill_Street Town:/80331_Munich Country:/Germany',
  ];
  for (const table of tables) {
    const rows = table.split(' ').map((one) => one.replaceAll('_', ' ').split('/'));
    const cells = rows.flatMap((texts, at) =>
      texts.map((text, side) => piece(50 + 290 * side, 700 - at * 15, text)),
    );
    const text = await read(...cells, ...prose(50, 600, 4));
    for (const texts of rows) expect(text).toContain(row(texts));
  }
});

test('titles centred over two columns are read with the column below each of them', async () => {
  for (const titles of [
    ['ENGLISH', 'DEUTSCH'],
    ['Visitors', 'Boats on the river'],
  ]) {
    const text = await read(
      ...titles.map((title, side) => piece(145 + 260 * side - title.length * 3.6, 700, title, 12)),
      ...prose(50, 670, 9, 32),
      ...prose(310, 670, 9, 32),
    );
    const places = [titles[0] ?? '', '18 of the letter', titles[1] ?? ''].map((one) => text.indexOf(one));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBeGreaterThanOrEqual(0);
  }
});

test('a heading over two lines is one heading, and two short headings stay two', async () => {
  for (const step of [1.2, 1.3, 1.4, 1.5]) {
    const heading = (first: string, second: string) =>
      read(piece(50, 700, first, 18), piece(50, 700 - step * 18, second, 18), ...prose(50, 640, 6, 75));
    expect(await heading('The new rules for all gardens of the town', 'in a dry summer')).toMatch(
      /^# The new rules for all gardens of the town in a dry summer$/m,
    );
    if (step > 1.3) expect(await heading('Rules', 'Gardens')).toMatch(/^# Rules\n\n# Gardens$/m);
  }
});

test('a heading whose two lines are as far apart as the lines of the text is one heading', async () => {
  const text = await read(
    piece(50, 700, 'The new rules for all the gardens and parks of our town', 14),
    piece(50, 676, 'in a dry summer', 14),
    ...prose(50, 640, 8, 75).map((one, at) => ({ ...one, y: 640 - at * 24 })),
  );
  expect(text).toMatch(/^# The new rules for all the gardens and parks of our town in a dry summer$/m);
});

test('a paragraph that ends in the mark of a footnote is not joined with the next one', async () => {
  const text = await read(
    ...prose(50, 700, 3),
    piece(50, 664, 'cheaper for three weeks.'),
    piece(50 + 24 * LETTER, 668, '2', 6),
    ...prose(68, 652, 1, 77),
    ...prose(50, 640, 2),
  );
  expect(text).toMatch(/weeks\.\^2\n\n10 of/);
});

test('authors above two columns are read before the columns, with and without their places', async () => {
  const names = [
    ['Ines Lambert', 'University of Graz'],
    ['Tomas Brandl', 'City of Steyr'],
  ];
  for (const lines of [1, 2]) {
    const authors = names.flatMap((rows, side) =>
      rows
        .slice(0, lines)
        .map((text, at) =>
          piece((side === 0 ? 215 : 385) - (text.length * 7.2) / 2, 730 - at * 14, text, 12),
        ),
    );
    const text = await read(
      piece(120, 765, 'Counting Swifts with Microphones', 17),
      ...authors,
      piece(50, 680, 'Abstract', 14),
      ...prose(50, 660, 20, 38).map((one) => ({ ...one, size: 9 })),
      ...prose(310, 680, 20, 38).map((one) => ({ ...one, size: 9 })),
    );
    const places = [...names.flatMap((rows) => rows.slice(0, lines)), 'Abstract'].map((one) =>
      text.indexOf(one),
    );
    expect(places.every((place, at) => place > (places[at - 1] ?? -1))).toBe(true);
  }
});

test('the distance below a heading does not count as the distance of the lines of a paragraph', async () => {
  const line = (y: number, text: string) => ({ x: 50, y, size: 12, text });
  const text = await read(
    piece(50, 700, 'A notice of the library', 26),
    line(652, 'The library is open on each day from nine to six, and closed on'),
    line(628, 'Fridays.'),
    line(590, 'A reader can borrow five books for three weeks.'),
    line(552, 'The course begins in May, and all may come.'),
  );
  expect(text.split('\n\n').slice(2)).toHaveLength(2);
});
