import { expect } from 'vitest';
import { semanticScholar } from '../../../src/search/engines/semantic-scholar.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

describeSearchEngine('semantic-scholar', {
  make: semanticScholar,
  found: {
    body: JSON.stringify({
      total: 3,
      data: [
        {
          paperId: 'a1',
          title: 'Magpies <1>',
          abstract: 'They build.',
          year: 2026,
          publicationDate: '2026-03-05',
          citationCount: 7,
          authors: [{ name: 'A. Pica' }],
          externalIds: { DOI: '10.1000/x' },
        },
        { paperId: 'a2', title: 'On arXiv', year: 2025, externalIds: { ArXiv: '2603.01234' } },
        { paperId: 'a3', title: null, authors: null },
        { title: 'no id' },
      ],
    }),
    hits: [
      {
        title: 'Magpies <1>',
        url: 'https://doi.org/10.1000/x',
        snippet: 'A. Pica. cited by 7. They build.',
        published: Date.UTC(2026, 2, 5),
      },
      {
        title: 'On arXiv',
        url: 'https://arxiv.org/abs/2603.01234',
        snippet: 'cited by 0',
        published: Date.UTC(2025, 0, 1),
      },
      {
        title: 'https://www.semanticscholar.org/paper/a3',
        url: 'https://www.semanticscholar.org/paper/a3',
        snippet: 'cited by 0',
      },
    ],
  },
  nothing: { body: '{"total": 0, "offset": 0}' },
  paused: {
    'too many requests': { status: 429, body: '{"message": "Too Many Requests"}' },
    'its words alone': { body: '{"message": "Too Many Requests. Please wait"}' },
  },
  changed: {
    'another form': { body: '{"results": []}' },
    'another list': { body: '{"total": 1, "data": [{"a": 1}]}' },
    'no JSON': { body: '<html></html>' },
  },
  refused: {
    'a question that it does not take': {
      status: 400,
      body: '{"error": "Unrecognized"}',
      says: 'Unrecognized',
    },
  },
  checkRequest({ url }) {
    expect(url.pathname).toBe('/graph/v1/paper/search');
    expect(url.searchParams.get('query')).toBe('magpie nest & "tail feathers" é');
    expect(url.searchParams.get('publicationDateOrYear')).toMatch(/^\d{4}-\d\d-\d\d:$/);
  },
});
