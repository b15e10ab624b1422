import { expect, test } from 'vitest';
import { readHtml } from '../../../../src/browse/readers/html.ts';

const TEXT = 'The ferry runs every hour from the old pier, and the last boat leaves at nine in the evening. ';
const page = (body: string) => `<html><head><title>Ferry</title></head><body>${body}</body></html>`;
const read = (body: string, url = 'https://pier.example/ferry') => readHtml(page(body), url).markdown;
const about = (after: string, before = '') =>
  read(
    `${before}<h1>Ferry</h1><div class="t"><p>${TEXT.repeat(2)}</p></div><h2>Fares</h2><p>Four pounds.</p>${after}`,
  );

test.each([
  [
    'a heading with links in another language',
    '<section><h2>Lisää aiheesta</h2><ul><li><a href="/z">Zulu</a></li></ul></section>',
  ],
  [
    'an invitation with a field',
    '<div><h3>Ole mukana</h3><p>Zulu kerran viikossa.</p><input type="email"><button>Ok</button></div>',
  ],
  ['an offer to members', '<div><p>Zulu members read on.</p><a href="/login">Kirjaudu</a></div>'],
  [
    'a footer that no tag names',
    '<div>Zulu <a href="/privacy">Tiedot</a> <a href="/contact">Ota yhteys</a></div>',
  ],
  [
    'logos in a row',
    '<section><h2>Zulu</h2><img src="/a.png" alt="Herald logo"><img src="/b.png" alt="Post logo"></section>',
  ],
  [
    'a line of controls',
    '<div><a href="#">Zulu</a> <a href="javascript:void(0)">Tulosta</a></div><p>The end.</p>',
  ],
  ['the time of a player', '<div>0:00 / 4:42</div><p>The end.</p>'],
  ['the label of a choice', '<div>Zulu: <select><option>a</option></select></div><p>The end.</p>'],
  [
    'a table of contents',
    '<div><h2>Zulu</h2><ul><li><a href="#a">A</a></li><li><a href="#b">B</a></li></ul></div><p>The end.</p>',
  ],
  [
    'other languages',
    '<label>Zulu</label><ul><li><a href="/de" hreflang="de">Deutsch</a></li><li><a href="/fi" hreflang="fi">Suomi</a></li></ul><p>The end.</p>',
  ],
  ['a link to change the page', '<div><h2>Stops</h2><a href="/ferry/edit">Zulu</a></div><p>Two of them.</p>'],
  [
    'an advertisement that is announced as one',
    '<div aria-label="Ads"><p>Zulu pans for sale, order today.</p></div><p>The end.</p>',
  ],
])('%s is not part of the text', (_, frame) => {
  const markdown = about(frame);
  expect(markdown).not.toMatch(/Zulu|4:42|Deutsch|Herald/);
  expect(markdown).toContain('Four pounds.');
  if (frame.includes('The end.')) expect(markdown).toContain('The end.');
});

test.each([
  ['a box that is sold', '<div><h3>Day ticket</h3><p>Zulu for £12</p><button>Buy</button></div>'],
  [
    'a section that the page itself leads to',
    '<section id="more"><h2 id="zulu">Zulu</h2><ul><li><a href="/z">Zulu</a></li></ul></section>',
  ],
  [
    'one of several made alike',
    '<div class="stop"><h3>Pier</h3><a href="/1">One</a></div><div class="stop"><h3>Quay</h3><a href="/2">Zulu</a></div>',
  ],
  ['code with a button to copy it', '<div><pre>zulu --Zulu</pre><button>Copy</button></div>'],
  [
    'a picture with controls',
    '<div><img src="/b.jpg" alt="Zulu at the pier"><a href="#">Larger</a></div><p>The end.</p>',
  ],
  [
    'a paragraph on where to log in',
    '<p>Season tickets are kept in the Zulu desk, for which you <a href="/login">log in</a> first.</p>',
  ],
  [
    'links under a heading',
    '<h2>Elsewhere</h2><ul><li><a href="https://z.example/">Zulu</a></li><li><a href="https://y.example/">Yankee</a></li></ul>',
  ],
  [
    'a place to go on the page, in a sentence',
    '<p>The Zulu stop, see <a href="#b">below</a> for its hours and the way there on foot.</p>',
  ],
])('%s stays', (_, part) => {
  expect(about(part)).toContain('Zulu');
});

test('links before the title that lead to other pages are dropped, and text there is kept', () => {
  const markdown = about(
    '',
    '<div><a href="/">Zulu</a> › <a href="/boats">Boats</a></div><p>Closed on Sunday, all day.</p>',
  );
  expect(markdown).not.toContain('Zulu');
  expect(markdown).toContain('Closed on Sunday');
});

test('a picture before the title, with a link to a larger version, is kept', () => {
  const picture = '<a href="/b.jpg"><img src="/s.jpg" alt="Zulu at the pier"></a><a href="/b.jpg">Larger</a>';
  expect(about('', `<div>${picture}</div>`)).toContain('Zulu at the pier');
});

