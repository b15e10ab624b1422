import { expect, test } from 'vitest';
import { cutParts, findCutPosition, WORDS_PER_PART } from '../../../src/browse/sections/parts.ts';

const paragraph = (words: number) => `${'word '.repeat(words - 1)}end.`;

test('a part ends before a heading where one is near', () => {
  const parts = cutParts(`${paragraph(70)}\n\n## Two\n\n${paragraph(20)}\n\n${paragraph(20)}`, 100);
  expect(parts).toEqual([`${paragraph(70)}\n\n`, `## Two\n\n${paragraph(20)}\n\n${paragraph(20)}`]);
});

test('a heading far from the end of a part does not end it', () => {
  const parts = cutParts(`${paragraph(10)}\n\n## Two\n\n${paragraph(80)}\n\n${paragraph(20)}`, 100);
  expect(parts[0]).toBe(`${paragraph(10)}\n\n## Two\n\n${paragraph(80)}\n\n`);
});

test('headings and table headers stay with the content below them', () => {
  const rows = `${'| a b c d |\n'.repeat(10)}`;
  for (const head of ['# One\n\n## Two\n\n', '| h |\n| - |\n']) {
    const [first, second] = cutParts(`${paragraph(50)}\n\n${head}${rows}`, 56 + 6);
    expect(first).toBe(`${paragraph(50)}\n\n`);
    expect(second?.startsWith(head)).toBe(true);
  }
});

test('a text of headings alone has full parts', () => {
  expect(cutParts('# x\n'.repeat(3000), 100)).toHaveLength(60);
});

test('a paragraph longer than a part is cut at its sentences, and a word longer than a part is cut between characters', () => {
  const [first] = cutParts(`${'One two three. '.repeat(1000)}`, 100);
  expect(first?.endsWith('three. ')).toBe(true);
  expect(cutParts('😀'.repeat(100_000)).filter((part) => !part.isWellFormed())).toEqual([]);
  expect(cutParts('long '.repeat(5000), WORDS_PER_PART)).toHaveLength(3);
});

const words = (count: number, word = 'w') => Array.from({ length: count }, () => word).join(' ');

test('a text that fits is one part, blank text gives no part, and gaps belong to the text before them', () => {
  expect(cutParts(words(10), 10)).toEqual([words(10)]);
  expect(cutParts(words(2000))).toHaveLength(1);
  expect(cutParts(words(2001))).toHaveLength(2);
  expect(cutParts('', 10)).toEqual([]);
  expect(cutParts(' \n\n ', 10)).toEqual([]);
  expect(cutParts(`${words(10)}\n\n\n\n${words(10)}\n \n`, 10)).toEqual([
    `${words(10)}\n\n\n\n`,
    `${words(10)}\n \n`,
  ]);
  expect(cutParts(`\n\n${words(3)}`, 10)).toEqual([`\n\n${words(3)}`]);
});

test('blocks fill a part to its last word', () => {
  const blocks = (...sizes: readonly number[]) => sizes.map((size) => words(size)).join('\n\n');
  const sizes = (text: string) => cutParts(text, 10).map((part) => part.split(/\s+/).filter(Boolean).length);
  expect(sizes(blocks(4, 6, 4))).toEqual([10, 4]);
  expect(sizes(blocks(4, 7, 4))).toEqual([4, 7, 4]);
  expect(sizes(blocks(5, 5, 5, 5, 5))).toEqual([10, 10, 5]);
});

