import { expect, test } from 'vitest';
import { hackernews } from '../../../src/search/engines/hackernews.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

/** A story as the API gives it. */
const story = (more: object) => ({
  author: 'pica',
  created_at: '2026-03-05T10:20:30Z',
  created_at_i: 1772706030,
  num_comments: 12,
  objectID: '41000001',
  points: 101,
  story_id: 41000001,
  title: 'Magpies recognise themselves',
  updated_at: '2026-03-06T00:00:00Z',
  url: 'https://birds.example/mirror',
  _tags: ['story', 'author_pica', 'story_41000001'],
  _highlightResult: { title: { value: '<em>Magpies</em>', matchLevel: 'full', matchedWords: ['magpie'] } },
  ...more,
});
const answer = (hits: unknown) =>
  JSON.stringify({
    exhaustive: { nbHits: true },
    hits,
    hitsPerPage: 10,
    nbHits: 2,
    nbPages: 1,
    page: 0,
    params: 'query=magpie&advancedSyntax=true',
    processingTimeMS: 3,
    query: 'magpie',
  });

describeSearchEngine('hackernews', {
  make: hackernews,
  found: {
    body: answer([
      story({}),
      story({
        objectID: '41000002',
        url: undefined,
        title: 'Ask HN: magpies & Vec<b>?',
        story_text: '<p>What do you &amp; yours think?',
        points: null,
        num_comments: 1,
      }),
      story({ objectID: '41000003', url: 'javascript:alert(1)' }),
      story({ objectID: '../x' }),
      story({ title: null }),
      null,
    ]),
    hits: [
      {
        title: 'Magpies recognise themselves',
        url: 'https://birds.example/mirror',
        snippet: '101 points, 12 comments on Hacker News: https://news.ycombinator.com/item?id=41000001',
        published: Date.UTC(2026, 2, 5, 10, 20, 30),
      },
      {
        title: 'Ask HN: magpies & Vec<b>?',
        url: 'https://news.ycombinator.com/item?id=41000002',
        snippet: 'What do you & yours think? 0 points, 1 comments on Hacker News',
        published: Date.UTC(2026, 2, 5, 10, 20, 30),
      },
    ],
  },
  nothing: { body: answer([]) },
  paused: { '429': { status: 429, body: '{"message":"Too many requests"}' } },
  changed: {
    'a page': { body: '<!doctype html><html></html>' },
    'no hits member': { body: '{"results":[]}' },
    'hits of another shape': { body: answer([{ id: 1, text: 'x' }]) },
  },
  refused: { 'a question that it does not take': { status: 400, body: '{}', says: '(400)' } },
  checkRequest({ method, url }) {
    expect(method).toBe('GET');
    expect(url.pathname).toBe('/api/v1/search');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      query: 'magpie nest & "tail feathers" é',
      tags: 'story',
      hitsPerPage: '10',
    });
    const [, since = ''] = /^created_at_i>(\d+)$/.exec(url.searchParams.get('numericFilters') ?? '') ?? [];
    expect(Math.abs(Date.now() / 1000 - Number(since) - 7 * 86_400)).toBeLessThan(120);
  },
});

test('a question is cut to the accepted number of bytes', () => {
  const { url } = hackernews().request({ text: '🐦'.repeat(300), limit: 1 });
  const asked = new URL(url).searchParams.get('query') ?? '';
  expect(Buffer.byteLength(asked)).toBeLessThanOrEqual(500);
  expect(Buffer.byteLength(asked)).toBeGreaterThan(400);
  expect(asked.isWellFormed()).toBe(true);
});
