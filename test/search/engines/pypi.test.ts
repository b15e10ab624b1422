import { expect } from 'vitest';
import { pypi } from '../../../src/search/engines/pypi.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

describeSearchEngine('pypi', {
  make: pypi,
  found: {
    body: JSON.stringify({
      info: { name: 'magpie', version: '1.2.3', summary: 'A <bird>', keywords: 'nest' },
      urls: [{ upload_time_iso_8601: '2026-03-05T10:20:30.123456Z' }],
    }),
    hits: [
      {
        title: 'magpie 1.2.3',
        url: 'https://pypi.org/project/magpie/',
        snippet: 'A <bird> nest',
        published: Date.UTC(2026, 2, 5, 10, 20, 30, 123),
      },
    ],
  },
  nothing: { status: 404, body: '{"message": "Not Found"}' },
  paused: { '429': { status: 429, body: '' } },
  changed: {
    'another form': { body: '{"results": []}' },
    'another package': { body: '{"info": {"name": "../x"}}' },
    'no JSON': { body: '<html></html>' },
  },
  checkRequest({ url }) {
    expect(decodeURIComponent(url.pathname)).toMatch(/^\/pypi\/magpie-nest-/);
  },
});
