import { expect, test } from 'vitest';
import type { FetchOptions } from '../../../src/lib/network/fetch.ts';
import { recordLastAnswer } from '../../../src/search/asking/answer-sample.ts';

/** Samples of answers that could not be used: what they show, and what they hide. */

interface Exchange {
  readonly body: string;
  readonly asked?: string;
  readonly url?: string;
  readonly options?: Partial<FetchOptions>;
  readonly cookies?: readonly string[];
}

async function sampleOf({ body, asked = 'https://engine.example/search', ...rest }: Exchange) {
  const { url = asked, options = {}, cookies = [] } = rest;
  const headers = new Headers(cookies.map((cookie): [string, string] => ['set-cookie', cookie]));
  const answer = { url, status: 200, headers, body: new TextEncoder().encode(body) };
  const remembered = recordLastAnswer(Object.assign(async () => answer, { close: async () => {} }));
  await remembered.fetch(asked, { signal: AbortSignal.timeout(1000), ...options });
  return remembered.sample();
}

test('there is no sample where no server has answered', async () => {
  const failing = async () => {
    throw new Error('refused');
  };
  const remembered = recordLastAnswer(Object.assign(failing, { close: async () => {} }));
  await remembered.fetch('https://engine.example/', { signal: AbortSignal.timeout(1000) }).catch(() => {});
  expect(remembered.sample()).toBeUndefined();
});

test('JSON is shown by its keys and types, and a list by its first part', async () => {
  const body = JSON.stringify({
    results: [{ title: 'Secret title', url: 'https://a.example', score: 0.5, seen: null }, {}],
    client_ip: '203.0.113.7',
    '203.0.113.7': true,
    'aunt@example.org': {},
  });
  expect(await sampleOf({ body })).toEqual({
    ...{ status: 200, format: 'json', bytes: body.length },
    outline: [
      'object',
      '  results: list of 2',
      '    object',
      '      title: text (12)',
      '      url: text (17)',
      '      score: number',
      '      seen: null',
      '  client_ip: text (11)',
      '  *: boolean',
      '  *: object',
    ],
  });
});

test('an event stream is shown by its JSON, and a feed by its elements', async () => {
  const stream = await sampleOf({
    body: 'event: message\ndata: {"jsonrpc":"2.0","result":{"content":[]}}\n\n',
  });
  expect(stream).toMatchObject({
    format: 'json',
    outline: ['object', '  jsonrpc: text (3)', '  result: object', '    content: list of 0'],
  });
  const feed = await sampleOf({
    body: '<?xml version="1.0"?><rss><channel><item><dc:creator>Ann</dc:creator></item><item/></channel></rss>',
  });
  expect(feed).toMatchObject({
    format: 'xml',
    outline: ['rss', '  channel', '    item x2', '      dc:creator (3)'],
  });
  expect(await sampleOf({ body: 'Forbidden for 203.0.113.7' })).toMatchObject({
    format: 'other',
    outline: [],
  });
});

test('a key, a question and a token are masked where names repeat them, and so are parts of a cookie', async () => {
  const body = `<main class="squirrelkey query-private illness" id="tokenwords">
    <p class="result-title LeftHalf-rightHalf">x</p></main>`;
  const sample = await sampleOf({
    body,
    asked: 'https://engine.example/search?q=private+illness',
    options: {
      method: 'POST',
      headers: { authorization: 'Bearer squirrelkey', accept: 'text/title' },
      body: '{"token":"tokenwords"}',
    },
    cookies: ['session=lefthalfrighthalf; Path=/'],
  });
  expect(sample?.outline).toEqual(['main#*.*.query-*.*', '  p.result-title.*-* (1)']);
});

test('an answer of another host is marked as such, without the name of the host', async () => {
  const sample = await sampleOf({ body: '<p>', url: 'https://login.hotel-of-ada.example/portal' });
  expect(sample).toMatchObject({ elsewhere: true });
  expect(JSON.stringify(sample)).not.toContain('hotel');
});

test.each([
  ['deep nesting', '<div>'.repeat(300_000)],
  ['many elements', '<p class="a">x</p><i></i>'.repeat(60_000)],
  ['deep JSON', `${'['.repeat(5000)}${']'.repeat(5000)}`],
  ['many keys', JSON.stringify(Object.fromEntries([...Array(50_000).keys()].map((key) => [`k${key}`, key])))],
  ['one long name', `<div class="${'a'.repeat(1_000_000)}">`],
  ['broken markup', '<div <div class="<"><![CDATA[ <!-- </nothing></div></div></div>'],
])('an endless answer gives a short sample: %s', async (_, body) => {
  const sample = await sampleOf({ body });
  expect(sample?.outline.length).toBeLessThanOrEqual(200);
  expect(JSON.stringify(sample).length).toBeLessThan(20_000);
});
