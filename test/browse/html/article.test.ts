import { expect, test } from 'vitest';
import { readHtml } from '../../../src/browse/readers/html.ts';

const sentence = (subject: string) =>
  `A tide mill grinds ${subject} by the rise and fall of the sea, which fills a pond and drives a wheel.`;
const prose = (...subjects: readonly string[]) => subjects.map((one) => `<p>${sentence(one)}</p>`).join('');
const read = (body: string, url = 'https://site.example/a', head = '<title>Mills at sea</title>') =>
  readHtml(`<html><head>${head}</head><body>${body}</body></html>`, url).markdown;
const GRAINS = ['wheat', 'rye', 'oats', 'maize', 'rice', 'malt'];

test.each([
  ['the title over again', '<h1>Mills at sea</h1>'],
  ['the title in other words', '<h1>The Mills out at Sea</h1>'],
  ['a byline', '<p class="byline">SEAM Ada Lake</p>'],
  ['a share bar', '<ul class="social-share"><li><a href="/s">SEAM Share</a></li></ul>'],
  ['an invitation', '<p>Sign up for our SEAM newsletter and get it in your inbox.</p>'],
  ['a signpost', '<p>Read more: <a href="/x">SEAM and how it came about</a></p>'],
  ['a signpost in another language', '<p>Lesen Sie auch: <a href="/x">SEAM und mehr</a></p>'],
  ['a paragraph that is a link', '<p><a href="/x">SEAM SAYS WHAT NOBODY EXPECTED</a></p>'],
  ['a teaser', '<div><h3><a href="/x">SEAM</a></h3><p>Some words about it.</p></div>'],
  [
    'a label with the links that it announces',
    '<h3>More stories</h3><ul><li><a href="/x">SEAM</a></li><li><a href="/y">SEAM</a></li></ul>',
  ],
  ['a line of links', '<div><a href="/1">SEAM</a> | <a href="/2">Two</a> | <a href="/3">Three</a></div>'],
  ['an advertisement', '<div class="ad-slot">SEAM</div>'],
  ['comments', `<div class="comments"><p>SEAM ${sentence('nothing')}</p></div>`],
  ['a sentence shown large', `<aside class="pullquote">“${sentence('wheat')}”</aside>`],
  ['the words under a picture of none', '<figcaption>SEAM</figcaption>'],
  ['a heading that heads nothing', '<h2>SEAM</h2><div class="newsletter">x</div>'],
])('an article is read without %s', (_name, foreign) => {
  const markdown = read(`<article>${prose(...GRAINS)}${foreign}</article>`);
  expect(markdown).toBe(GRAINS.map(sentence).join('\n\n'));
  expect(read(`<article>${foreign}${prose(...GRAINS)}</article>`)).toContain(sentence('malt'));
});

test.each([
  ['a heading that is a link and heads text', `<h2><a href="/x">KEPT</a></h2>${prose('barley', 'spelt')}`],
  ['a sentence with a link', '<p>See more and <a href="/x">this KEPT</a> as well.</p>'],
  ['a list of links', '<ul><li><a href="/x">KEPT</a></li><li><a href="/y">Two</a></li></ul>'],
  [
    'links in cells',
    '<table><tr><th>a</th><th>b</th></tr><tr><td><a href="/x">KEPT</a></td><td><a href="/y">2</a></td></tr></table>',
  ],
  ['a note', '<aside class="admonition note"><p>KEPT, and well.</p></aside>'],
  [
    'a date in a sentence',
    '<p>It was KEPT on <time datetime="2026-01-01">the first of January</time> and ever since then.</p>',
  ],
  [
    'a box with a variant named for advertising',
    '<section class="part part--ads"><p>KEPT in a part of the text.</p></section>',
  ],
  [
    'a place named after its heading',
    '<div id="sharing-with-several-people"><p>KEPT in a part of the text.</p></div>',
  ],
])('an article keeps %s', (_name, own) => {
  expect(read(`<article>${prose(...GRAINS)}${own}${prose('sorghum')}</article>`)).toContain('KEPT');
});

test('class names that would remove the text are ignored', () => {
  expect(read(`<div class="post category sidebar-right">${prose(...GRAINS)}</div>`)).toContain(
    sentence('rye'),
  );
});

test('a text in several boxes is read in full, with its opening', () => {
  const box = (i: number, subject: string) =>
    `<div class="story-body part-${i}">${prose(subject, subject)}</div>`;
  const markdown = read(
    `<main><p class="standfirst">${sentence('everything')}</p><div class="wrap">${GRAINS.map((grain, i) => box(i, grain)).join('<div class="ad-box">SEAM</div>')}</div></main>`,
  );
  for (const grain of ['everything', ...GRAINS]) expect(markdown).toContain(sentence(grain));
  expect(markdown).not.toContain('SEAM');
});

test('the text that the page names is preferred to longer teasers around it', () => {
  const teasers = GRAINS.map((grain) => `<div><h3>Other</h3>${prose(grain)}</div>`).join('');
  const markdown = read(
    `<div><div itemprop="articleBody">${prose('salt', 'sand')}</div><div>${teasers}</div></div>`,
  );
  expect(markdown).toBe(`${sentence('salt')}\n\n${sentence('sand')}`);
});

const POSTS = GRAINS.map(
  (grain) => `<div class="comment"><b>${grain}er</b><p>${sentence(grain)}</p></div>`,
).join('');

