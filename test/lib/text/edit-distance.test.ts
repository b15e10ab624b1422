import { expect, test } from 'vitest';
import { editDistance } from '../../../src/lib/text/edit-distance.ts';

test.each([
  ['', '', 0],
  ['abc', '', 3],
  ['kitten', 'sitting', 3],
  ['pyhton', 'python', 1],
  ['flaw', 'lawn', 2],
  ['x'.repeat(100), 'x'.repeat(60), 0],
])('the edit distance of %s to %s is correct', (left, right, distance) => {
  expect(editDistance(left, right)).toBe(distance);
  expect(editDistance(right, left)).toBe(distance);
});
