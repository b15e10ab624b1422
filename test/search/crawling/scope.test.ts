import { expect, test } from 'vitest';
import { createCrawlScope, findCrawlArea, isSelectedByPatterns } from '../../../src/search/crawling/scope.ts';

const scope = (queries = 100) =>
  createCrawlScope({
    within: findCrawlArea('https://a.example/docs/'),
    include: [],
    exclude: [],
    maxVariants: queries,
  });

test.each([
  ['https://a.example/docs/', { url: 'https://a.example/docs/' }],
  ['https://a.example/docs/x?utm_source=y#part', { url: 'https://a.example/docs/x' }],
  ['https://a.example/docs/x?id=1#/route', { url: 'https://a.example/docs/x?id=1' }],
  ['http://a.example/docs/x', { url: 'https://a.example/docs/x' }],
  ['https://a.example/docs', { why: 'outside' }],
  ['https://a.example/docs/../secret', { why: 'outside' }],
  ['https://a.example:8443/docs/', { why: 'outside' }],
  ['https://a.example.evil.example/docs/', { why: 'outside' }],
  ['https://user:word@a.example/docs/', { why: 'outside' }],
  ['javascript:alert(1)', { why: 'outside' }],
  ['file:///etc/passwd', { why: 'outside' }],
  ['not an address', { why: 'outside' }],
  ['https://a.example/docs/PHOTO.JPEG', { why: 'file' }],
  ['https://a.example/docs/report.pdf', { url: 'https://a.example/docs/report.pdf' }],
  [`https://a.example/docs/${'x'.repeat(1000)}`, { why: 'trap' }],
  ['https://a.example/docs/a/b/a/b/a/b/a/b', { why: 'trap' }],
  [`https://a.example/docs${'/x1/x2/x3/x4/x5/x6/x7/x8/x9'.repeat(3)}`, { why: 'trap' }],
])('%s', (address, judged) => {
  expect(scope().judge(address)).toEqual(judged);
});

test.each([
  ['https://a.example/', '/'],
  ['https://a.example/docs/', '/docs/'],
  ['https://a.example/docs', '/docs'],
  ['https://a.example/docs/start.html', '/docs/'],
])('the address %s covers %s', (address, path) => {
  expect(findCrawlArea(address)).toEqual({ host: 'a.example', path, secure: true });
});

test('the queries of one path are limited in number, and known queries stay known', () => {
  const judge = scope(3).judge;
  const at = (n: number) => 'url' in judge(`https://a.example/docs/calendar?month=${n}`);
  expect([1, 2, 3, 4, 2, 5].map(at)).toEqual([true, true, true, false, true, false]);
  expect('url' in judge('https://a.example/docs/other?month=9')).toBe(true);
});

test('paths that differ only in several numbers are limited in number, unless the site lists them', () => {
  const { judge } = scope(3);
  const at = (path: string, by?: 'listed') => 'url' in judge(`https://a.example/docs/${path}`, by);
  expect(['2026/01', '2026/02', '2026/03', '2026/04', '2026/02'].map((path) => at(path))).toEqual([
    true,
    true,
    true,
    false,
    true,
  ]);
  expect(at('2026/05', 'listed')).toBe(true);
  expect(at('2026/05')).toBe(true);
  expect(at('2026/06')).toBe(false);
  expect([1, 2, 3, 4, 5].map((n) => at(`post-${n}`))).toEqual([true, true, true, true, true]);
  expect(['a', 'b', 'c', 'd'].map((name) => at(`2026/01/${name}`))).toEqual([true, true, true, true]);
});

test('patterns match the text between their stars', () => {
  expect(isSelectedByPatterns('notes/2026/june.md', ['2026/*.md'], [])).toBe(true);
  expect(isSelectedByPatterns('notes/2025/june.md', ['2026/*.md'], [])).toBe(false);
  expect(isSelectedByPatterns('notes/2026/june.md', [], ['june'])).toBe(false);
  expect(isSelectedByPatterns('notes/2026/june.md', ['none', 'june'], ['july'])).toBe(true);
  // No pattern can make it slow.
  expect(isSelectedByPatterns('a'.repeat(100_000), ['*a'.repeat(50_000)], [])).toBe(true);
});
