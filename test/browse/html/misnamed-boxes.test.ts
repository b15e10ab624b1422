import { expect, test } from 'vitest';
import NAMES from '../../../src/browse/readers/html/visibility/part-names.json' with { type: 'json' };
import { readHtml } from '../../../src/browse/readers/html.ts';

/** As rules read it, without the trees. */
const read = (body: string) =>
  readHtml(
    `<html><head><title>Mills at sea</title></head><body><header><a href="/">Mill News</a><nav><ul><li><a href="/a">About</a></li><li><a href="/b">Visit</a></li></ul></nav></header>${body}<footer><p>Mill News, 2026</p></footer></body></html>`,
    'https://mills.example/sea',
    false,
    () => undefined,
  ).markdown;

const several = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));
const sentence = (i: number) =>
  `A tide mill grinds grain number ${i} by the rise and fall of the sea, which fills a pond and drives a wheel.`;
const mill = (i: number) => `Mill of wheel ${i}x`;
const place = (i: number) => `Harbour ${i}, Graz`;
const linked = (i: number) => `<a href="/c/${i}">${mill(i)}</a>`;
const pairs = several(8, (i) => [mill(i), place(i)]).flat();

/** What a page can hold, and what of it must be read. */
const CONTENTS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['a text', several(6, (i) => `<p>${sentence(i)}</p>`), several(6, sentence)],
  ['a short text', several(2, (i) => `<p>${sentence(i)}</p>`), several(2, sentence)],
  [
    'things under links',
    ['<ul>', ...several(8, (i) => `<li>${linked(i)} <p>${place(i)}</p></li>`), '</ul>'],
    pairs,
  ],
  ['short lines', ['<ul>', ...several(8, (i) => `<li>${mill(i)}</li>`), '</ul>'], several(8, mill)],
  ['cards', several(8, (i) => `<div><h3>${linked(i)}</h3><p>${place(i)}</p></div>`), pairs],
  [
    'a table',
    ['<table>', ...several(8, (i) => `<tr><td>${mill(i)}</td><td>${place(i)}</td></tr>`), '</table>'],
    pairs,
  ],
  ['definitions', ['<dl>', ...several(8, (i) => `<dt>${mill(i)}</dt><dd>${place(i)}</dd>`), '</dl>'], pairs],
  ['code', ['<pre>', ...several(8, (i) => `${mill(i)}\n`), '</pre>'], several(8, mill)],
];

const wordsOf = (rows: readonly string[]) =>
  rows
    .join(' ')
    .split(' ')
    .map((word) => word.replace(/\$$/, '').replace(/\.$/, '-x').replaceAll('.', '-'));
const WORDS = wordsOf([...NAMES.frame, ...NAMES.related, ...NAMES.around, ...NAMES.comments]);

const lacks = (markdown: string, wanted: readonly string[]) => {
  const text = markdown.replace(/[*_\\]/g, '');
  return wanted.filter((one) => !text.includes(one));
};

/** Each word meets each content, as one of these in turn: neighbours in the list are words of one kind, which rules treat alike. */
const turn = <T>(words: readonly string[], word: string, at: number, ways: readonly T[]): T =>
  ways[(words.indexOf(word) + at) % ways.length] as T;

test.each(WORDS)('a box named %s that holds what the page says stays', (word) => {
  for (const [at, [what, parts, wanted]] of CONTENTS.entries()) {
    const box = turn(WORDS, word, at, [`<div class="${word}">`, `<div id="${word}">`]);
    expect(lacks(read(`<h1>Mills at sea</h1>${box}${parts.join('')}</div>`), wanted), what).toEqual([]);
  }
});

