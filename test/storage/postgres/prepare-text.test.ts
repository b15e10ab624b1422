import { expect, test } from 'vitest';
import { escapeNul, unescapeNul } from '../../../src/storage/postgres/escape-nul.ts';
import { prepareText } from '../../../src/storage/postgres/prepare-text.ts';

test.each([
  ['SELECT ? WHERE a = ?', 'SELECT $1 WHERE a = $2'],
  ['SELECT ?2, ?1, ?2', 'SELECT $2, $1, $2'],
  [`SELECT '?', "?", '''?' || ?`, `SELECT '?', "?", '''?' || $1`],
  ["IN ('', '/', '?') AND x = ?", "IN ('', '/', '?') AND x = $1"],
  ['SELECT 1', 'SELECT 1'],
])('placeholders of %j are converted', (text, numbered) => {
  expect(prepareText(text).text).toBe(numbered);
});

test('a text has a unique name', () => {
  const [one, same, other] = ['SELECT ? + 1', 'SELECT ? + 1', 'SELECT ? + 2'].map((text) =>
    prepareText(text),
  );
  expect(one?.name).toBe(same?.name);
  expect(one?.name).not.toBe(other?.name);
});

test.each(['', 'plain', 'a\0', '\0\0', '\u{10fffe}', '\u{10fffe}0', 'x\u{10fffe}1\0y', '🐦'])(
  'the text %j is returned unchanged, and is sent without NUL',
  (text) => {
    const out = String(escapeNul(text));
    expect(out).not.toContain('\0');
    expect(unescapeNul(out)).toBe(text);
  },
);

test('different texts stay different when they are sent', () => {
  const texts = ['a', 'a\0', 'a\u{10fffe}', 'a\u{10fffe}0', 'a\u{10fffe}1', 'a\0\u{10fffe}'];
  expect(new Set(texts.map((text) => escapeNul(text))).size).toBe(texts.length);
});
