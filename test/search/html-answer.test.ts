import { describe, expect, test } from 'vitest';
import { asHtml, pageAddress, readHtml } from '../../src/search/html-answer.ts';

describe('readHtml', () => {
  test('closes what HTML lets open, and knows entities and scripts', () => {
    const $ = readHtml('<!DOCTYPE html><ul><li>a &amp; b<li>c<br>d</ul><script>if (a<b) x()</script><p>e');
    expect($('li').length).toBe(2);
    expect($('li').first().text()).toBe('a & b');
    expect($('ul b').length).toBe(0);
    expect($('p').text()).toBe('e');
  });

  test('reads XML with its names as they are', () => {
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
  ])('markup without end is reported as changed at once: %s', (_, tag, characters) => {
    const body = tag.repeat(characters / tag.length);
    expect(() => readHtml(body)).toThrow(expect.objectContaining({ name: 'EngineError', kind: 'changed' }));
  });

  test('comments do not count', () => {
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
])('the page behind %j is %j', (href, page) => {
  expect(pageAddress(href, 'engine.example')).toBe(page);
});

test('plain text keeps its marks', () => {
  expect(asHtml('a <b> & &amp;')).toBe('a &lt;b> &amp; &amp;amp;');
});
