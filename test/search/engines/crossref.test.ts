import { expect } from 'vitest';
import { crossref } from '../../../src/search/engines/crossref.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const works = (...items: unknown[]) => JSON.stringify({ status: 'ok', message: { items } });

describeSearchEngine('crossref', {
  make: crossref,
  found: {
    body: works(
      {
        DOI: '10.1000/x',
        title: ['Magpies &amp; <i>Pica</i>'],
        'container-title': ['J. Birds'],
        abstract: '<jats:p>They build.</jats:p>',
        author: [{ given: 'A.', family: 'Pica' }, { family: 'Corvus' }],
        issued: { 'date-parts': [[2026, 3]] },
      },
      { DOI: '10.1000/y', title: [], issued: { 'date-parts': [[null]] } },
      { title: ['no DOI'] },
    ),
    hits: [
      {
        title: 'Magpies & Pica',
        url: 'https://doi.org/10.1000/x',
        snippet: expect.stringContaining('A. Pica, Corvus. J. Birds.') as never,
        published: Date.UTC(2026, 2, 1),
      },
      { title: 'https://doi.org/10.1000/y', url: 'https://doi.org/10.1000/y', snippet: '' },
    ],
  },
  nothing: { body: works() },
  paused: { '429': { status: 429, body: '' } },
  changed: {
    'another form': { body: '{"items": []}' },
    'another list': { body: works({ a: 1 }) },
    'no JSON': { body: '<html></html>' },
  },
  checkRequest({ url }) {
    expect(url.pathname).toBe('/works');
    expect(url.searchParams.get('query.bibliographic')).toBe('magpie nest & "tail feathers" é');
    expect(url.searchParams.get('filter')).toMatch(/^from-pub-date:\d{4}-\d\d-\d\d$/);
    expect(url.searchParams.has('mailto')).toBe(false);
  },
});
