import { expect } from 'vitest';
import { dictionary } from '../../../src/search/engines/dictionary.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

describeSearchEngine('dictionary', {
  make: dictionary,
  found: {
    body: JSON.stringify([
      {
        word: 'magpie',
        phonetic: '/ˈmæɡpaɪ/',
        meanings: [
          {
            partOfSpeech: 'noun',
            definitions: [{ definition: 'A <bird>.' }, { definition: 'A collector.' }],
          },
          { partOfSpeech: 'verb' },
        ],
      },
      { word: 'odd' },
    ]),
    hits: [
      {
        title: 'magpie /ˈmæɡpaɪ/',
        url: 'https://en.wiktionary.org/wiki/magpie',
        snippet: 'noun: A <bird>.; noun: A collector.',
      },
    ],
  },
  nothing: { status: 404, body: '{"title": "No Definitions Found", "message": "Sorry pal"}' },
  paused: { '429': { status: 429, body: '' } },
  changed: {
    'another form': { body: '{"results": []}' },
    'another list': { body: '[{"a": 1}]' },
    'no JSON': { body: '<html></html>' },
  },
  checkRequest({ url }) {
    expect(decodeURIComponent(url.pathname)).toBe('/api/v2/entries/en/magpie nest & tail feathers é');
  },
});
