import { expect, test } from 'vitest';
import {
  escapeInvisible,
  escapeInvisibleJson,
  escapeInvisibleLine,
} from '../../../src/lib/text/escape-invisible.ts';

test.each([
  ['a\u202egnp.js', 'a\\u202egnp.js'],
  ['a\nb\r\tc', 'a\\nb\\r\\tc'],
  ['\u001b[31mred\u009b', '\\u001b[31mred\\u009b'],
  ['x\u2066\u200b\u2028y', 'x\\u2066\\u200b\\u2028y'],
  ['tag\u{e0041}', 'tag\\udb40\\udc41'],
  ['Grüße 日本 ✓', 'Grüße 日本 ✓'],
])('%j is shown as %j', (text, shown) => expect(escapeInvisible(text)).toBe(shown));

test('a line has no line breaks, and invisible characters are escaped', () => {
  expect(escapeInvisibleLine('  one\n\ttwo\u202e ')).toBe('one two\\u202e');
});

test('escaped JSON has the same value', () => {
  const value = { name: 'a\u202eb\u{e0041}', text: 'x\ny\u0085' };
  const json = escapeInvisibleJson(JSON.stringify(value, null, '\t'));
  expect(json).not.toMatch(/[\u202e\u0085\u{e0041}]/u);
  expect(JSON.parse(json)).toEqual(value);
});
