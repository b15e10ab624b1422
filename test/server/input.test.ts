import { expect, test } from 'vitest';
import { type InputDeclaration, parseInput } from '../../src/server/input.ts';
import { browse } from '../../tools/browse.ts';
import { search } from '../../tools/search.ts';

const q = 'https://a.example/';
const start = { percentile: 1, numofpages: 1 };

const read = (given: object, operation: InputDeclaration = browse) =>
  parseInput(operation, { q, ...start, ...given }, 'reject') as Record<string, unknown>;

test('null counts as a value that is not given, for clients that fill in every parameter', () => {
  const none = { section: null, since: null, extract: null, map: null, crawl: null, paging: null };
  expect(read(none)).toEqual(read({}));
  // OpenAPI says of REST what a parameter takes, and null is not of it.
  expect(() => parseInput(browse, { q, ...start, section: null }, 'ignore')).toThrow('section is null');
  expect(() => read({ q: null })).toThrow('q is null: it takes an http or https URL');
});

test('a number is accepted in place of a text, such as the section of an outline', () => {
  expect(read({ section: 2 })).toMatchObject({ section: '2' });
  expect(read({ q: 2026 }, search)).toMatchObject({ q: '2026' });
  expect(() => read({ section: true })).toThrow('section is true: it takes text');
});

test.each([
  ['<https://a.example/b>', 'https://a.example/b'],
  ['"https://a.example/b"', 'https://a.example/b'],
  ['[a page](https://a.example/b)', 'https://a.example/b'],
  ['(https://a.example/b).', 'https://a.example/b'],
  ['localhost:3000/b', 'http://localhost:3000/b'],
  ['192.168.1.4', 'http://192.168.1.4/'],
  ['a.example/b', 'https://a.example/b'],
  [' a.example, ', 'https://a.example/'],
])('%s is understood as an address', (given, meant) => {
  expect(read({ q: given })).toMatchObject({ q: meant });
});

test.each([
  ['https://a.example/b https://c.example/', 'https://a.example/b'],
  ['read https://a.example/b', 'https://a.example/b'],
  ['readme.md', 'https://readme.md'],
])('%s: the error suggests the address', (given, meant) => {
  expect(() => read({ q: given })).toThrow(` (did you mean ${meant}?): it takes an http or https URL`);
});

test.each([['https://a.example/?next=https://b.example/'], ['https://a.example/https://b.example/']])(
  '%s is one address',
  (given) => {
    expect(read({ q: given })).toMatchObject({ q: given });
  },
);

test.each([
  [browse, 'url', 'q'],
  [search, 'query', 'q'],
  [search, 'freshness', 'timeRange'],
  [search, 'include_domains', 'site'],
  [search, 'excludeDomains', 'excludeSite'],
  [search, 'max_results', 'numofpages'],
  [search, 'country', 'region'],
  [browse, 'page', 'paging'],
  [browse, 'schema', 'extract'],
])('%#: the error for a common wrong parameter name suggests the right one', (operation, name, meant) => {
  expect(() => parseInput(operation, { q, [name]: 'x' }, 'reject')).toThrow(
    `unknown parameter "${name}" (did you mean ${meant}?)`,
  );
});

test('filters are accepted in the usual spellings', () => {
  expect(read({ language: 'DE', region: 'at', site: 'https://docs.a.example/' }, search)).toMatchObject({
    language: 'de',
    region: 'AT',
  });
  expect(read({ language: 'pt-BR' }, search)).toMatchObject({ language: 'pt-br' });
});
