import { expect } from 'vitest';
import { wiktionary } from '../../../src/search/engines/wiktionary.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const part = (partOfSpeech: string, ...definitions: string[]) => ({
  partOfSpeech,
  language: 'English',
  definitions: definitions.map((definition) => ({ definition })),
});

describeSearchEngine('wiktionary', {
  make: wiktionary,
  found: {
    body: JSON.stringify({
      en: [
        part('Noun', '<b>A</b> <a href="/wiki/bird">bird</a>.', '', 'Who &lt;collects&gt;.'),
        part('Verb', ''),
        { odd: 1 },
      ],
    }),
    hits: [
      {
        title: 'magpie nest & tail feathers é (English, noun)',
        url: 'https://en.wiktionary.org/wiki/magpie_nest_%26_tail_feathers_%C3%A9#English',
        snippet: 'A bird.; Who <collects>.',
      },
    ],
  },
  nothing: {
    status: 404,
    body: '{"type": "https://mediawiki.org/wiki/HyperSwitch/errors/not_found", "title": "Not found."}',
  },
  paused: { '429': { status: 429, body: '' } },
  changed: {
    'another form': { body: '{"results": "x"}' },
    'another list': { body: '{"en": [{"a": 1}]}' },
    'no JSON': { body: '<html></html>' },
  },
  checkRequest({ url }) {
    expect(decodeURIComponent(url.pathname)).toBe(
      '/api/rest_v1/page/definition/magpie_nest_&_tail_feathers_é',
    );
  },
});
