import { expect } from 'vitest';
import { openalex } from '../../../src/search/engines/openalex.ts';
import { describeSearchEngine, type EngineSuite } from '../../contracts/search-engine.ts';

const KEY = 'openalex-marked-secret';
/** All but its key. */
const SUITE: EngineSuite = {
  make: (options) => openalex({ ...options, contact: 'ops@e.example' }),
  found: {
    body: JSON.stringify({
      meta: { count: 2 },
      results: [
        {
          id: 'https://openalex.org/W1',
          doi: 'https://doi.org/10.1000/x',
          display_name: 'Magpies &amp; <i>Pica</i>',
          publication_date: '2026-03-05',
          cited_by_count: 7,
          authorships: ['A. Pica', 'B. Pica', 'C', 'D'].map((display_name) => ({ author: { display_name } })),
          abstract_inverted_index: { nests: [2], Magpies: [0], build: [1, 1e9], far: [-5] },
        },
        {
          id: 'https://openalex.org/W2',
          display_name: null,
          primary_location: { landing_page_url: 'https://j.example/2' },
        },
        { display_name: 'no id' },
      ],
    }),
    hits: [
      {
        title: 'Magpies & Pica',
        url: 'https://doi.org/10.1000/x',
        snippet: 'A. Pica and others. cited by 7. Magpies build nests',
        published: Date.UTC(2026, 2, 5),
      },
      { title: 'https://j.example/2', url: 'https://j.example/2', snippet: 'cited by 0' },
    ],
  },
  nothing: { body: '{"meta": {}, "results": []}' },
  paused: {
    'the day is used up': { status: 429, body: '{"error": "Insufficient budget"}' },
    'no answer without a key': { status: 403, body: '' },
  },
  changed: {
    'another form': { body: '{"items": []}' },
    'another list': { body: '{"results": [{"a": 1}]}' },
    'no JSON': { body: '<html></html>' },
  },
  checkRequest({ url }) {
    expect(url.pathname).toBe('/works');
    expect(url.searchParams.get('search')).toBe('magpie nest & "tail feathers" é');
    expect(url.searchParams.get('filter')).toMatch(/^language:de,from_publication_date:\d{4}-\d\d-\d\d$/);
    expect(url.searchParams.get('mailto')).toBe('ops@e.example');
  },
};

describeSearchEngine('openalex', {
  ...SUITE,
  refused: { 'the day is used up': { status: 429, body: '', says: 'OPENALEX_API_KEY raises it (429)' } },
  checkRequest(asked, query) {
    SUITE.checkRequest(asked, query);
    expect(asked.url.searchParams.has('api_key')).toBe(false);
  },
});

describeSearchEngine('openalex', {
  ...SUITE,
  key: KEY,
  keyIsOptional: true,
  keyInAddress: true,
  refused: { 'a wrong key': { status: 401, body: '', says: 'check OPENALEX_API_KEY (401)' } },
  checkRequest(asked, query) {
    SUITE.checkRequest(asked, query);
    expect(asked.url.searchParams.get('api_key')).toBe(KEY);
  },
});
