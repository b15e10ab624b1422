import { expect } from 'vitest';
import { perplexity } from '../../../src/search/engines/perplexity.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const KEY = 'pplx-marked-secret';
const RESULT = {
  title: 'Magpie - Wikipedia',
  url: 'https://en.wikipedia.org/wiki/Magpie',
  snippet: '# Magpie\n\nMagpies are birds.',
  date: '2026-03-05',
  last_updated: '2026-09-25',
};
const answer = (results: unknown) => JSON.stringify({ results, id: 'e3e1', server_time: null });
const error = (status: number, type: string, message: string) => ({
  status,
  body: JSON.stringify({ error: { message, type, code: status } }),
});

describeSearchEngine('perplexity', {
  make: perplexity,
  key: KEY,
  found: {
    body: answer([
      RESULT,
      { ...RESULT, url: 'file:///etc/passwd' },
      7,
      { ...RESULT, url: 'https://b.example/', date: null, snippet: `${'word '.repeat(400)}` },
    ]),
    hits: [
      {
        title: 'Magpie - Wikipedia',
        url: 'https://en.wikipedia.org/wiki/Magpie',
        snippet: '# Magpie Magpies are birds.',
        published: Date.UTC(2026, 2, 5),
      },
      { title: 'Magpie - Wikipedia', url: 'https://b.example/', snippet: 'word '.repeat(200) },
    ],
  },
  nothing: { body: answer([]) },
  paused: { 'too many in a second': error(429, 'rate_limit_exceeded', 'Rate limit exceeded') },
  changed: {
    'results elsewhere': { body: '{"id":"x","choices":[]}' },
    'results of another shape': { body: answer([{ link: 'https://a.example' }]) },
    'a page': { body: '<html><h1>401 Authorization Required</h1></html>' },
  },
  refused: {
    'a wrong key': {
      ...error(401, 'invalid_api_key', `Invalid API key ${KEY}`),
      says: 'check PERPLEXITY_API_KEY (401)',
    },
    'no credits, reported with status 200': {
      ...error(200, 'insufficient_quota', 'You exceeded your current quota'),
      says: 'used up: top the account up, or unset PERPLEXITY_API_KEY',
    },
  },
  checkRequest({ method, url, headers, body }, { text }) {
    expect([method, url.pathname]).toEqual(['POST', '/search']);
    expect(headers.authorization).toBe(`Bearer ${KEY}`);
    expect(JSON.parse(body)).toEqual({
      query: text,
      max_results: 10,
      max_tokens_per_page: 256,
      search_language_filter: ['de'],
      country: 'AT',
      search_recency_filter: 'week',
      search_domain_filter: ['nodejs.org'],
    });
  },
});
