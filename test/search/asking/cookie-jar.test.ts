import { expect, test } from 'vitest';
import { createCookieJar } from '../../../src/search/asking/cookie-jar.ts';

test('cookies are sent to their engine until they expire', () => {
  let now = Date.UTC(2026, 0, 1);
  const jar = createCookieJar(() => now);
  jar.keep('a', [
    'one=1; Path=/',
    'two=2; Max-Age=60; HttpOnly',
    'three=3; Expires=Thu, 01 Jan 2026 00:02:00 GMT',
  ]);
  expect(jar.header('a', undefined)).toBe('one=1; two=2; three=3');
  expect(jar.header('b', undefined)).toBeUndefined();
  now += 61_000;
  expect(jar.header('a', undefined)).toBe('one=1; three=3');
  now += 60_000;
  expect(jar.header('a', undefined)).toBe('one=1');
  now += 3_600_000;
  expect(jar.header('a', undefined)).toBeUndefined();
});

test('a cookie of the request takes precedence over a cookie that the site set', () => {
  const jar = createCookieJar();
  jar.keep('a', ['country=us', 'seen=1']);
  expect(jar.header('a', 'country=at; ui=en')).toBe('country=at; ui=en; seen=1');
});

test('a cookie is replaced, deleted and forgotten', () => {
  const jar = createCookieJar();
  jar.keep('a', ['one=1', 'two=2']);
  jar.keep('a', ['one=9', 'two=gone; Max-Age=0']);
  expect(jar.header('a', undefined)).toBe('one=9');
  jar.forget('a');
  expect(jar.header('a', undefined)).toBeUndefined();
});

test('hostile cookie lines are ignored, and a jar has a maximum size', () => {
  const jar = createCookieJar();
  jar.keep('a', ['a b=1', '=x', 'x', 'cr=1\r\nHost: evil', `long=${'x'.repeat(5000)}`, 'semi="a,b"']);
  expect(jar.header('a', undefined)).toBeUndefined();
  jar.keep(
    'a',
    Array.from({ length: 100 }, (_, i) => `c${i}=${i}`),
  );
  expect(jar.header('a', undefined)?.split('; ')).toHaveLength(20);
  expect(jar.header('a', undefined)).toContain('c99=99');
});
