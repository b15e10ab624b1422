import { describe, expect, test } from 'vitest';
import { duckduckgo } from '../../../src/search/engines/duckduckgo.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const engine = duckduckgo();
const query = { text: 'magpie', limit: 10 };

/** One result as the page for browsers without scripts has it. */
const result = (href: string, title: string, snippet: string, classes = 'web-result', date = '') => `
  <div class="result results_links results_links_deep ${classes}">
    <div class="links_main links_deep result__body">
      <h2 class="result__title"><a rel="nofollow" class="result__a" href="${href}">${title}</a></h2>
      <div class="result__extras"><div class="result__extras__url">
        <a class="result__url" href="${href}"> somewhere.example </a>${date}</div></div>
      <a class="result__snippet" href="${href}">${snippet}</a>
      <div class="clear"></div>
    </div>
  </div>`;
const redirect = (url: string) => `//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=0a1b2c`;
const AD = result(
  'https://duckduckgo.com/y.js?ad_domain=shop.example&amp;ad_provider=bingv7aa',
  'Buy magpies',
  'Best prices',
  'result--ad result--ad--small',
);
const page = (links: string) =>
  `<!DOCTYPE html><html><head><title>magpie at DuckDuckGo</title></head><body class="body--html">
  <form id="search_form_homepage" action="/html/" method="post"><input name="q" value="magpie"></form>
  <div class="serp__results"><div id="links" class="results">${links}
  <div class="nav-link"><form action="/html/" method="post"><input type="hidden" name="vqd" value="4-1"></form></div>
  </div></div></body></html>`;

const START =
  '<html><script>DDG.deep.initialize("/d.js?q=magpie&vqd=4-99");vqd="4-123456789";</script></html>';
const json = (...results: unknown[]) => JSON.stringify({ results, query: 'magpie', queryEncoded: 'magpie' });

describeSearchEngine('duckduckgo', {
  make: duckduckgo,
  parts: {
    news: {
      path: '/news.js',
      visit: { body: START },
      found: {
        body: json(
          {
            url: 'https://n.example/1',
            title: 'Magpies & co',
            excerpt: 'A <b>bird</b>',
            date: 1_772_706_030,
            image: 'https://n.example/x.jpg',
            source: 'N',
          },
          { url: 'https://n.example/2', title: 'Later', date: 1e300 },
          { url: 'javascript:alert(1)', title: 'Bad' },
        ),
        hits: [
          {
            title: 'Magpies & co',
            url: 'https://n.example/1',
            snippet: 'A bird',
            published: 1_772_706_030_000,
          },
          { title: 'Later', url: 'https://n.example/2', snippet: '' },
        ],
      },
      nothing: { body: json() },
      changed: { body: json({ u: 1 }) },
    },
    images: {
      path: '/i.js',
      visit: { body: START },
      found: {
        body: json({
          url: 'https://i.example/page',
          title: 'A magpie',
          image: 'https://i.example/a.jpg',
          width: 1,
          height: 1,
        }),
        hits: [
          { title: 'A magpie', url: 'https://i.example/page', snippet: '', image: 'https://i.example/a.jpg' },
        ],
      },
      nothing: { body: json() },
      changed: { body: '<html>' },
    },
  },
  found: {
    body: page(
      AD +
        result(
          redirect('https://en.wikipedia.org/wiki/Magpie?a=1&b=2#Range'),
          'Magpie &amp; <b>others</b>',
          'A <b>magpie</b>\n   is an Array&lt;b&gt;.',
        ) +
        result(
          'https://direct.example/page',
          'Direct',
          '',
          'web-result',
          '<span>&nbsp; &nbsp; 2026-02-12T00:00:00.0000000</span>',
        ) +
        result(redirect('https://duckduckgo.com/y.js?ad_domain=x'), 'Hidden advertisement', 'x') +
        result(redirect('javascript:alert(1)'), 'Bad', 'x') +
        result('javascript:alert(1)', 'Bad as well', 'x') +
        result('/local', 'Local', 'x') +
        '<div class="result web-result"><span>no link</span></div>',
    ),
    hits: [
      {
        title: 'Magpie & others',
        url: 'https://en.wikipedia.org/wiki/Magpie?a=1&b=2#Range',
        snippet: 'A magpie is an Array<b>.',
      },
      {
        title: 'Direct',
        url: 'https://direct.example/page',
        snippet: '',
        published: Date.UTC(2026, 1, 12),
      },
    ],
  },
  nothing: { body: page('<div class="no-results">No&nbsp;&nbsp;results.</div>') },
  paused: {
    'the page against robots': {
      status: 202,
      body: `<!DOCTYPE html><html><body><form id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html&cc=botnet" method="POST">
      <div class="anomaly-modal__mask"><div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div>
      <div class="anomaly-modal__description">Please complete the following challenge to confirm this search was made by a human.</div>
      </div></form></body></html>`,
    },
    'a closed door': { status: 403, body: '' },
    '429': { status: 429, body: '' },
  },
  changed: {
    'another markup': {
      body: page('<article data-testid="result"><a href="https://x.example/">X</a></article>'),
    },
    'results without links': { body: page('<div class="result web-result"><span>X</span></div>') },
    'an empty body': { body: '' },
    'no HTML': { body: '{"results": []}' },
  },
  checkRequest({ method, url, headers, body }) {
    expect(method).toBe('POST');
    expect(url.pathname).toBe('/html/');
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      q: 'site:nodejs.org magpie nest & "tail feathers" é',
      b: '',
      kl: 'at-de',
      df: 'w',
    });
  },
});

