import { expect, test } from 'vitest';
import { tellingWords } from '../../../src/search/questions/telling-words.ts';

test.each([
  ['How do I parse YAML in Rust?', 'parse YAML Rust?'],
  ['what is it?', 'what is it?'],
  ['wie funktioniert das', 'wie funktioniert das'],
  ['', ''],
])('%j is %j', (text, telling) => {
  expect(tellingWords(text.split(' ')).join(' ')).toBe(telling);
});

test('an engine names words that are empty there', () => {
  expect(tellingWords(['latest', 'Papers', 'on', 'magpies'], new Set(['latest', 'papers']))).toEqual([
    'magpies',
  ]);
});
