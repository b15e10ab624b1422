import { describe, expect, test } from 'vitest';
import {
  findFirstMatch,
  readEmptyPage,
  readHtml,
  readRows,
  resolveResultLink,
  throwIfCaptcha,
} from '../../../src/search/answers/html-answer.ts';
import { escapeHtmlText } from '../../../src/search/answers/json-answer.ts';

describe('readHtml', () => {
  test('closes elements that HTML leaves open, and decodes entities and scripts', () => {
    const $ = readHtml('<!DOCTYPE html><ul><li>a &amp; b<li>c<br>d</ul><script>if (a<b) x()</script><p>e');
    expect($('li').length).toBe(2);
    expect($('li').first().text()).toBe('a & b');
    expect($('ul b').length).toBe(0);
    expect($('p').text()).toBe('e');
  });

  test('reads XML with its element names unchanged', () => {
    const $ = readHtml(
      '<?xml version="1.0"?><feed><entry><Title>A &lt; B</Title><x:y>1</x:y></entry></feed>',
      {
        xml: true,
      },
    );
    expect($('feed > entry > Title').text()).toBe('A < B');
    expect(
      $('entry')
        .children()
        .toArray()
        .map(({ name }) => name),
    ).toEqual(['Title', 'x:y']);
  });

  test.each([
    ['deep', '<div>', 2_000_000],
    ['deep in lists', '<ul><li>', 2_000_000],
    ['many', '<br>', 2_000_000],
    ['many closing ones', '</p>', 2_000_000],
  ])('reports endless markup as changed at once: %s', (_, tag, characters) => {
    const body = tag.repeat(characters / tag.length);
    expect(() => readHtml(body)).toThrow(expect.objectContaining({ name: 'EngineError', kind: 'changed' }));
  });

  test('does not count comments', () => {
    expect(readHtml(`${'<!-- x -->'.repeat(50_000)}<p>a</p>`)('p').text()).toBe('a');
  });
});

test.each([
  ['https://a.example/x', 'https://a.example/x'],
  [' http://a.example ', 'http://a.example/'],
  ['//b.example/y', 'https://b.example/y'],
  ['javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['/settings', undefined],
  ['https://www.engine.example/ad', undefined],
  ['https://otherengine.example/', 'https://otherengine.example/'],
  ['https://[', undefined],
  ['', undefined],
  [undefined, undefined],
])('the result link %j leads to %j', (href, page) => {
  expect(resolveResultLink(href, 'engine.example')).toBe(page);
});

test('plain text is escaped and keeps its characters', () => {
  expect(escapeHtmlText('a <b> & &amp;')).toBe('a &lt;b> &amp; &amp;amp;');
});

test.each([
  '<form id="challenge-form"></form>',
  '<input type="hidden" name="cf-turnstile-response">',
  '<script id="anubis_challenge" type="application/json">{}</script>',
  '<altcha-widget></altcha-widget>',
  '<iframe src="https://geo.captcha-delivery.com/captcha/?x"></iframe>',
  '<div class="AdvancedCaptcha SmartCaptcha-Shield"></div>',
  '<div class="g-recaptcha"></div>',
  '<script src="https://x.edge.captcha.awswaf.com/x.js"></script>',
  '<form action="https://consent.google.com/save"></form>',
  '<form action="https://consent.yahoo.com/v2/collectConsent?sessionId=3"></form>',
])('a captcha is recognized by its markup in any language: %s', (mark) => {
  expect(() => throwIfCaptcha(readHtml(`<html><body>${mark}</body></html>`))).toThrow(
    expect.objectContaining({ name: 'EngineError', kind: 'captcha' }),
  );
});

describe('a page without rows', () => {
  const words = { captcha: /robot/i, nothing: /own words/i, sign: '.none' };
  const read = (body: string) => readEmptyPage(readHtml(`<body>${body}</body>`), 'keine Treffer', words);

  test.each([
    'No results found for x',
    'Es wurden keine Ergebnisse gefunden',
    'Aucun résultat ne correspond',
    'No se han encontrado páginas',
    'Nessun risultato trovato',
    'Nenhum resultado encontrado',
    'Geen resultaten',
    'Nie znaleziono stron',
    'По вашему запросу ничего не найдено',
    '一致する情報は見つかりませんでした',
    '抱歉，没有找到相关内容',
    '검색결과가 없습니다',
    'its own words',
  ])('reports an empty result: %s', (text) => {
    expect(read(`<p>${text}</p>`)).toEqual([]);
  });

  test('is an empty result by its marker in an unknown language', () => {
    expect(read('<div class="none">?</div>')).toEqual([]);
  });

  test('is a changed page where only the question or a script says that nothing was found', () => {
    const body = '<p>keine Treffer</p><script>t = "no results found"</script>';
    expect(() => read(body)).toThrow(expect.objectContaining({ kind: 'changed' }));
  });
});

describe('readRows', () => {
  const read = (rows: string) => {
    const $ = readHtml(rows);
    return readRows($('li').toArray(), (row) => {
      const link = findFirstMatch($(row), ['a.best', 'a']);
      const url = resolveResultLink(link.attr('href'), 'engine.example');
      return url ? { url, title: escapeHtmlText(link.text()) } : undefined;
    });
  };

  test('takes the preferred link wherever it is, and leaves out rows without a link', () => {
    const rows =
      '<li><a href="https://b.example/">B</a><a class="best" href="https://a.example/">A</a></li><li>x</li>';
    expect(read(rows)).toEqual([{ title: 'A', url: 'https://a.example/', snippet: '' }]);
  });

  test.each([
    ['no row has a link', '<li>A</li>'],
    ["all links are the engine's own", '<li><a href="/more">More</a></li>'],
    ['no row has a title', '<li><a href="https://a.example/"> </a></li>'],
  ])('reports a changed page where %s', (_, rows) => {
    expect(() => read(rows)).toThrow(expect.objectContaining({ kind: 'changed' }));
  });
});
