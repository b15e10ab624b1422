import { expect, test } from 'vitest';
import { anysearch } from '../../../src/search/engines/anysearch.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const KEY = 'as_sk_marked_secret';
const RESULT = {
  title: 'Magpie',
  url: 'https://birds.example/magpie',
  description: 'A bird of the\ncrow family.',
  content: 'Long text.',
  source: 'web',
  published_at: '2026-03-05T00:00:00Z',
};
const answer = (results: unknown) =>
  JSON.stringify({ code: 0, message: 'success', request_id: 'r1', data: { results, metadata: {} } });
const error = (status: number, message: string) => ({ status, body: JSON.stringify({ code: -1, message }) });

/** What it answers with and without a key. */
const ANSWERS = {
  found: {
    body: answer([
      RESULT,
      { ...RESULT, url: 'mailto:a@b.example' },
      0,
      { url: 'https://b.example/', title: null, content: 'Of twigs.' },
    ]),
    hits: [
      {
        title: 'Magpie',
        url: 'https://birds.example/magpie',
        snippet: 'A bird of the crow family.',
        published: Date.UTC(2026, 2, 5),
      },
      { title: 'https://b.example/', url: 'https://b.example/', snippet: 'Of twigs.' },
    ],
  },
  nothing: { body: answer([]) },
  changed: {
    'results elsewhere': { body: '{"code":0,"data":{"items":[]}}' },
    'results of another shape': { body: answer([{ link: 'https://a.example' }]) },
    'a page': { body: '<html></html>' },
  },
};
const QUESTION = { max_results: 10, zone: 'intl', language: 'de' };

describeSearchEngine('anysearch', {
  make: anysearch,
  ...ANSWERS,
  paused: {
    "the day's limit": error(429, 'rate limited'),
    'the limit in a success': error(200, 'daily quota exceeded'),
    'no answer without a key': error(401, 'unauthorized'),
  },
  refused: {
    "the day's limit": { ...error(429, ''), says: 'ANYSEARCH_API_KEY raises it (429)' },
    'the limit in a success': {
      ...error(200, 'daily quota exceeded'),
      says: 'ANYSEARCH_API_KEY raises it',
    },
  },
  checkRequest({ method, url, headers, body }, { text }) {
    expect([method, url.pathname]).toEqual(['POST', '/v1/search']);
    expect(headers).not.toHaveProperty('authorization');
    expect(JSON.parse(body)).toEqual({ query: text, ...QUESTION });
  },
});

describeSearchEngine('anysearch', {
  make: anysearch,
  key: KEY,
  keyIsOptional: true,
  ...ANSWERS,
  paused: { 'too often': error(429, 'too many requests'), 'no credits': error(402, 'no credits') },
  refused: {
    'a wrong key': { ...error(401, `Invalid API key ${KEY}`), says: 'check ANYSEARCH_API_KEY (401)' },
  },
  checkRequest({ headers, body }, { text }) {
    expect(headers.authorization).toBe(`Bearer ${KEY}`);
    expect(JSON.parse(body)).toEqual({ query: text, ...QUESTION });
  },
});

test('results are also read without an envelope', () => {
  const body = JSON.stringify({ results: [RESULT], metadata: { total_results: 1 } });
  expect(anysearch().parse(body, { text: 'x', limit: 5 })).toMatchObject([{ title: 'Magpie' }]);
});
