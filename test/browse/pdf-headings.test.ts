import { expect, test } from 'vitest';
import { readPdf } from '../../src/browse/readers/pdf/pdf.ts';
import { layPdf, type Piece } from '../helpers/pdf.ts';

/** What of a paper is a heading, and what is not. */

const read = (...pieces: readonly Piece[]) =>
  readPdf(layPdf([pieces]), 'https://site.example/paper.pdf').then(({ markdown }) => markdown);
const prose = (y: number, count: number, x = 50): Piece[] =>
  Array.from({ length: count }, (_, at) => ({
    x,
    y: y - at * 11,
    size: 9,
    text: `row ${at + 10} of what is said here goes on to the end of it all and then on`,
  }));

test('a numbered heading does not absorb the indented first line of its text', async () => {
  const text = await read(
    { x: 50, y: 780, size: 18, text: 'Clocks of Water' },
    { x: 50, y: 740, size: 12, text: '1. INTRODUCTION' },
    { x: 60, y: 727, size: 9, text: 'Data volumes go on to rise, fueled in large part by what is there' },
    ...prose(716, 12),
  );
  expect(text).toContain('## 1. INTRODUCTION\n\nData volumes go on');
});

test('two numbered headings directly below each other are two headings', async () => {
  const text = await read(
    { x: 50, y: 740, size: 12, text: '3. THE MODEL' },
    { x: 50, y: 725, size: 12, text: '3.1 What is given' },
    ...prose(710, 12),
  );
  expect(text).toContain('# 3. THE MODEL\n\n# 3.1 What is given\n\nrow 10');
});

test('a title of several lines is one heading, and the authors below it are not headings', async () => {
  const text = await read(
    { x: 50, y: 780, size: 18, text: 'Clocks of Water and of Sand in the Towns' },
    { x: 50, y: 758, size: 18, text: 'of the Upper Rhine' },
    { x: 50, y: 725, size: 12, text: 'Ada Quill, Tom Green' },
    { x: 50, y: 710, size: 10, text: 'Hedge Institute' },
    { x: 50, y: 680, size: 12, text: 'ABSTRACT' },
    ...prose(665, 12),
    { x: 50, y: 520, size: 12, text: '1. Introduction' },
    ...prose(505, 12),
  );
  expect(text).toMatch(
    /^# Clocks of Water and of Sand in the Towns of the Upper Rhine\n\nAda Quill, Tom Green\n\nHedge Institute\n\n## ABSTRACT\n/,
  );
  expect(text).toContain('## 1. Introduction\n');
});

test('headings below a title are kept if no abstract and no introduction follows', async () => {
  const text = await read(
    { x: 50, y: 780, size: 18, text: 'Clocks of Water' },
    { x: 50, y: 740, size: 12, text: 'How they were made' },
    ...prose(725, 12),
  );
  expect(text).toContain('## How they were made\n');
});

