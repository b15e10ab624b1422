import { expect, test } from 'vitest';
import { serper } from '../../../src/search/engines/serper.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const KEY = 'serper-marked-secret';
const RESULT = {
  title: 'Magpie - Wikipedia',
  link: 'https://en.wikipedia.org/wiki/Magpie',
  snippet: 'Magpies are birds ...',
  sitelinks: [{ title: 'Taxonomy', link: 'https://en.wikipedia.org/wiki/Magpie#Taxonomy' }],
  position: 1,
};
const answer = (organic: unknown, more: object = {}) =>
  JSON.stringify({
    searchParameters: { q: 'magpie', gl: 'us', hl: 'en', type: 'search', engine: 'google' },
    knowledgeGraph: { title: 'Magpie', type: 'Birds' },
    organic,
    peopleAlsoAsk: [{ question: 'Is a magpie a crow?', link: 'https://q.example' }],
    relatedSearches: [{ query: 'magpie nest' }],
    credits: 1,
    ...more,
  });

describeSearchEngine('serper', {
  make: serper,
  key: KEY,
  found: {
    body: answer(
      [
        RESULT,
        { ...RESULT, link: 'https://b.example/', date: 'Mar 5, 2026', position: 2 },
        { ...RESULT, link: 'ftp://files.example/' },
        { title: 'no link' },
      ],
      {
        topStories: [{ title: 'Magpie news', link: 'https://n.example/', source: 'N', date: 'Nov 1, 2026' }],
      },
    ),
    hits: [
      {
        title: 'Magpie - Wikipedia',
        url: 'https://en.wikipedia.org/wiki/Magpie',
        snippet: 'Magpies are birds ...',
      },
      {
        title: 'Magpie - Wikipedia',
        url: 'https://b.example/',
        snippet: 'Magpies are birds ...',
        published: Date.UTC(2026, 2, 5),
      },
      { title: 'Magpie news', url: 'https://n.example/', snippet: '', published: Date.UTC(2026, 10, 1) },
    ],
  },
  nothing: { body: answer([]) },
  paused: {
    'no credits': { status: 400, body: '{"message":"Not enough credits","statusCode":400}' },
    'too many in a second': { status: 429, body: '{"message":"Rate limit exceeded","statusCode":429}' },
  },
  changed: {
    'results elsewhere': { body: '{"searchParameters":{"q":"magpie"},"results":[]}' },
    'results of another shape': { body: answer([{ url: 'https://a.example' }]) },
    'a page': { body: '<html></html>' },
  },
  refused: {
    'a wrong key': {
      status: 403,
      body: '{"message":"Unauthorized.","statusCode":403}',
      says: 'check SERPER_API_KEY (403)',
    },
    'no credits': {
      status: 400,
      body: '{"message":"Not enough credits","statusCode":400}',
      says: 'used up: top the account up, or unset SERPER_API_KEY',
    },
    'no credits, reported with status 200': {
      body: '{"message":"Not enough credits","statusCode":400}',
      says: 'used up: top the account up, or unset SERPER_API_KEY',
    },
  },
  checkRequest({ method, url, headers, body }, { text }) {
    expect([method, url.pathname]).toEqual(['POST', '/search']);
    expect(headers['x-api-key']).toBe(KEY);
    expect(JSON.parse(body)).toEqual({
      q: `site:nodejs.org ${text}`,
      num: 10,
      hl: 'de',
      gl: 'at',
      tbs: 'qdr:w',
    });
  },
});

test('languages are sent by the codes of Google', () => {
  const hl = (language: string) =>
    JSON.parse(serper({ key: KEY }).request({ text: 'x', limit: 1, language }).body ?? '').hl;
  expect(['zh', 'he', 'fr'].map(hl)).toEqual(['zh-cn', 'iw', 'fr']);
});
