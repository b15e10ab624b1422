import { expect, test } from 'vitest';
import { kagi } from '../../../src/search/engines/kagi.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const KEY = 'kagi-marked-secret';
const RESULT = {
  url: 'https://en.wikipedia.org/wiki/Magpie',
  title: 'Magpie &amp; nest',
  snippet: '<b>Magpies</b> are birds.',
  time: '2026-03-05T10:20:30Z',
  image: { url: 'https://p.kagi.com/x.png', height: 100, width: 100 },
  props: {},
};
const meta = { trace: '4d1f', node: 'us-central1', ms: 213 };
const answer = (data: unknown) => JSON.stringify({ meta, data });
const error = (status: number, code: string, message: string) => ({
  status,
  body: JSON.stringify({
    meta,
    data: [],
    error: [{ code, url: `https://kagi.com/api/errors/${code}`, message }],
  }),
});

describeSearchEngine('kagi', {
  make: kagi,
  key: KEY,
  found: {
    body: answer({
      search: [
        RESULT,
        { ...RESULT, url: 'javascript:alert(1)' },
        null,
        { url: 'https://b.example/', title: 'B' },
      ],
      related_search: [{ url: '', title: 'magpie nest' }],
      news: [{ url: 'https://n.example/', title: 'News', snippet: 'A bird.', time: '2026-11-01' }],
    }),
    hits: [
      {
        title: 'Magpie & nest',
        url: 'https://en.wikipedia.org/wiki/Magpie',
        snippet: 'Magpies are birds.',
        published: Date.UTC(2026, 2, 5, 10, 20, 30),
      },
      { title: 'B', url: 'https://b.example/', snippet: '' },
      { title: 'News', url: 'https://n.example/', snippet: 'A bird.', published: Date.UTC(2026, 10, 1) },
    ],
  },
  nothing: { body: answer({}) },
  paused: {
    'too often, or the limit of the account': error(429, 'general.rate_limited', 'Rate limited'),
  },
  changed: {
    'the list of version 0': { body: JSON.stringify({ meta, data: [{ t: 0, ...RESULT }] }) },
    'results of another shape': { body: answer({ search: [{ link: 'https://a.example' }] }) },
    'a page': { body: '<html></html>' },
  },
  refused: {
    'a wrong key': {
      ...error(401, 'general.unauthorized', 'Access token is invalid'),
      says: 'check KAGI_API_KEY (401)',
    },
    'a wrong address': { ...error(403, 'general.forbidden', 'IP not authorized'), says: 'from this address' },
    'no money, reported with status 200': {
      ...error(200, 'billing.insufficient_balance', `Balance of ${KEY} is 0`),
      says: 'used up: top the account up, or unset KAGI_API_KEY',
    },
  },
  checkRequest({ method, url, headers, body }, { text }) {
    expect([method, url.pathname]).toEqual(['POST', '/api/v1/search']);
    expect(headers.authorization).toBe(`Bearer ${KEY}`);
    const { filters, ...rest } = JSON.parse(body);
    expect(rest).toEqual({
      query: text,
      workflow: 'search',
      limit: 10,
      lens: { sites_included: ['nodejs.org'] },
    });
    expect(filters).toEqual({ region: 'at', after: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) });
  },
});

test('options that the caller does not set are not in the request', () => {
  const { body } = kagi({ key: KEY }).request({ text: 'magpie', limit: 10 });
  expect(JSON.parse(body ?? '')).toEqual({ query: 'magpie', workflow: 'search', limit: 10 });
});
