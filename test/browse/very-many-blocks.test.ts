import { describe, expect, test } from 'vitest';
import { splitBlocks } from '../../src/browse/blocks.ts';
import { ownersOf } from '../../src/browse/context.ts';
import { rank, rankText, reduce } from '../../src/browse/reduce.ts';

const NONE = { query: '', title: '' };
const lines = (count: number, line: (i: number) => string, gap = '\n\n') =>
  Array.from({ length: count }, (_, i) => line(i)).join(gap);

describe('beyond 50,000 blocks some are kept together', () => {
  test.each([
    [49_999, 49_999],
    [50_000, 50_000],
    [50_001, 25_001],
    [100_000, 50_000],
    [100_001, 33_334],
  ])('%i blocks are %i pieces', (blocks, pieces) => {
    const { from, spans, joints, count } = rankText(
      lines(blocks, (i) => `p${i}`),
      NONE,
    );
    expect([from.length, spans.length, joints.length, count]).toEqual([pieces, 2 * pieces, pieces, blocks]);
  });

  const FOCUS = { query: 'tide', title: '' };
  const inPairs = (line: (i: number) => string, gap = '\n\n') => lines(60_000, line, gap);

  test('the best one comes with what stands beside it in its piece, and nothing more', () => {
    const text = (at: number) => inPairs((i) => (i === at ? 'tide' : `p${i}`));
    expect(reduce(text(31_000), { ...FOCUS, percentile: 100 })).toBe('tide\n\np31001');
    expect(reduce(text(31_001), { ...FOCUS, percentile: 100 })).toBe('p31000\n\ntide');
    expect(reduce(text(59_999), { ...FOCUS, percentile: 100 })).toBe('p59998\n\ntide');
  });

  test.each([
    ['paragraphs', inPairs((i) => `p${i}`)],
    ['items', inPairs((i) => `- p${i}`, '\n')],
    ['items apart', inPairs((i) => `- p${i}`)],
    ['items and paragraphs', inPairs((i) => (i % 2 === 0 ? `- p${i}` : `p${i}`))],
    ['paragraphs and items', inPairs((i) => (i % 2 === 0 ? `p${i}` : `- p${i}`))],
    ['headings and paragraphs', inPairs((i) => (i % 2 === 0 ? `# h${i}` : `p${i}`))],
  ])('1 keeps %s as they are', (_name, text) => {
    expect(reduce(text, { ...NONE, percentile: 1 })).toBe(text);
  });

  test('pieces of a list stay a list when some between them go', () => {
    const text = inPairs((i) => (i === 10 || i === 50_000 ? `- tide ${i}` : `- p${i}`), '\n');
    const kept = reduce(text, { ...FOCUS, percentile: 99 });
    expect(kept.slice(0, 200)).toContain('- tide 10\n- p11');
    expect(kept).not.toContain('\n\n');
    expect(kept.split('\n').length).toBeLessThan(1500);
  });

  test('what says nothing goes with a piece of nothing else, and stays beside what says something', () => {
    const noise = inPairs((i) => (i % 4 < 2 ? '* * *' : `p${i}`));
    expect(reduce(noise, { ...NONE, percentile: 1 })).toBe(
      lines(30_000, (i) => `p${4 * Math.floor(i / 2) + 2 + (i % 2)}`),
    );
    const beside = inPairs((i) => (i % 2 === 0 ? '* * *' : `p${i}`));
    expect(reduce(beside, { ...NONE, percentile: 1 })).toBe(beside);
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
  ])('%i of ten: %i', (percentile, kept) => {
    expect(reduce(ten, { ...NONE, percentile }).split('\n\n')).toHaveLength(kept);
  });

  test('of blocks that score the same the first come first', () => {
    const blocks = splitBlocks(lines(12, () => 'gull crow'));
    expect(rank(blocks, ownersOf(blocks), NONE)).toEqual(Array.from({ length: 12 }, (_, i) => i));
  });

  test('a heading counts by itself only where nothing under it does', () => {
    const ranked = (text: string) => {
      const blocks = splitBlocks(text);
      return rank(blocks, ownersOf(blocks), NONE).sort((a, b) => a - b);
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
