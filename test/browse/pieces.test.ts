import { describe, expect, test } from 'vitest';
import { splitBlocks } from '../../src/browse/reducing/blocks.ts';
import { findIntroducingBlocks } from '../../src/browse/reducing/owner-blocks.ts';
import { joinBlocks, keepPercentile, rankBlocks, rankText } from '../../src/browse/reducing/reduce.ts';
import { reduceToPercentile } from '../helpers/reduce-to-percentile.ts';

const NONE = { query: '', title: '' };
const lines = (count: number, line: (i: number) => string, gap = '\n\n') =>
  Array.from({ length: count }, (_, i) => line(i)).join(gap);

/** What `reduce` gives if a text has at most `pieces` pieces; the limit of real texts is tried in hostile-markdown.test.ts. */
const reduceTo = (pieces: number, text: string, query: string, percentile: number) =>
  keepPercentile(text, rankText(text, { query, title: '' }, pieces), percentile);

describe('pieces for more blocks than pieces', () => {
  test.each([
    [9, 9],
    [10, 10],
    [11, 6],
    [20, 10],
    [21, 7],
    [0, 0],
    [1, 1],
  ])('%i blocks form %i pieces of ten', (blocks, pieces) => {
    const text = lines(blocks, (i) => `p${i}`);
    const { from, spans, joints, count } = rankText(text, NONE, 10);
    expect([from.length, spans.length, joints.length, count]).toEqual([pieces, 2 * pieces, pieces, blocks]);
  });

  test('pieces follow each other with all text between them', () => {
    const { spans } = rankText('p0\n\np1\n\n\np2\n\np3\n\np4\n', NONE, 3);
    expect([...spans]).toEqual([0, 6, 9, 15, 17, 19]);
  });

  test('a piece is kept from the percentile of its best block on', () => {
    const places = (...texts: string[]) => [
      ...rankText(texts.join('\n\n'), { query: 'tide', title: '' }, 3).from,
    ];
    // Beside the match is what comes second and third.
    expect(places('p0', 'p1', 'p2', 'tide', 'p4', 'p5')).toEqual([4, 1, 3]);
    expect(places('p0', 'p1', 'tide', 'p3', 'p4', 'p5')).toEqual([2, 1, 5]);
    expect(places('* * *', 'p1', 'p2', '* * *', '* * *', '* * *')).toEqual([1, 2, 0]);
  });

  const inPairs = (line: (i: number) => string, gap = '\n\n') => lines(60, line, gap);

  test('the best block is returned with its neighbours in the same piece, and no other block', () => {
    const text = (at: number) => inPairs((i) => (i === at ? 'tide' : `p${i}`));
    expect(reduceTo(50, text(30), 'tide', 100)).toBe('tide\n\np31');
    expect(reduceTo(50, text(31), 'tide', 100)).toBe('p30\n\ntide');
    expect(reduceTo(50, text(59), 'tide', 100)).toBe('p58\n\ntide');
  });

  test.each([
    ['paragraphs', inPairs((i) => `p${i}`)],
    ['items', inPairs((i) => `- p${i}`, '\n')],
    ['items apart', inPairs((i) => `- p${i}`)],
    ['items and paragraphs', inPairs((i) => (i % 2 === 0 ? `- p${i}` : `p${i}`))],
    ['paragraphs and items', inPairs((i) => (i % 2 === 0 ? `p${i}` : `- p${i}`))],
    ['headings and paragraphs', inPairs((i) => (i % 2 === 0 ? `# h${i}` : `p${i}`))],
  ])('percentile 1 keeps %s unchanged', (_name, text) => {
    expect(reduceTo(50, text, '', 1)).toBe(text);
  });

  test('pieces of a list stay a list when pieces between them are dropped', () => {
    const text = inPairs((i) => (i === 10 || i === 50 ? `- tide ${i}` : `- p${i}`), '\n');
    expect(reduceTo(50, text, 'tide', 98)).toBe('- tide 10\n- p11\n- tide 50\n- p51');
  });

  test('blocks without content are dropped in a piece without content and kept beside content', () => {
    const noise = inPairs((i) => (i % 4 < 2 ? '* * *' : `p${i}`));
    expect(reduceTo(50, noise, '', 1)).toBe(lines(30, (i) => `p${4 * Math.floor(i / 2) + 2 + (i % 2)}`));
    const beside = inPairs((i) => (i % 2 === 0 ? '* * *' : `p${i}`));
    expect(reduceTo(50, beside, '', 1)).toBe(beside);
  });
});

