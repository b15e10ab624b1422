import { expect, test } from 'vitest';
import type { MarkdownBlock } from '../../../src/browse/reducing/blocks.ts';
import { joinBlocks } from '../../../src/browse/reducing/reduce.ts';

const block = (kind: MarkdownBlock['kind'], text: string, gap = '\n\n'): MarkdownBlock => ({
  kind,
  text,
  level: 0,
  gap,
});

test.each([
  [
    'lines of one paragraph keep the break between them',
    [block('text', 'a', '\n'), block('text', 'b')],
    'a\nb',
  ],
  ['paragraphs keep the empty line between them', [block('text', 'a'), block('text', 'b')], 'a\n\nb'],
  ['a list stays without empty lines', [block('item', '- a', '\n'), block('item', '- b')], '- a\n- b'],
  ['a list with empty lines keeps them', [block('item', '- a'), block('item', '- b')], '- a\n\n- b'],
  ['an empty line may hold blanks', [block('item', '- a', '\n  \n'), block('item', '- b')], '- a\n\n- b'],
  [
    'rows follow the header of their table',
    [block('head', '| h |', '\n'), block('rows', '| 1 |')],
    '| h |\n| 1 |',
  ],
  ['rows follow rows', [block('rows', '| 1 |', '\n'), block('rows', '| 2 |')], '| 1 |\n| 2 |'],
  [
    'a header starts a table of its own',
    [block('rows', '| 1 |', '\n'), block('head', '| h |')],
    '| 1 |\n\n| h |',
  ],
  [
    'paragraphs of one quote keep its mark',
    [block('quote', '> a', '\n>\n'), block('quote', '> b')],
    '> a\n>\n> b',
  ],
  ['two quotes stay two', [block('quote', '> a', '\n\n'), block('quote', '> b')], '> a\n\n> b'],
  ['a heading stands alone', [block('heading', '# a', '\n'), block('text', 'b')], '# a\n\nb'],
  ['text behind a list is no item', [block('item', '- a', '\n'), block('text', 'b')], '- a\n\nb'],
])('of blocks that stood together, %s', (_, blocks, text) => {
  expect(joinBlocks(blocks, [0, 1])).toBe(text);
});

test.each([
  [
    'lines of one paragraph',
    [block('text', 'a', '\n'), block('text', 'b', '\n'), block('text', 'c')],
    'a\n\nc',
  ],
  ['items', [block('item', '- a', '\n'), block('item', '- b', '\n'), block('item', '- c')], '- a\n- c'],
  [
    'quotes',
    [block('quote', '> a', '\n>\n'), block('quote', '> b', '\n>\n'), block('quote', '> c')],
    '> a\n\n> c',
  ],
])('a block that is left out leaves no break of its own: %s', (_, blocks, text) => {
  expect(joinBlocks(blocks, [0, 2])).toBe(text);
});

test('a place without a block is passed over', () => {
  const blocks = [block('text', 'a'), block('text', 'b')];
  expect(joinBlocks(blocks, [])).toBe('');
  expect(joinBlocks(blocks, [1, 7])).toBe('b');
});
