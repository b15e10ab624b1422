import { expect, test } from 'vitest';
import { yandex } from '../../../src/search/engines/yandex.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const result = (href: string, title: string, words: string, classes = '') =>
  `<li class="b-serp-item i-bem serp-item ${classes}"><h3 class="b-serp-item__title"><a class="b-serp-item__title-link" href="${href}"><span>${title}</span></a></h3>
  <div class="b-serp-item__content"><div class="b-serp-item__text">${words}</div></div></li>`;
const page = (rows: string) =>
  `<html><body class="b-page"><ol class="b-serp-list">${rows}</ol></body></html>`;

describeSearchEngine('yandex', {
  make: yandex,
  found: {
    body: page(
      result('https://yabs.yandex.ru/count/x', 'Advertisement', 'x') +
        result('https://ad.example/', 'Advertisement', 'x', 'serp-item_adv') +
        result('https://en.wikipedia.org/wiki/Magpie?a=1&amp;b=2', 'Magpie &amp; <b>others</b>', 'A bird.') +
        result('https://bare.example/', '', '') +
        result('javascript:alert(1)', 'Bad', 'x'),
    ),
    hits: [
      { title: 'Magpie & others', url: 'https://en.wikipedia.org/wiki/Magpie?a=1&b=2', snippet: 'A bird.' },
      { title: 'https://bare.example/', url: 'https://bare.example/', snippet: '' },
    ],
  },
  nothing: {
    body: '<html><body><div class="b-error">Nothing was found for your request</div></body></html>',
  },
  paused: {
    'its captcha': {
      body: '<html><div class="CheckboxCaptcha"><form action="/checkcaptcha?key=1"></form></div></html>',
    },
    'words of its captcha': {
      body: '<html><body>Please confirm that you and not a robot are sending requests</body></html>',
    },
    'a closed door': { status: 403, body: '' },
    '429': { status: 429, body: '' },
  },
  changed: {
    'another markup': { body: page('<article><a href="https://a.example">A</a></article>') },
    'results without links': { body: page('<li class="serp-item">A</li>') },
    'an empty body': { body: '' },
  },
  checkRequest({ url }) {
    expect(url.pathname).toBe('/search/site/');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      text: 'site:nodejs.org magpie nest & "tail feathers" é',
      web: '1',
      lang: 'de',
    });
  },
});

test('rows with hashes for class names are read by their content, and rows labelled as advertisements are not', () => {
  const row = (href: string, title: string, words: string, label = '') =>
    `<li class="s521ULiu7"><div class="Organic"><div class="OrganicTitle"><a class="Link OrganicTitle-Link" href="${href}"><h2><span>${title}</span></h2></a></div>
    <div class="Path">somewhere</div>${label && `<div class="s1Wx"><span class="s1Wx-Text">${label}</span></div>`}
    <div class="OrganicText"><span class="OrganicTextContentSpan">${words}</span></div></div></li>`;
  const body = `<ul>${row('https://shop.example/', 'Buy', 'x', 'Промо')}${row('https://shop.example/2', 'Buy', 'x', 'Реклама')}${row('https://a.example/', 'Реклама', 'Words.')}</ul>`;
  const query = { text: 'x', limit: 10 };
  expect(yandex().parse(body, query)).toEqual([
    { title: 'Реклама', url: 'https://a.example/', snippet: 'Words.' },
  ]);
  const none =
    '<div class="EmptySearchResults"><div class="EmptySearchResults-Title">Ничего не нашли</div></div>';
  expect(yandex().parse(none, query)).toEqual([]);
});
