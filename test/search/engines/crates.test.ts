import { expect } from 'vitest';
import { crates } from '../../../src/search/engines/crates.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const list = (...crate: unknown[]) => JSON.stringify({ crates: crate, meta: { total: crate.length } });

describeSearchEngine('crates', {
  make: crates,
  found: {
    body: list(
      {
        name: 'magpie',
        description: ' A <bird>\n',
        newest_version: '1.2.3',
        downloads: 42,
        updated_at: '2026-03-05T10:20:30Z',
      },
      { name: 'bare' },
      { name: '../x' },
    ),
    hits: [
      {
        title: 'magpie 1.2.3',
        url: 'https://crates.io/crates/magpie',
        snippet: 'A <bird> 42 downloads',
        published: Date.UTC(2026, 2, 5, 10, 20, 30),
      },
      { title: 'bare', url: 'https://crates.io/crates/bare', snippet: '0 downloads' },
    ],
  },
  nothing: { body: list() },
  paused: { '429': { status: 429, body: '' } },
  changed: {
    'another form': { body: '{"results": []}' },
    'another list': { body: list({ a: 1 }) },
    'no JSON': { body: '<html></html>' },
  },
  checkRequest({ url }) {
    expect(url.pathname).toBe('/api/v1/crates');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: 'magpie nest & tail feathers é',
      per_page: '10',
    });
  },
});
