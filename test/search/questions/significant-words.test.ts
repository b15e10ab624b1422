import { expect, test } from 'vitest';
import { keepSignificantWords } from '../../../src/search/questions/significant-words.ts';

test.each([
  ['How do I parse YAML in Rust?', 'parse YAML Rust?'],
  ['what is it?', 'what is it?'],
  ['wie funktioniert das', 'wie funktioniert das'],
  ['', ''],
])('the significant words of %j are %j', (text, telling) => {
  expect(keepSignificantWords(text.split(' ')).join(' ')).toBe(telling);
});

test('an engine can name additional words without meaning', () => {
  expect(keepSignificantWords(['latest', 'Papers', 'on', 'magpies'], new Set(['latest', 'papers']))).toEqual([
    'magpies',
  ]);
});
