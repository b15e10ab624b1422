import { expect, test } from 'vitest';
import { startpage } from '../../../src/search/engines/startpage.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const RESULT = {
  title: '<b>Magpie</b> &amp; others',
  description: '<b>Magpies</b> are birds})\n of Array&lt;string&gt;.',
  clickUrl: 'https://en.wikipedia.org/wiki/Magpie?a=1&b=2',
  displayUrl: 'https://en.wikipedia.org › wiki › Magpie',
  anonViewUrl: 'https://us-browse.startpage.com/av/proxy?ep=50&ek=58&ekdata=e5',
  siteLinks: [{ title: 'Pica', clickUrl: 'https://en.wikipedia.org/wiki/Pica' }],
  sourceIndex: 0,
  extraArgs: 'p=0',
  thash: 'Xo3g',
};
/** The page as it comes in 2026: drawn on the server, and once more as the argument of a call. */
const page = (mainline: unknown) => {
  const props = {
    appProps: { theme: 'device' },
    render: {
      query: 'magpie',
      callback_sc: 'Q7Mt5TRqowKB00',
      presenter: { regions: { mainline, sidebar: [] } },
    },
    translations: { a: '.' },
  };
  return `<!DOCTYPE html>
<html lang="en"><head id="head"><title>Startpage Search Results</title></head><body>
  <form action="/sp/search" method="post"><input type="hidden" name="sc" value="Q7Mt5TRqowKB00"></form>
  <div id="root"><div class="result"><a href="https://drawn.example/">drawn</a></div></div>
<script>
  function hydrateSSR() {
    ReactDOM.hydrate(
      React.createElement(UIStartpage.AppSerpWeb, ${JSON.stringify(props)}),
      rootNode
    )
    window.dispatchEvent(new Event('app:hydrated'))
  }
</script></body></html>`;
};
const web = (...results: unknown[]) => ({ display_type: 'web-google', results });

const part = (name: string, mainline: unknown) => page(mainline).replace('AppSerpWeb', `AppSerp${name}`);
const HOME =
  '<!DOCTYPE html><form id="search" action="/sp/search" method="post"><input name="query"><input type="hidden" value="Xq9sc01" name="sc"></form>';

