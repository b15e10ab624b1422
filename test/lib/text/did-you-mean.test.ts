import { expect, test } from 'vitest';
import { didYouMean, likelyMeant } from '../../../src/lib/text/did-you-mean.ts';
import { formatCount } from '../../../src/lib/text/format-count.ts';

const NAMES = [
  'search',
  'searchgiant',
  'browse',
  'list',
  'query',
  'kb export',
  'includeValues',
  'numofpages',
];

test.each([
  ['serach', 'search'],
  ['lsit', 'list'],
  ['qeury', 'query'],
  ['brows', 'browse'],
  ['bro', 'browse'],
  ['searhcgiant', 'searchgiant'],
  ['kb exprot', 'kb export'],
  ['include-values', 'includeValues'],
  ['num_of_pages', 'numofpages'],
  ['SEARCH', 'search'],
  ['browse_everything-now', 'browse'],
  ['num_of_pages_at_once', 'numofpages'],
  ['browseeverything', undefined],
  ['nonsense', undefined],
  ['x', undefined],
  ['', undefined],
  ['---', undefined],
  ['s'.repeat(1_000_000), undefined],
  [`s${'-_'.repeat(1_000_000)}x`, undefined],
])('%j was meant to be %j', (word, meant) => {
  expect(likelyMeant(word, NAMES)).toBe(meant);
});

test('the nearest word is suggested, and a one-letter word is not suggested for another', () => {
  expect(likelyMeant('pagesnum', ['numpages', 'pagenum'])).toBe('pagenum');
  expect(likelyMeant('a', ['b'])).toBeUndefined();
  expect(likelyMeant('rate-limit-of-requests', ['rate', 'rate_limit', 'at'])).toBe('rate_limit');
  expect(likelyMeant('at-all-hours', ['at'])).toBeUndefined();
  expect(didYouMean('prot', ['port', 'host'], '--')).toBe(' (did you mean --port?)');
  expect(didYouMean('zebra', ['port', 'host'])).toBe('');
});

test('a count is written with the singular or plural of its word', () => {
  expect([0, 1, 2].map((count) => formatCount(count, 'page'))).toEqual(['0 pages', '1 page', '2 pages']);
  expect([1, 12].map((count) => formatCount(count, 'entry', 'entries'))).toEqual(['1 entry', '12 entries']);
});
