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
/** A result as it is drawn, in 2026. */
const row = (href: string, title: string, words: string) =>
  `<div class="result css-o7i03b"><div class="upper css-4wn"><a class="favicon-link" href="${href}"><img></a>
  <a class="wgl-site-title css-1d1" href="${href}"><span>Somewhere</span></a></div>
  <a class="result-title result-link css-1bg" href="${href}" data-testid="gl-title-link"><style>.css{}</style><h2 class="wgl-title css-i3i">${title}</h2></a>
  <p class="description css-150">${words}</p><div class="anonymous-view-link"><a href="https://us2-browse.startpage.com/av/proxy?ep=4b">Visit in Anonymous View</a></div></div>`;
/** The page as it comes in 2026: drawn on the server, and once more as the argument of a call. */
const page = (mainline: unknown, drawn = '') => {
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
  <div id="root">${drawn}</div>
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
    'a proof of work': {
      body: '<html lang="en"><head><script id="anubis_challenge" type="application/json">{"rules":{"difficulty":6}}</script></head></html>',
    },
    'its captcha': {
      body: '<html><head><title>Startpage Captcha</title></head><body><script src="/sp/captcha/main.js"></script></body></html>',
    },
    'a closed door': { status: 403, body: '' },
    '429': { status: 429, body: '' },
  },
  changed: {
    'another page': {
      body: '<!DOCTYPE html><html><div class="w-gl__card"><a href="https://a.example">A</a></div>',
    },
    'another form of its data': { body: page({ web: [] }) },
    'results of another shape': { body: page([web({ url: 'https://a.example' })]) },
    'data that breaks off': { body: page([web(RESULT)]).slice(0, 700) },
    'rows without titles': {
      body: page([web()], '<div class="result"><a href="https://a.example/">A</a></div>'),
    },
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
      lui: 'deutsch',
      language: 'deutsch',
      abd: '1',
      abe: '1',
      qsr: 'de_AT',
      qadf: 'none',
      with_date: 'w',
    });
    const kept = new Map(
      headers.cookie
        ?.slice('preferences='.length)
        .split('N1N')
        .map((pair) => pair.split('EEE') as [string, string]),
    );
    expect(Object.fromEntries(kept)).toMatchObject({
      disable_family_filter: 'none',
      enable_post_method: '1',
      language: 'deutsch',
      search_results_region: 'de_AT',
    });
  },
});

const form = (query: object, token?: string) =>
  new URLSearchParams(startpage().request({ text: 'x', limit: 1, ...query }, token).body);

test('a further page is a page number in the same form', () => {
  expect(Object.fromEntries(form({ page: 3 }, 'code'))).toMatchObject({
    page: '3',
    segment: 'startpage.udog',
    sc: 'code',
  });
});

test('a start page that is a captcha is reported as a captcha', () => {
  const proof = '<script id="anubis_challenge" type="application/json">{}</script>';
  expect(() => startpage().visit?.read(proof)).toThrow('captcha');
  expect(() => startpage().visit?.read('<a href="/sp/captcha">x</a>')).toThrow('captcha');
});

test.each([
  [{ region: 'CH' }, 'de_CH'],
  [{ region: 'CH', language: 'fr' }, 'fr_CH'],
  [{ region: 'CH', language: 'ja' }, 'de_CH'],
  [{ region: 'GB' }, 'en-GB_GB'],
  [{ region: 'AQ' }, 'all'],
])('%j is written as region %s', (filters, region) => {
  expect(form(filters).get('qsr')).toBe(region);
});

const parse = (body: string) => startpage().parse(body, { text: 'magpie', limit: 10 });
const DRAWN =
  '<div class="gcsa-container"><div class="result"><a class="result-title" href="https://ad.example/"><h2>Buy</h2></a></div></div><div class="a-bg-result ecommerce-ad"></div>' +
  row(
    'https://en.wikipedia.org/wiki/Magpie',
    'Magpie <b>birds</b>',
    '14 Oct 2023 <b>...</b> They <b>nest</b>.',
  ) +
  row('https://a.example/', 'A', 'Words.');
const HITS = [
  {
    title: 'Magpie birds',
    url: 'https://en.wikipedia.org/wiki/Magpie',
    snippet: 'They nest.',
    published: Date.UTC(2023, 9, 14),
  },
  { title: 'A', url: 'https://a.example/', snippet: 'Words.' },
];

test.each([
  ['the data is missing', `<html><body>${DRAWN}</body></html>`],
  ['the data breaks off', page([web(RESULT)], DRAWN).replace(']}', ']')],
  ['the data has no results', page([web()], DRAWN)],
  ['the data has no addresses of pages', page([web({ ...RESULT, clickUrl: '/sp/x' })], DRAWN)],
  ['the data has another shape', page([web({ link: 'https://b.example/' })], DRAWN)],
])('the rows are read where %s', (_, body) => {
  expect(parse(body)).toEqual(HITS);
});

test('the data is read where the rows are missing, also in minified form', () => {
  const minified = `{render:{presenter:{regions:{mainline:[{display_type:'web-google',results:[{title:'A \\u0026 B',clickUrl:"https://a.example/",description:void 0,}]}]}}},beta:!0}`;
  const body = page([web()]).replace(/AppSerpWeb, \{.*\}\),/, `AppSerpWeb, ${minified}),`);
  expect(parse(body)).toEqual([{ title: 'A & B', url: 'https://a.example/', snippet: '' }]);
});
