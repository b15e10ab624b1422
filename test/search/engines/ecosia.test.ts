import { expect, test } from 'vitest';
import { ecosia } from '../../../src/search/engines/ecosia.ts';
import { describeSearchEngine } from '../../contracts/search-engine.ts';

const result = (href: string, title: string, words: string, kind = 'web') =>
  `<div class="mainline__result-wrapper"><article class="result" data-test-id="mainline-result-${kind}"><div class="result__header">
  <a class="result__link" data-test-id="result-link" href="${href}"><h2 data-test-id="result-title">${title}</h2></a></div>
  <p class="web-result__description" data-test-id="web-result-description">${words}</p></article></div>`;
const page = (rows: string) =>
  `<!doctype html><html><head><title>magpie - Ecosia</title></head><body><section data-test-id="mainline">${rows}</section></body></html>`;

describeSearchEngine('ecosia', {
  make: ecosia,
  found: {
    body: page(
      result('https://shop.example/', 'Buy', 'x', 'ad') +
        result('https://en.wikipedia.org/wiki/Magpie?a=1&amp;b=2', 'Magpie &amp; <b>others</b>', 'A bird.') +
        result('https://bare.example/', '', '') +
        result('/search?q=more', 'Own', 'x') +
        result('javascript:alert(1)', 'Bad', 'x'),
    ),
    hits: [
      { title: 'Magpie & others', url: 'https://en.wikipedia.org/wiki/Magpie?a=1&b=2', snippet: 'A bird.' },
      { title: 'https://bare.example/', url: 'https://bare.example/', snippet: '' },
    ],
  },
  nothing: { body: page('<div data-test-id="web-no-results">Sorry</div>') },
  paused: {
    'its guard': { body: '<html><head><title>Just a moment...</title></head><body></body></html>' },
    'its guard with a status': { status: 403, body: '<title>Just a moment...</title>' },
    'a turnstile': { body: '<form><input type="hidden" name="cf-turnstile-response"></form>' },
    '429': { status: 429, body: '' },
  },
  changed: {
    'another markup': { body: page('<article><a href="https://a.example">A</a></article>') },
    'results without links': { body: page('<article data-test-id="mainline-result-web">A</article>') },
    'results whose links all lead to its own pages': {
      body: page(result('https://www.ecosia.org/help', 'A', 'x') + result('/x', 'B', 'x')),
    },
    'an empty body': { body: '' },
  },
  checkRequest({ url, headers }) {
    expect(url.pathname).toBe('/search');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      method: 'index',
      q: 'site:nodejs.org magpie nest & "tail feathers" é',
      freshness: 'week',
    });
    expect(headers.cookie).toContain('mc=en-at');
  },
});

test('links of a row to pages of Ecosia precede the result and are not results', () => {
  const row = `<div data-test-id="mainline-result-web"><article><div class="result__info"><div data-test-id="organic-result-feedback">
    <a data-test-id="organic-result-learn-more" href="https://support.ecosia.org/x">Learn more</a></div>
    <a data-test-id="result-link" href="https://a.example/"><span>https://a.example</span></a></div>
    <div class="result__title"><a data-test-id="result-link" href="https://a.example/"><h2 data-test-id="result-title">A</h2></a></div>
    <div data-test-id="result-description"><p data-test-id="web-result-description">Nov 9, 2020 ... Words.</p></div></article></div>`;
  expect(ecosia().parse(page(row), { text: 'x', limit: 10 })).toEqual([
    { title: 'A', url: 'https://a.example/', snippet: 'Words.', published: Date.UTC(2020, 10, 9) },
  ]);
});
