import { expect } from 'vitest';
import { keenable } from '../../../src/search/engines/keenable.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const KEY = 'keen-marked-secret';
const RESULT = {
  title: 'Magpie',
  url: 'https://birds.example/magpie',
  description: '',
  snippet: 'A bird of the\ncrow family.',
  published_at: '2026-03-05T10:20:30Z',
  acquired_at: '2026-10-01T00:00:00Z',
};
const answer = (results: unknown) => JSON.stringify({ results });
const error = (status: number, message: string) => ({
  status,
  body: JSON.stringify({ error: 'Refused', message }),
});

/** What it answers with and without a key. */
const ANSWERS = {
  found: {
    body: answer([
      RESULT,
      { ...RESULT, url: 'data:,x' },
      7,
      { url: 'https://b.example/', title: null, snippet: null, description: 'Of twigs.' },
    ]),
    hits: [
      {
        title: 'Magpie',
        url: 'https://birds.example/magpie',
        snippet: 'A bird of the crow family.',
        published: Date.UTC(2026, 2, 5, 10, 20, 30),
      },
      { title: 'https://b.example/', url: 'https://b.example/', snippet: 'Of twigs.' },
    ],
  },
  nothing: { body: answer([]) },
  changed: {
    'results elsewhere': { body: '{"items":[]}' },
    'no list': { body: '{"results":null}' },
    'results of another shape': { body: answer([{ link: 'https://a.example' }]) },
    'a page': { body: '<html></html>' },
  },
};
const QUESTION = { max_results: 10, site: 'nodejs.org', published_after: '7d' };

describeSearchEngine('keenable', {
  make: keenable,
  ...ANSWERS,
  paused: {
    "the hour's limit": error(429, 'Rate limit exceeded'),
    'no answer without a key': error(401, 'Missing API key'),
  },
  refused: {
    "the hour's limit": { ...error(429, ''), says: 'KEENABLE_API_KEY raises it (429)' },
    'no answer without a key': { ...error(403, ''), says: 'set KEENABLE_API_KEY (403)' },
    'a name that it wants': {
      ...error(400, 'X-Keenable-Title is missing'),
      says: 'returned no results (400)',
    },
  },
  checkRequest({ method, url, headers, body }, { text }) {
    expect([method, url.pathname]).toEqual(['POST', '/v1/search/public']);
    expect(headers).toMatchObject({ 'x-keenable-title': 'Magpie' });
    expect(headers).not.toHaveProperty('x-api-key');
    expect(JSON.parse(body)).toEqual({ query: text, ...QUESTION });
  },
});

describeSearchEngine('keenable', {
  make: keenable,
  key: KEY,
  keyIsOptional: true,
  ...ANSWERS,
  paused: { 'too often': error(429, 'Rate limit exceeded'), 'no credits': error(402, 'No credits') },
  refused: {
    'a wrong key': { ...error(401, `Invalid key ${KEY}`), says: 'check KEENABLE_API_KEY (401)' },
    'no credits': { ...error(402, ''), says: 'or unset KEENABLE_API_KEY (402)' },
  },
  checkRequest({ url, headers, body }, { text }) {
    expect(url.pathname).toBe('/v1/search');
    expect(headers['x-api-key']).toBe(KEY);
    expect(JSON.parse(body)).toEqual({ query: text, ...QUESTION });
  },
});
