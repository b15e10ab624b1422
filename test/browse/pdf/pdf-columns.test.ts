import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPdf } from '../../../src/browse/readers/pdf/pdf.ts';
import { layPdf, type Piece } from '../../helpers/pdf.ts';

/** The order in which the columns of a page are read, and what stays a table. */

const SIZE = 8;
const markdown = async (...pieces: readonly Piece[]) =>
  (await readPdf(layPdf([pieces]), 'https://site.example/paper.pdf')).markdown;
/** Lines one under the other. */
const column = (x: number, y: number, lines: readonly string[], step = 10): Piece[] =>
  lines.map((text, at) => ({ x, y: y - at * step, size: SIZE, text }));
/** Full lines about something, 48 letters or 230 points wide. */
const prose = (subject: string, count: number) =>
  Array.from({ length: count }, (_, at) =>
    `row ${at + 10} of the ${subject} goes on to the end of it all`.padEnd(48, 'l'),
  );
const narrow = (subject: string, count: number) =>
  Array.from({ length: count }, (_, at) => `row ${at + 10} of ${subject} goes on to its`.padEnd(30, 'l'));
const inOrder = (text: string, parts: readonly string[]) => parts.map((part) => text.indexOf(part));
const ascending = (places: readonly number[]) =>
  places.every((place, at) => place >= 0 && place > (places[at - 1] ?? -1));

test('columns above a full-width element are read before the columns below it, however short they are', async () => {
  const text = await markdown(
    ...column(50, 780, ['A title that goes over both columns of this page as titles of papers do']),
    ...column(50, 750, prose('first', 4)),
    ...column(292, 750, prose('second', 4)),
    ...column(50, 690, ['Figure 1: what goes over both columns parts those above it from those below']),
    ...column(50, 660, prose('third', 20)),
    ...column(292, 660, prose('fourth', 20)),
  );
  expect(text).not.toContain('|');
  expect(
    ascending(
      inOrder(text, [
        'A title',
        '13 of the first',
        '13 of the second',
        'Figure 1',
        '29 of the third',
        '10 of the fourth',
      ]),
    ),
  ).toBe(true);
});

test('columns are separated when their lines are at different heights and one column has a figure', async () => {
  const labels = [10, 20, 30, 40].map((label, at) => ({
    x: 60,
    y: 740 - at * 22,
    size: 6,
    text: `${label}`,
  }));
  const text = await markdown(
    ...labels,
    ...column(90, 640, ['Figure 2: how many there are']),
    ...column(50, 610, prose('left', 25)),
    ...column(292, 756, prose('right', 38), 10.4),
  );
  expect(text).not.toContain('|');
  expect(
    ascending(
      inOrder(text, ['Figure 2', '10 of the left', '34 of the left', '10 of the right', '47 of the right']),
    ),
  ).toBe(true);
});

test('columns are separated below many small plots whose labels have more rows than the columns', async () => {
  const plots = Array.from({ length: 28 }, (_, row) =>
    Array.from({ length: 20 }, (_, at) => ({
      x: 55 + at * 24,
      y: 770 - row * 14,
      size: 5,
      text: `0.${row % 7}`,
    })),
  ).flat();
  const text = await markdown(
    ...plots,
    ...column(50, 360, ['Figure 3: what all of the programs that were compared made of all of the texts']),
    ...column(50, 330, prose('left', 20)),
    ...column(292, 330, prose('right', 20)),
  );
  expect(ascending(inOrder(text, ['Figure 3', '10 of the left', '29 of the left', '10 of the right']))).toBe(
    true,
  );
});

test('three columns are read one after the other', async () => {
  const text = await markdown(
    ...narrow('one', 12).flatMap((line, at) =>
      [line, line.replace('one', 'two'), line.replace('one', 'six')].map((part, n) => ({
        x: 40 + n * 160,
        y: 700 - at * 10,
        size: SIZE,
        text: part,
      })),
    ),
  );
  expect(text).not.toContain('|');
  expect(ascending(inOrder(text, ['10 of one', '21 of one', '10 of two', '21 of two', '10 of six']))).toBe(
    true,
  );
});

