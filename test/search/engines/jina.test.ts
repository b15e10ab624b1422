import { expect } from 'vitest';
import { jina } from '../../../src/search/engines/jina.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const KEY = 'jina_marked_secret';
const RESULT = {
  title: 'Magpie - Wikipedia',
  url: 'https://en.wikipedia.org/wiki/Magpie',
  description: 'Magpies are birds …',
  date: 'Mar 5, 2026',
  usage: { tokens: 1000 },
};
const answer = (data: unknown) =>
  JSON.stringify({ code: 200, status: 20000, data, meta: { usage: { tokens: 10000 }, query: 'magpie' } });
const error = (code: number, name: string, message: string) => ({
  status: code,
  body: JSON.stringify({
    data: null,
    code,
    name,
    status: code * 100 + 1,
    message,
    readableMessage: `${name}: ${message}`,
  }),
});

describeSearchEngine('jina', {
  make: jina,
  key: KEY,
  found: {
    body: answer([RESULT, { ...RESULT, url: 'about:blank' }, {}, { title: '', url: 'https://b.example/' }]),
    hits: [
      {
        title: 'Magpie - Wikipedia',
        url: 'https://en.wikipedia.org/wiki/Magpie',
        snippet: 'Magpies are birds …',
        published: Date.UTC(2026, 2, 5),
      },
      { title: 'https://b.example/', url: 'https://b.example/', snippet: '' },
    ],
  },
  nothing: { body: answer([]) },
  paused: {
    'no tokens left': error(402, 'InsufficientBalanceError', 'Account balance not enough to run this query'),
    'too many in a minute': error(429, 'RateLimitTriggeredError', 'Per UID rate limit exceeded (40 per 60s)'),
    'a limit reported with status 200': {
      ...error(429, 'RateLimitTriggeredError', 'Rate limit exceeded'),
      status: 200,
    },
  },
  changed: {
    'no list': { body: JSON.stringify({ code: 200, status: 20000, data: 'Title: Magpie' }) },
    'results of another shape': { body: answer([{ link: 'https://a.example' }]) },
    'its text form': { body: '[1] Title: Magpie\n[1] URL Source: https://a.example' },
  },
  refused: {
    'a wrong key': {
      ...error(401, 'AuthenticationFailedError', 'Invalid API key'),
      says: 'check JINA_API_KEY (401)',
    },
    'no tokens left': {
      ...error(402, 'InsufficientBalanceError', 'Account balance not enough to run this query'),
      says: 'or unset JINA_API_KEY (402)',
    },
    'no tokens left, reported with status 200': {
      ...error(402, 'InsufficientBalanceError', 'Account balance not enough to run this query'),
      status: 200,
      says: 'or unset JINA_API_KEY',
    },
  },
  checkRequest({ method, url, headers, body }, { text }) {
    expect([method, url.pathname]).toEqual(['POST', '/']);
    expect(headers).toMatchObject({
      accept: 'application/json',
      authorization: `Bearer ${KEY}`,
      'x-respond-with': 'no-content',
      'x-site': 'https://nodejs.org',
    });
    expect(JSON.parse(body)).toEqual({ q: text, num: 10, gl: 'at' });
  },
});