describe('how pieces are joined', () => {
  // With the middle one gone.
  test.each([
    ['items of a list', '- tide 0\n- p1\n- tide 2', '- tide 0\n- tide 2'],
    ['items that stand apart', '- tide 0\n\n- p1\n\n- tide 2', '- tide 0\n\n- tide 2'],
    ['items apart by a line of blanks', '- tide 0\n  \n- p1\n \t\n- tide 2', '- tide 0\n\n- tide 2'],
    ['paragraphs', 'tide 0\n\np1\n\ntide 2', 'tide 0\n\ntide 2'],
    ['an item and a paragraph', '- tide 0\n- p1\n\n# h\n\ntide 2', '- tide 0\n\n# h\n\ntide 2'],
  ])('%s', (_name, text, kept) => {
    const percentile = 50;
    expect(reduceToPercentile(text, { query: 'tide', title: '', percentile })).toBe(kept);
    const blocks = splitBlocks(text);
    const left = blocks.flatMap(({ text }, index) => (text.includes('p1') ? [] : [index]));
    expect(joinBlocks(blocks, left)).toBe(kept);
  });

  test('table rows are joined to rows and to their header by lines', () => {
    const blocks = splitBlocks(`| a |\n| - |\n${'| 1 |\n'.repeat(30)}\n- i`);
    expect(blocks.map(({ kind }) => kind)).toEqual(['head', 'rows', 'rows', 'rows', 'item']);
    const rows = Array.from({ length: 10 }, () => '| 1 |').join('\n');
    expect(joinBlocks(blocks, [0, 2])).toBe(`| a |\n| - |\n${rows}`);
    expect(joinBlocks(blocks, [1, 3])).toBe(`${rows}\n${rows}`);
    expect(joinBlocks(blocks, [1, 4])).toBe(`${rows}\n\n- i`);
    expect(joinBlocks(blocks, [4, 1])).toBe(`- i\n\n${rows}`);
    expect(joinBlocks(blocks, [1, 0])).toBe(`${rows}\n\n| a |\n| - |`);
    expect(joinBlocks(blocks, [])).toBe('');
    expect(joinBlocks(blocks, [7])).toBe('');
  });
});

describe('how many blocks a percentile keeps', () => {
  const ten = lines(10, (i) => `p${i}`);
  test.each([
    [1, 10],
    [2, 10],
    [10, 10],
    [11, 9],
    [50, 6],
    [89, 2],
    [90, 2],
    [91, 1],
    [99, 1],
    [100, 1],
  ])('of ten blocks percentile %i keeps %i', (percentile, kept) => {
    expect(reduceToPercentile(ten, { ...NONE, percentile }).split('\n\n')).toHaveLength(kept);
  });

  test('blocks are ranked by their scores, whatever their order', () => {
    const blocks = splitBlocks('gull\n\ncrow\n\ntide sea\n\nowl\n\nwren\n\nsea');
    const order = rankBlocks(blocks, findIntroducingBlocks(blocks), { query: 'tide sea', title: '' });
    expect(order).toEqual([2, 5, 1, 3, 4, 0]);
  });

  test('of blocks with equal scores the first come first', () => {
    const blocks = splitBlocks(lines(12, () => 'gull crow'));
    expect(rankBlocks(blocks, findIntroducingBlocks(blocks), NONE)).toEqual(
      Array.from({ length: 12 }, (_, i) => i),
    );
  });

  test('a heading counts as a block only where no block below it counts', () => {
    const ranked = (text: string) => {
      const blocks = splitBlocks(text);
      return rankBlocks(blocks, findIntroducingBlocks(blocks), NONE).sort((a, b) => a - b);
    };
    expect(ranked('# Empty\n\n# Mills\n\nText.')).toEqual([0, 2]);
    expect(ranked('# Mills\n\n* * *')).toEqual([0]);
    expect(ranked('# Mills\n\n## Tide\n\nText.')).toEqual([2]);
    expect(ranked('| a |\n| --- |\n| b |')).toEqual([1]);
    expect(ranked('| a |\n| --- |')).toEqual([0]);
    expect(ranked('Text:\n\n- item')).toEqual([0, 1]);
    expect(ranked('# 🎉\n\n***')).toEqual([]);
  });
});
