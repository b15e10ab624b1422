import { expect, test } from 'vitest';
import { mojeek } from '../../../src/search/engines/mojeek.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

/** One result as its page has it: a first link with the address, the heading with the title. */
const result = (href: string, title: string, snippet: string, more = '') => `
  <li class="r1"><!--rs--><a title="${href}" href="${href}" class="ob"><p class="i"><span class="url">somewhere</span></p></a>
    <h2><a class="title" title="${href}" href="${href}">${title}</a></h2>
    <p class="s">${snippet}</p>${more}<!--re--></li>`;
const page = (
  results: string,
) => `<!DOCTYPE html><html lang="en"><head><title>magpie - Mojeek Search</title></head>
  <body><div class="header"><form action="/search" method="get"><input name="q" value="magpie"></form></div>
  <div class="results"><div class="top-info"><p class="top-info">Results 1 to 10 from 1,234 in 0.09s</p></div>
  <section class="infobox infobox-top"><h1>Magpie</h1><a href="https://infobox.example/">Wikipedia</a></section>
  ${results}<div class="pagination"><ul><li><a href="/search?q=magpie&s=11">Next</a></li></ul></div></div></body></html>`;
const list = (results: string) => page(`<ul class="results-standard">${results}</ul>`);

describeSearchEngine('mojeek', {
  make: mojeek,
  parts: {
    news: {
      path: '/search',
      found: {
        body: '<section class="news-search-result"><article><h2><a href="https://n.example/1">Magpies &amp; news</a></h2><p class="s">Words</p></article></section>',
        hits: [{ title: 'Magpies & news', url: 'https://n.example/1', snippet: 'Words' }],
      },
      nothing: { body: '<p>No news found for: magpie</p>' },
      changed: { body: '<section class="news-search-result"><article>x</article></section>' },
    },
    images: {
      path: '/search',
      found: {
        body: '<div id="results"><div class="image"><a href="https://i.example/page" data-title="A magpie"><img src="/image?x"></a></div></div>',
        hits: [{ title: 'A magpie', url: 'https://i.example/page', snippet: '' }],
      },
      nothing: { body: '<p>No images found for: magpie</p>' },
      changed: { body: '<main>pictures</main>' },
    },
  },
  found: {
    body: list(
      result(
        'https://en.wikipedia.org/wiki/Magpie?a=1&amp;b=2',
        'Magpie &amp; <strong>others</strong>',
        'A <strong>magpie</strong>\n   is a bird of Array&lt;b&gt; ...',
        '<p class="more"><a href="/search?q=magpie+site%3Aen.wikipedia.org">See more results from en.wikipedia.org</a></p>',
      ) +
        result('https://dated.example/', 'Dated', '<span class="mdate">5 March 2026</span> Words') +
        result('javascript:alert(1)', 'Bad', 'x') +
        result('https://www.mojeek.com/about', 'Own', 'x') +
        '<li class="r5"><p class="s">no link</p></li>',
    ),
    hits: [
      {
        title: 'Magpie & others',
        url: 'https://en.wikipedia.org/wiki/Magpie?a=1&b=2',
        snippet: 'A magpie is a bird of Array<b> ...',
      },
      { title: 'Dated', url: 'https://dated.example/', snippet: 'Words', published: Date.UTC(2026, 2, 5) },
    ],
  },
  nothing: { body: page('<p>No pages found matching: <strong>magpie</strong></p>') },
  paused: {
    'too many requests': { status: 403, body: '<html><head><title>403 - Forbidden</title></head></html>' },
    'a challenge': {
      body: '<html><head><title>Captcha</title></head><body><p>JavaScript is required to complete this challenge.</p></body></html>',
    },
    'a challenge in any language': {
      body: '<html><body><div class="captcha-wrap"><p>Bitte warten.</p></div><script type="module" src="/js/page_specific/altcha.js"></script></body></html>',
    },
    'a captcha': {
      body: '<html><head><title>Mojeek</title></head><body><h1>Automated queries</h1><form>Captcha</form></body></html>',
    },
    '429': { status: 429, body: '' },
  },
  changed: {
    'another list': { body: page('<ol class="hits"><li><a href="https://a.example">A</a></li></ol>') },
    'results without links': { body: list('<li><h2>A</h2></li><li><h2>B</h2></li>') },
    'an empty body': { body: '' },
    'no page': { body: '{"results":[]}' },
  },
  checkRequest({ method, url, headers }) {
    expect(method).toBe('GET');
    expect(url.pathname).toBe('/search');
    expect(url.searchParams.get('q')).toBe('site:nodejs.org magpie nest &  tail feathers  é');
    const since = url.searchParams.get('since') ?? '';
    const days = (Date.now() - Date.parse(since.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'))) / 86_400_000;
    expect(days).toBeGreaterThan(6);
    expect(days).toBeLessThan(8.1);
    expect(url.searchParams.get('safe')).toBe('0');
    expect(headers.cookie).toBe('lb=de; arc=at');
  },
});

const asked = (text: string, more: object = {}) => {
  const { url, headers } = mojeek().request({ text, limit: 10, ...more });
  return { q: new URL(url).searchParams.get('q'), cookie: headers?.cookie };
};

test('operators that Mojeek refuses become words', () => {
  expect(asked('intitle:"magpie nest" SITE: x').q).toBe('intitle  magpie nest  SITE  x');
  expect(asked('a:b https://x.example').q).toBe('a:b https://x.example');
});

test('a question that contains the words of a captcha is still a question', () => {
  const body = page('<p>No pages found matching: <strong>captcha solver</strong></p>').replace(
    'magpie - Mojeek',
    'captcha solver - Mojeek',
  );
  expect(mojeek().parse(body, { text: 'captcha solver', limit: 1 })).toEqual([]);
});

test('a language without pages at Mojeek is left out, and no country is guessed', () => {
  expect(asked('x', { language: 'ja' }).cookie).toBe('arc=none');
});
