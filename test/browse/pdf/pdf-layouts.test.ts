import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPdf } from '../../../src/browse/readers/pdf/pdf.ts';
import { inReadingOrder } from '../../../src/browse/readers/pdf/pdf-columns.ts';
import type { TextSegment } from '../../../src/browse/readers/pdf/pdf-segments.ts';
import { drawnPdf, fullLines, lines, rows, table, text, widthOf } from '../../helpers/drawn-pdf.ts';

/** Layouts of browsers and offices: lists, prices, boxes, forms and timetables. */

const read = async (...given: Parameters<typeof drawnPdf>) =>
  (await readPdf(drawnPdf(...given), 'a.pdf')).markdown;

/** Draws a row whose numbers end at the given places. */
const numbers = (y: number, all: readonly string[], places: readonly number[]) =>
  all.map((cell, at) => text((places[at] ?? 0) - widthOf(cell), y, cell)).join('');

test('columns that are closer than words of a wide line are a table, whatever their numbers', async () => {
  const time = fc.tuple(fc.integer({ min: 10, max: 23 }), fc.integer({ min: 10, max: 59 }));
  const row = fc.array(time, { minLength: 4, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 3, maxLength: 8 }), async (all) => {
      const cells = all.map((times, at) => [
        `Stop ${at}`,
        ...times.map(([hour, minute]) => `${hour}:${minute}`),
      ]);
      const step = widthOf('10:10') + 7.2;
      const places = [50, ...[0, 1, 2, 3].map((at) => 50 + widthOf('Stop 0') + 7.2 + at * step)];
      expect(await read(rows(cells, places, 700))).toBe(table(cells));
    }),
    { numRuns: 20, seed: 38 },
  );
});

test('dots that a browser draws are the bullets of a list, and two dots elsewhere are none', async () => {
  const dot = (x: number, y: number) => `${x} ${y} 3 3 re f\n`;
  const items = ['Apples', 'Pears of the yard', 'Plums'];
  const list = items.map((item, at) => text(80, 700 - 14 * at, item) + dot(70, 702 - 14 * at)).join('');
  expect(await read(text(50, 720, 'What to buy:') + list)).toBe(
    `What to buy:\n\n${items.map((item) => `- ${item}`).join('\n')}`,
  );
  const apart = dot(70, 500) + dot(70, 400);
  expect(await read(text(50, 720, 'What to buy:') + text(80, 700, 'Apples') + apart)).not.toContain('- ');
});

test('two lists of prices below titles of their own are read one after the other', async () => {
  const list = (x: number, title: string, names: readonly string[]) =>
    text(x, 700, title, 14) +
    names
      .map((name, at) => text(x, 680 - 14 * at, name) + numbers(680 - 14 * at, [`${at + 3}.50`], [x + 180]))
      .join('');
  const [soups, cakes] = [
    ['Leek', 'Tomato', 'Pea', 'Bean'],
    ['Oat', 'Apple', 'Plum', 'Honey'],
  ];
  const markdown = await read(list(50, 'Soups', soups ?? []) + list(320, 'Cakes', cakes ?? []));
  const places = ['# Soups', ...(soups ?? []), '# Cakes', ...(cakes ?? [])].map((one) =>
    markdown.indexOf(one),
  );
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(markdown).toContain('| Bean | 6.50 |');
});

test('a box beside running text is read after it, and neither is a table', async () => {
  const body = [
    'The mills of the coast turn with the tide and they',
    'grind what all of the farmers bring to them',
    'in the autumn, when all of the corn is in and the',
    'roads of the land are dry enough for a cart.',
  ];
  const box = ['Opening hours', 'Saturdays 10 to 4', 'Sundays 12 to 4', 'Closed in May'];
  const drawn = lines(50, 700, body, 10, 'F1', 13) + lines(330, 700, box, 10, 'F1', 13);
  const markdown = await read(drawn + lines(50, 630, fullLines('text'), 10, 'F1', 13));
  expect(markdown).not.toContain('|');
  expect(markdown).toContain(body.join(' '));
});

test('names centred over columns of numbers at the right are the head of the table', async () => {
  const names = ['#', 'Description', 'Qty', 'Price'];
  const all = [
    ['1', 'Oak board', '12', '38.50'],
    ['2', 'Brass hinge', '40', '4.25'],
    ['3', 'Rope', '7', '11.00'],
  ];
  const head = rows([names], [54, 90, 225, 320], 720);
  const drawn = all.map((row, at) => {
    const y = 700 - 14 * at;
    return text(50, y, row[0] ?? '') + text(80, y, row[1] ?? '') + numbers(y, row.slice(2), [270, 400]);
  });
  expect(await read(head + drawn.join(''))).toBe(table([names, ...all]));
});

test('two lines of which each text is below another are a table', async () => {
  const pair = [
    ['Passenger', 'Flight', 'Gate', 'Seat'],
    ['ALDOUS', 'BA 0417', 'B22', '14C'],
  ];
  const drawn = rows([pair[0] ?? []], [50, 150, 250, 350], 700, 14, 8);
  expect(await read(drawn + rows([pair[1] ?? []], [50, 150, 250, 350], 688))).toBe(table(pair));
});

test('a heading below the rows of a list of prices is no row', async () => {
  const price = (y: number, name: string, sum: string) => text(50, y, name) + numbers(y, [sum], [300]);
  const first = price(700, 'Soup', '4.00') + text(50, 688, 'with bread') + price(672, 'Eel', '9.00');
  const next = text(50, 650, 'Mains', 14) + price(630, 'Pie', '12.00') + text(50, 618, 'with swede');
  expect(await read(first + price(660, 'Bean', '3.00') + next + price(602, 'Fish', '14.00'))).toContain(
    '\n# Mains\n',
  );
});

