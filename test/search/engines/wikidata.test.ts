import { expect } from 'vitest';
import { wikidata } from '../../../src/search/engines/wikidata.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

describeSearchEngine('wikidata', {
  make: wikidata,
  found: {
    body: JSON.stringify({
      search: [
        {
          id: 'Q25485',
          label: 'magpie',
          description: 'a <bird>',
          aliases: ['pica'],
          concepturi: 'http://www.wikidata.org/entity/Q25485',
        },
        { id: 'Q7', label: 'Magpie' },
        { id: '../x', label: 'Bad' },
      ],
      success: 1,
    }),
    hits: [
      { title: 'magpie', url: 'https://www.wikidata.org/wiki/Q25485', snippet: 'a <bird>; pica' },
      { title: 'Magpie', url: 'https://www.wikidata.org/wiki/Q7', snippet: '' },
    ],
  },
  nothing: { body: '{"search": [], "success": 1}' },
  paused: {
    'its word for too often': { body: '{"error": {"code": "ratelimited", "info": "x"}}' },
    '429': { status: 429, body: '' },
  },
  changed: {
    'another form': { body: '{"results": []}' },
    'another list': { body: '{"search": [{"a": 1}]}' },
    'no JSON': { body: '<html></html>' },
  },
  refused: { 'a refusal': { body: '{"error": {"code": "badvalue"}}', says: 'badvalue' } },
  checkRequest({ url }) {
    expect(url.pathname).toBe('/w/api.php');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      action: 'wbsearchentities',
      search: 'magpie nest & tail feathers é',
      language: 'de',
    });
  },
});
