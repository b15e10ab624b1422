import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countWords, splitTerms, takeCharacters, takeWords } from '../../../src/lib/text/text.ts';

test('terms are lower-case runs of letters and digits', () => {
  expect(splitTerms('Über-Caching of HTTP/2, naïve!')).toEqual([
    'über',
    'caching',
    'of',
    'http',
    '2',
    'naïve',
  ]);
});

test('scripts without spaces give pairs of characters, also beside Latin text', () => {
  expect(splitTerms('東京都')).toEqual(['東京', '京都']);
  expect(splitTerms('猫')).toEqual(['猫']);
  expect(splitTerms('GPUの性能')).toEqual(['gpu', 'の性', '性能']);
});

test('words are counted by white space, and by character in scripts without spaces', () => {
  expect(countWords('one two\n three')).toBe(3);
  expect(countWords('')).toBe(0);
  expect(countWords('東京都 is')).toBe(4);
});

test('takeWords never gives more words than the limit, and always a beginning of the text', () => {
  const text = 'alpha beta 東京都に行く gamma\n\ndelta GPUの性能 epsilon';
  for (let limit = 0; limit <= countWords(text) + 2; limit++) {
    const taken = takeWords(text, limit);
    expect(countWords(taken)).toBeLessThanOrEqual(limit);
    expect(text.startsWith(taken)).toBe(true);
  }
  expect(takeWords(text, 1000)).toBe(text);
  expect(takeWords('a b c', 2)).toBe('a b');
});

test('a cut text ends with a whole character', () => {
  expect(takeCharacters('ab🐦', 3)).toBe('ab');
  expect(takeCharacters('ab🐦', 4)).toBe('ab🐦');
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'é', '漢', '🐦', '👩‍🚀')), fc.nat(20), (characters, limit) => {
      const text = characters.join('');
      const cut = takeCharacters(text, limit);
      expect(text.startsWith(cut)).toBe(true);
      expect(cut.isWellFormed()).toBe(true);
      expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, limit) - 1);
    }),
    { seed: 44 },
  );
});

test('half a character is replaced in a text that is not cut', () => {
  expect(takeCharacters('a\ud83d', 9)).toBe('a\ufffd');
});