test('formulas, addresses and lines with one large sign are not headings', async () => {
  const text = await read(
    ...prose(780, 8),
    { x: 80, y: 680, size: 13, text: 'Kurt[S] - 3 = (a - 3) / w' },
    ...prose(660, 4),
    { x: 80, y: 600, size: 9, text: 'where the sum of all the values ' },
    { x: 300, y: 600, size: 16, text: 'S' },
    { x: 315, y: 600, size: 9, text: 'is taken over all' },
    ...prose(580, 4),
    { x: 80, y: 520, size: 13, text: 'quill@hedge.example' },
    ...prose(500, 4),
  );
  expect(text).not.toMatch(/^#/m);
  expect(text).toContain('Kurt[S] - 3 =');
});

test('the many close labels of a figure do not split the lines of paragraphs', async () => {
  const labels = Array.from({ length: 40 }, (_, at) => ({
    x: 60,
    y: 780 - at * 7,
    size: 5,
    text: `0.${at + 10}`,
  }));
  const text = await read(...labels, ...prose(480, 14));
  expect(text).toContain('and then on row 11 of what');
});

test('headings with numbers such as 3.1 may be hardly larger than the text; a list with numbers has none', async () => {
  const text = await read(
    { x: 50, y: 780, size: 12, text: '3 Clocks of sand' },
    ...prose(760, 6),
    { x: 50, y: 680, size: 10, text: '3.1 How they are turned' },
    ...prose(665, 6),
    { x: 50, y: 590, size: 10, text: '3.2 How they are filled' },
    ...prose(575, 6),
  );
  expect(text).toMatch(
    /^# 3 Clocks of sand\n\nrow[^#]*\n\n## 3\.1 How they are turned\n\nrow[^#]*\n\n## 3\.2 How they are filled\n\nrow/,
  );
  const list = await read(
    ...prose(760, 6),
    { x: 50, y: 680, size: 10, text: '1. Bring the key of the tower' },
    { x: 50, y: 666, size: 10, text: '2. Turn the glass at noon' },
    ...prose(640, 6),
  );
  expect(list).not.toContain('#');
});

/** Four pages of prose below what stands at the top of each; a page number stands at the foot. */
const pagesBelow = (top: (number: number) => readonly Piece[]) =>
  layPdf(
    [1, 2, 3, 4].map((number) => [
      ...top(number),
      ...prose(680, 6),
      { x: 280, y: 30, size: 9, text: `Strona ${number} z 4` },
    ]),
  );
const headingsOf = async (top: (number: number) => readonly Piece[]) => {
  const { markdown } = await readPdf(pagesBelow(top), 'https://site.example/course.pdf');
  expect(markdown).not.toContain('Strona');
  return markdown.split('\n').filter((line) => line && !line.includes('row '));
};
const LESSONS = [1, 2, 3, 4].map((number) => `# Lesson ${number}`);

test('large headings that differ by their number alone are kept, and what runs above them is not', async () => {
  const lesson = (number: number) => ({ x: 50, y: 770, size: 18, text: `Lesson ${number}` });
  expect(await headingsOf((number) => [lesson(number)])).toEqual(LESSONS);
  const head = { x: 50, y: 805, size: 8, text: 'Gardening, spring 2026' };
  expect(await headingsOf((number) => [head, lesson(number)])).toEqual(LESSONS);
});

test('a counted heading in the size of the text is kept below a smaller running head only', async () => {
  const lesson = (number: number) => ({ x: 50, y: 785, size: 9, text: `Lesson ${number}` });
  const head = { x: 50, y: 810, size: 7, text: 'Gardening, spring 2026' };
  const kept = await headingsOf((number) => [head, lesson(number)]);
  expect(kept.map((line) => `# ${line}`)).toEqual(LESSONS);
  expect(await headingsOf((number) => [lesson(number)])).toEqual([]);
});

test('a large running head with its page number apart, or at the foot, is no heading', async () => {
  const apart = (number: number) => [
    { x: 50, y: 800, size: 14, text: 'Data sheet' },
    { x: 500, y: 800, size: 14, text: `${number}` },
  ];
  expect(await headingsOf(apart)).toEqual([]);
  expect(await headingsOf((number) => [{ x: 50, y: 50, size: 14, text: `Sheet ${number}` }])).toEqual([]);
});

test('a line that begins with the day of a date goes on with its sentence, and a list stays a list', async () => {
  const lines = (texts: readonly string[]) =>
    read(...texts.map((text, at) => ({ x: 50, y: 700 - 11 * at, size: 9, text })));
  expect(
    await lines(['The debt was paid in full and to the last on the', '14. kvetna 2026 by transfer.']),
  ).toBe('The debt was paid in full and to the last on the 14. kvetna 2026 by transfer.');
  const list = ['1. take the felt off and sweep it, with the boards', '2. lay the new felt from below.'];
  expect((await lines(list)).split('\n\n')).toHaveLength(2);
});
