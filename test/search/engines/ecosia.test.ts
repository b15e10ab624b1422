import { expect } from 'vitest';
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
