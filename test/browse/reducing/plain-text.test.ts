import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markdownToPlainText } from '../../../src/browse/reducing/plain-text.ts';
import { HOSTILE, HOSTILE_SECONDS } from '../../helpers/hostile-markdown.ts';
import { anyText } from '../../helpers/markdown.ts';
import { processorSeconds } from '../../helpers/processor-time.ts';

test.each([
  ['[a](https://x.example/) and [b](<https://x.example/a b> "title")', 'a and b'],
  ['[[source]](https://x.example/) [\\[1\\]](https://x.example/w_(x))', '[source] [1]'],
  ['[![alt](https://x.example/i.png)](https://x.example/) ![ ](https://x.example/i.png)', 'alt'],
  ['**bold** *it* _it_ __b__ ~~no~~ `code` snake_case 2 \\* 3', 'bold it it b no code snake_case 2 * 3'],
  ['[open [a](https://x.example/) ](b [c] (d)', '[open a ](b [c] (d)'],
  ['![a](https://x.example/ "t") [not\na link](https://x.example/)', 'a [not a link](https://x.example/)'],
  ['## A heading', 'A heading'],
  ['- item\n  - nested\n1. one', 'item nested one'],
  ['> quoted\n> twice', 'quoted twice'],
  ['**`f`**\n: what it does', 'f what it does'],
  ['A claim.[^1] <https://x.example/>', 'A claim. https://x.example/'],
  ['[^1]: A note', 'A note'],
])('%s', (markdown, text) => {
  expect(markdownToPlainText(markdown)).toBe(text);
});

test('plain text is made without an error and never has more content than the Markdown', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(markdownToPlainText(text).length).toBeLessThanOrEqual(text.length);
    }),
  );
});

test.each(Object.entries(HOSTILE))('%s', (_name, text) => {
  expect(processorSeconds(() => markdownToPlainText(text))).toBeLessThan(HOSTILE_SECONDS);
});

test('hundreds of thousands of escaped brackets take as little work as words', () => {
  let plain = '';
  const work = () => {
    plain = markdownToPlainText(`[a](b) ${'\\['.repeat(400_000)}`);
  };
  // A look ahead from each of them takes many seconds.
  expect(processorSeconds(work)).toBeLessThan(2);
  expect(plain).toHaveLength(400_002);
});
