import { expect } from 'vitest';
import { mdn } from '../../../src/search/engines/mdn.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const list = (...documents: unknown[]) => JSON.stringify({ documents, metadata: {}, suggestions: [] });

describeSearchEngine('mdn', {
  make: mdn,
  found: {
    body: list(
      {
        mdn_url: '/en-US/docs/Web/HTML/Reference/Elements/nest',
        title: '<nest>',
        summary: 'An <element>.',
        score: 1,
      },
      { mdn_url: '/en-US/docs/Web/API/Magpie', title: 'Magpie' },
      { mdn_url: 'javascript:alert(1)', title: 'Bad' },
    ),
    hits: [
      {
        title: '<nest>',
        url: 'https://developer.mozilla.org/en-US/docs/Web/HTML/Reference/Elements/nest',
        snippet: 'An <element>.',
      },
      { title: 'Magpie', url: 'https://developer.mozilla.org/en-US/docs/Web/API/Magpie', snippet: '' },
    ],
  },
  nothing: { body: list() },
  paused: { '429': { status: 429, body: '' } },
  changed: {
    'its errors': { status: 400, body: '{"errors": {"q": []}}' },
    'another list': { body: list({ a: 1 }) },
    'no JSON': { body: '<html></html>' },
  },
  checkRequest({ url }) {
    expect(url.pathname).toBe('/api/v1/search');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: 'magpie nest & "tail feathers" é',
      locale: 'de',
      size: '10',
    });
  },
});
