import { expect, test } from 'vitest';
import { braveApi } from '../../../src/search/engines/brave-api.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const KEY = 'BSA-marked-secret';
const WEB = {
  title: 'Magpie &amp; <strong>nest</strong>',
  url: 'https://en.wikipedia.org/wiki/Magpie',
  is_source_local: false,
  is_source_both: false,
  description: 'Magpies\n are <strong>birds</strong> of the crow family.',
  page_age: '2026-03-05T10:20:30',
  profile: { name: 'Wikipedia', url: 'https://en.wikipedia.org/wiki/Magpie', long_name: 'en.wikipedia.org' },
  language: 'en',
  family_friendly: true,
  type: 'search_result',
  subtype: 'generic',
  is_live: false,
  meta_url: { scheme: 'https', netloc: 'en.wikipedia.org', path: '› wiki  › Magpie' },
  age: 'March 5, 2026',
};
const NEWS = {
  type: 'news_result',
  title: 'Magpie steals the show',
  url: 'https://news.example/magpie',
  description: 'A bird in the studio.',
  age: '3 hours ago',
  page_age: '2026-11-20T09:00:00Z',
};
const answer = (web: unknown, news?: unknown) =>
  JSON.stringify({
    query: {
      original: 'magpie',
      show_strict_warning: false,
      is_navigational: false,
      more_results_available: true,
    },
    mixed: { type: 'mixed', main: [{ type: 'web', index: 0, all: false }], top: [], side: [] },
    type: 'search',
    ...(web !== undefined && { web: { type: 'search', results: web, family_friendly: true } }),
    ...(news !== undefined && { news: { type: 'news', results: news } }),
  });
/** An error body as the reference shows it. */
const error = (code: string, detail: string, status: number) => ({
  status,
  body: JSON.stringify({
    type: 'ErrorResponse',
    error: { id: '5d83', code, detail, status, meta: { component: 'x' } },
    time: 1663072993,
  }),
});

describeSearchEngine('brave-api', {
  make: braveApi,
  key: KEY,
  found: {
    body: answer(
      [
        WEB,
        { ...WEB, url: 'javascript:alert(1)' },
        'odd',
        { ...WEB, url: 'http://b.example', title: null, page_age: 7 },
      ],
      [NEWS],
    ),
    hits: [
      {
        title: 'Magpie & nest',
        url: 'https://en.wikipedia.org/wiki/Magpie',
        snippet: 'Magpies are birds of the crow family.',
        published: Date.UTC(2026, 2, 5, 10, 20, 30),
      },
      {
        title: 'http://b.example/',
        url: 'http://b.example/',
        snippet: 'Magpies are birds of the crow family.',
      },
      {
        title: 'Magpie steals the show',
        url: 'https://news.example/magpie',
        snippet: 'A bird in the studio.',
        published: Date.UTC(2026, 10, 20, 9),
      },
    ],
  },
  nothing: { body: answer(undefined) },
  paused: {
    'one request too many in a second': error('RATE_LIMITED', 'Request rate limit exceeded for plan.', 429),
    'the month is used up': error('QUOTA_LIMITED', 'Request quota limit exceeded for plan.', 429),
    'no money': { body: '{}', status: 402 },
    'a limit reported with status 200': {
      ...error('RATE_LIMITED', 'Request rate limit exceeded for plan.', 429),
      status: 200,
    },
  },
  changed: {
    'no longer of this type': { body: JSON.stringify({ web: { results: [WEB] } }) },
    'results elsewhere': { body: JSON.stringify({ type: 'search', web: { items: [WEB] } }) },
    'results of another shape': { body: answer([{ link: 'https://a.example' }]) },
    'a page': { body: '<!doctype html><title>Brave</title>' },
  },
  refused: {
    'a wrong key': {
      ...error('SUBSCRIPTION_TOKEN_INVALID', 'The provided subscription token is invalid.', 422),
      says: 'it does not accept its key: check BRAVE_API_KEY',
    },
    'an error reported with status 200': {
      ...error('SUBSCRIPTION_TOKEN_INVALID', `No subscription for ${KEY}`, 422),
      status: 200,
      says: 'it does not accept its key: check BRAVE_API_KEY',
    },
    'no money': {
      body: '{}',
      status: 402,
      says: 'used up: top the account up, or unset BRAVE_API_KEY (402)',
    },
  },
  checkRequest({ method, url, headers }, { text }) {
    expect(method).toBe('GET');
    expect(url.pathname).toBe('/res/v1/web/search');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: `site:nodejs.org ${text}`,
      count: '10',
      result_filter: 'web,news',
      text_decorations: 'false',
      search_lang: 'de',
      country: 'AT',
      freshness: 'pw',
    });
    expect(headers['x-subscription-token']).toBe(KEY);
    expect(url.href).not.toContain(KEY);
  },
});

const params = (query: object) =>
  new URL(braveApi({ key: KEY }).request({ text: 'magpie', limit: 10, ...query }).url).searchParams;

test('countries and languages that the API refuses are left out, and others are written in the form of the API', () => {
  expect(params({ region: 'LI' }).has('country')).toBe(false);
  expect(params({ language: 'sw' }).has('search_lang')).toBe(false);
  expect(params({ language: 'ja' }).get('search_lang')).toBe('jp');
  expect(params({ language: 'zh' }).get('search_lang')).toBe('zh-hans');
});

test('a question is cut to the 50 words and 400 characters that the API accepts', () => {
  expect(
    params({ text: 'a '.repeat(80) })
      .get('q')
      ?.split(' '),
  ).toHaveLength(50);
  expect(params({ text: 'x'.repeat(900), site: ['a.example'] }).get('q')).toHaveLength(400);
});