describe('request', () => {
  const form = (text: string, filters: object = {}) =>
    new URLSearchParams(engine.request({ text, limit: 10, ...filters }).body);

  test('posts the form of the first page', () => {
    expect(Object.fromEntries(form('a & b=c é'))).toEqual({ q: 'a & b=c é', b: '', kl: 'wt-wt' });
  });

  test('cuts a question to the accepted length', () => {
    expect(form('x'.repeat(600)).get('q')).toHaveLength(499);
    expect(form('🐦'.repeat(600)).get('q')).toBe('🐦'.repeat(249));
  });

  test.each([
    [{ language: 'en' }, 'us-en'],
    [{ language: 'ja' }, 'jp-jp'],
    [{ language: 'sv' }, 'se-sv'],
    [{ language: 'tlh' }, 'wt-wt'],
    [{ region: 'GB' }, 'uk-en'],
    [{ region: 'CH' }, 'ch-de'],
    [{ region: 'CH', language: 'fr' }, 'ch-fr'],
    [{ region: 'US', language: 'de' }, 'us-en'],
    [{ region: 'AQ' }, 'wt-wt'],
  ])('writes %j as region %s', (filters, kl) => {
    expect(form('x', filters).get('kl')).toBe(kl);
  });

  test.each([
    ['!w magpie', 'w magpie'],
    ['magpie !g', 'magpie g'],
    ['magpie g!', 'magpie g'],
    ['\\magpie', 'magpie'],
    ['!!! what', ' what'],
    ['a != b', 'a = b'],
    ['C:\\temp and x!y', 'C:\\temp and x!y'],
  ])('does not send the question %j to another site', (text, sent) => {
    expect(form(text).get('q')?.trim()).toBe(sent.trim());
  });
});

describe('a further page', () => {
  const NEXT = page(
    result(redirect('https://a.example/'), 'A', 'a') +
      `<form action="/html/" method="post"><input type="submit" value="Next"><input type="hidden" name="q" value="magpie é">
      <input type="hidden" name="s" value="10"><input type="hidden" name="nextParams" value=""><input type="hidden" name="v" value="l">
      <input type="hidden" name="o" value="json"><input type="hidden" name="dc" value="11"><input type="hidden" name="api" value="d.js">
      <input type="hidden" name="vqd" value="4-77"><input type="hidden" name="kl" value="wt-wt"></form>`,
  ).replace('<input type="hidden" name="vqd" value="4-1">', '');

  test('sends the hidden fields of the page before', () => {
    const second = { ...query, page: 2 };
    expect(engine.visit?.request(second)?.body).toBe(engine.request(query).body);
    const token = engine.visit?.read(NEXT) ?? '';
    expect(Object.fromEntries(new URLSearchParams(engine.request(second, token).body))).toEqual({
      ...{
        q: 'magpie é',
        s: '10',
        nextParams: '',
        v: 'l',
        o: 'json',
        dc: '11',
        api: 'd.js',
        vqd: '4-77',
        kl: 'wt-wt',
      },
    });
    const third = new URLSearchParams(engine.request({ ...query, page: 3 }, token).body);
    expect([third.get('s'), third.get('dc'), third.get('vqd')]).toEqual(['25', '26', '4-77']);
  });

  test('needs no request for a first page', () => {
    expect(engine.visit?.request(query)).toBeUndefined();
  });
});

test('the lite page is read where it is the configured address', () => {
  const lite = duckduckgo({ baseUrl: 'https://lite.duckduckgo.com' });
  expect(lite.request(query).url).toBe('https://lite.duckduckgo.com/lite/');
  const rows = (kind: string, href: string, title: string) => `<tr class="${kind}"><td>1.</td><td>
    <a rel="nofollow" href="${href}" class='result-link'>${title}</a></td></tr>
    <tr class="${kind}"><td></td><td class='result-snippet'>Words of <b>${title}</b></td></tr><tr><td><span class='link-text'>x</span></td></tr>`;
  const body = `<html><form action="/lite/" method="post"><input name="q"></form><table>${rows('result-sponsored', 'https://ad.example/', 'Ad')}${rows('', redirect('https://a.example/'), 'A')}</table></html>`;
  expect(lite.parse(body, query)).toEqual([{ title: 'A', url: 'https://a.example/', snippet: 'Words of A' }]);
});

describe('parse', () => {
  test('does not treat a parameter of the same name on another site as a redirect', () => {
    const url = 'https://other.example/l/?uddg=https%3A%2F%2Fevil.example%2F';
    expect(engine.parse(page(result(url, 'T', 'S')), query).map((hit) => hit.url)).toEqual([url]);
  });

  test('returns an empty list for advertisements alone and for the other message of no results', () => {
    expect(engine.parse(page(AD), query)).toEqual([]);
    expect(engine.parse(page(result('', 'No results.', '', 'result--no-result')), query)).toEqual([]);
  });
});

test('the page for browsers with scripts is read too', () => {
  const article = (kind: string, href: string, title: string) =>
    `<article data-testid="${kind}"><h2><a data-testid="result-title-a" href="${href}"><span>${title}</span></a></h2><div data-result="snippet"><div><span>Words</span></div></div></article>`;
  const body = `<section>${article('ad', 'https://ad.example/', 'Buy')}${article('result', 'https://a.example/', 'A')}</section>`;
  expect(engine.parse(body, query)).toEqual([{ title: 'A', url: 'https://a.example/', snippet: 'Words' }]);
});

test('the settings are sent in the form and in the cookies', () => {
  const chosen = engine.request({ ...query, region: 'AT', language: 'de', timeRange: 'week' });
  expect(chosen.headers?.cookie).toBe('kl=at-de; df=w');
  expect(engine.request({ text: 'x', limit: 1 }).headers?.cookie).toBeUndefined();
});
