import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitBlocks } from '../../../src/browse/reducing/blocks.ts';
import { findIntroducingBlocks } from '../../../src/browse/reducing/owner-blocks.ts';
import { anyText } from '../../helpers/markdown.ts';

const kinds = (markdown: string) => splitBlocks(markdown).map(({ kind }) => kind);
const texts = (markdown: string) => splitBlocks(markdown).map(({ text }) => text);

test('blocks and the gaps between them equal the text, whatever the text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const joined = splitBlocks(text).map((block) => block.text + block.gap);
      expect(joined.join('')).toBe(text);
    }),
  );
});

test.each([
  [
    'a code block is one, and its lines are not headings',
    '# H\n\n```js\na\n\n# b\n```\n\nt',
    ['heading', 'code', 'text'],
  ],
  ['a fence in a list', '1. i\n\n    ```sh\n    # c\n\n    d\n    ```\n2. j', ['item', 'code', 'item']],
  ['inline code at the start of a line is not a fence', '```a``` is code\n\n# H', ['text', 'heading']],
  ['a fence that does not end takes the rest', '~~~\na\n\n# b', ['code']],
  [
    'a table is its header and groups of ten rows',
    `| a |\n| - |\n${'| 1 |\n'.repeat(25)}`,
    ['head', 'rows', 'rows', 'rows'],
  ],
  ['a table without outer pipes', 'a | b\n--- | ---\n1 | 2\n3 | 4\n\nt | u', ['head', 'rows', 'text']],
  [
    'a table after a paragraph without a blank line',
    'text\n| a | b |\n| - | - |\n| 1 | 2 |',
    ['text', 'head', 'rows'],
  ],
  ['two tables', '| a |\n| - |\n| 1 |\n\n| b |\n| - |\n| 2 |', ['head', 'rows', 'head', 'rows']],
  ['display math, blank lines too', '$$\na\n\nb\n$$\n\n$$x$$\n\nt', ['code', 'code', 'text']],
  ['dollars that open no math', '$$ is money\n\nt', ['text', 'text']],
  ['headings with underlines', 'Title\n=====\n\nSub\n---\n\ntext', ['heading', 'heading', 'text']],
  ['a rule is not a heading', 'a\n\n---\n\nb', ['text', 'text', 'text']],
  ['paragraphs of a quote', '> a\n> b\n>\n> c\n\nt', ['quote', 'quote', 'text']],
  ['code in a quote', '> ```\n> a\n>\n> b\n> ```\n>\n> c', ['quote', 'quote']],
  ['notes', '[^1]: a\n[^2]: b\n\nt', ['note', 'note', 'text']],
  ['items one by one', '- a\n- b\n  more of b\n1. c', ['item', 'item', 'item']],
])('%s', (_name, markdown, expected) => {
  expect(kinds(markdown)).toEqual(expected);
});

test('block levels are those of headings and the columns of indented items', () => {
  expect(splitBlocks('## a\n\nb\n===\n\nc\n---\n\n- d\n    - e').map(({ level }) => level)).toEqual([
    2, 1, 2, 0, 4,
  ]);
});

test('a block names the blocks without which it cannot be read', () => {
  const markdown = [
    '# Mills', // 0
    'You need:', // 1
    '- a wheel', // 2
    '  - of oak', // 3
    '- a pond', // 4
    '## Dates', // 5
    '| year | what |\n| --- | --- |', // 6
    '| 1 | a |\n'.repeat(12), // 7, 8
    'Term', // 9
    ': what it means', // 10
    'The end.', // 11
    '# Sources', // 12
  ];
  const joined = [
    ...markdown.slice(0, 7).map((text) => `${text}\n\n`),
    ...markdown.slice(7).map((text) => `${text}\n\n`),
  ]
    .join('')
    .replace('| --- | --- |\n\n', '| --- | --- |\n');
  expect(texts(joined)).toHaveLength(13);
  expect([...findIntroducingBlocks(splitBlocks(joined))]).toEqual([-1, 0, 1, 2, 1, 0, 5, 6, 6, 5, 9, 5, -1]);
});

test('a list item continues after a paragraph of its own, under the same line', () => {
  const owners = findIntroducingBlocks(splitBlocks('Steps:\n\n- a\n\n  more\n\n- b'));
  expect([...owners]).toEqual([-1, 0, 1, 0]);
});

test('a text of millions of lines gives some hundred thousand blocks, and no text is lost', () => {
  const text = '# h\n'.repeat(1_000_000);
  const blocks = splitBlocks(text);
  expect(blocks.length).toBe(200_000 + 800_000 / 500);
  expect(blocks.map(({ text, gap }) => text + gap).join('') === text).toBe(true);
});
