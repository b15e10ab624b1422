import { expect } from 'vitest';
import { gdelt } from '../../../src/search/engines/gdelt.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const articles = (...list: unknown[]) => JSON.stringify({ articles: list });

describeSearchEngine('gdelt', {
  make: gdelt,
  found: {
    body: articles(
      {
        url: 'https://n.example/1',
        title: 'Magpies <seen>',
        seendate: '20260305T102030Z',
        domain: 'n.example',
        language: 'English',
        sourcecountry: 'Austria',
      },
      { url: 'https://n.example/2', title: 'Bare' },
      { url: 'javascript:alert(1)', title: 'Bad' },
      { title: 'no link' },
    ),
    hits: [
      {
        title: 'Magpies <seen>',
        url: 'https://n.example/1',
        snippet: 'n.example, Austria',
        published: Date.UTC(2026, 2, 5, 10, 20, 30),
      },
      { title: 'Bare', url: 'https://n.example/2', snippet: '' },
    ],
  },
  nothing: { body: '{}' },
  paused: {
    'its words for too often': { body: 'Please limit requests to one every 5 seconds or contact us.' },
    '429': { status: 429, body: 'Please limit requests' },
  },
  changed: {
    'a list of another form': { body: articles({ a: 1 }) },
    'no JSON': { body: '<html></html>' },
  },
  refused: {
    'its words for a question': {
      body: 'Your query was too short or too long.',
      says: 'refuses the question',
    },
  },
  checkRequest({ url }) {
    expect(url.pathname).toBe('/api/v2/doc/doc');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      query: 'magpie nest tail feathers domainis:nodejs.org',
      mode: 'artlist',
      format: 'json',
      sort: 'hybridrel',
      maxrecords: '10',
      timespan: '1w',
    });
  },
});