test('a thread is read with every post, and a blog without its comments', () => {
  const thread = read(
    `<h2>Grain</h2>${prose('grain', 'corn', 'meal')}${POSTS}`,
    'https://forum.example/thread/7',
  );
  for (const grain of ['corn', ...GRAINS]) expect(thread).toContain(sentence(grain));
  expect(thread).toContain('ryeer');
  const blog = read(
    `<article>${prose('grain', 'corn', 'meal', 'bran', 'groats')}</article><div id="comments">${POSTS}</div>`,
  );
  expect(blog).not.toContain(sentence('rye'));
  expect(read(`<h2>Grain</h2><div id="comments">${POSTS}</div>`)).toContain(sentence('rye'));
});

test('a list of stories, a shop and a short page are read in full without their page frame', () => {
  const frame = '<nav><a href="/">SEAM</a></nav><div class="cookie-banner">SEAM</div>';
  const stories = GRAINS.map(
    (grain) => `<div><h3><a href="/${grain}">On ${grain}</a></h3>${prose(grain)}</div>`,
  );
  const list = read(`${frame}<main>${stories.join('')}</main><footer>SEAM</footer>`);
  expect(list).toContain(`### [On rye](https://site.example/rye)\n\n${sentence('rye')}`);
  const shop = read(
    `${frame}<main><h1>Millstone</h1><p class="price">€ 90</p>${prose(...GRAINS)}<div class="related-products">SEAM</div></main>`,
    undefined,
    '<title>Millstone</title><meta property="og:type" content="product">',
  );
  expect(shop).toContain('€ 90');
  const short = read(`${frame}<p>Open daily.</p>`);
  expect(short).toBe('Open daily.');
  expect(list + shop).not.toContain('SEAM');
});

const ABOUT = [
  ['time', (words: string) => `<time datetime="2026-05-04">${words}</time>`],
  ['author', (words: string) => `<span class="author">${words}</span>`],
  ['date', (words: string) => `<span class="post-date">${words}</span>`],
  ['category', (words: string) => `<b class="category">${words}</b>`],
  ['publisher', (words: string) => `<span itemprop="publisher">${words}</span>`],
  ['rel', (words: string) => `<a rel="author" href="/x">${words}</a>`],
] as const;
const PLACES: readonly (readonly [name: string, place: (inside: string) => string])[] = [
  ['item', (one) => `<ul><li>Opened: ${one}</li><li>Closed: ${one}</li></ul>`],
  ['item with a block', (one) => `<ul><li>${one}<p>The dam broke</p></li></ul>`],
  ['definition', (one) => `<dl><dt>Opened</dt><dd>${one}</dd></dl>`],
  ['term', (one) => `<dl><dt>${one}</dt><dd>The dam broke</dd></dl>`],
  ['cell', (one) => `<table><tr><th>What</th><th>Of</th></tr><tr><td>Dam</td><td>${one}</td></tr></table>`],
  ['heading', (one) => `<h3>Fair of ${one}</h3>${sentence('wheat')}`],
  ['heading alone', (one) => `<h3>${one}</h3>${sentence('wheat')}`],
  ['short paragraph', (one) => `<p>Opened ${one}</p>`],
  ['line of a box', (one) => `<div>Opened: ${one}</div>`],
  ['text of a box', (one) => `<div>The mill of ${one} was built of oak. ${sentence('barley')}</div>`],
  ['summary', (one) => `<details><summary>As of ${one}</summary><p>${sentence('wheat')}</p></details>`],
  ['quote', (one) => `<blockquote>Opened on ${one}</blockquote>`],
  ['name under a quote', (one) => `<blockquote><p>It turns.</p>${one}</blockquote>`],
];

test.each(PLACES)('dates, names and the like that belong to a text are read: %s', (_name, place) => {
  for (const [kind, write] of ABOUT) {
    const markdown = read(
      `<article>${prose(...GRAINS)}${place(write('4 SEAM'))}${prose(...GRAINS)}</article>`,
    );
    expect(`${kind}: ${markdown}`).toContain('4 SEAM');
  }
});

test.each([
  ['alone in an item', (one: string) => `<ul><li>${one}</li></ul>`],
  ['alone in a line', (one: string) => `<div>${one}</div>`],
  ['with signs around', (one: string) => `<div>| ${one} |</div>`],
  ['before the paragraphs of a box', (one: string) => `<section>${one}${prose('malt')}</section>`],
  ['as a badge before a word', (one: string) => `<div>${one}mill.example</div>`],
])('a date that belongs to no text is left out: %s', (_name, place) => {
  const date = place('<time datetime="2026-05-04">4 SEAM</time>');
  expect(read(`<article>${prose(...GRAINS)}${date}${prose(...GRAINS)}</article>`)).not.toContain('SEAM');
});

test('a heading that shares only short words with the title is read, and one in other words is not', () => {
  const about = (heading: string, title: string) =>
    read(`<article><h1>${heading}</h1>${prose(...GRAINS)}</article>`, undefined, `<title>${title}</title>`);
  expect(about('New dues for the lock from May', 'Harbour rules for the river, from May')).toContain(
    'New dues',
  );
  expect(
    about('Harbour rules for our river from May', 'New harbour rules for the river, from May'),
  ).not.toContain('#');
  expect(about('The harbour is safe again', 'News 41: the harbour is safe')).toContain('# The harbour');
  expect(about('The harbour is safe', 'News 41: the harbour is safe')).not.toContain('#');
});
