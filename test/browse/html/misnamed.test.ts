import { expect, test } from 'vitest';
import { readHtml } from '../../../src/browse/readers/html.ts';

/** As rules read it, without the trees. */
const read = (body: string) =>
  readHtml(
    `<html><head><title>Mills at sea</title></head><body>${body}</body></html>`,
    'https://site.example/a',
    false,
    () => undefined,
  ).markdown;
const sentence = (subject: string) =>
  `A tide mill grinds ${subject} by the rise and fall of the sea, which fills a pond and drives a wheel.`;
const prose = (subject: string, count = 4) =>
  Array.from({ length: count }, (_, i) => `<p>${sentence(`${subject} ${i}`)}</p>`).join('');
const TEXT = `<h1>Mills at sea</h1>${prose('wheat', 6)}`;

test.each([
  ['a numbered chapter', `<section id="more-on-rye"><h2>5.1. More on rye¶</h2>${prose('rye')}</section>`],
  ['a chapter that a table of contents leads to', `<div id="toc_rye"><h2>Rye</h2>${prose('rye')}</div>`],
  ['a name with the hash of a style sheet', `<div class="table_root__adKqa">${prose('rye')}</div>`],
  ['a menu without a link', `<div class="part lm-nav-source">${prose('rye')}</div>`],
  [
    'what a shop tells in a box that opens',
    `<div class="product-details-modal"><h2>Rye</h2>${prose('rye')}</div>`,
  ],
  ['a long text in a layout', `<div class="layout-sidebar-top">${prose('rye', 12)}</div>`],
  [
    'questions that open their answers',
    `<div role="tablist" class="faq"><div><h3><a href="#a" role="tab">Why?</a></h3><div id="a">${prose('rye')}</div></div></div>`,
  ],
])('%s is read', (_name, html) => {
  expect(read(`<main>${TEXT}${html}${prose('oats', 8)}</main>`)).toContain(sentence('rye 2'));
});

test('the ingredients of a dish are read with the instructions', () => {
  const made = `<article class="recipe__steps">${prose('rye', 7)}</article>`;
  const list = `<aside class="recipe__ingredients"><ul><li>two cups of rye flour</li><li>half a cup of water</li></ul></aside>`;
  const markdown = read(`<main><h1>Bread</h1><section class="recipe">${list}${made}</section></main>`);
  expect(markdown).toContain('two cups of rye flour');
  expect(markdown).toContain(sentence('rye 6'));
});

const shelf = (count: number) =>
  `<ul class="grid">${Array.from({ length: count }, (_, i) => `<li class="item"><a href="/${i}">Mill of oak no. ${i}</a> 99 crowns</li>`).join('')}</ul>`;
const mills = (path: string, head = '', names = 'grid-and-pagination') =>
  readHtml(
    `<html><head>${head}</head><body><main><div class="${names}">${shelf(40)}</div></main><div class="category-description">${prose('wheat', 8)}</div></body></html>`,
    `https://mills.example/${path}`,
    false,
    () => undefined,
  ).markdown;

test('the items of a page that lists one kind of thing are read, and not only the text about the kind', () => {
  expect(mills('collections/oak')).toContain('Mill of oak no. 39');
  expect(mills('mills.html')).toContain('Mill of oak no. 39');
  const posting = '<script type="application/ld+json">{"@type":"BlogPosting","headline":"Mills"}</script>';
  expect(mills('collections/oak', posting)).not.toContain('Mill of oak no. 39');
});

test('pagination is not a list', () => {
  const pages = Array.from({ length: 20 }, (_, i) => `<a href="/${i}">${i}</a>`).join(' ');
  expect(read(`<main>${TEXT}<div class="pagination">${pages}</div>${prose('oats', 8)}</main>`)).not.toContain(
    '[17]',
  );
});

test('a link nested in a card that is a link ends neither the card nor the text around it', () => {
  const card = '<a href="/b"><div><h4>Wind</h4><div><a href="/who">Someone</a></div></div></a></div>';
  const markdown = read(
    `<div><article><div class="article-body">${TEXT}${prose('oats', 14)}<div class="card">${card}${prose('rye')}</div></article></div>`,
  );
  expect(markdown).toContain(sentence('rye 3'));
});

const ENTRY = (name: string) =>
  `<div class="course"><h3><a href="/${name}">${name}</a></h3>${prose(name, 3)}<ul><li>two weeks of ${name}</li></ul></div>`;

test('a text that discusses several things, each under a link, keeps them', () => {
  const entries = ['rye', 'oats', 'maize', 'rice'].map(
    (name) => `<h2>Of ${name}</h2>${prose(`good ${name}`, 2)}${ENTRY(name)}`,
  );
  const markdown = read(
    `<article class="post-content">${TEXT}${entries.join('')}${prose('spelt', 4)}</article>`,
  );
  expect(markdown).toContain(sentence('maize 1'));
  expect(markdown).toContain('two weeks of rice');
});

test('teasers at the end of a text are left out', () => {
  const markdown = read(
    `<article class="post-content">${TEXT}${prose('spelt', 12)}${['rye', 'oats', 'maize'].map(ENTRY).join('')}</article>`,
  );
  expect(markdown).toContain(sentence('wheat 5'));
  expect(markdown).not.toContain(sentence('maize 1'));
});

test('the items on a shelf belong to its page, whatever heading is above them', () => {
  const thing = (i: number) =>
    `<li class="card"><a href="/p/${i}">Mill number ${i} with its wheel</a> <b><span>$</span><span>${i}9.00</span></b></li>`;
  const things = Array.from({ length: 60 }, (_, i) => thing(i)).join('');
  const body = `<div><div class="category-text"><h1>Mills</h1>${prose('wheat', 36)}</div><div class="grid"><ul>${things}</ul></div></div>`;
  expect(read(body)).toContain('Mill number 53');
});
