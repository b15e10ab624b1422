import { expect, test } from 'vitest';
import { parallel } from '../../../src/search/engines/parallel.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';
import { toolAnswer, toolEvent } from '../../helpers/tool-answers.ts';

const KEY = 'par-marked-secret';
const RESULT = {
  url: 'https://birds.example/magpie',
  title: 'Magpie',
  publish_date: '2026-03-05',
  excerpts: ['A bird.', 'Of the\ncrow family.'],
};
const of = (results: unknown) => ({ search_id: 'search_1', results });
const found = of([
  RESULT,
  { ...RESULT, url: 'about:blank' },
  null,
  { url: 'https://b.example/', title: null, excerpts: { 0: 'no list' } },
]);
const HITS = [
  {
    title: 'Magpie',
    url: 'https://birds.example/magpie',
    snippet: 'A bird. … Of the crow family.',
    published: Date.UTC(2026, 2, 5),
  },
  { title: 'https://b.example/', url: 'https://b.example/', snippet: '' },
];
const limit = toolAnswer({ text: 'Rate limit exceeded', isError: true });

/** What it answers with and without a key. */
const ANSWERS = {
  found: { body: toolAnswer({ text: 'See the structured content.', structuredContent: found }), hits: HITS },
  nothing: { body: toolAnswer({ text: JSON.stringify(of([])), structuredContent: of([]) }) },
  changed: {
    'results elsewhere': { body: toolAnswer({ text: '{"items":[]}' }) },
    'results of another shape': { body: toolAnswer({ structuredContent: of([{ link: 'x' }]) }) },
    'text that is no JSON': { body: toolAnswer({ text: '# Results' }) },
    'a page': { body: '<html></html>' },
  },
};
const args = (text: string) => ({
  objective: text,
  search_queries: [text],
  session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
});

describeSearchEngine('parallel', {
  make: parallel,
  ...ANSWERS,
  paused: {
    'the limit': { status: 429, body: '' },
    'the limit, as an error of the tool': { body: limit },
    'no answer without a key': { status: 401, body: '' },
  },
  refused: {
    'the limit': { body: limit, says: 'PARALLEL_API_KEY raises it' },
    'no answer without a key': { status: 401, body: '', says: 'set PARALLEL_API_KEY (401)' },
  },
  checkRequest({ method, url, headers, body }, { text }) {
    expect([method, url.pathname]).toEqual(['POST', '/mcp']);
    expect(headers).not.toHaveProperty('authorization');
    expect(JSON.parse(body).params).toEqual({ name: 'web_search', arguments: args(text) });
  },
});

describeSearchEngine('parallel', {
  make: parallel,
  key: KEY,
  keyIsOptional: true,
  ...ANSWERS,
  paused: { 'too often': { status: 429, body: '' }, 'no credits': { status: 402, body: '' } },
  refused: {
    'a wrong key': { status: 401, body: KEY, says: 'check PARALLEL_API_KEY (401)' },
    'a wrong key, as an error of the tool': {
      body: toolAnswer({ text: `Invalid API key ${KEY}`, isError: true }),
      says: 'check PARALLEL_API_KEY',
    },
  },
  checkRequest({ headers, body }, { text }) {
    expect(headers.authorization).toBe(`Bearer ${KEY}`);
    expect(JSON.parse(body).params.arguments).toEqual(args(text));
  },
});

test('results are read from the text where they are not structured, up to the requested number', () => {
  const query = { text: 'magpie', limit: 10 };
  expect(parallel().parse(toolEvent({ text: JSON.stringify(found) }), query)).toEqual(HITS);
  const many = of(Array.from({ length: 20 }, (_, n) => ({ ...RESULT, url: `https://birds.example/${n}` })));
  expect(parallel().parse(toolAnswer({ structuredContent: many }), query)).toHaveLength(10);
});
