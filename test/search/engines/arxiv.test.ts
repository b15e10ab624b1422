import { expect, test } from 'vitest';
import { arxiv } from '../../../src/search/engines/arxiv.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

/** An entry as the API gives it. */
const entry = (id: string, title: string, summary: string, authors: readonly string[] = ['A. Pica']) => `
  <entry>
    <id>${id}</id>
    <updated>2026-04-01T00:00:00Z</updated>
    <published>2026-03-05T10:20:30Z</published>
    <title>${title}</title>
    <summary>  ${summary}
</summary>
    ${authors.map((name) => `<author><name>${name}</name><arxiv:affiliation>Nest</arxiv:affiliation></author>`).join('')}
    <arxiv:comment xmlns:arxiv="http://arxiv.org/schemas/atom">12 pages</arxiv:comment>
    <link href="${id}" rel="alternate" type="text/html"/>
    <link title="pdf" href="${id.replace('abs', 'pdf')}" rel="related" type="application/pdf"/>
    <arxiv:primary_category xmlns:arxiv="http://arxiv.org/schemas/atom" term="cs.CV"/><category term="cs.CV"/>
  </entry>`;
const feed = (entries: string, total = 2) => `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <link href="http://arxiv.org/api/query?search_query%3Dall%3Amagpie" rel="self" type="application/atom+xml"/>
  <title type="html">ArXiv Query: search_query=all:magpie</title>
  <id>http://arxiv.org/api/cHxbiOdZaP56ODnBPIenZhzg5f8</id>
  <updated>2026-11-21T00:00:00-05:00</updated>
  <opensearch:totalResults xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">${total}</opensearch:totalResults>
  <opensearch:startIndex xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">0</opensearch:startIndex>${entries}
</feed>`;

describeSearchEngine('arxiv', {
  make: arxiv,
  found: {
    body: feed(
      entry(
        'http://arxiv.org/abs/2603.01234v2',
        'Magpies &amp; mirrors:\n  $a &lt; b$',
        'We show\n that $p &lt; 0.05$.',
        ['A. Pica', 'B. Pica', 'C. Pica', 'D. Pica'],
      ) +
        entry('http://arxiv.org/abs/hep-th/9901001v1', 'Old', 'Strings.', ['A. Pica', 'B. Pica']) +
        '<entry><title>no id</title></entry>',
    ),
    hits: [
      {
        title: 'Magpies & mirrors: $a < b$',
        url: 'https://arxiv.org/abs/2603.01234',
        snippet: 'A. Pica and others. We show that $p < 0.05$.',
        published: Date.UTC(2026, 2, 5, 10, 20, 30),
      },
      {
        title: 'Old',
        url: 'https://arxiv.org/abs/hep-th/9901001',
        snippet: 'A. Pica, B. Pica. Strings.',
        published: Date.UTC(2026, 2, 5, 10, 20, 30),
      },
    ],
  },
  nothing: { body: feed('', 0) },
  paused: {
    'words alone': { body: 'Rate exceeded.' },
    'its door for robots': { status: 503, body: '' },
    '429': { status: 429, body: 'Rate exceeded.' },
  },
  changed: {
    'a page': { body: '<!DOCTYPE html><html><body>arXiv</body></html>' },
    'a feed without its count': { body: '<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title></feed>' },
    'entries of another shape': { body: feed('<entry><guid>1</guid></entry>') },
    'an empty body': { body: '' },
  },
  refused: {
    'a question that it does not take': {
      status: 400,
      body: feed(
        '<entry><id>http://arxiv.org/api/errors#incorrect_id_format</id><title>Error</title><summary>malformed\n query</summary></entry>',
        1,
      ),
      says: 'it refuses the question: malformed query',
    },
  },
  checkRequest({ url }) {
    expect(url.pathname).toBe('/api/query');
    const asked = url.searchParams.get('search_query') ?? '';
    const [, words, since = ''] = /^\((.*)\) AND submittedDate:\[(\d{12}) TO \d{12}\]$/.exec(asked) ?? [];
    expect(words).toBe('all:magpie OR all:nest OR all:"tail feathers" OR all:é');
    const from = Date.parse(since.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5Z'));
    expect(Math.abs(Date.now() - from - 7 * 86_400_000)).toBeLessThan(180_000);
    expect(url.searchParams.get('max_results')).toBe('10');
    expect(url.searchParams.get('sortBy')).toBe('relevance');
  },
});

test.each([
  ['what is the latest research on magpie cognition?', 'all:magpie OR all:cognition'],
  ['what is the', 'all:what OR all:is OR all:the'],
  ['graph-based (a) AND ti:x', 'all:"graph-based" OR all:ti OR all:x'],
  ['?!', 'all:""'],
])('%j is searched by its significant words', (text, asked) => {
  expect(new URL(arxiv().request({ text, limit: 1 }).url).searchParams.get('search_query')).toBe(asked);
});