test('code below a blank line keeps its indentation', async () => {
  const code = ['def turn(mill):', '    grind(mill)', '', '    return turn(all)', '    # done'];
  const drawn = lines(50, 700, fullLines('text')) + lines(50, 640, code, 9, 'F3');
  expect(await read(drawn)).toContain(`\n${code.join('\n')}\n`);
});

test('text is no heading because most of a page is code in smaller letters', async () => {
  const code = Array.from({ length: 5 }, (_, at) => `    turn(mill_${at}, ${at})  # turns it`);
  const drawn =
    text(50, 700, 'The calls below turn all of the mills.', 11) +
    lines(50, 680, code, 9, 'F3') +
    text(50, 600, 'Nothing else is turned.', 11);
  expect(await read(drawn)).not.toContain('# The calls');
});

test('numbers of pages are dropped from two pages, and the number of a bill is not', async () => {
  const pages = [1, 2].map((page) =>
    [
      text(50, 815, `Invoice 2026-17, page ${page}`),
      lines(50, 700, fullLines(`part ${page}`)),
      text(280, 20, `Page ${page} of 2`),
    ].join(''),
  );
  const markdown = await read(pages);
  expect(markdown).not.toContain('of 2');
  expect(markdown).toContain('Invoice 2026-17');
  const roman = ['i', 'ii', 'iii'].map(
    (page) => text(50, 20, 'All rights reserved.') + text(500, 20, page) + lines(50, 700, fullLines(page)),
  );
  expect(await read(roman)).not.toContain('reserved');
});

test('a letter whose accent is drawn first stands where the letter is drawn', async () => {
  const span = (mark: string) =>
    `/Span <</ActualText <FEFF00EF>>> BDC 1 0 0 1 63 706 Tm (${mark}) Tj 1 0 0 1 61.12 700 Tm (i) Tj EMC`;
  const drawn = `BT /F1 10 Tf 1 0 0 1 50 700 Tm (na) Tj ${span("'")} 1 0 0 1 63.34 700 Tm (ve) Tj ET\n`;
  expect(await read(drawn)).toBe('naïve');
});

test('years, bills and tickets that follow each other on two pages are not numbers of pages', async () => {
  const pagesOf = (heads: readonly string[]) =>
    heads.map((head, at) => text(50, 815, head) + lines(50, 700, fullLines(`part ${at}`)));
  for (const heads of [
    ['2025', '2026'],
    ['Nr. 4711', 'Nr. 4712'],
    ['Row 14', 'Row 15'],
  ])
    for (const head of heads) expect(await read(pagesOf(heads))).toContain(head);
});

test('a short section of prices below a heading stays in the table', async () => {
  const price = (y: number, name: string, sum: string) => text(50, y, name, 11) + numbers(y, [sum], [300]);
  const first = price(700, 'Soup', '4.00') + text(50, 688, 'with bread', 9) + price(672, 'Eel', '9.00');
  const next = text(50, 652, 'Mains', 14) + price(632, 'Pie', '12.00') + text(50, 620, 'with swede', 9);
  const markdown = await read(first + text(50, 660, 'smoked', 9) + next);
  expect(markdown).toContain('| Soup with bread | 4.00 |');
  expect(markdown).toContain('12.00 |');
});

test('drawn dots that lead to a number of a page are no bullets, and do not hide a ruled table', async () => {
  const dot = (x: number, y: number) => `${x} ${y} 1.5 1.5 re f\n`;
  const leaders = [0, 1, 2].map((at) => {
    const dots = Array.from({ length: 30 }, (_, nth) => dot(150 + 5 * nth, 702.5 - 20 * at));
    return text(50, 700 - 20 * at, `Mill ${at}`) + dots.join('') + text(302, 700 - 20 * at, `${at + 3}`);
  });
  expect(await read(leaders.join(''))).not.toContain('•');
  const grid = [50, 150, 250]
    .map((x) => `${x} 560 m ${x} 600 l S\n`)
    .concat([560, 580, 600].map((y) => `50 ${y} m 250 ${y} l S\n`));
  const cells = rows(
    [
      ['Oak', 'Elm'],
      ['', 'Ash'],
    ],
    [55, 155],
    585,
    20,
  );
  const plot = Array.from({ length: 1600 }, (_, at) =>
    dot(300 + (at % 40) * 4, 300 + Math.floor(at / 40) * 4),
  );
  expect(await read(grid.join('') + cells + plot.join(''))).toBe(
    table([
      ['Oak', 'Elm'],
      ['', 'Ash'],
    ]),
  );
});

test('columns are told apart in work that grows as their lines do', () => {
  let reads = 0;
  const column = (left: number, count: number) =>
    Array.from({ length: count }, (_, at): TextSegment => {
      const y = 9000 - 5 * at - (left > 100 ? 2 : 0);
      const one = { text: 'words that go on', left, right: left + 150, size: 4 };
      const get = () => {
        reads++;
        return y;
      };
      return Object.defineProperty({ ...one, y } as TextSegment, 'y', { get });
    });
  const readsOf = (count: number) => {
    reads = 0;
    inReadingOrder([...column(20, count), ...column(300, count)]);
    return reads;
  };
  expect(readsOf(800)).toBeLessThan(3 * readsOf(400));
});
