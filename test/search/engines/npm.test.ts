import { expect } from 'vitest';
import { npm } from '../../../src/search/engines/npm.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const list = (...objects: unknown[]) => JSON.stringify({ objects, total: objects.length });

describeSearchEngine('npm', {
  make: npm,
  found: {
    body: list(
      {
        package: {
          name: '@pica/magpie',
          version: '1.2.3',
          description: 'A <bird>',
          keywords: ['nest'],
          date: '2026-03-05T10:20:30Z',
        },
      },
      { package: { name: 'bare' } },
      { package: { version: '1' } },
    ),
    hits: [
      {
        title: '@pica/magpie 1.2.3',
        url: 'https://www.npmjs.com/package/@pica/magpie',
        snippet: 'A <bird> nest',
        published: Date.UTC(2026, 2, 5, 10, 20, 30),
      },
      { title: 'bare', url: 'https://www.npmjs.com/package/bare', snippet: '' },
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
    expect(url.pathname).toBe('/-/v1/search');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      text: 'magpie nest & tail feathers é',
      size: '10',
    });
  },
});