describeSearchEngine('startpage', {
  make: startpage,
  visit: { body: HOME, token: 'Xq9sc01' },
  parts: {
    news: {
      path: '/sp/search',
      found: {
        body: part('News', [
          {
            display_type: 'news-bing',
            results: [
              {
                title: 'Magpies \u2014 news',
                description: 'Words',
                clickUrl: 'https://n.example/1',
                date: '1772706030000',
              },
              { title: 'Odd', clickUrl: 'https://n.example/2', date: 'soon' },
              { title: 'Beyond', clickUrl: 'https://n.example/3', date: 1e300 },
            ],
          },
        ]),
        hits: [
          {
            title: 'Magpies \u2014 news',
            url: 'https://n.example/1',
            snippet: 'Words',
            published: 1_772_706_030_000,
          },
          { title: 'Odd', url: 'https://n.example/2', snippet: '' },
          { title: 'Beyond', url: 'https://n.example/3', snippet: '' },
        ],
      },
      nothing: { body: part('News', [{ display_type: 'news-bing', results: [] }]) },
      changed: { body: part('News', [{ display_type: 'news-bing', results: [{ a: 1 }] }]) },
    },
    images: {
      path: '/sp/search',
      found: {
        body: part('Images', [
          {
            display_type: 'images-bing',
            results: [
              {
                title: 'A magpie',
                altClickUrl: 'https://i.example/page',
                rawImageUrl: 'https://i.example/a.jpg',
                clickUrl: '/av/x',
              },
              { title: 'Bad', altClickUrl: 'https://i.example/b', rawImageUrl: 'javascript:alert(1)' },
            ],
          },
        ]),
        hits: [
          { title: 'A magpie', url: 'https://i.example/page', snippet: '', image: 'https://i.example/a.jpg' },
          { title: 'Bad', url: 'https://i.example/b', snippet: '' },
        ],
      },
      nothing: { body: part('Images', [{ display_type: 'images-bing', results: [] }]) },
      changed: { body: part('Images', [{ display_type: 'images-bing', results: [7] }]) },
    },
  },
  found: {
    body: page([
      { display_type: 'ads-google', results: [{ ...RESULT, clickUrl: 'https://ad.example/' }] },
      { display_type: 'images-qi-top', results: [{ altClickUrl: 'https://i.example/', title: 'I' }] },
      web(
        RESULT,
        {
          ...RESULT,
          title: 'Dated',
          description: '2 Sep 2014 ... Words.',
          clickUrl: 'https://dated.example/',
        },
        { ...RESULT, title: null, description: null, clickUrl: 'https://bare.example/' },
        {
          title: 'Behind',
          clickUrl: 'https://www.startpage.com/do/d/search.pl?url=https%3A%2F%2Fbehind.example%2Fx',
        },
        { ...RESULT, clickUrl: 'https://www.startpage.com/sp/ad' },
        { ...RESULT, clickUrl: 'javascript:alert(1)' },
        { title: 'no link' },
      ),
      {
        display_type: 'videos-youtube',
        results: [{ clickUrl: 'https://www.youtube.com/watch?v=1', title: 'V' }],
      },
      { results: 7 },
      null,
    ]),
    hits: [
      {
        title: 'Magpie & others',
        url: 'https://en.wikipedia.org/wiki/Magpie?a=1&b=2',
        snippet: 'Magpies are birds}) of Array<string>.',
      },
      { title: 'Dated', url: 'https://dated.example/', snippet: 'Words.', published: Date.UTC(2014, 8, 2) },
      { title: 'https://bare.example/', url: 'https://bare.example/', snippet: '' },
      { title: 'Behind', url: 'https://behind.example/x', snippet: '' },
    ],
  },
  nothing: { body: page([web()]) },
  paused: {
    'a redirect to its captcha': {
      body: `<!doctype html><html lang=en><title>Redirecting...</title><h1>Redirecting...</h1>
        <p>You should be redirected automatically to the target URL: <a href="https://www.startpage.com/sp/captcha-block#?bc=DE&amp;query=test">x</a></p>`,
    },
    'its captcha': {
      body: '<html><head><title>Startpage Captcha</title></head><body><script src="/sp/captcha/main.js"></script></body></html>',
    },
    'a closed door': { status: 403, body: '' },
    '429': { status: 429, body: '' },
  },
  changed: {
    'another page': {
      body: '<!DOCTYPE html><html><div class="w-gl__result"><a href="https://a.example">A</a></div>',
    },
    'another form of its data': { body: page({ web: [] }) },
    'results of another shape': { body: page([web({ url: 'https://a.example' })]) },
    'data that breaks off': { body: page([web(RESULT)]).slice(0, 700) },
    'an empty body': { body: '' },
  },
  checkRequest({ method, url, body, headers }) {
    expect(method).toBe('POST');
    expect(url.pathname).toBe('/sp/search');
    expect(headers).toMatchObject({
      origin: url.origin,
      referer: `${url.origin}/`,
      'sec-fetch-site': 'same-origin',
    });
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      query: 'site:nodejs.org magpie nest & "tail feathers" é',
      cat: 'web',
      t: 'device',
      sc: 'Xq9sc01',
      lui: 'english',
      language: 'deutsch',
      abd: '1',
      abe: '1',
      qsr: 'de_AT',
      with_date: 'w',
    });
  },
});

const form = (query: object, token?: string) =>
  new URLSearchParams(startpage().request({ text: 'x', limit: 1, ...query }, token).body);

test('a further page is a place in the same form', () => {
  expect(Object.fromEntries(form({ page: 3 }, 'code'))).toMatchObject({
    page: '3',
    segment: 'startpage.udog',
    sc: 'code',
  });
});

test('a start page that is its captcha says so', () => {
  expect(() => startpage().visit?.read('<a href="/sp/captcha">x</a>')).toThrow('captcha');
});

test.each([
  [{ region: 'CH' }, 'de_CH'],
  [{ region: 'CH', language: 'fr' }, 'fr_CH'],
  [{ region: 'CH', language: 'ja' }, 'de_CH'],
  [{ region: 'GB' }, 'en-GB_GB'],
  [{ region: 'AQ' }, 'all'],
])('%j is its region %s', (filters, region) => {
  expect(form(filters).get('qsr')).toBe(region);
});
