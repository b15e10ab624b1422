import { expect, test } from 'vitest';
import { keepSignificantWords } from '../../../src/search/questions/significant-words.ts';

test.each([
  ['How do I parse YAML in Rust?', 'parse YAML Rust?'],
  ['what is it?', 'what is it?'],
  ['wie funktioniert das', 'wie funktioniert das'],
  ['', ''],
])('%j is %j', (text, telling) => {
  expect(keepSignificantWords(text.split(' ')).join(' ')).toBe(telling);
});

test('an engine names words that are empty there', () => {
  expect(keepSignificantWords(['latest', 'Papers', 'on', 'magpies'], new Set(['latest', 'papers']))).toEqual([
    'magpies',
  ]);
});
