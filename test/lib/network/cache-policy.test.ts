import { expect, test } from 'vitest';
import {
  buildConditionalHeaders,
  type CachedResponseHead,
  isCacheable,
  isFresh,
  isUsableOnError,
  matchesVaryHeaders,
  mergeRevalidatedHeaders,
  selectVaryHeaders,
} from '../../../src/lib/network/cache-policy.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');
const at = (seconds: number) => new Date(NOW + seconds * 1000).toUTCString();

function head(headers: Record<string, string>, rest: Partial<CachedResponseHead> = {}): CachedResponseHead {
  return { status: 200, headers: new Headers(headers), vary: {}, requestedAt: NOW, receivedAt: NOW, ...rest };
}

/** Seconds for which an answer that came now is fresh. */
function freshFor(kept: CachedResponseHead): number {
  let [low, high] = [0, 40 * 86_400];
  if (!isFresh(kept, NOW)) return 0;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (isFresh(kept, NOW + middle * 1000)) low = middle;
    else high = middle;
  }
  return high;
}

test.each<[string, Record<string, string>, number]>([
  ['max-age', { 'cache-control': 'max-age=60' }, 60],
  ['s-maxage before max-age', { 'cache-control': 'max-age=60, s-maxage=10' }, 10],
  ['max-age before Expires', { 'cache-control': 'max-age=60', expires: at(900) }, 60],
  ['a quoted count', { 'cache-control': 'max-age="60"' }, 60],
  ['capitals', { 'cache-control': 'Public, MAX-AGE=60' }, 60],
  ['Expires against Date', { expires: at(300), date: at(0) }, 300],
  ['Expires without Date', { expires: at(300) }, 300],
  ['the clock of the site does not matter', { expires: at(3900), date: at(3600) }, 300],
  ['Expires in the past', { expires: at(-300) }, 0],
  ['Expires that is no date', { expires: '0' }, 0],
  ['Age', { 'cache-control': 'max-age=60', age: '20' }, 40],
  ['an old Date', { 'cache-control': 'max-age=60', date: at(-50) }, 10],
  ['Age over it', { 'cache-control': 'max-age=60', age: '60' }, 0],
  ['no-cache', { 'cache-control': 'no-cache, max-age=60' }, 0],
  ['Pragma', { pragma: 'no-cache', 'last-modified': at(-86_400) }, 0],
  ['Cache-Control before Pragma', { pragma: 'no-cache', 'cache-control': 'max-age=60' }, 60],
  ['a count that is none', { 'cache-control': 'max-age=soon' }, 0],
  ['a negative count', { 'cache-control': 'max-age=-1' }, 0],
  ['two counts', { 'cache-control': 'max-age=60, max-age=90' }, 0],
  ['the same count twice', { 'cache-control': 'max-age=60, max-age=60' }, 60],
  ['a tenth of the time since the last change', { 'last-modified': at(-36_000), date: at(0) }, 3600],
  ['a guess has a ceiling', { 'last-modified': at(-864_000_000), date: at(0) }, 86_400],
  ['a change in the future', { 'last-modified': at(600), date: at(0) }, 0],
  ['silence', {}, 60],
  ['silence with an ETag, which can be asked after', { etag: '"1"' }, 0],
  ['a trust without end has one', { 'cache-control': 'max-age=999999999' }, 30 * 86_400],
])('%s: %j is fresh for %i s', (_what, headers, expected) => {
  expect(freshFor(head(headers))).toBe(expected);
});

test('the duration of the request counts as age of the answer', () => {
  expect(freshFor(head({ 'cache-control': 'max-age=60' }, { requestedAt: NOW - 30_000 }))).toBe(30);
});