test('names and their descriptions stay together, also where a description takes several lines', async () => {
  const rows = ['tide', 'wind', 'steam', 'horse'].map((name, at) => [
    { x: 50, y: 700 - at * 40, size: SIZE, text: name },
    ...column(200, 700 - at * 40, prose(name, 2)),
  ]);
  const text = await markdown(...rows.flat());
  const [tide, wind] = [text.indexOf('10 of the tide'), text.indexOf('wind')];
  expect(tide).toBeGreaterThan(0);
  expect(wind).toBeGreaterThan(tide);
});

test('rows of two texts with several lines each are a table, not two columns', async () => {
  const rows = [0, 1, 2, 3].flatMap((row) => [
    ...column(50, 700 - row * 50, prose(`cause${row}`, 3)),
    ...column(310, 700 - row * 50, prose(`effect${row}`, 2)),
  ]);
  const text = await markdown(...rows);
  expect(
    ascending(
      inOrder(text, [
        '10 of the cause0',
        '10 of the effect0',
        '10 of the cause1',
        '10 of the effect1',
        '10 of the cause2',
      ]),
    ),
  ).toBe(true);
});

test("the data beside a letter's address are read after it and before the salutation", async () => {
  const word = fc.string({ minLength: 3, maxLength: 9, unit: fc.constantFrom(...'abdeglmnorstu') });
  const rows = fc.array(fc.tuple(word, word), { minLength: 3, maxLength: 6 });
  const letter = fc.record({
    address: rows,
    data: rows,
    step: fc.double({ min: 12.8, max: 13.3, noNaN: true }),
    subject: fc.constantFrom(
      '',
      'Your order',
      'Your order of a wooden house with two doors and a roof of tin',
    ),
    isOneRun: fc.boolean(),
    isLeft: fc.boolean(),
  });
  const body = Array.from({ length: 6 }, (_, at) => `${at} of the letter goes on to the end of it all`);
  await fc.assert(
    fc.asyncProperty(letter, async ({ address, data, step, subject, isOneRun, isLeft }) => {
      const [here, there] = isLeft ? [360, 50] : [50, 360];
      const pieces = [
        ...address.map(([one, other], at) => ({
          x: here,
          y: 680 - at * 14,
          size: 10,
          text: `${one} ${other}`,
        })),
        ...data.flatMap(([label, value], at) => {
          const place = { y: 684 - at * step, size: 9 };
          const cells = isOneRun ? [`${label}: ${value}`] : [`${label}:`, value];
          return cells.map((text, cell) => ({ ...place, x: there + 110 * cell, text }));
        }),
        ...(subject ? [{ x: 50, y: 560, size: 10, text: subject }] : []),
        { x: 50, y: 532, size: 10, text: 'Dear Ms Quill,' },
        ...body.map((text, at) => ({ x: 50, y: 500 - at * 14, size: 10, text: `${text} ${text}` })),
      ];
      const plain = (await markdown(...pieces))
        .replace(/[|\s]+|---/g, ' ')
        .replace(/ {2,}/g, ' ')
        .trim();
      const parts = [
        address.map((words) => words.join(' ')).join(' '),
        data.map((words) => words.join(': ')).join(' '),
      ];
      if (isLeft) parts.reverse();
      expect(plain.startsWith([...parts, subject].join(' '))).toBe(true);
    }),
    { seed: 18, numRuns: 25 },
  );
});

test('a line far below all columns comes last, and one in a column stays there', async () => {
  const closing = 'Sources: the yard, 2026';
  for (const xs of [
    [50, 292],
    [50, 220, 390],
  ]) {
    const subjects = ['first', 'second', 'third'].slice(0, xs.length);
    const columns = xs.flatMap((x, at) => column(x, 750, narrow(subjects[at] ?? '', 8)));
    const below = await markdown(...columns, { x: 50, y: 620, size: SIZE, text: closing });
    expect(ascending(inOrder(below, [...subjects.map((one) => `17 of ${one}`), closing]))).toBe(true);
    const longer = column(xs[1] ?? 0, 660, narrow('later', 8));
    const beside = await markdown(...columns, ...longer, { x: 50, y: 620, size: SIZE, text: closing });
    expect(ascending(inOrder(beside, ['17 of first', closing, '10 of second', '17 of later']))).toBe(true);
  }
});