test('navigation links before and after the text are not part of it', () => {
  const list =
    '<ul><li>Before: <a href="/1">Zulu the first</a></li><li>After: <a href="/3">Zulu the third</a></li></ul>';
  const markdown = read(`<h1>Ferry</h1>${list}<hr><pre>${TEXT.repeat(4)}</pre><hr>${list}`);
  expect(markdown).not.toContain('Zulu');
  expect(markdown).toContain('The ferry runs every hour');
});

test('the name of a forum author is kept, without statistics', () => {
  const post = (name: string) =>
    `<table class="post"><tr><td><a href="/u/${name}">${name}</a><p>Zulu 88</p></td><td><p>${TEXT}</p></td></tr></table>`;
  const markdown = read(
    `<h1>Ferry</h1>${post('harry')}${post('marit')}`,
    'https://pier.example/forum/t/ferry/1',
  );
  expect(markdown).toMatch(/harry[\s\S]*marit/);
  expect(markdown).not.toContain('Zulu');
});

test('a heading above the title that names the site is not the title', () => {
  const html =
    '<html><head><title>Chain slips - Workshop of Wheels</title></head><body><h1>Workshop of Wheels</h1><h2>Chain slips</h2></body></html>';
  expect(readHtml(html, 'https://w.example/').title).toContain('Chain slips');
});

const article = (html: string) =>
  read(`<article><h1>Ferry</h1><p>${TEXT.repeat(6)}</p>${html}<p>${TEXT}</p></article>`);

test.each([
  ['one line', 'Tide Mill, Quay Street 18, 32032 Feltre (BL)'],
  ['lines', 'Tide Mill<br>Quay Street<br>Woodbridge'],
  ['paragraphs', '<p>Tide Mill</p><p>Quay Street 18</p><p>Tel. <a href="tel:+44123456">0123 456</a></p>'],
  ['a mail address', 'Write to <a href="mailto:a@mill.example">a@mill.example</a>'],
])('an address in an article is text: %s', (_kind, address) => {
  const markdown = article(`<address>${address}</address>`);
  for (const words of address.replace(/<[^>]+>/g, '\n').split('\n')) expect(markdown).toContain(words.trim());
});

test.each([
  ['who wrote', '<address>By <a rel="author" href="/a">Zulu Doe</a></address>'],
  ['who wrote when', '<div lang="de"><address>Von Zulu Dorn<br>12. Mai 2020<br>8 Min</address></div>'],
  ['whose name is a byline', '<address class="author">Zulu Doe<br>12 High Street</address>'],
  ['in a footer', '<footer><address>Zulu, Quay Street 18, Woodbridge</address></footer>'],
])('an address that is not of the text goes: %s', (_kind, address) => {
  expect(article(address)).not.toContain('Zulu');
});

const LINKED =
  'In May the harbour moved the pier by twenty metres in one night, so that Zulu boats could pass it.';

test.each([
  ['a link', `<p><a href="/x">${LINKED}</a></p>`],
  ['a strong link', `<p><strong><a href="/x">${LINKED}</a></strong></p>`],
  ['strong in a link', `<p><a href="/x"><strong>${LINKED}</strong></a></p>`],
  ['a quotation', `<p><a href="/x">“${LINKED}”</a></p>`],
  [
    'in a box of its own',
    `<div class="ad-slot">Anzeige</div><div class="t"><p><a href="/x">${LINKED}</a></p></div>`,
  ],
])('a paragraph that is wholly a link stays between paragraphs: %s', (_kind, html) => {
  expect(article(html)).toContain('Zulu boats');
});

test.each([
  ['without a stop', `<p><a href="/x">${LINKED.slice(0, -1)}</a></p>`],
  ['a question', `<p><a href="/x">${LINKED.slice(0, -1)}?</a></p>`],
  ['behind a label', `<p><a href="/x">À lire : ${LINKED}</a></p>`],
  ['behind a label of its own', `<p>Meer weten? <a href="/x">${LINKED}</a></p>`],
  ['with a picture', `<div><img src="/x.jpg" alt=""><p><a href="/x">${LINKED}</a></p></div>`],
  ['one of several', `<p><a href="/x">${LINKED}</a></p>`.repeat(3)],
  ['under a heading', `<h3>Lisää</h3><p><a href="/x">${LINKED}</a></p>`],
])('a link that leads to another text goes: %s', (_kind, html) => {
  expect(article(html)).not.toContain('Zulu boats');
});

test.each([
  ['a header', '<header id="header"><h1 id="logo"><a href="/">Mill notes</a></h1><h2>On mills</h2></header>'],
  ['a box', '<div id="top"><a href="https://x.example/"><h1>Mill notes</h1></a></div>'],
])('the name of a site in %s beside the main part of a short page is left out', (_name, head) => {
  const main =
    '<section id="main"><article><h1>The wheel</h1><p>The wheel turns with the tide, and it stops twice a day.</p></article></section>';
  const { markdown } = readHtml(`<title>The wheel | Mill notes</title>${head}${main}`, 'https://x.example/a');
  expect(markdown).toBe('# The wheel\n\nThe wheel turns with the tide, and it stops twice a day.');
  const { markdown: alone } = readHtml(`${head}<p>We write about mills.</p>`, 'https://x.example/');
  expect(alone).toContain('Mill notes');
});
