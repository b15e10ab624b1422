import { expect, test } from 'vitest';
import { readHtml } from '../../../../src/browse/readers/html.ts';

const sentence = (subject: string) =>
  `A tide mill grinds ${subject} by the rise and fall of the sea, which fills a pond and drives a wheel.`;
const prose = Array.from({ length: 8 }, (_, i) => `<p>${sentence(`grain ${i}`)}</p>`).join('');
const text = `<div class="article-body">${prose}</div>`;
const title = '<h1>Mills at sea</h1>';
const LEDE =
  'SEAM: mills that the sea drives have ground grain for a thousand years, and two of them still do.';

const page = (body: string) =>
  readHtml(
    `<html><head><title>Mills at sea</title></head><body>${body}</body></html>`,
    'https://mills.example/sea',
  ).markdown;

test.each([
  ['beside the text', `<main>${title}<p>${LEDE}</p>${text}</main>`],
  ['in the header', `<main><header>${title}<p>${LEDE}</p></header>${text}</main>`],
  [
    'by its name in another box',
    `<main><div><div>${title}<p class="lead">${LEDE}</p></div></div>${text}</main>`,
  ],
  ['in the text', `<main><article>${title}<div class="teaser-text">${LEDE}</div>${prose}</article></main>`],
])('a paragraph that sums up an article comes first: %s', (_, body) => {
  expect(page(body)).toMatch(/^SEAM/);
});

test.each([
  ['a caption', `<figure><figcaption>${LEDE}</figcaption></figure>`],
  ['a picture that is named so', `<div class="lead"><img src="/m.png" alt="Mill"></div><nav>${LEDE}</nav>`],
  ['a form', `<form class="intro"><p>${LEDE}</p><input name="q"></form>`],
  ['a box far from the text', `<div><div><div><div><p>${LEDE}</p></div></div></div></div>`],
])('what stands between title and text is no summary: %s', (_, box) => {
  expect(page(`<main>${title}${box}${text}</main>`).replace(/!\[[^\]]*\]/g, '')).not.toContain('SEAM');
});

test('the paragraph below another heading is no summary', () => {
  expect(page(`<div><h1>Mill News</h1><p>${LEDE}</p></div><main>${title}${text}</main>`)).not.toContain(
    'SEAM',
  );
});
