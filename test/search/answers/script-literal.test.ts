import { expect, test } from 'vitest';
import { readScriptLiteral } from '../../../src/search/answers/script-literal.ts';

test.each([
  ['{"a": [1, -2.5e3, true, null]}', { a: [1, -2500, true, null] }],
  ["{a:'it\\'s',$b_1:\"x\",'c d':1,7:2,Español:3}", { a: "it's", $b_1: 'x', 'c d': 1, 7: 2, Español: 3 }],
  ['[void 0,undefined,!0,!1,.5,]', [null, null, true, false, 0.5]],
  ['"\\u003Cb\\x3e\\n\\/\\\\"', '<b>\n/\\'],
  ['{"__proto__": {"x": 1}}', JSON.parse('{"__proto__": {"x": 1}}')],
])('the script literal %s is read', (text, value) => {
  expect(readScriptLiteral(`x(${text}),`, 2)).toEqual(value);
});

test.each([
  '',
  '{',
  '{a}',
  '{a:1 b:2}',
  '[1',
  '[1 2]',
  '"open',
  '"\\u00zz"',
  'name',
  'new Date(1)',
  '`x`',
  '{a:x()}',
  '['.repeat(100_000),
  '{a:'.repeat(100_000),
  '!'.repeat(100_000),
])('a text that is not a literal, or an unclosed literal, is not read: %#', (text) => {
  expect(readScriptLiteral(text, 0)).toBeUndefined();
});