test('a full part ends before its last heading if that leaves six tenths of it', () => {
  const cut = (before: number, after: number, next = '') =>
    cutParts(`${words(before)}\n\n# A\n\n${words(after)}\n\n${next}${words(9)}`, 20).map((part) =>
      part.trim().replaceAll('\n\n', '|'),
    );
  expect(cut(12, 4)).toEqual([words(12), `# A|${words(4)}|${words(9)}`]);
  expect(cut(11, 5)).toEqual([`${words(11)}|# A|${words(5)}`, words(9)]);
  // What comes next begins a section itself.
  expect(cut(12, 5, '# B\n\n')).toEqual([`${words(12)}|# A|${words(5)}`, `# B|${words(9)}`]);
  // What it begins has still no room for what comes next.
  expect(cutParts(`${words(12)}\n\n# A\n\n${words(4)}\n\n${words(15)}\n\n${words(5)}`, 20)).toEqual([
    `${words(12)}\n\n`,
    `# A\n\n${words(4)}\n\n`,
    `${words(15)}\n\n${words(5)}`,
  ]);
  expect(cutParts(`${words(17)}\n\n# A\n\n## B\n\n${words(9)}`, 20)).toEqual([
    `${words(17)}\n\n`,
    `# A\n\n## B\n\n${words(9)}`,
  ]);
  // Of headings in a row the first one.
  expect(
    cutParts(`${words(13)}\n\n# A\n\n## B\n\n${words(1)}\n\n${words(12)}`, 20).map((part) => part.trim()),
  ).toEqual([words(13), `# A\n\n## B\n\n${words(1)}\n\n${words(12)}`]);
});

test('up to eight headings stay with the text below them', () => {
  const cut = (headings: number) =>
    cutParts(`${words(30)}\n\n${'# x\n\n'.repeat(headings)}${words(20)}`, 50).map(
      (part) => part.split('# x').length - 1,
    );
  expect(cut(8)).toEqual([0, 8]);
  // Six tenths full, it ends before the first of them anyway; less than that, more than eight stay.
  const early = (headings: number) =>
    cutParts(`${words(20)}\n\n${'# x\n\n'.repeat(headings)}${words(30)}`, 50).map(
      (part) => part.split('# x').length - 1,
    );
  expect(early(2)).toEqual([0, 2]);
  expect(early(8)).toEqual([0, 8]);
  expect(early(9)).toEqual([9, 0]);
  expect(cutParts(`${'# x\n\n'.repeat(5)}${words(5)}`, 10)).toEqual([
    '# x\n\n',
    '# x\n\n'.repeat(4),
    words(5),
  ]);
});

test('a long block is cut at lines, sentences, words or characters, in this order, where half of a piece remains', () => {
  const cut = (text: string, most: number) => cutParts(text, most);
  expect(cut('a b c\nd e f. g h i', 7)).toEqual(['a b c\nd e f. ', 'g h i']);
  expect(cut('one two six\nsix. ten', 4)).toEqual(['one two six\n', 'six. ten']);
  expect(cut('one two six. six ten', 4)).toEqual(['one two six. ', 'six ten']);
  expect(cut('six. one two six ten', 4)).toEqual(['six. one two ', 'six ten']);
  expect(cut('東京都。大阪。', 4)).toEqual(['東京都。', '大阪。']);
  expect(cut('abc 東京都大阪府', 4)).toEqual(['abc 東京都', '大阪府']);
});

test('a cut follows a line, sentence or word end beyond the first half of the text', () => {
  expect(findCutPosition('ab\ncd')).toBe(0);
  expect(findCutPosition('abc\nd')).toBe(4);
  expect(findCutPosition('abcd. e')).toBe(6);
  expect(findCutPosition('abc。e')).toBe(4);
  expect(findCutPosition('abc. d e')).toBe(7);
  expect(findCutPosition('abcd. e f')).toBe(8);
  expect(findCutPosition('abc\nd. e')).toBe(0 + 'abc\nd. '.length);
  expect(findCutPosition('ab cd')).toBe(0);
  expect(findCutPosition('abc de')).toBe(4);
  expect(findCutPosition('')).toBe(0);
});

test('a word longer than a part is cut between whole characters', () => {
  // Ten pieces of 500 characters count ten words.
  const lengths = (text: string) => cutParts(text, 10).map(({ length }) => length);
  expect(lengths('x'.repeat(6200))).toEqual([5000, 1200]);
  expect(lengths('😀'.repeat(3000))).toEqual([5000, 1000]);
  expect(lengths(`x${'😀'.repeat(3000)}`)).toEqual([4999, 1002]);
});
