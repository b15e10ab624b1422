import { expect, test } from 'vitest';
import { wikipedia } from '../../../src/search/engines/wikipedia.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

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

const fault = (code: string) => ({
  body: JSON.stringify({ error: { code, info: 'Words of the API.', docref: 'See ...' } }),
});

describeSearchEngine('wikipedia', {
  make: wikipedia,
  found: {
    body: JSON.stringify({
      batchcomplete: true,
      continue: { gsroffset: 3, continue: 'gsroffset||' },
      query: {
        pages: [
          page(3, 'Pica pica', ''),
          { ...page(4, 'Odd'), fullurl: 7 },
          page(1, 'Magpie', 'Magpies are\nbirds & Array<b>.'),
          null,
          page(2, 'Magpie (novel)'),
        ],
      },
    }),
    hits: [
      {
        title: 'Magpie',
        url: 'https://en.wikipedia.org/wiki/Magpie',
        snippet: 'Magpies are birds & Array<b>.',
      },
      { title: 'Magpie (novel)', url: 'https://en.wikipedia.org/wiki/Magpie_(novel)', snippet: '' },
      { title: 'Pica pica', url: 'https://en.wikipedia.org/wiki/Pica_pica', snippet: '' },
    ],
  },
  nothing: { body: '{"batchcomplete":true}' },
  paused: {
    'its own limit': fault('ratelimited'),
    'a replica that lags': fault('maxlag'),
    'a search that is too busy': fault('cirrussearch-too-busy-error'),
    '429': { status: 429, body: '' },
  },
  changed: {
    'an empty body': { body: '' },
    'a page': { body: '<html></html>' },
    'no member': { body: '{}' },
    'another form': { body: '{"query":{"pages":{"1":{}}}}' },
    'articles of another shape': { body: '{"query":{"pages":[{"title":1}]}}' },
  },
  refused: { 'a closed wiki': { ...fault('readapidenied'), says: 'Words of the API.' } },
  checkRequest({ url }) {
    expect(url.pathname).toBe('/w/api.php');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      action: 'query',
      format: 'json',
      formatversion: '2',
      generator: 'search',
      gsrsearch: 'magpie nest & "tail feathers" é',
      gsrlimit: '10',
    });
  },
});

test('a long question is cut to the length that the API accepts', () => {
  const { url } = wikipedia().request({ text: `${'x'.repeat(299)}🐦`, limit: 7 });
  expect(new URL(url).searchParams.get('gsrsearch')).toBe('x'.repeat(299));
});

test.each([
  [undefined, 'en.wikipedia.org'],
  ['de', 'de.wikipedia.org'],
  ['nb', 'no.wikipedia.org'],
  ['evil.example/', 'en.wikipedia.org'],
])('a question in the language %s is sent to %s', (language, host) => {
  const engine = wikipedia();
  expect(engine.about.takes).toEqual(['language']);
  const { url } = engine.request({ text: 'x', limit: 1, ...(language && { language }) });
  expect(new URL(url).host).toBe(host);
});

test('a configured address is that of one wiki', () => {
  const engine = wikipedia({ baseUrl: 'https://de.wikipedia.org' });
  expect(engine.about.takes).toEqual([]);
  expect(new URL(engine.request({ text: 'x', limit: 1, language: 'fr' }).url).host).toBe('de.wikipedia.org');
});
