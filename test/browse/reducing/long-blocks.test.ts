import { expect, test } from 'vitest';
import { splitBlocks } from '../../../src/browse/reducing/blocks.ts';
import { boundBlocks } from '../../../src/browse/reducing/long-blocks.ts';

/** Blocks that no percentile parts. */

function bound(markdown: string, chars: number) {
  const { blocks, cut } = boundBlocks(splitBlocks(markdown), chars);
  return { text: blocks.map(({ text, gap }) => text + gap).join(''), cut };
}

test('a long block is cut after a line and marked, and the other blocks stay whole', () => {
  const log = 'a line of a log\n'.repeat(5000).trimEnd();
  const { text, cut } = bound(`# Log\n\n${log}\n\nThe end.\n`, 20_000);
  expect(cut).toBe(1);
  expect(text.length).toBeLessThanOrEqual(20_050);
  expect(text).toMatch(/^# Log\n\n(?:a line of a log\n)+a line of a log …\n\nThe end\.\n$/);
});

test.each(['```', '~~~~'])('code that is cut stays fenced by %s', (fence) => {
  const code = `${fence}json\n${' "a": 1,\n'.repeat(5000)}${fence}`;
  const { text } = bound(`${code}\n\nAfter.`, 20_000);
  expect(text.endsWith(` "a": 1,\n…\n${fence}\n\nAfter.`)).toBe(true);
});

test('an endless line is cut between characters', () => {
  const { text, cut } = bound(`x${'😀'.repeat(20_000)}`, 20_000);
  expect([cut, text.isWellFormed(), text.endsWith('😀 …')]).toEqual([1, true, true]);
});

test('a text of short blocks stays unchanged, however long the text', () => {
  const text = 'A paragraph of some words.\n\n'.repeat(5000);
  expect(bound(text, 20_000)).toEqual({ text, cut: 0 });
});
