import { expect, test } from 'vitest';
import { searxng } from '../../../src/search/engines/searxng.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const engine = searxng({ baseUrl: 'http://searx.internal:8080/sub/' });
const query = { text: 'magpie', limit: 10 };

/** An answer of the JSON API, with the members that a 2025 instance sends. */
const answer = (results: unknown[], more: object = {}) =>
  JSON.stringify({
    query: 'magpie',
    number_of_results: 0,
    results,
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: [],
    unresponsive_engines: [],
    ...more,
  });
const RESULT = {
  template: 'default.html',
  url: 'https://en.wikipedia.org/wiki/Magpie',
  title: 'Magpie',
  content: 'Magpies are\n birds.',
  img_src: '',
  thumbnail: null,
  engine: 'brave',
  engines: ['brave', 'startpage'],
  positions: [1, 2],
  score: 3,
  category: 'general',
  publishedDate: null,
};

test('asks the JSON API under the base address', () => {
  const { url, method = 'GET' } = engine.request({ text: 'a&b=ü 🐦', limit: 10 });
  expect(method).toBe('GET');
  expect(url).toMatch(/^http:\/\/searx\.internal:8080\/sub\/search\?/);
  expect(Object.fromEntries(new URL(url).searchParams)).toEqual({ q: 'a&b=ü 🐦', format: 'json' });
  expect(engine.request({ text: '🐦'.repeat(5000), limit: 10 }).url.length).toBeLessThan(8000);
});

test('asks for further pages, and for the category that fits the subject', () => {
  const asked = (more: object) =>
    Object.fromEntries(new URL(engine.request({ ...query, ...more }).url).searchParams);
  expect(asked({ page: 3, category: 'news' })).toMatchObject({ pageno: '3', categories: 'news' });
  expect(asked({ page: 1, category: 'general' })).toEqual({ q: 'magpie', format: 'json' });
  const pictures = answer([
    { ...RESULT, img_src: '//pictures.example/a.jpg' },
    { ...RESULT, url: 'https://b.example/', img_src: 'https://pictures.example/b.jpg' },
    { ...RESULT, url: 'https://c.example/', img_src: 'no address' },
  ]);
  expect(engine.parse(pictures, query).map(({ image }) => image)).toEqual([
    'https://pictures.example/a.jpg',
    'https://pictures.example/b.jpg',
    undefined,
  ]);
});

describeSearchEngine('searxng', {
  make: searxng,
  found: {
    body: answer([
      { ...RESULT, url: null, template: 'keyvalue.html' },
      RESULT,
      { ...RESULT, url: 'magnet:?xt=urn:btih:c12fe1c06bba' },
      {
        ...RESULT,
        url: 'https://x.example/',
        title: '',
        content: null,
        publishedDate: '2026-03-05T10:20:30',
      },
      'nonsense',
      null,
    ]),
    hits: [
      { title: 'Magpie', url: 'https://en.wikipedia.org/wiki/Magpie', snippet: 'Magpies are birds.' },
      {
        title: 'https://x.example/',
        url: 'https://x.example/',
        snippet: '',
        published: Date.UTC(2026, 2, 5, 10, 20, 30),
      },
    ],
  },
  nothing: { body: answer([]) },
  paused: { 'its limiter': { status: 429, body: 'Too Many Requests' } },
  changed: {
    'no results': { body: '{"error": "x"}' },
    'results of another shape': { body: answer([{ url: 7 }, 'odd']) },
    'no JSON': { body: 'q,title,url' },
  },
  refused: {
    'JSON switched off': { status: 403, body: '<h1>Forbidden</h1>', says: 'add json to search.formats' },
    'a page in place of JSON': { body: '<!doctype html>', says: 'add json to search.formats' },
  },
  checkRequest({ method, url }, { text }) {
    expect([method, url.pathname]).toEqual(['GET', '/search']);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: `site:nodejs.org ${text}`,
      format: 'json',
      language: 'de-AT',
      time_range: 'week',
    });
  },
});

test('asks for the most used language of the country when only a country is given', () => {
  const language = (filters: object) =>
    new URL(engine.request({ ...query, ...filters }).url).searchParams.get('language');
  expect(language({ region: 'JP' })).toBe('ja-JP');
  expect(language({ language: 'en', region: 'JP' })).toBe('en-JP');
  expect(language({ language: 'fr' })).toBe('fr');
  expect(language({})).toBeNull();
});

test('an instance that sends fewer fields is read too', () => {
  expect(engine.parse('{"results": []}', query)).toEqual([]);
});

test('an empty answer because its own engines failed is a failure that names them', () => {
  const silent = {
    unresponsive_engines: [
      ['duckduckgo', 'CAPTCHA'],
      ['brave', 'too many requests'],
    ],
  };
  expect(() => engine.parse(answer([], silent), query)).toThrow(
    expect.objectContaining({
      kind: 'refused',
      message: 'its own engines failed (duckduckgo: CAPTCHA, brave: too many requests)',
    }),
  );
  expect(engine.parse(answer([RESULT], silent), query)).toHaveLength(1);
});

test('a page in place of JSON gives an error with the setting to change', () => {
  expect(() => engine.parse('\n<!DOCTYPE html><html></html>', query)).toThrow(
    expect.objectContaining({
      kind: 'refused',
      message: expect.stringContaining('add json to search.formats in its settings.yml'),
    }),
  );
  expect(engine.refusals?.[403]).toContain('settings.yml');
});

test.each(['', 'null', '[]', '{"error": "x"}', '{"results": {}}', '{"results": ['])(
  '%j counts as a changed answer',
  (body) => {
    expect(() => engine.parse(body, query)).toThrow(expect.objectContaining({ kind: 'changed' }));
  },
);
