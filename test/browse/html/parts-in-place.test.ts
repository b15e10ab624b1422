import { expect, test } from 'vitest';
import { readHtml } from '../../../src/browse/readers/html.ts';

const PROSE =
  '<p>A tide mill grinds grain by the rise and fall of the sea, which fills a pond and drives a wheel.</p>';
const page = (html: string) =>
  readHtml(`<html><head><title>Tide mills</title></head><body>${html}</body></html>`, 'https://s.example/');
const read = (html: string) => page(html).markdown;
const inText = (html: string) =>
  read(`<main><article><h1>Tide mills</h1>${PROSE.repeat(4)}${html}${PROSE}</article></main>`);

const dish = (name: string, price: string) =>
  `<li class="menu-item"><div class="menu-item__row"><span class="menu-item__name">${name}</span><span class="menu-item__dots"></span><span class="menu-item__price">${price}</span></div></li>`;
const dishes = `<h2>Starters</h2><ul>${dish('Soup', '4,50 €')}${dish('Bread', '2,00 €')}</ul><h2>Fish</h2><ul>${dish('Sole of the day', '19,00 €')}${dish('Cod', '12,00 €')}</ul>`;
const links = (one: string) =>
  `<ul class="menu"><li class="menu-item"><a href="/a">${one}</a></li><li class="menu-item"><a href="/b">Visit</a></li></ul>`;

test.each([
  ['a box named menu', `<div class="menu">${dishes}</div>`],
  ['sections named menu', `<section class="menu-section">${dishes}</section>`.repeat(1)],
])('dishes and prices are read, and menus of links are not: %s', (_name, html) => {
  const text = read(
    `<header>${links('SEAM')}</header><div id="content"><h1>Our dishes</h1>${html}<p>Closed on Monday.</p></div>`,
  );
  expect(text).toContain('Soup 4,50 €');
  expect(text).toMatch(/Starters[\s\S]*Fish[\s\S]*Cod 12,00 €/);
  expect(text).not.toContain('SEAM');
});

const said = (words: string, by: string, hidden: boolean, copy = '') =>
  `<div class="slide ${copy}" aria-hidden="${hidden}"><blockquote><p>${words}</p><p class="author">${by}</p></blockquote></div>`;
const [ONE, TWO] = ['The stove was warm when we came at night.', 'As quiet as no one from a city can think.'];

test.each([
  ['copies by name', 'slick-cloned'],
  ['copies without a name', ''],
])('each slide of a carousel of texts is read once, with its author: %s', (_name, copy) => {
  const slides = `${said(TWO, 'Gerda W.', true, copy)}${said(ONE, 'Ana', false)}${said(TWO, 'Gerda W.', true)}${said(ONE, 'Ana', true, copy)}`;
  const text = inText(`<h2>Guests</h2><div role="toolbar"><div role="listbox">${slides}</div></div>`);
  for (const words of ['## Guests', ONE, TWO, 'Gerda W.', 'Ana']) expect(text.split(words)).toHaveLength(2);
});

test('hidden boxes that are no slides stay hidden', () => {
  const hidden = '<div class="box" aria-hidden="true">SECRET words that no slide ever shows</div>';
  expect(inText(hidden.repeat(2))).not.toContain('SECRET');
  const linked = `<div class="box" aria-hidden="false"><a href="/a">SEAM ${ONE}</a></div>`;
  expect(inText(`<div>${linked}${linked.replace('false', 'true')}</div>`)).not.toMatch(/SEAM[\s\S]*SEAM/);
});

const FACTS =
  '<h3>Facts on mills</h3><p>Two of three mills stand idle in winter.</p><ul><li>One grinds.</li></ul>';
test.each([
  ['an aside', `<aside>${FACTS}</aside>`],
  ['a complementary aside', `<aside class="factbox" role="complementary">${FACTS}</aside>`],
  ['a complementary box', `<div role="complementary">${FACTS}</div>`],
])('boxes of facts stay where they stand in a text: %s', (_name, box) => {
  expect(inText(`${box}<h2>Wheels</h2>`)).toMatch(
    /sea[\s\S]*Facts on mills[\s\S]*idle[\s\S]*One grinds[\s\S]*Wheels/,
  );
});

test.each([
  ['links', '<aside><h3>SEAM</h3><p><a href="/a">A mill that turned for two hundred years</a></p></aside>'],
  [
    'an advertisement',
    '<aside><h3>Advertisement</h3><p>SEAM: buy a wheel of our make, it turns well.</p></aside>',
  ],
  ['a form', '<aside><h3>SEAM</h3><p>We send you a letter on each day of the week.</p><input></aside>'],
  ['a named box', `<aside class="newsletter">${FACTS.replace('Facts', 'SEAM')}</aside>`],
])('asides that lead away from a text go: %s', (_name, box) => {
  expect(inText(box)).not.toContain('SEAM');
});

const version = (number: string, date: string, line: string) =>
  `<section><div class="meta"><strong class="v">${number}</strong><span class="date">${date}</span><span class="os">Linux</span></div>${PROSE}<ul><li><span class="badge">new</span>${line}</li></ul></section>`;

test('lines of version and date that head sections are read, and badges stand apart', () => {
  const text = inText(
    version('4.12.0', '2 March 2026', 'maps are stored') + version('4.11.3', '19 January 2026', 'fixed'),
  );
  expect(text).toContain('**4.12.0** 2 March 2026 Linux');
  expect(text).toContain('**4.11.3** 19 January 2026 Linux');
  expect(text).toContain('- new maps are stored');
  expect(inText(`<div class="meta"><strong>Ana</strong> SEAM</div>`)).not.toContain('SEAM');
});

test.each([
  ['Cookie policy', 'Site map'],
  ['Politica de cookie-uri', 'Harta site-ului'],
  ['Datenschutz', 'Übersicht'],
  ['個人情報・プライバシー', 'サイトマップ'],
])('a last line of links to the rules of a site goes: %s', (policy, other) => {
  const line = `<div id="x"><a href="/p">${policy}</a> | <a href="/o">${other}</a></div>`;
  expect(read(`<div><h1>Tide mills</h1>${PROSE.repeat(4)}</div>${line}`)).not.toContain(policy);
});
