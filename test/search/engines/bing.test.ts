import { expect, test } from 'vitest';
import { bing } from '../../../src/search/engines/bing.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const behind = (url: string) =>
  `https://www.bing.com/ck/a?!&amp;&amp;p=0a&amp;ptn=3&amp;u=a1${Buffer.from(url).toString('base64url')}&amp;ntb=1`;
const result = (href: string, title: string, words: string) =>
  `<li class="b_algo" data-id><div class="b_tpcn"><a class="tilk" href="${href}"><cite>somewhere</cite></a></div>
  <h2><a href="${href}" h="ID=SERP,1">${title}</a></h2><div class="b_caption"><p class="b_lineclamp2">${words}</p></div></li>`;
const page = (rows: string) =>
  `<!DOCTYPE html><html><head><title>magpie - Search</title></head><body><ol id="b_results">${rows}</ol></body></html>`;
const picture = (m: object) =>
  `<li><div class="iuscp"><a class="iusc" m="${JSON.stringify(m).replaceAll('"', '&quot;')}"><img></a></div></li>`;

describeSearchEngine('bing', {
  make: bing,
  found: {
    body: page(
      `<li class="b_ad"><ul><li class="b_adTop"><h2><a href="https://ad.example/">Buy</a></h2></li></ul></li>` +
        result(
          behind('https://en.wikipedia.org/wiki/Magpie?a=1&b=é'),
          'Magpie &amp; <strong>others</strong>',
          '<span class="algoSlug_icon">Web</span><span class="news_dt">Mar 5, 2026</span> · A <strong>bird</strong>.',
        ) +
        result('https://plain.example/', 'Plain', 'Words.') +
        result('https://www.bing.com/aclick?ld=1', 'Advertisement', 'x') +
        result('javascript:alert(1)', 'Bad', 'x') +
        result(behind('javascript:alert(1)'), 'Bad as well', 'x') +
        '<li class="b_algo"><p>no link</p></li>',
    ),
    hits: [
      {
        title: 'Magpie & others',
        url: 'https://en.wikipedia.org/wiki/Magpie?a=1&b=%C3%A9',
        snippet: 'A bird.',
        published: Date.UTC(2026, 2, 5),
      },
      { title: 'Plain', url: 'https://plain.example/', snippet: 'Words.' },
    ],
  },
  nothing: { body: page('<li class="b_no"><h1>There are no results for <strong>magpie</strong></h1></li>') },
  paused: {
    'its challenge': {
      body: '<html><body><div class="captcha">One last step. Please solve the challenge</div></body></html>',
    },
    'a closed door': { status: 403, body: '' },
    '429': { status: 429, body: '' },
  },
  changed: {
    'another markup': { body: page('<div class="card"><a href="https://a.example">A</a></div>') },
    'results without links': { body: page('<li class="b_algo"><h2>A</h2></li>') },
    'results with other links alone': { body: page(result('https://www.bing.com/aclick?ld=1', 'Ad', 'x')) },
    'an empty body': { body: '' },
  },
  parts: {
    news: {
      path: '/news/infinitescrollajax',
      found: {
        body: `<div class="news-card newsitem cardcommon" url="https://n.example/1" data-author="N"><a class="title" href="https://n.example/1">Magpies</a>
        <div class="snippet" title="w">Words</div><div class="source"><span aria-label="3 days ago">3d</span></div></div>
        <div class="newsitem"><a class="title" href="/own">Own</a></div>`,
        hits: [
          {
            title: 'Magpies',
            url: 'https://n.example/1',
            snippet: 'Words',
            published: expect.any(Number) as never,
          },
        ],
      },
      nothing: { body: '<div class="no-result">No results found for magpie</div>' },
      changed: { body: '<div class="newsitem"><b>x</b></div>' },
    },
    images: {
      path: '/images/async',
      found: {
        body: `<ul class="dgControl_list">${picture({ purl: 'https://i.example/page', murl: 'https://i.example/a.jpg', t: 'A <magpie>' })}${picture({ murl: 'x' })}</ul>`,
        hits: [
          {
            title: 'A <magpie>',
            url: 'https://i.example/page',
            snippet: '',
            image: 'https://i.example/a.jpg',
          },
        ],
      },
      nothing: { body: '<div>There are no results for magpie</div>' },
      changed: { body: '<a class="iusc" m="{&quot;a&quot;:1}">x</a>' },
    },
  },
  checkRequest({ method, url, headers }) {
    expect(method).toBe('GET');
    expect(url.pathname).toBe('/search');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: 'site:nodejs.org magpie nest & "tail feathers" é',
      mkt: 'de-AT',
      cc: 'at',
      setlang: 'en',
      form: 'QBLH',
    });
    expect(headers).toMatchObject({
      'accept-language': 'de-AT,de;q=0.9,en;q=0.8',
      'sec-fetch-mode': 'navigate',
    });
  },
});

test('without a language and a country Bing is asked in English, and not by the location of the server', () => {
  const { searchParams } = new URL(bing().request({ text: 'x', limit: 1 }).url);
  expect([searchParams.get('mkt'), searchParams.get('cc')]).toEqual(['en-US', 'us']);
});
