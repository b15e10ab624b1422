import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutMarkdownCode } from '../../../src/lib/language/markdown-code.ts';

test.each([
  ['a longer fence around a shorter one', '````md\n```js\nCODE\n```\nCODE\n````'],
  ['a fence of other signs', '~~~\n```\nCODE\n~~~'],
  ['a fence that nothing closes', '```\nCODE'],
  ['a fence in a list', '- item\n\n  ```\n  CODE\n  ```'],
  ['a fence right behind a sign of a list', '- ```\n  CODE\n  ```'],
  ['a fence in a quotation', '> ```\n> CODE\n> ```'],
  ['four blanks', 'text\n\n    CODE\n\n    CODE'],
  ['a tab', '\tCODE'],
  ['eight blanks in a list', '- item\n\n        CODE'],
  ['the element pre', '<pre class="x">\nCODE\n</pre>'],
  ['the element code', 'a <code> CODE </code> b'],
  ['one backtick', 'a `CODE` b'],
  ['two backticks around one', 'a ``x ` CODE`` b'],
])('code within %s is taken out', (_, code) => {
  expect(withoutMarkdownCode(code)).not.toContain('CODE');
  expect(withoutMarkdownCode(`${code}\n\n`).split('\n')).toHaveLength(`${code}\n\n`.split('\n').length);
});

test.each([
  'text\n    WORD goes on',
  '- a\n    - WORD',
  '- a\n\n    WORD in the item',
  '```\nx\n```\nWORD',
  '```a```\nWORD',
  'a ` WORD',
  '<code>a</code> WORD',
  'a `<pre>` WORD',
  'a <pre> WORD',
  '~~WORD~~',
])('%j has no code', (text) => {
  expect(withoutMarkdownCode(text)).toContain('WORD');
});

test('words outside of code stay, whatever stands before', () => {
  const line = fc.constantFrom('```', '````', '~~~', 'word', '', '    code', '- item', '`a`', '> q');
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const text = withoutMarkdownCode(lines.join('\n')).split('\n');
      expect(text).toHaveLength(Math.max(1, lines.length));
      for (const [at, one] of text.entries()) expect(['', ' ', lines[at]]).toContain(one);
    }),
    { seed: 7 },
  );
});
