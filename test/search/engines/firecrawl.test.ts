import { expect, test } from 'vitest';
import { firecrawl } from '../../../src/search/engines/firecrawl.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const KEY = 'fc-marked-secret';
const RESULT = {
  url: 'https://birds.example/magpie',
  title: 'Magpie',
  description: 'A bird of the\ncrow family.',
  category: 'web',
};
const answer = (data: unknown) => JSON.stringify({ success: true, data, creditsUsed: 2, id: '019' });
const error = (status: number, message: string, rest: object = {}) => ({
  status,
  body: JSON.stringify({ success: false, error: message, ...rest }),
});
const LIMIT = error(429, "You've hit the keyless free tier rate limit.", {
  reason: 'credits',
  retry_after_seconds: 84_289,
});

/** What it answers with and without a key. */
const ANSWERS = {
  found: {
    body: answer({
      web: [
        RESULT,
        { ...RESULT, url: 'javascript:0' },
        null,
        { url: 'https://b.example/', title: null, description: null },
      ],
    }),
    hits: [
      { title: 'Magpie', url: 'https://birds.example/magpie', snippet: 'A bird of the crow family.' },
      { title: 'https://b.example/', url: 'https://b.example/', snippet: '' },
    ],
  },
  nothing: { body: answer({ web: [] }) },
  changed: {
    'results elsewhere': { body: '{"success":true,"data":[]}' },
    'results of another shape': { body: answer({ web: [{ href: 'https://a.example' }] }) },
    'a page': { body: '<html></html>' },
  },
  parts: {
    news: {
      path: '/v2/search',
      found: {
        body: answer({
          news: [
            {
              title: 'Magpies return',
              url: 'https://news.example/1',
              snippet: 'After ten years.',
              date: 'Mar 5, 2026',
              position: 1,
            },
          ],
        }),
        hits: [
          {
            title: 'Magpies return',
            url: 'https://news.example/1',
            snippet: 'After ten years.',
            published: Date.UTC(2026, 2, 5),
          },
        ],
      },
      nothing: { body: answer({ news: [] }) },
      changed: { body: answer({ news: [{ href: 'https://a.example' }] }) },
    },
  },
} as const;

const QUESTION = {
  limit: 10,
  tbs: 'qdr:w',
  country: 'AT',
  includeDomains: ['nodejs.org'],
};

describeSearchEngine('firecrawl', {
  make: firecrawl,
  ...ANSWERS,
  paused: { "the day's limit": LIMIT, 'no credits': error(402, 'Payment required'), '401': error(401, '') },
  refused: {
    "the day's limit": { ...LIMIT, says: 'FIRECRAWL_API_KEY raises it (429)' },
    'no answer without a key': { ...error(401, 'Unauthorized'), says: 'set FIRECRAWL_API_KEY (401)' },
    'a limit in a success': { ...error(200, 'Rate limit exceeded'), says: 'FIRECRAWL_API_KEY raises it' },
  },
  checkRequest({ method, url, headers, body }, { text }) {
    expect([method, url.pathname]).toEqual(['POST', '/v2/search']);
    expect(headers).not.toHaveProperty('authorization');
    expect(JSON.parse(body)).toEqual({ query: text, ...QUESTION });
  },
});

describeSearchEngine('firecrawl', {
  make: firecrawl,
  key: KEY,
  keyIsOptional: true,
  ...ANSWERS,
  paused: {
    'too often': error(429, 'Rate limit exceeded'),
    'no credits': error(402, 'Insufficient credits'),
  },
  refused: {
    'a wrong key': { ...error(401, `Invalid token ${KEY}`), says: 'check FIRECRAWL_API_KEY (401)' },
    'no credits': { ...error(402, 'Insufficient credits'), says: 'or unset FIRECRAWL_API_KEY (402)' },
  },
  checkRequest({ headers, body }, { text }) {
    expect(headers.authorization).toBe(`Bearer ${KEY}`);
    expect(JSON.parse(body)).toEqual({ query: text, ...QUESTION });
  },
});

test('a rate limit names its duration', () => {
  expect(firecrawl().readWait?.(LIMIT.body)).toBe(84_289_000);
});