test.each<[string, Record<string, string>, number, boolean]>([
  ['a fresh page', { 'cache-control': 'max-age=60' }, 200, true],
  ['a page that says nothing', {}, 200, true],
  ['a stale page that can be asked after', { 'cache-control': 'no-cache', etag: '"1"' }, 200, true],
  ['a stale page that cannot', { 'cache-control': 'no-cache' }, 200, false],
  ['no-store', { 'cache-control': 'no-store, max-age=60', etag: '"1"' }, 200, false],
  ['private', { 'cache-control': 'private, max-age=60' }, 200, false],
  ['private for a field', { 'cache-control': 'private="x-user", max-age=60' }, 200, false],
  ['a cookie', { 'cache-control': 'max-age=60', 'set-cookie': 'a=1' }, 200, false],
  ['Vary: *', { 'cache-control': 'max-age=60', vary: 'accept, *' }, 200, false],
  ['Vary by names', { 'cache-control': 'max-age=60', vary: 'accept' }, 200, true],
  ['a page that is gone, for a while', { 'cache-control': 'max-age=60' }, 410, true],
  ['a missing page that says nothing', {}, 404, false],
  ['a lasting redirect that says nothing', { location: '/' }, 301, false],
  ['a passing redirect that says for how long', { location: '/', 'cache-control': 'max-age=60' }, 302, true],
  ['a part of a page', { 'cache-control': 'max-age=60' }, 206, false],
  ['an error of the site', { 'cache-control': 'max-age=60' }, 500, false],
  ['too many requests', { 'cache-control': 'max-age=60' }, 429, false],
  ['not modified', { 'cache-control': 'max-age=60' }, 304, false],
])('is %s kept?', (_what, headers, status, expected) => {
  expect(isCacheable(head(headers, { status }))).toBe(expected);
});

test('a stale answer is used on errors only for the period that it names', () => {
  const kept = head({ 'cache-control': 'max-age=60, stale-if-error=100' });
  expect(isUsableOnError(kept, NOW + 159_000)).toBe(true);
  expect(isUsableOnError(kept, NOW + 161_000)).toBe(false);
  expect(isUsableOnError(head({ 'cache-control': 'max-age=60' }), NOW + 61_000)).toBe(false);
  for (const strict of ['must-revalidate', 'proxy-revalidate', 'no-cache']) {
    const bound = head({ 'cache-control': `max-age=60, stale-if-error=100, ${strict}` });
    expect(isUsableOnError(bound, NOW + 61_000)).toBe(false);
  }
});

test('a stale answer is revalidated with its own validators', () => {
  expect(buildConditionalHeaders(head({ etag: 'W/"1"', 'last-modified': at(-5) }))).toEqual({
    'if-none-match': 'W/"1"',
    'if-modified-since': at(-5),
  });
  expect(buildConditionalHeaders(head({}))).toEqual({});
});

test('a 304 updates the headers that it contains, except the headers of the body', () => {
  const kept = new Headers({
    'content-type': 'text/html',
    'content-length': '5',
    etag: '"1"',
    date: at(-60),
  });
  const news = new Headers({
    'content-type': 'x/y',
    'content-length': '0',
    date: at(0),
    'cache-control': 'max-age=9',
  });
  expect(Object.fromEntries(mergeRevalidatedHeaders(kept, news))).toEqual({
    'content-type': 'text/html',
    'content-length': '5',
    etag: '"1"',
    date: at(0),
    'cache-control': 'max-age=9',
  });
});

test('an answer fits requests with equal values of its varying headers', () => {
  const vary = selectVaryHeaders(new Headers({ vary: 'Accept-Language, x-none' }), {
    'accept-language': 'de',
    accept: 'a',
  });
  expect(vary).toEqual({ 'accept-language': 'de', 'x-none': null });
  const kept = head({}, { vary });
  expect(matchesVaryHeaders(kept, { 'accept-language': 'de', accept: 'b' })).toBe(true);
  expect(matchesVaryHeaders(kept, { 'accept-language': 'fr' })).toBe(false);
  expect(matchesVaryHeaders(kept, {})).toBe(false);
  expect(matchesVaryHeaders(kept, { 'accept-language': 'de', 'x-none': '1' })).toBe(false);
});
