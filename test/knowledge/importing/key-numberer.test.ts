import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeyNumberer } from '../../../src/knowledge/importing/key-numberer.ts';

test('texts of one key and time have keys of their own, the same every time, and equal records keep theirs', () => {
  const record = fc.record({
    key: fc.constantFrom('a', 'a#2', 'a#3', 'b'),
    text: fc.constantFrom('one', 'two', 'three'),
    createdAt: fc.constantFrom(undefined, 7),
  });
  for (const records of fc.sample(fc.array(record, { maxLength: 12 }), { seed: 8, numRuns: 300 })) {
    const keyed = records.map(createKeyNumberer());
    expect(records.map(createKeyNumberer())).toEqual(keyed);
    const texts = new Map<string, Set<string>>();
    for (const { key, text, createdAt } of keyed) {
      const known = texts.get(`${key} ${createdAt}`) ?? new Set();
      texts.set(`${key} ${createdAt}`, known.add(text));
    }
    expect([...texts.values()].every(({ size }) => size === 1)).toBe(true);
  }
});

test('a newer text of one key keeps the key, and so do the entries of a backup', () => {
  const keyed = createKeyNumberer();
  const keyOf = (text: string, more: object) => keyed({ key: 'a', text, ...more }).key;
  expect([keyOf('old', { updatedAt: 1 }), keyOf('new', { updatedAt: 2 })]).toEqual(['a', 'a']);
  expect([keyOf('x', { id: 'ann-1' }), keyOf('y', { id: 'ann-2' })]).toEqual(['a', 'a']);
  expect([keyOf('x', { collection: 'c' }), keyOf('y', { collection: 'd' })]).toEqual(['a', 'a']);
});
