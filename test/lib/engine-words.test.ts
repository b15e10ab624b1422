import { expect, test } from 'vitest';
import { accessWords, receiverWords, refusalWords } from '../../src/lib/engine-words.ts';
import { wrapWords } from '../../src/lib/wrap-words.ts';

const TAVILY = { title: 'Tavily', host: 'api.tavily.com', access: 'official' } as const;

test('each kind of refusal has words, and one that is not known is no answer', () => {
  const kinds = ['captcha', 'rate_limited', 'changed', 'refused', 'slow', 'network', 'nothing', undefined];
  expect(kinds.map(refusalWords)).toEqual([
    'captcha',
    'limit reached',
    'changed answer',
    'refused',
    'too slow',
    'not reached',
    'found nothing',
    'no answer',
  ]);
});

test('who gets the question, what it keeps, and how it is asked', () => {
  expect(receiverWords({ ...TAVILY, keeps: 'question' })).toBe(
    'Tavily (api.tavily.com) gets the question and says that it keeps it.',
  );
  expect(receiverWords({ ...TAVILY, host: '', keeps: 'nothing' })).toBe(
    'Tavily gets the question and says that it keeps nothing of it.',
  );
  expect(receiverWords(TAVILY)).toContain('does not say what it keeps');
  expect(accessWords(TAVILY)).toContain('interface for programs');
  expect(accessWords({ access: 'page' })).toContain('page for browsers');
});

test('lines are filled up to the width, and a word that is longer stands alone', () => {
  expect(wrapWords('one two three', 9, '  ')).toEqual(['  one two', '  three']);
  expect(wrapWords('see https://example.org/long now', 10)).toEqual([
    'see',
    'https://example.org/long',
    'now',
  ]);
  expect(wrapWords(' ', 10)).toEqual([]);
});
