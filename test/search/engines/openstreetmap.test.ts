import { expect } from 'vitest';
import { openstreetmap } from '../../../src/search/engines/openstreetmap.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

describeSearchEngine('openstreetmap', {
  make: openstreetmap,
  found: {
    body: JSON.stringify([
      {
        osm_type: 'way',
        osm_id: 42,
        name: 'Magpie <Lane>',
        display_name: 'Magpie Lane, Oxford',
        lat: '51.7',
        lon: '-1.2',
        type: 'living_street',
      },
      { osm_type: 'node', osm_id: 7, display_name: 'Nest' },
      { osm_type: 'other', osm_id: 1, display_name: 'Bad' },
    ]),
    hits: [
      {
        title: 'Magpie <Lane>',
        url: 'https://www.openstreetmap.org/way/42',
        snippet: 'Magpie Lane, Oxford (living street, 51.7, -1.2) © OpenStreetMap contributors',
      },
      {
        title: 'Nest',
        url: 'https://www.openstreetmap.org/node/7',
        snippet: 'Nest (, ) © OpenStreetMap contributors',
      },
    ],
  },
  nothing: { body: '[]' },
  paused: { 'its policy': { status: 403, body: '' }, '429': { status: 429, body: '' } },
  changed: {
    'another form': { body: '{"results": []}' },
    'another list': { body: '[{"a": 1}]' },
    'no JSON': { body: '<html></html>' },
  },
  checkRequest({ url, headers }) {
    expect(url.pathname).toBe('/search');
    expect(headers['user-agent']).toBe('Magpie/test');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: 'magpie nest & tail feathers é',
      format: 'jsonv2',
      limit: '10',
      'accept-language': 'de',
      countrycodes: 'at',
    });
  },
});
