import { expect, test } from 'vitest';
import { tavily } from '../../../src/search/engines/tavily.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const KEY = 'tvly-marked-secret';
const RESULT = {
  url: 'https://en.wikipedia.org/wiki/Magpie',
  title: 'Magpie - Wikipedia',
  content: 'Magpies are birds\n\nof the crow family.',
  score: 0.81,
  raw_content: null,
};
const answer = (results: unknown) =>
  JSON.stringify({
    query: 'magpie',
    follow_up_questions: null,
    answer: null,
    images: [],
    results,
    response_time: 1.09,
    request_id: '123e4567-e89b-12d3-a456-426614174111',
  });
const error = (status: number, message: string) => ({
  status,
  body: JSON.stringify({ detail: { error: message } }),
});

/** What it answers with and without a key. */
const ANSWERS = {
  found: {
    body: answer([
      RESULT,
      { ...RESULT, url: 'javascript:void(0)' },
      42,
      {
        ...RESULT,
        url: 'https://news.example/a',
        title: 'News',
        published_date: 'Thu, 05 Mar 2026 10:20:30 GMT',
      },
    ]),
    hits: [
      {
        title: 'Magpie - Wikipedia',
        url: 'https://en.wikipedia.org/wiki/Magpie',
        snippet: 'Magpies are birds of the crow family.',
      },
      {
        title: 'News',
        url: 'https://news.example/a',
        snippet: 'Magpies are birds of the crow family.',
        published: Date.UTC(2026, 2, 5, 10, 20, 30),
      },
    ],
  },
  nothing: { body: answer([]) },
  changed: {
    'results elsewhere': { body: '{"query":"magpie","hits":[]}' },
    'results of another shape': { body: answer([{ link: 'https://a.example' }, {}]) },
    'a page': { body: '<html></html>' },
  },
};
/** Its own form for those without a key. */
const limit = (status: number, seconds?: number) => ({
  status,
  body: JSON.stringify({
    error: {
      code: 'keyless_limit',
      message: 'Sign up for a key.',
      window: 'day',
      retry_after_seconds: seconds,
    },
  }),
});

describeSearchEngine('tavily', {
  make: tavily,
  key: KEY,
  keyIsOptional: true,
  ...ANSWERS,
  paused: {
    "the plan's share is used up": error(432, "This request exceeds your plan's set usage limit."),
    'the pay-as-you-go limit is reached': error(433, 'This request exceeds the pay-as-you-go limit.'),
    'too often': error(429, 'Your request has been blocked due to excessive requests.'),
  },
  refused: {
    'a wrong key': {
      ...error(401, 'Unauthorized: missing or invalid API key.'),
      says: 'check TAVILY_API_KEY (401)',
    },
    "the plan's share is used up": {
      ...error(432, "This request exceeds your plan's set usage limit."),
      says: 'or unset TAVILY_API_KEY (432)',
    },
    'the pay-as-you-go limit is reached': {
      ...error(433, 'This request exceeds the pay-as-you-go limit.'),
      says: 'or unset TAVILY_API_KEY (433)',
    },
  },
  checkRequest({ method, url, headers, body }, { text }) {
    expect([method, url.pathname]).toEqual(['POST', '/search']);
    expect(headers.authorization).toBe(`Bearer ${KEY}`);
    expect(JSON.parse(body)).toEqual({
      query: text,
      search_depth: 'basic',
      max_results: 10,
      country: 'austria',
      time_range: 'week',
      include_domains: ['nodejs.org'],
    });
  },
});

describeSearchEngine('tavily', {
  make: tavily,
  ...ANSWERS,
  paused: {
    'the limit': limit(429, 60),
    'the limit without a time': limit(432),
    'no answer without a key': error(401, 'Unauthorized: missing or invalid API key.'),
  },
  refused: {
    'the limit': { ...limit(432, 600), says: 'TAVILY_API_KEY raises it (432)' },
    'no answer without a key': { ...error(401, 'Unauthorized'), says: 'set TAVILY_API_KEY (401)' },
  },
  checkRequest({ method, url, headers, body }, { text }) {
    expect([method, url.pathname]).toEqual(['POST', '/search']);
    expect(headers).toMatchObject({ 'x-tavily-access-mode': 'keyless' });
    expect(headers).not.toHaveProperty('authorization');
    expect(JSON.parse(body)).toMatchObject({ query: text, time_range: 'week' });
  },
});

test('a rate limit names its duration', () => {
  expect(tavily().readWait?.(limit(429, 90).body)).toBe(90_000);
  expect(tavily().readWait?.('{"retry_after_seconds": 7}')).toBe(7000);
  for (const body of ['', '<html>', '{"retry_after_seconds": "soon"}', limit(429).body]) {
    expect(tavily().readWait?.(body)).toBe(0);
  }
});

test('countries are sent by the names that Tavily knows, and other countries are not sent', () => {
  const country = (region: string) =>
    JSON.parse(tavily({ key: KEY }).request({ text: 'x', limit: 1, region }).body ?? '').country;
  expect(['US', 'CZ', 'TR', 'BA', 'KR', 'MM'].map(country)).toEqual([
    'united states',
    'czech republic',
    'turkey',
    'bosnia and herzegovina',
    'south korea',
    'myanmar',
  ]);
  expect(country('AQ')).toBeUndefined();
});
