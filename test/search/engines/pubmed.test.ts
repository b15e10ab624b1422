import { expect } from 'vitest';
import { pubmed } from '../../../src/search/engines/pubmed.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const papers = (...list: { uid: string }[]) =>
  JSON.stringify({
    result: { uids: list.map(({ uid }) => uid), ...Object.fromEntries(list.map((one) => [one.uid, one])) },
  });

describeSearchEngine('pubmed', {
  make: pubmed,
  visit: { body: '{"esearchresult": {"count": "1", "idlist": ["31452104", "x"]}}', token: '31452104' },
  found: {
    body: papers(
      {
        uid: '31452104',
        title: 'Magpies &amp; men.',
        source: 'J Birds',
        sortpubdate: '2026/03/05 00:00',
        authors: [{ name: 'Pica A' }],
      } as never,
      { uid: '7', title: 'Bare' } as never,
      { uid: '8', error: 'cannot get document summary' } as never,
    ),
    hits: [
      {
        title: 'Magpies & men.',
        url: 'https://pubmed.ncbi.nlm.nih.gov/31452104/',
        snippet: 'Pica A. J Birds',
        published: Date.UTC(2026, 2, 5),
      },
      { title: 'Bare', url: 'https://pubmed.ncbi.nlm.nih.gov/7/', snippet: '' },
    ],
  },
  nothing: { body: '{"header": {}, "esummaryresult": ["Invalid uid 0 at position= 0"]}' },
  paused: {
    'its words for too often': { body: '{"error": "API rate limit exceeded", "count": "4"}' },
    '429': { status: 429, body: '' },
  },
  changed: {
    'another form': { body: '{"items": []}' },
    'another list': { body: '{"result": {"uids": ["1"], "1": {"a": 1}}}' },
    'no JSON': { body: '<html></html>' },
  },
  checkRequest({ url }, query) {
    expect(url.pathname).toBe('/entrez/eutils/esummary.fcgi');
    expect(url.searchParams.get('id')).toBe('31452104');
    const { searchParams } = new URL(pubmed().visit?.request(query)?.url ?? '');
    expect(Object.fromEntries(searchParams)).toMatchObject({
      db: 'pubmed',
      tool: 'magpie',
      reldate: '7',
      retmax: '10',
    });
    expect(searchParams.get('term')).toContain('magpie nest');
  },
});