test.each(WORDS)('boxes named %s that together hold what the page says stay', (word) => {
  const page = (...boxes: readonly string[]) => read(`<h1>Mills at sea</h1><div>${boxes.join('')}</div>`);
  const cards = several(8, (i) => `<div class="${word}"><h3>${linked(i)}</h3><p>${place(i)}</p></div>`);
  expect(lacks(page(...cards), pairs)).toEqual([]);
  const numbered = several(8, (i) => `<div id="${word}-${i}"><b>${mill(i)}</b> ${place(i)}</div>`);
  expect(lacks(page(...numbered), pairs)).toEqual([]);
  const parts = several(
    8,
    (i) => `<p class="${word}-row"><span class="${word}-name">${mill(i)}</span> ${place(i)}</p>`,
  );
  const note = `<p class="${word}-note">${sentence(0)}</p>`;
  const whole = page(`<div class="${word}">${parts.join('')}${note}</div>`);
  expect(lacks(whole, [...pairs, sentence(0)])).toEqual([]);
});

const SMALL = wordsOf([...NAMES.frame, ...NAMES.related]);
test.each(SMALL)('a small box named %s goes', (word) => {
  const boxes = [
    '<p>SEAM: a wheel of ours turns well, all year.</p>',
    '<ul><li><a href="/q">SEAM</a></li></ul>',
  ].map((box) => `<div class="${word}">${box}</div>`);
  for (const [at, [what, parts]] of CONTENTS.entries()) {
    const text = parts.join('');
    const pages = boxes.flatMap((box) => [text + box, box + text]);
    const page = turn(SMALL, word, at, pages);
    expect(read(`<main><h1>Mills at sea</h1>${page}</main>`), what).not.toContain('SEAM');
  }
});

const COOKIES =
  'SEAM and its partners keep cookies on your device to count visits and to show what fits you. ';

test.each(['cookie', 'consent', 'gdpr', 'modal', 'popup', 'onetrust', 'newsletter', 'sidebar'])(
  'a box named %s that asks something goes, though it is longer than the text',
  (word) => {
    const box = `<div class="${word}"><h2>SEAM</h2><p>${COOKIES.repeat(4)}</p><button>Accept</button></div>`;
    for (const count of [1, 2]) {
      const text = `<div><h1>Mills at sea</h1>${several(count, (i) => `<p>${sentence(i)}</p>`).join('')}</div>`;
      for (const page of [box + text, text + box, `${box}<main>${text}</main>`]) {
        const markdown = read(page);
        expect(markdown).not.toContain('SEAM');
        expect(markdown).toContain(sentence(0));
      }
    }
  },
);

test('a site that names nearly all of its boxes like frames keeps them', () => {
  const names = ['promo', 'teaser', 'related', 'recommended'];
  const say = (name: string) =>
    `The ${name} of the harbour has been open since the spring, and all who row are welcome to it.`;
  const boxes = names.map((name) => `<div class="${name}"><h2>${name} box</h2><p>${say(name)}</p></div>`);
  const markdown = read(`<h1>Harbour</h1>${boxes.join('')}`);
  for (const name of names) expect(markdown).toContain(say(name));
});

test('the entries of a long list keep their lines of links, whatever the boxes are called', () => {
  const entries = several(
    20,
    (i) =>
      `<dd><div class="meta"><div class="list-authors">${linked(i)}, ${linked(i + 20)}</div><p>${sentence(i)}</p></div></dd>`,
  );
  const markdown = read(`<main><h1>Mills at sea</h1><dl>${entries.join('')}</dl></main>`);
  expect(lacks(markdown, [...several(40, mill), ...several(20, sentence)])).toEqual([]);
});

test('a box named sidebar with most of the prose of a page stays beside a longer list of links', () => {
  const box = `<div class="sidebar">${several(7, (i) => `<p>${sentence(i)}</p>`).join('')}</div>`;
  const links = several(60, (i) => `<li>${mill(i)}, ${place(i)}</li>`).join('');
  const markdown = read(`<main><h1>Mills at sea</h1>${box}<p>${sentence(8)}</p><ul>${links}</ul></main>`);
  expect(lacks(markdown, several(7, sentence))).toEqual([]);
});
