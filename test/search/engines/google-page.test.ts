import { expect, test } from 'vitest';
import { googlePage } from '../../../src/search/engines/google-page.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const behind = (url: string) => `/url?q=${encodeURIComponent(url)}&amp;sa=U&amp;ved=2ah&amp;usg=AO`;
const result = (href: string, title: string, words: string) =>
  `<div class="aaaaa"><div class="bbbbb"><a class="ccccc" href="${href}"><span class="ddddd">${title}</span><br><span>somewhere.example</span></a></div>
  <div class="eeeee"><span class="fffff">${words}</span></div></div>`;
const page = (rows: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><html><head><title>magpie - Google Search</title></head><body><a href="/search?q=x&amp;tbm=isch">Images</a>${rows}</body></html>`;

describeSearchEngine('google-page', {
  make: googlePage,
  found: {
    body: page(
      result(
        behind('https://en.wikipedia.org/wiki/Magpie?a=1&b=2'),
        'Magpie &amp; others',
        'A <b>bird</b> of Array&lt;string&gt;.',
      ) +
        result(behind('https://dated.example/'), 'Dated', 'Mar 5, 2026 · Words.') +
        `<a href="${behind('https://dated.example/')}"><img src="x"><span>Again</span></a>` +
        result(behind('https://www.google.com/search?q=more'), 'Own', 'x') +
        result(behind('javascript:alert(1)'), 'Bad', 'x'),
    ),
    hits: [
      {
        title: 'Magpie & others',
        url: 'https://en.wikipedia.org/wiki/Magpie?a=1&b=2',
        snippet: 'A bird of Array<string>.',
      },
      {
        title: 'Dated',
        url: 'https://dated.example/',
        snippet: 'Mar 5, 2026 · Words.',
        published: Date.UTC(2026, 2, 5),
      },
    ],
  },
  nothing: { body: page('<p>Your search - magpie - did not match any documents.</p>') },
  paused: {
    'its page for robots': {
      body: '<html><body><a href="https://www.google.com/sorry/index?continue=x">here</a></body></html>',
    },
    'a page for scripts alone': {
      body: '<html><body><noscript><iframe src="/httpservice/retry/enablejs?sei=abc"></iframe></noscript><div id="main"></div></body></html>',
    },
    'a form for consent': {
      body: '<html><body><form action="https://consent.google.com/save" method="POST"><button>Alle ablehnen</button></form></body></html>',
    },
    'the words of it': { body: '<html><body>Our systems have detected unusual traffic</body></html>' },
    'a closed door': { status: 403, body: '' },
    '429': { status: 429, body: '' },
  },
  changed: {
    'another markup': { body: page('<article><a href="https://a.example">A</a></article>') },
    'links without addresses': { body: page('<a href="/url?sa=U">A</a>') },
    'an empty body': { body: '' },
  },
  parts: {
    news: {
      path: '/wml/search',
      found: {
        body: page(result(behind('https://n.example/1'), 'Magpies', 'The Paper · 3 days ago')),
        hits: [
          {
            title: 'Magpies',
            url: 'https://n.example/1',
            snippet: 'The Paper · 3 days ago',
            published: expect.any(Number) as never,
          },
        ],
      },
      nothing: { body: page('<p>did not match any news results</p>') },
      changed: { body: page('<b>x</b>') },
    },
    images: {
      path: '/wml/search',
      found: {
        body: page(
          '<a href="/imgres?imgurl=https://i.example/a.jpg&amp;imgrefurl=https://i.example/page&amp;w=1&amp;h=2"><img src="x"></a>',
        ),
        hits: [
          { title: 'a.jpg', url: 'https://i.example/page', snippet: '', image: 'https://i.example/a.jpg' },
        ],
      },
      nothing: { body: page('<p>did not match any image results</p>') },
      changed: { body: page('<a href="/imgres?imgurl=x">x</a>') },
    },
  },
  checkRequest({ url }) {
    expect(url.pathname).toBe('/wml/search');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: 'site:nodejs.org magpie nest & "tail feathers" é',
      sca_esv: '1',
      hl: 'en',
      lr: 'lang_de',
      gl: 'at',
      ie: 'utf8',
      oe: 'utf8',
      tbs: 'qdr:w',
    });
  },
});

test('the page for browsers is read by the headings of its links', () => {
  const row = (href: string, title: string, words: string) =>
    `<div class="g"><div class="yuRUbf"><a href="${href}"><h3 class="LC20lb">${title}</h3><br><cite>somewhere</cite></a><div role="button">About</div></div>
    <div class="VwiC3b"><span>Mar 5, 2026 — </span><span>${words}</span></div></div>`;
  const body = `<div id="tads"><div data-text-ad="1">${row('https://ad.example/', 'Buy', 'x')}</div></div><div id="rso">${row('https://a.example/', 'A', 'Words')}${row('https://b.example/', 'B', 'More')}${row('https://a.example/', 'Again', 'x')}</div>`;
  expect(googlePage().parse(body, { text: 'x', limit: 10 })).toMatchObject([
    {
      title: 'A',
      url: 'https://a.example/',
      snippet: 'Mar 5, 2026 — Words',
      published: Date.UTC(2026, 2, 5),
    },
    { title: 'B', url: 'https://b.example/', snippet: 'Mar 5, 2026 — More' },
  ]);
});
