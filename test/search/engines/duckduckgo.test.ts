import { describe, expect, test } from 'vitest';
import { EngineError } from '../../../src/search/engine.ts';
import { duckduckgo } from '../../../src/search/engines/duckduckgo.ts';

const engine = duckduckgo();
const query = { text: 'magpie', limit: 10 };

/** One result as the page for browsers without scripts has it. */
const result = (href: string, title: string, snippet: string, classes = 'web-result') => `
  <div class="result results_links results_links_deep ${classes}">
    <div class="links_main links_deep result__body">
      <h2 class="result__title"><a rel="nofollow" class="result__a" href="${href}">${title}</a></h2>
      <div class="result__extras"><div class="result__extras__url">
        <a class="result__url" href="${href}"> somewhere.example </a></div></div>
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

function kindOf(body: string): string | undefined {
  try {
    engine.parse(body, query);
    return undefined;
  } catch (error) {
    return error instanceof EngineError ? error.kind : String(error);
  }
}

describe('request', () => {
  const form = (text: string) => new URLSearchParams(engine.request({ text, limit: 10 }).body);

  test('posts the form of the first page', () => {
    const request = engine.request({ text: 'a & b=c é', limit: 10 });
    expect(request).toMatchObject({ url: 'https://html.duckduckgo.com/html/', method: 'POST' });
    expect(request.headers?.['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(form('a & b=c é'))).toEqual({ q: 'a & b=c é', b: '', kl: 'wt-wt' });
  });

  test('a question is cut to what is answered', () => {
    expect(form('x'.repeat(600)).get('q')).toHaveLength(499);
    expect(form('🐦'.repeat(600)).get('q')).toBe('🐦'.repeat(249));
  });

  test.each([
    ['!w magpie', 'w magpie'],
    ['magpie !g', 'magpie g'],
    ['magpie g!', 'magpie g'],
    ['\\magpie', 'magpie'],
    ['!!! what', ' what'],
    ['a != b', 'a = b'],
    ['C:\\temp and x!y', 'C:\\temp and x!y'],
  ])('%j does not send it on to another site', (text, sent) => {
    expect(form(text).get('q')?.trim()).toBe(sent.trim());
  });
});

describe('parse', () => {
  test('reads results, decodes redirect links, drops advertisements', () => {
    const body = page(
      AD +
        result(
          redirect('https://en.wikipedia.org/wiki/Magpie?a=1&b=2#Range'),
          'Magpie &amp; <b>others</b>',
          'A <b>magpie</b>\n   is a bird.',
        ) +
        result('https://direct.example/page', 'Direct', '') +
        result(redirect('https://duckduckgo.com/y.js?ad_domain=x'), 'Hidden advertisement', 'x') +
        result(redirect('javascript:alert(1)'), 'Bad', 'x') +
        result('/local', 'Local', 'x'),
    );
    expect(engine.parse(body, query)).toEqual([
      {
        title: 'Magpie & others',
        url: 'https://en.wikipedia.org/wiki/Magpie?a=1&b=2#Range',
        snippet: 'A magpie is a bird.',
      },
      { title: 'Direct', url: 'https://direct.example/page', snippet: '' },
    ]);
  });

  test("another site's parameter of that name is no redirect", () => {
    const url = 'https://other.example/l/?uddg=https%3A%2F%2Fevil.example%2F';
    expect(engine.parse(page(result(url, 'T', 'S')), query).map((hit) => hit.url)).toEqual([url]);
  });

  test('its own word that there is nothing is an empty list', () => {
    const body = page('<div class="no-results">No&nbsp;&nbsp;results.</div>');
    expect(engine.parse(body, query)).toEqual([]);
    expect(engine.parse(page(AD), query)).toEqual([]);
    expect(engine.parse(page(result('', 'No results.', '', 'result--no-result')), query)).toEqual([]);
  });

  test('the page against robots is a captcha', () => {
    const body = `<!DOCTYPE html><html><body><form id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html&cc=botnet" method="POST">
      <div class="anomaly-modal__mask"><div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div>
      <div class="anomaly-modal__description">Please complete the following challenge to confirm this search was made by a human.</div>
      </div></form></body></html>`;
    expect(kindOf(body)).toBe('captcha');
  });

  test.each([
    ['another markup', page('<article data-testid="result"><a href="https://x.example/">X</a></article>')],
    ['results without links', page('<div class="result web-result"><span>X</span></div>')],
    ['an empty body', ''],
    ['no HTML', '{"results": []}'],
  ])('%s counts as changed, not as nothing found', (_, body) => {
    expect(kindOf(body)).toBe('changed');
  });
});
