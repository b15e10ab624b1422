import { expect, test } from 'vitest';
import { hasExponentialBacktracking } from '../../../src/lib/expressions/expression-ambiguity.ts';

test.each([
  '(a+)+b',
  '([0-9]+)+\\#',
  '^(a|a)*$',
  '^(a*)*$',
  '^([a-zA-Z0-9]+\\s?)*$',
  '^([0-9a-zA-Z]([-.\\w]*[0-9a-zA-Z])*@{1}([0-9a-zA-Z][-\\w]*[0-9a-zA-Z]\\.)+[a-zA-Z]{2,9})$',
  '^(\\w+\\d+)+$',
  '^(?:a?b?)*c$',
  '\\A(?<name>\\w+)*\\z',
  '^(x+x+)+y',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
])('%s takes exponential time', (source) => {
  expect(hasExponentialBacktracking(source, '')).toBe(true);
});

test.each([
  'a+b+c+',
  '(a+)+',
  '(\\\\.|[^.])+',
  '(?:ab+)*$',
  '^(?:[a-z]+-)*[a-z]+$',
  '^[\\S]+@[\\S]+\\.[\\S]+$',
  '^\\w+(?:\\.\\w+)*$',
  '^(?:a|b)*c$',
  '^(?:\\d{1,3}\\.){3}\\d{1,3}$',
  '^(?:"[^"]*"|[^",]+)(?:,(?:"[^"]*"|[^",]+))*$',
  '^(?:(?=a)a)+$',
  '(',
  `(${'a'.repeat(2000)}+)+b`,
])('%s does not take exponential time, or is not recognized', (source) => {
  expect(hasExponentialBacktracking(source, '')).toBe(false);
});

test('the analysis of large expressions ends within its limits', { timeout: 120_000 }, () => {
  for (const part of ['(\\w+)*', '(a|b|c|d)+', '([ab]*c?)*', '(.*)*', '((', 'a{5,900}'])
    expect(typeof hasExponentialBacktracking(`^${part.repeat(60)}x$`, 'i')).toBe('boolean');
});
