import { expect, test } from 'vitest';
import { describeWeakMatches } from '../../../src/flows/searching/match.ts';

const NONE = 'No close match: the nearest texts may have nothing to do with the question.';

test('a note says that no match is close, and which words are in none of the searched texts', () => {
  expect(describeWeakMatches([])).toBeUndefined();
  expect(describeWeakMatches([{ weak: true }, {}])).toBeUndefined();
  expect(describeWeakMatches([{ weak: true }, { weak: true }])).toBe(NONE);
  const missing = ['blood', 'Lisbon'];
  expect(
    describeWeakMatches([
      { weak: true, missing },
      { weak: true, missing },
    ]),
  ).toBe(`${NONE} No searched text says "blood" or "Lisbon".`);
  // Parts of a file are searched one after the other: what one of them says is not missing.
  expect(
    describeWeakMatches([
      { weak: true, missing },
      { weak: true, missing: ['Lisbon'] },
    ]),
  ).toBe(`${NONE} No searched text says "Lisbon".`);
});
