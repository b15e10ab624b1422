import { expect, test } from 'vitest';
import { searxng } from '../../../src/search/engines/searxng.ts';

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

test('reads results; those without an address or of another shape are left out', () => {
  const body = answer([
    { ...RESULT, url: null, template: 'keyvalue.html' },
    RESULT,
    { ...RESULT, url: 'https://x.example/', title: '', content: null },
    'nonsense',
    null,
  ]);
  expect(engine.parse(body, query)).toEqual([
    { title: 'Magpie', url: 'https://en.wikipedia.org/wiki/Magpie', snippet: 'Magpies are birds.' },
    { title: 'https://x.example/', url: 'https://x.example/', snippet: '' },
  ]);
});

test('nothing found is an empty list, also from an instance that sends less', () => {
  expect(engine.parse(answer([]), query)).toEqual([]);
  expect(engine.parse('{"results": []}', query)).toEqual([]);
});

test('nothing found because its own engines failed is a failure that names them', () => {
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

test('a page in place of JSON says which setting to change', () => {
  expect(() => engine.parse('\n<!DOCTYPE html><html></html>', query)).toThrow(
    expect.objectContaining({
      kind: 'refused',
      message: expect.stringContaining('add json to search.formats in its settings.yml'),
    }),
  );
  expect(engine.refusals?.[403]).toContain('settings.yml');
});

test.each(['', 'null', '[]', '{"error": "x"}', '{"results": {}}', '{"results": ['])(
  '%j counts as changed',
  (body) => {
    expect(() => engine.parse(body, query)).toThrow(expect.objectContaining({ kind: 'changed' }));
  },
);
