import { expect, test } from 'vitest';
import { exa } from '../../../src/search/engines/exa.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';
import { toolAnswer, toolEvent } from '../../helpers/tool-answers.ts';

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
  keyIsOptional: true,
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

/** The text of its tool. */
const BLOCKS = [
  `Title: Magpie nests
URL: https://birds.example/nests
Published: 2026-03-05T10:20:30.000Z
Author: A. Pica
Highlights:
They build
domed nests.

---

of twigs`,
  `Title: N/A
URL: https://birds.example/eggs
Published: N/A
Author: N/A
Text: Blue & speckled.`,
  `Title: Not a page
URL: ftp://birds.example/
Published: N/A
Author: N/A`,
].join('\n\n---\n\n');
const HITS = [
  {
    title: 'Magpie nests',
    url: 'https://birds.example/nests',
    snippet: 'They build domed nests. --- of twigs',
    published: Date.UTC(2026, 2, 5, 10, 20, 30),
    author: 'A. Pica',
  },
  { title: 'https://birds.example/eggs', url: 'https://birds.example/eggs', snippet: 'Blue & speckled.' },
];
const LIMIT = "You've hit Exa's free MCP rate limit. To continue, create your own Exa API key.";

describeSearchEngine('exa', {
  make: exa,
  found: { body: toolEvent({ text: BLOCKS }), hits: HITS },
  nothing: { body: toolEvent({ text: 'No search results found. Please try a different query.' }) },
  paused: {
    'the limit, as an error of the protocol': {
      status: 429,
      headers: { 'retry-after': '60' },
      body: JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message: LIMIT }, id: null }),
    },
    'the limit, as an error of the tool': { body: toolEvent({ text: LIMIT, isError: true }) },
    'the limit, as a mark of the result': {
      body: toolEvent({ text: 'Slow down.', _meta: { 'ai.exa/rateLimited': true } }),
    },
    'no answer without a key': { status: 401, body: '' },
  },
  changed: {
    'text of another shape': { body: toolEvent({ text: '1. Magpie nests (birds.example)' }) },
    'no text': { body: toolEvent({}) },
    'a page': { body: '<html></html>' },
  },
  refused: {
    'the limit': { status: 429, body: '', says: 'EXA_API_KEY raises it (429)' },
    'the limit, as an error of the tool': {
      body: toolAnswer({ text: LIMIT, isError: true }),
      says: 'EXA_API_KEY raises it',
    },
    'a fault of the tool': {
      body: toolAnswer({ text: 'web_search_exa error (500): Internal', isError: true }),
      says: 'it refuses the request',
    },
    'no answer without a key': { status: 403, body: '', says: 'set EXA_API_KEY (403)' },
  },
  checkRequest({ method, url, headers, body }, { text }) {
    expect([method, url.pathname]).toEqual(['POST', '/mcp']);
    expect(headers).toMatchObject({
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-03-26',
    });
    expect(JSON.parse(body)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'web_search_exa', arguments: { query: text, objective: text, numResults: 10 } },
    });
  },
});

test('a page cannot add more results than requested', () => {
  const block = (n: number) => `Title: ${n}\nURL: https://birds.example/${n}\nPublished: N/A\nAuthor: N/A`;
  const body = toolEvent({ text: Array.from({ length: 20 }, (_, n) => block(n)).join('\n\n---\n\n') });
  expect(exa().parse(body, { text: 'x', limit: 10 })).toHaveLength(10);
});
