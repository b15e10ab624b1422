import { describe, expect, test } from 'vitest';
import { brave } from '../../../src/search/engines/brave.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

/** One result as its page has it in 2026; the class names of the framework are left out. */
const result = (href: string, title: string, words: string, type = 'web', more = '') => `
  <div class="snippet svelte-jmfu5f" data-pos="1" data-type="${type}" data-keynav="true">
    <div class="result-wrapper"><div class="result-content">
      <a href="${href}" target="_self" class="svelte-14r20fy l1">
        <div class="site-name-wrapper"><div class="site-name-content"><div class="desktop-small-semibold">Somewhere</div>
          <cite class="snippet-url">somewhere.example <span class="url-path">› x</span></cite></div></div>
        <div class="title search-snippet-title line-clamp-1" title="T">${title}</div></a>
      <div class="generic-snippet"><div class="content desktop-default-regular t-primary line-clamp-dynamic">${words}</div></div>
      ${more}</div></div></div>`;
const page = (results: string, title = 'magpie - Brave Search') =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><header><form action="/search"></form></header>
  <main><div id="results">${results}<div id="pagination-snippet"><a href="/search?q=magpie&offset=1">Next</a></div></div></main>
  <script>kit.start(app, element, { data: [{type:"data",data:null}] })</script></body></html>`;

const article = (href: string, title: string, words: string) =>
  `<div class="snippet" data-type="news"><a class="result-header" href="${href}"><span class="snippet-title">${title}</span></a><p class="desc">${words}</p></div>`;

describeSearchEngine('brave', {
  make: brave,
  parts: {
    news: {
      path: '/news',
      found: {
        body: page(
          `<div class="results">${article('https://n.example/1', 'Magpies', 'seen')}${article('/x', 'Own', 'x')}</div>`,
        ),
        hits: [{ title: 'Magpies', url: 'https://n.example/1', snippet: 'seen' }],
      },
      nothing: { body: page('<p>No news results found</p>') },
      changed: { body: page('<div data-type="news"><b>x</b></div>') },
    },
  },
  found: {
    body: page(
      '<div id="llm-snippet" class="snippet"><a href="https://answer.example/">AI</a></div>' +
        result('https://shop.example/?gclid=1', 'Buy magpies', 'Best prices', 'ad') +
        result(
          'https://en.wikipedia.org/wiki/Magpie?a=1&amp;b=2',
          'Magpie &amp; others',
          '<span class="t-secondary">February 13, 2026 -</span> <strong>Magpies</strong> are\n birds.',
          'web',
          '<div class="deep-results"><a href="https://en.wikipedia.org/wiki/Pica">Pica</a></div>',
        ) +
        result('https://plain.example/', 'Plain', 'A well-known <strong>bird</strong>.') +
        '<div class="snippet" data-type="videos"><a href="https://video.example/">Videos</a></div>' +
        result('/a/redirect?click_url=https%3A%2F%2Fad.example', 'Relative', 'x') +
        result('javascript:alert(1)', 'Bad', 'x') +
        '<div class="snippet" data-type="web"><span>no link</span></div>',
    ),
    hits: [
      {
        title: 'Magpie & others',
        url: 'https://en.wikipedia.org/wiki/Magpie?a=1&b=2',
        snippet: 'Magpies are birds.',
        published: Date.UTC(2026, 1, 13),
      },
      { title: 'Plain', url: 'https://plain.example/', snippet: 'A well-known bird.' },
    ],
  },
  nothing: {
    body: page('<section id="mixed-main"><p>Not many great matches came back for your search.</p></section>'),
  },
  paused: {
    'too many requests': { status: 429, body: '<h1>Too Many Requests</h1>' },
    'a proof of work': { body: page('', 'PoW Captcha - Brave Search') },
    'a proof of work over the page': {
      body: page('<dialog open><button name="captcha-button">I am not a robot</button></dialog>'),
    },
    'a suspicion': {
      body: page('<p>Your request has been flagged as being suspicious and Brave Search ...</p>'),
    },
    'a closed door': { status: 403, body: '' },
  },
  changed: {
    'another markup': { body: page('<article><a href="https://a.example/">A</a></article>') },
    'results without titles': {
      body: page('<div class="snippet" data-type="web"><a href="https://a.example/">A</a></div>'),
    },
    'words of its scripts alone': {
      body: page('<article>A</article><script>t={"none":"Not many great matches came back"}</script>'),
    },
    'the home page': {
      body: '<!doctype html><html><head><title>Brave Search</title></head><body></body></html>',
    },
    'an empty body': { body: '' },
  },
  checkRequest({ method, url, headers }) {
    expect(method).toBe('GET');
    expect(url.pathname).toBe('/search');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: 'site:nodejs.org magpie nest & "tail feathers" é lang:de',
      source: 'web',
      tf: 'pw',
    });
    expect(headers.cookie).toContain('country=at;');
  },
});

test('a country that Brave does not offer becomes all countries', () => {
  expect(brave().request({ text: 'x', limit: 1, region: 'IS' }).headers?.cookie).toContain('country=all;');
});

test('a long question keeps its language', () => {
  const { url } = brave().request({ text: 'x'.repeat(900), limit: 1, language: 'de' });
  expect(new URL(url).searchParams.get('q')).toBe(`${'x'.repeat(392)} lang:de`);
});

describe('rows whose markup varies', () => {
  const parse = (row: string) => brave().parse(page(row), { text: 'magpie', limit: 10 });
  const URL_A = 'https://a.example/';
  test.each([
    [
      'words in a generic-snippet without a content',
      `<div class="snippet" data-type="web"><a href="${URL_A}"><div class="title">A</div></a><div class="generic-snippet svelte-1">Words</div></div>`,
    ],
    [
      'words in a description',
      `<div class="snippet" data-type="web"><a href="${URL_A}"><div class="title">A</div></a><div class="snippet-description">Words</div></div>`,
    ],
    [
      'a title outside of the first link',
      `<div class="snippet" data-type="web"><a href="${URL_A}"><img alt=""></a><div class="snippet-title"><a href="${URL_A}">A</a></div><div class="generic-snippet"><div class="content">Words</div></div></div>`,
    ],
    [
      'a title as a heading',
      `<div class="snippet" data-type="web"><a href="${URL_A}"><h3>A</h3></a><p class="desc">Words</p></div>`,
    ],
    [
      'a row that names no kind',
      `<div class="snippet fdb"><a href="${URL_A}"><div class="title">A</div></a><div class="generic-snippet"><div class="content">Words</div></div></div>`,
    ],
  ])('%s', (_, row) => {
    expect(parse(row)).toEqual([{ title: 'A', url: URL_A, snippet: 'Words' }]);
  });
});

test('the script data is read where the page has no rows', () => {
  const data = `[{type:"data",data:{userAgent:{}}},{type:"data",data:{body:{response:{web:{type:"search",choice:void 0,results:[{title:"A \\u003Cb>",url:"https://a.example/",description:"\\u003Cstrong>Words\\u003C/strong> &amp; more",page_age:"2025-07-24T00:00:00"},{title:"Own",url:"https://search.brave.com/x",description:""}]},news:void 0}}},uses:{}}]`;
  const body = `<!doctype html><html><body><script>kit.start(app, element, { node_ids: [0, 19], data: ${data}, form: null });</script></body></html>`;
  const query = { text: 'magpie', limit: 10 };
  expect(brave().parse(body, query)).toEqual([
    {
      title: 'A',
      url: 'https://a.example/',
      snippet: 'Words & more',
      published: Date.UTC(2025, 6, 24),
    },
  ]);
  expect(() => brave().parse(body.replaceAll('url:', 'href:'), query)).toThrow('changed');
});

test('rows with an additional wrapper are read, and pages of brave.com itself are results', () => {
  const row = (href: string) =>
    `<div class="result-wrapper svelte-1"><div class="result-content"><a href="${href}" class="svelte-2 l1"><div class="title search-snippet-title">A</div></a>
    <div class="generic-snippet"><div class="content"><span class="t-secondary">July 20, 2026 -</span> Words</div></div></div></div>`;
  const found = brave().parse(
    page(row('https://brave.com/about/') + row('https://search.brave.com/images')),
    {
      text: 'x',
      limit: 10,
    },
  );
  expect(found).toEqual([
    { title: 'A', url: 'https://brave.com/about/', snippet: 'Words', published: Date.UTC(2026, 6, 20) },
  ]);
});
