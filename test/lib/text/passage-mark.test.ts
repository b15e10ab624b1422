import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countCodePoints, markedPassage, passageMark } from '../../../src/lib/text/passage-mark.ts';
import { anyCharacter } from '../../helpers/any-character.ts';

/** Places of passages in addresses. */

test('a mark finds its passage again, and finds no passage in a changed text', () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 40 }).map((one) => one.toWellFormed());
  fc.assert(
    fc.property(text, text, text, (before, passage, after) => {
      const mark = passageMark(countCodePoints(before), passage);
      expect(markedPassage(`${before}${passage}${after}`, mark)).toBe(passage);
      if (passage !== '') expect(markedPassage(`${before}${after}`, mark) ?? passage).toBe(passage);
    }),
    { numRuns: 50 },
  );
  expect(passageMark(2, 'a🐦b')).toMatch(/^2-5-[\da-f]{8}$/);
  expect(markedPassage('xya🐦b', passageMark(2, 'a🐦b'))).toBe('a🐦b');
  expect(markedPassage('xya🐦c', passageMark(2, 'a🐦b'))).toBeUndefined();
});

test.each(['', '1-2', '1-2-', '-1-2-00000000', '1-2-0000000g', '9999999999-1-00000000', '5-1-00000000'])(
  'an invalid mark finds no passage: %j',
  (mark) => {
    expect(markedPassage('some text', mark)).toBeUndefined();
  },
);
