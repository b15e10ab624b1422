import { expect, test } from 'vitest';
import { parseQuotedPhrases } from '../../src/flows/searching/sift-pages.ts';

test.each([
  ['"exact words" of a page', ['exact words']],
  ['say “closes the joints” and „eine Eiche“', ['closes the joints', 'eine Eiche']],
  ['("one thing","another")', ['one thing', 'another']],
  ['5" vs 7" tablets', []],
  ['a 5" pipe "exact words" 7"', ['exact words']],
  ['6\' 2" tall', []],
  ['"!!" and "x"', []],
  ['an open "quote', []],
])('%s', (question, phrases) => {
  expect(parseQuotedPhrases(question)).toEqual(phrases);
});
