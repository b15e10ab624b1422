import { expect, test } from 'vitest';
import { cutParts, PART_WORDS } from '../../src/browse/parts.ts';

const paragraph = (words: number) => `${'word '.repeat(words - 1)}end.`;

test('a part ends before a heading where one is near', () => {
  const parts = cutParts(`${paragraph(70)}\n\n## Two\n\n${paragraph(20)}\n\n${paragraph(20)}`, 100);
  expect(parts).toEqual([`${paragraph(70)}\n\n`, `## Two\n\n${paragraph(20)}\n\n${paragraph(20)}`]);
});

test('a heading far from the end of a part does not end it', () => {
  const parts = cutParts(`${paragraph(10)}\n\n## Two\n\n${paragraph(80)}\n\n${paragraph(20)}`, 100);
  expect(parts[0]).toBe(`${paragraph(10)}\n\n## Two\n\n${paragraph(80)}\n\n`);
});

test('headings and the header of a table go with what they head', () => {
  const rows = `${'| a b c d |\n'.repeat(10)}`;
  for (const head of ['# One\n\n## Two\n\n', '| h |\n| - |\n']) {
    const [first, second] = cutParts(`${paragraph(50)}\n\n${head}${rows}`, 56 + 6);
    expect(first).toBe(`${paragraph(50)}\n\n`);
    expect(second?.startsWith(head)).toBe(true);
  }
});

test('a text of nothing but headings has full parts', () => {
  expect(cutParts('# x\n'.repeat(3000), 100)).toHaveLength(60);
});

test('a paragraph longer than a part is cut at its sentences, a word longer than that between characters', () => {
  const [first] = cutParts(`${'One two three. '.repeat(1000)}`, 100);
  expect(first?.endsWith('three. ')).toBe(true);
  expect(cutParts('😀'.repeat(100_000)).filter((part) => !part.isWellFormed())).toEqual([]);
  expect(cutParts('long '.repeat(5000), PART_WORDS)).toHaveLength(3);
});
