import { expect, test } from 'vitest';
import { yahoo } from '../../../src/search/engines/yahoo.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const behind = (url: string) =>
  `https://r.search.yahoo.com/_ylt=Awr;_ylu=Y29/RV=2/RE=17/RO=10/RU=${encodeURIComponent(url)}/RK=2/RS=3b-`;
const result = (href: string, title: string, words: string) =>
  `<li><div class="dd fst algo algo-sr relsrch Sr"><div class="compTitle options-toggle"><a class="d-ib" href="${href}">
  <h3 class="title"><span>${title}</span></h3><span class="url">somewhere</span></a></div><div class="compText aAbs"><p>${words}</p></div></div></li>`;
const page = (rows: string) =>
  `<!DOCTYPE html><html><body><div id="web"><ol class="mb-15 reg searchCenterMiddle">${rows}</ol></div></body></html>`;

describeSearchEngine('yahoo', {
  make: yahoo,
  found: {
    body: page(
      result(
        behind('https://en.wikipedia.org/wiki/Magpie?a=1&b=2'),
        'Magpie &amp; <b>others</b>',
        'A\n bird.',
      ) +
        result('https://plain.example/', 'Plain', 'Words.') +
        `<li><div class="algo-sr"><div class="compTitle"><h3><a href="${behind('https://old.example/')}" aria-label="Old form">Old form</a></h3></div></div></li>` +
        result(behind('https://www.bing.com/aclick?ld=1'), 'Advertisement', 'x') +
        result('https://r.search.yahoo.com/RU=%E0%A4%A/RK=2', 'Broken', 'x') +
        result(behind('javascript:alert(1)'), 'Bad', 'x') +
        result('/search?p=more', 'Own', 'x'),
    ),
    hits: [
      { title: 'Magpie & others', url: 'https://en.wikipedia.org/wiki/Magpie?a=1&b=2', snippet: 'A bird.' },
      { title: 'Plain', url: 'https://plain.example/', snippet: 'Words.' },
      { title: 'Old form', url: 'https://old.example/', snippet: '' },
    ],
  },
  nothing: { body: page('<li><p>We did not find results for: magpie.</p></li>') },
  paused: {
    'its number for robots': { status: 999, body: '' },
    'its temporary problems': {
      body: '<div id="results"><div class="msg zrp_yst"><h2 class="msg zrpmsg">We had temporary problems searching for web pages.</h2></div></div>',
    },
    'a form for consent': {
      body: '<form method="post" class="consent-form"><input type="hidden" name="csrfToken" value="x"></form>',
    },
    'a captcha': { body: '<html><body>Please verify you are human</body></html>' },
    'a closed door': { status: 403, body: '' },
    '429': { status: 429, body: '' },
  },
  changed: {
    'another markup': { body: page('<li><article><a href="https://a.example">A</a></article></li>') },
    'results without links': { body: page('<li><div class="algo-sr"><h3>A</h3></div></li>') },
    'an empty body': { body: '' },
  },
  parts: {
    news: {
      path: '/search',
      found: {
        body: page(
          `<li><div class="NewsArticle"><h4 class="s-title"><a href="${behind('https://n.example/1')}">Magpies</a></h4><span class="s-time">2 days ago</span><p class="s-desc">Words</p></div></li><li>x</li>`,
        ),
        hits: [
          {
            title: 'Magpies',
            url: 'https://n.example/1',
            snippet: 'Words',
            published: expect.any(Number) as never,
          },
        ],
      },
      nothing: { body: page('<p>We did not find any results</p>') },
      changed: { body: page('<li><h4>no link</h4></li>') },
    },
  },
  checkRequest({ method, url, headers }) {
    expect(method).toBe('GET');
    expect(url.pathname).toBe('/search');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      p: 'site:nodejs.org magpie nest & "tail feathers" é',
      iscqry: '',
      btf: 'w',
    });
    expect(headers.cookie).toContain('vl=lang_de');
  },
});

test.each([
  [{ region: 'GB' }, 'uk.search.yahoo.com'],
  [{ region: 'AQ' }, 'search.yahoo.com'],
  [{ category: 'news' as const }, 'news.search.yahoo.com'],
])('a question with %j is sent to %s', (query, host) => {
  expect(new URL(yahoo().request({ text: 'x', limit: 1, ...query }).url).host).toBe(host);
});

test('a date before the text is a separate field, and an address within the title is left out', () => {
  const body = `<div class="dd algo algo-sr"><div class="compTitle"><h3 class="title"><a href="https://r.search.yahoo.com/_ylt=A/RU=https%3a%2f%2fa.example%2f/RK=2/RS=x"><span class="d-ib p-abs">a.example › x</span>A</a></h3></div>
    <div class="compText"><p><span class="fc-smoke">Nov 16, 2025 · </span>Words <b>here</b>.</p></div></div>`;
  expect(yahoo().parse(body, { text: 'x', limit: 10 })).toEqual([
    { title: 'A', url: 'https://a.example/', snippet: 'Words here.', published: Date.UTC(2025, 10, 16) },
  ]);
});
