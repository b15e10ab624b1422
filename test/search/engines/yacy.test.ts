import { expect, test } from 'vitest';
import { yacy } from '../../../src/search/engines/yacy.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const ITEM = {
  title: 'Magpie - Wikipedia',
  link: 'https://en.wikipedia.org/wiki/Magpie',
  code: '',
  description: '&lt;b&gt;no mark&lt;/b&gt; <b>Magpies</b> are birds',
  pubDate: 'Thu, 05 Mar 2026 10:20:30 +0000',
  size: '12345',
  sizename: '12 kbyte',
  guid: 'AbCdEf',
  faviconUrl: '',
  host: 'en.wikipedia.org',
  path: '/wiki/Magpie',
  file: 'Magpie',
};
/** An answer of yacysearch.json, with the members that version 1.9 sends. */
const answer = (items: unknown) =>
  JSON.stringify({
    channels: [
      {
        title: 'YaCy P2P-Search for magpie',
        description: 'Search for magpie',
        link: 'http://localhost:8090/yacysearch.html?query=magpie',
        image: { url: 'http://localhost:8090/env/grafics/yacy.png' },
        totalResults: '1',
        startIndex: '0',
        itemsPerPage: '10',
        searchTerms: 'magpie',
        items,
        navigation: [{ facetname: 'hosts', elements: [] }],
      },
    ],
  });

describeSearchEngine('yacy', {
  make: yacy,
  found: {
    body: answer([
      ITEM,
      { ...ITEM, link: 'smb://nas/magpie.txt' },
      'odd',
      { ...ITEM, link: 'http://b.example/', pubDate: '' },
      {},
    ]),
    hits: [
      {
        title: 'Magpie - Wikipedia',
        url: 'https://en.wikipedia.org/wiki/Magpie',
        snippet: '<b>no mark</b> Magpies are birds',
        published: Date.UTC(2026, 2, 5, 10, 20, 30),
      },
      { title: 'Magpie - Wikipedia', url: 'http://b.example/', snippet: '<b>no mark</b> Magpies are birds' },
    ],
  },
  nothing: { body: answer([{}]) },
  paused: { 'too often': { status: 429, body: '' } },
  changed: {
    'no channel': { body: '{"channels":[]}' },
    'no items': { body: '{"channels":[{"title":"YaCy"}]}' },
    'items of another shape': { body: answer([{ url: 'https://a.example' }]) },
    'a page': { body: '<html></html>' },
  },
  refused: {
    'a peer with a password': { status: 401, body: '', says: 'open its search page' },
    'a peer that refuses everyone': { status: 403, body: '', says: 'does not let this address search' },
  },
  checkRequest({ method, url }, { text }) {
    expect([method, url.pathname]).toEqual(['GET', '/yacysearch.json']);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      query: `${text} site:nodejs.org`,
      maximumRecords: '10',
      startRecord: '0',
      contentdom: 'text',
      resource: 'global',
      lr: 'lang_de',
    });
  },
});

test('a deeply nested item is left out as unexpected', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const body = answer([ITEM]).replace(']', `,${deep}]`);
  expect(yacy({}).parse(body, { text: 'x', limit: 1 })).toHaveLength(1);
});

test('a peer below a path is asked at that path', () => {
  const { url } = yacy({ baseUrl: 'http://nas:8090/yacy/' }).request({ text: 'x', limit: 3 });
  expect(url).toMatch(/^http:\/\/nas:8090\/yacy\/yacysearch\.json\?query=x&maximumRecords=3&/);
});
