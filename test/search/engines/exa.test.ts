import { expect } from 'vitest';
import { exa } from '../../../src/search/engines/exa.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const KEY = 'exa-marked-secret';
const RESULT = {
  id: 'https://arxiv.org/abs/2307.06435',
  title: 'A Comprehensive Overview',
  url: 'https://arxiv.org/abs/2307.06435',
  publishedDate: '2023-11-16T01:36:32.547Z',
  author: 'Humza Naveed',
  score: 0.46,
  image: 'https://arxiv.org/logo.png',
  favicon: 'https://arxiv.org/favicon.ico',
  highlights: ['First passage.', 'Second\npassage.'],
  highlightScores: [0.46, 0.3],
};
const answer = (results: unknown) =>
  JSON.stringify({
    requestId: 'b5947044c4b78efa9552a7c89b306d95',
    resolvedSearchType: 'neural',
    results,
    searchTime: 512.3,
    costDollars: { total: 0.005, search: { neural: 0.005 } },
  });
const error = (status: number, tag: string, message: string) => ({
  status,
  body: JSON.stringify({ requestId: 'b594', error: message, tag }),
});

describeSearchEngine('exa', {
  make: exa,
  key: KEY,
  found: {
    body: answer([
      RESULT,
      { ...RESULT, url: 'data:text/html,x' },
      null,
      {
        id: 'x',
        title: null,
        url: 'https://b.example/p',
        publishedDate: 'soon',
        text: 'Array<string> &lt; all.',
      },
    ]),
    hits: [
      {
        title: 'A Comprehensive Overview',
        url: 'https://arxiv.org/abs/2307.06435',
        snippet: 'First passage. … Second passage.',
        published: Date.UTC(2023, 10, 16, 1, 36, 32, 547),
      },
      { title: 'https://b.example/p', url: 'https://b.example/p', snippet: 'Array<string> < all.' },
    ],
  },
  nothing: { body: answer([]) },
  paused: {
    'no credits': error(402, 'NO_MORE_CREDITS', 'Top up'),
    'too many in a second': error(
      429,
      'RATE_LIMIT',
      'You have exceeded your Exa rate limit of 10 requests per second',
    ),
  },
  changed: {
    'results elsewhere': { body: '{"requestId":"x","data":[]}' },
    'results of another shape': { body: answer([{ href: 'https://a.example' }]) },
    'no list': { body: answer({}) },
    'a page': { body: '<html></html>' },
  },
  refused: {
    'a wrong key': {
      ...error(401, 'INVALID_API_KEY', `Invalid API key ${KEY}`),
      says: 'check EXA_API_KEY (401)',
    },
    'no credits': {
      ...error(402, 'NO_MORE_CREDITS', 'Top up'),
      says: 'used up: top the account up, or unset EXA_API_KEY',
    },
    'no credits, reported with status 200': {
      ...error(200, 'NO_MORE_CREDITS', 'Top up'),
      says: 'or unset EXA_API_KEY',
    },
  },
  checkRequest({ method, url, headers, body }, { text }) {
    expect([method, url.pathname]).toEqual(['POST', '/search']);
    expect(headers).toMatchObject({ 'x-api-key': KEY, 'content-type': 'application/json' });
    const { startPublishedDate, ...rest } = JSON.parse(body);
    expect(rest).toEqual({
      query: text,
      type: 'auto',
      numResults: 10,
      contents: { highlights: { maxCharacters: 500 } },
      userLocation: 'AT',
      includeDomains: ['nodejs.org'],
    });
    expect((Date.now() - Date.parse(startPublishedDate)) / 86_400_000).toBeCloseTo(7, 1);
  },
});
