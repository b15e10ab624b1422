import { expect, test } from 'vitest';
import { wikipedia } from '../../../src/search/engines/wikipedia.ts';

const engine = wikipedia();
const query = { text: 'magpie', limit: 10 };

/** A page as `generator=search` with `prop=info|extracts` and `formatversion=2` gives it. */
const page = (index: number, title: string, extract?: string) => ({
  pageid: 1000 + index,
  ns: 0,
  title,
  index,
  contentmodel: 'wikitext',
  pagelanguage: 'en',
  touched: '2026-11-01T00:00:00Z',
  fullurl: `https://en.wikipedia.org/wiki/${title.replaceAll(' ', '_')}`,
  editurl: 'https://en.wikipedia.org/w/index.php?action=edit',
  canonicalurl: `https://en.wikipedia.org/wiki/${title}`,
  ...(extract !== undefined && { extract }),
});

test('asks for the articles, their addresses and first sentences in one request', () => {
  const { url } = engine.request({ text: 'a&b "c" é', limit: 7 });
  expect(url).toMatch(/^https:\/\/en\.wikipedia\.org\/w\/api\.php\?/);
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
    action: 'query',
    format: 'json',
    formatversion: '2',
    generator: 'search',
    gsrsearch: 'a&b "c" é',
    gsrlimit: '7',
  });
  const long = engine.request({ text: `${'x'.repeat(299)}🐦`, limit: 7 }).url;
  expect(new URL(long).searchParams.get('gsrsearch')).toBe('x'.repeat(299));
});

test('another language by its address', () => {
  const { url } = wikipedia({ baseUrl: 'https://de.wikipedia.org' }).request(query);
  expect(new URL(url).host).toBe('de.wikipedia.org');
});

test('reads pages in the order of relevance, not of the answer', () => {
  const body = JSON.stringify({
    batchcomplete: true,
    continue: { gsroffset: 3, continue: 'gsroffset||' },
    query: {
      pages: [page(3, 'Pica pica', ''), page(1, 'Magpie', 'Magpies are\nbirds.'), page(2, 'Magpie (novel)')],
    },
  });
  expect(engine.parse(body, query)).toEqual([
    { title: 'Magpie', url: 'https://en.wikipedia.org/wiki/Magpie', snippet: 'Magpies are birds.' },
    { title: 'Magpie (novel)', url: 'https://en.wikipedia.org/wiki/Magpie_(novel)', snippet: '' },
    { title: 'Pica pica', url: 'https://en.wikipedia.org/wiki/Pica_pica', snippet: '' },
  ]);
});

test('nothing found is an empty list', () => {
  expect(engine.parse('{"batchcomplete":true}', query)).toEqual([]);
  expect(engine.parse('{"batchcomplete":true,"query":{"pages":[]}}', query)).toEqual([]);
});

test.each([
  ['ratelimited', 'rate_limited'],
  ['maxlag', 'rate_limited'],
  ['cirrussearch-too-busy-error', 'rate_limited'],
  ['readapidenied', 'refused'],
])('the API error %s is %s, in its own words', (code, kind) => {
  const body = JSON.stringify({ error: { code, info: 'Words of the API.', docref: 'See ...' } });
  expect(() => engine.parse(body, query)).toThrow(
    expect.objectContaining({ kind, message: 'Words of the API.' }),
  );
});

test.each([
  '',
  '<html></html>',
  '{}',
  '[]',
  '{"query":{"pages":{"1":{}}}}',
  '{"query":{"pages":[{"title":1}]}}',
])('%j counts as changed', (body) => {
  expect(() => engine.parse(body, query)).toThrow(expect.objectContaining({ kind: 'changed' }));
});
