import { expect, test } from 'vitest';
import { google } from '../../../src/search/engines/google.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const SECRET = 'AIza-marked-secret';
const CX = '0123:omuauf';
const ITEM = {
  kind: 'customsearch#result',
  title: 'Magpie & nest - Wikipedia',
  htmlTitle: '<b>Magpie</b> &amp; nest - Wikipedia',
  link: 'https://en.wikipedia.org/wiki/Magpie',
  displayLink: 'en.wikipedia.org',
  snippet: 'Magpies are birds\u00a0...',
  formattedUrl: 'https://en.wikipedia.org/wiki/Magpie',
  pagemap: { metatags: [{ 'og:title': 'Magpie', 'article:published_time': '2026-03-05T10:20:30+01:00' }] },
};
const answer = (more: object) =>
  JSON.stringify({
    kind: 'customsearch#search',
    url: { type: 'application/json', template: 'https://www.googleapis.com/customsearch/v1?q={searchTerms}' },
    queries: { request: [{ title: 'Google Custom Search - magpie', count: 10, startIndex: 1 }] },
    context: { title: 'My engine' },
    searchInformation: {
      searchTime: 0.3,
      formattedSearchTime: '0.30',
      totalResults: '1',
      formattedTotalResults: '1',
    },
    ...more,
  });
const error = (code: number, message: string, reason: string, status: string) => ({
  status: code,
  body: JSON.stringify({
    error: { code, message, errors: [{ message, domain: 'global', reason }], status },
  }),
});

describeSearchEngine('google', {
  make: google,
  key: `${CX}:${SECRET}`,
  found: {
    body: answer({
      items: [
        ITEM,
        { ...ITEM, link: 'javascript:x' },
        [],
        { ...ITEM, link: 'https://b.example/', pagemap: { metatags: 'odd' }, snippet: undefined },
      ],
    }),
    hits: [
      {
        title: 'Magpie & nest - Wikipedia',
        url: 'https://en.wikipedia.org/wiki/Magpie',
        snippet: 'Magpies are birds ...',
        published: Date.UTC(2026, 2, 5, 9, 20, 30),
      },
      { title: 'Magpie & nest - Wikipedia', url: 'https://b.example/', snippet: '' },
    ],
  },
  nothing: { body: answer({ searchInformation: { searchTime: 0.1, totalResults: '0' } }) },
  paused: {
    'a used up day': error(403, 'Daily Limit Exceeded', 'dailyLimitExceeded', 'PERMISSION_DENIED'),
    'too many in a minute or a day': error(
      429,
      "Quota exceeded for quota metric 'Queries' and limit 'Queries per day'",
      'rateLimitExceeded',
      'RESOURCE_EXHAUSTED',
    ),
  },
  changed: {
    'no search at all': { body: '{"kind":"customsearch#search"}' },
    'results of another shape': { body: answer({ items: [{ url: 'https://a.example' }] }) },
    'a page': { body: '<html></html>' },
  },
  refused: {
    'a wrong key': {
      ...error(400, 'API key not valid. Please pass a valid API key.', 'badRequest', 'INVALID_ARGUMENT'),
      says: 'it does not accept its key: check GOOGLE_SEARCH_KEY, and that the Custom Search API is enabled',
    },
    'a used up day': {
      ...error(403, 'Daily Limit Exceeded', 'dailyLimitExceeded', 'PERMISSION_DENIED'),
      says: 'used up: top the account up, or unset GOOGLE_SEARCH_KEY',
    },
    'an error reported with status 200': {
      ...error(403, `API key ${SECRET} not valid`, 'forbidden', 'PERMISSION_DENIED'),
      status: 200,
      says: 'it does not accept its key: check GOOGLE_SEARCH_KEY',
    },
  },
  checkRequest({ method, url, headers }, { text }) {
    expect([method, url.pathname]).toEqual(['GET', '/customsearch/v1']);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      cx: CX,
      q: text,
      num: '10',
      lr: 'lang_de',
      gl: 'at',
      dateRestrict: 'w1',
      siteSearch: 'nodejs.org',
      siteSearchFilter: 'i',
    });
    expect(headers['x-goog-api-key']).toBe(SECRET);
    expect(url.href).not.toContain(SECRET);
  },
});

test.each(['marked', ':marked', 'marked:', ''])(
  'a key that is not cx:key is refused without being shown (%j)',
  (key) => {
    const make = () => google({ key });
    expect(make).toThrow(
      expect.objectContaining({ code: 'bad_request', message: expect.stringContaining('GOOGLE_SEARCH_KEY') }),
    );
    expect(make).not.toThrow('marked');
  },
);

test('languages by the codes that Google takes', () => {
  const lr = (language: string) =>
    new URL(google({ key: 'a:b' }).request({ text: 'x', limit: 1, language }).url).searchParams.get('lr');
  expect(['he', 'zh', 'nb', 'sw'].map(lr)).toEqual(['lang_iw', 'lang_zh-CN|lang_zh-TW', 'lang_no', null]);
});
