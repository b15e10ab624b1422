import { expect, test } from 'vitest';
import { areKnownPersons } from '../../../src/browse/readers/html/metadata/author-name.ts';
import { readHtml } from '../../../src/browse/readers/html.ts';

/** Authors and dates that no word or class marks, and those that stand beside or below the text. */

const PROSE =
  'The dredger has cleared the old basin since the flood, and its crew writes down each evening how much silt went out with the tide.';
const TEXT = `<p>${PROSE}</p>`.repeat(4);
const TITLE = '<h1>Silt in the old basin</h1>';
const ARTICLE = '<meta property="og:type" content="article">';

function read(body: string, head = ARTICLE, url = 'https://www.basin.example/a/silt') {
  const { author, published } = readHtml(
    `<!doctype html><html lang="en"><head><title>Silt in the old basin - Basin Herald</title>${head}</head><body>${body}</body></html>`,
    url,
  );
  return { author, published };
}

const ADA = { author: 'Martha Quill', published: '2026-03-14' };
const BOTH_UNKNOWN = { author: undefined, published: undefined };

test.each([
  'Martha Quill',
  'Dr. Martha Quill',
  'Prof. Dr. Martha Quill',
  'Martha de la Quill',
  'Anne-Marie Quill, Jörg Brandt',
])('%s is known as a person by the given name', (names) => {
  expect(areKnownPersons(names)).toBe(true);
});

test.each([
  'Martha',
  'Basin Herald',
  'Martha Quill Holding Trust Company',
  'Martha News',
  'martha quill',
  'Martha quill',
  'Martha Support',
  'Martha 12',
  'Ruby Programming',
  'Christian Music',
  'April Sale',
  'Crystal Palace',
  'Victoria Park',
  'Per Capita',
  'Jan Feb',
  'Mark Complete',
  'Calvin Klein',
  '',
])('%j is not known as a person', (names) => {
  expect(areKnownPersons(names)).toBe(false);
});

test.each<[string, string, object]>([
  ['a name before the date', `${TITLE}<p>Martha Quill · 14 March 2026</p>${TEXT}`, ADA],
  ['a name behind the date', `${TITLE}<p>14.03.2026 - Martha Quill</p>${TEXT}`, ADA],
  [
    'date, time and name above the title',
    `<small>14.03.2026 | 13:10 Uhr | Martha Quill</small>${TITLE}${TEXT}`,
    ADA,
  ],
  [
    'a section beside the date',
    `${TITLE}<p>Harbour Office · 14 March 2026</p>${TEXT}`,
    { author: undefined, published: '2026-03-14' },
  ],
  [
    'a date behind a word',
    `<div><div class="m"><div><span class="date">14 March 2026</span></div></div><div>${TITLE}</div></div>${TEXT}`,
    { ...ADA, author: undefined },
  ],
  [
    'a line with the name beside a line with the date',
    `${TITLE}<div>Martha Quill</div><div>14 March 2026</div>${TEXT}`,
    ADA,
  ],
  [
    'common words beside the date',
    `${TITLE}<p>Victoria Park · 14 March 2026</p>${TEXT}`,
    { ...ADA, author: undefined },
  ],
  [
    'a heading of the text',
    `${TITLE}<h2>Martha Quill</h2><p>14 March 2026</p>${TEXT}`,
    { ...ADA, author: undefined },
  ],
])('an author is known without a word or a class: %s', (_case, body, expected) => {
  expect(read(body)).toEqual(expected);
});

test.each([ARTICLE, ''])('a name alone under the title, without a date, is no author: %j', (head) => {
  expect(read(`${TITLE}<div>Martha Quill</div>${TEXT}`, head).author).toBeUndefined();
});

test.each([
  ['in bold', '<p><b><i>Martha Quill</i></b></p>', 'Martha Quill'],
  ['with the year of a right', '<p>© 2026 Martha Quill</p>', undefined],
  ['with a note behind it', `<p><b>Martha Quill</b></p><p>(1) ${PROSE}</p>`, 'Martha Quill'],
  ['with more text behind it', `<p><b>Martha Quill</b></p>${TEXT}`, undefined],
  ['with a telephone behind it', '<p>Martha Quill</p><p>Phone: 555 1234</p>', undefined],
  ['in a list of names', '<p>Jörg Brandt</p><p>Martha Quill</p>', undefined],
  ['behind a quotation', `<p>“${PROSE}”</p><p>Martha Quill</p>`, undefined],
  ['behind a quotation in a box', `<blockquote>${PROSE}</blockquote><p>Martha Quill</p>`, undefined],
  ['as a link', '<p><a href="/people/martha">Martha Quill</a></p>', undefined],
  ['under a picture', '<div><img src="a.png"><span>Martha Quill</span></div>', undefined],
])('a name under the text signs it: %s', (_case, end, author) => {
  expect(read(`${TITLE}<div>${TEXT}<h2>Later</h2><p>${PROSE}</p>${end}</div>`).author).toBe(author);
});

test.each([
  ['Author: Martha Quill, head of the yard', 'Martha Quill'],
  ['Autorin: Martha Quill', 'Martha Quill'],
  ['Author: silt_77 on 14 March 2026', 'silt_77'],
  ['Harbour: Martha Quill', undefined],
])('a line %j under a text with headings names the author', (line, author) => {
  expect(read(`${TITLE}<div>${TEXT}<h2>Later</h2>${TEXT}<p>${line}</p></div>`).author).toBe(author);
});

test('the label under the text dates it, and the label of a book does not', () => {
  const end = (line: string) => read(`${TITLE}<div>${TEXT}<p>${line}</p></div>`).published;
  expect(end('Author: silt_77 am 14.03.2026, 13:36 Uhr')).toBe('2026-03-14');
  expect(end('Author: Martha Quill. Pages: 300. Released: 14 March 2026')).toBeUndefined();
});

test.each([
  ['Basin Herald', ''],
  ['Silt Works GmbH', ''],
  ['Basin Herald', '"@type":"Organization",'],
])('the author %s that the page states comes before a guessed person', (name, type) => {
  const linked = `<script type="application/ld+json">{"@type":"NewsArticle","headline":"Silt in the old basin","author":{${type}"name":"${name}"}}</script>`;
  const stated = type === '' ? `<meta name="author" content="${name}">` : linked;
  for (const body of [`<p>Martha Quill · 14 March 2026</p>${TEXT}`, `${TEXT}<p>Martha Quill</p>`])
    expect(read(TITLE + body, ARTICLE + stated).author).toBe(name);
});

test.each(['tag', 'topic', 'thema'])('a link to a page of a %s names no author', (kind) => {
  const link = `<a href="/${kind}/martha-quill">Martha Quill</a>`;
  const line = `<p>${link} · 14 March 2026</p><div>${link} <span>14 March 2026</span></div>`;
  expect(read(TITLE + line + TEXT).author).toBeUndefined();
});

const box = (name: string, inner: string) => `<div class="${name}">${inner}</div>`;

test.each<[string, string, string | undefined]>([
  ['a heading', box('author-bio footer', '<h3>Martha Quill</h3><p>Keeps the yard.</p>'), 'Martha Quill'],
  [
    'a link to all texts',
    box('post-author-box', '<a href="/m">View all posts by Martha Quill</a>'),
    'Martha Quill',
  ],
  [
    'two boxes of one person',
    box('author-info', 'Martha Quill') + box('author-card', '<b>Martha Quill</b>'),
    'Martha Quill',
  ],
  [
    'boxes of two persons',
    box('author-bio', '<h3>Martha Quill</h3>') + box('author-bio', '<h3>Jörg Brandt</h3>'),
    undefined,
  ],
  [
    'a box within the box of the text and its sidebar',
    box(
      'with-sidebar sidebar-wrapper',
      `${TITLE}${TEXT}<div><div>${box('author-bio', '<h3>Martha Quill</h3>')}</div></div>`,
    ),
    'Martha Quill',
  ],
  ['the author of a comment', box('comments', box('author-info', 'Martha Quill')), undefined],
  [
    'the author of a comment deep in the comments',
    `<ol id="comments"><li><div><div><div>${box('author-info', 'Martha Quill')}</div></div></div></li></ol>`,
    undefined,
  ],
  ['the author of a related text', box('related', box('author-info', 'Martha Quill')), undefined],
])('a box about an author below the text names the author: %s', (_case, below, author) => {
  expect(read(`${TITLE}${TEXT}${below}`).author).toBe(author);
});

test.each([
  ['aside', '<aside><p class="date">14 March 2026</p><p class="author">By Martha Quill</p></aside>', ADA],
  [
    'a box called sidebar',
    '<div class="sidebar"><time>14 March 2026</time><p>By Martha Quill</p></div>',
    ADA,
  ],
  [
    'a long aside',
    `<aside><p class="date">14 March 2026</p><p class="author">By Martha Quill</p>${TEXT}</aside>`,
    BOTH_UNKNOWN,
  ],
])('a short column beside the title tells author and date: %s', (_case, column, expected) => {
  expect(read(`<main>${TITLE}<div>${column}</div>${TEXT}</main>`)).toEqual(expected);
});

test('a class that says that a page has a sidebar makes no sidebar of the page', () => {
  const page = `<main class="has-left-sidebar">${TITLE}<p class="byline">By Martha Quill</p>${TEXT}</main>`;
  expect(read(page).author).toBe('Martha Quill');
});

test('a box called teaser and author near the title is a byline', () => {
  const teaser = '<div class="teaser-box author"><div>Martha Quill</div></div>';
  expect(read(`${TITLE}${teaser}${TEXT}`).author).toBe('Martha Quill');
});

test.each([
  ['Posted in Harbours by siltkeeper on 14 March 2026', 'siltkeeper'],
  ['von Silt77 am 14.03.2026', 'Silt77'],
  ['22 March 2026 @ 18:13 // Author: s1lt // 1 minute', 's1lt'],
  ['Blogbeitrag von Martha Quill', 'Martha Quill'],
  ['Guide by Martha Quill', 'Martha Quill'],
  ['Guide by Region', undefined],
  ['Analysis by Sector', undefined],
  ['By Martha Quill, an app developed by Quill Works', 'Martha Quill'],
  ['Developed by Martha Quill', undefined],
  ['Release date: 14 March 2026 Developed By: Quill Works', undefined],
  ['Published By: Quill Works', undefined],
])('the line %j names %j', (line, author) => {
  expect(read(`${TITLE}<p class="meta">${line}</p>${TEXT}`).author).toBe(author);
});

test('an account in lower case is an author where its link leads to the page of an author', () => {
  const link = (address: string) => `<span class="author vcard"><a href="${address}">siltkeeper</a></span>`;
  expect(read(`${TITLE}${link('/author/77')}${TEXT}`).author).toBe('siltkeeper');
  expect(read(`${TITLE}${link('/about')}${TEXT}`).author).toBeUndefined();
});

test.each([
  ['Copyright Silt Works', 'Martha Quill'],
  ['publisher', 'Martha Quill'],
  ['silt[at]basin.example', 'Martha Quill'],
])(
  'the maker of the site in a field for authors, %s, gives way to the person under the title',
  (name, author) => {
    const meta = `<meta name="author" content="${name}">${ARTICLE}`;
    expect(read(`${TITLE}<p>Martha Quill · 14 March 2026</p>${TEXT}`, meta).author).toBe(author);
  },
);

test('a category is no author, and the developer of an app is none', () => {
  const byline = '<p class="byline">14 March 2026 <span class="byline__category">Health</span></p>';
  expect(read(`${TITLE}${byline}${TEXT}`).author).toBeUndefined();
  expect(read(TITLE + TEXT, '<meta name="smartbanner:author" content="Silt Works">').author).toBeUndefined();
});

test.each(['author', 'category-byline'])('a line with "by" in a box called %s names the author', (name) => {
  const line = name === 'author' ? 'Published by: Martha Quill' : 'By Martha Quill';
  expect(read(`${TITLE}<p class="${name}">${line}</p>${TEXT}`).author).toBe('Martha Quill');
});

test('a heading with the date or the kind of text before the title is the title', () => {
  const heading = '<h1>Herald</h1><h1><span class="date">14.03.2026</span>Silt in the old basin</h1>';
  expect(read(`<div>${heading}${TEXT}</div>`)).toEqual({ author: undefined, published: '2026-03-14' });
});

test('a reply with the title of its thread is no title', () => {
  const reply = '<div><h3>Re: Silt in the old basin</h3><p class="date">15 March 2026</p></div>';
  const page = `<h2>Silt in the old basin</h2><p class="date">14 March 2026</p>${TEXT}${reply}${reply}`;
  expect(read(page).published).toBe('2026-03-14');
});

test.each([
  ['2026-03-15T02:30:00Z', '2026-03-14'],
  ['2026-03-15T02:30:00+00:00', '2026-03-14'],
  ['2026-03-14T11:30:00+09:00', '2026-03-14T11:30:00+09:00'],
  ['2026-03-18T02:30:00Z', '2026-03-18T02:30:00Z'],
  ['2026-03-14T23:30:00Z', '2026-03-14T23:30:00Z'],
])('the moment %s is on the day in the address where Greenwich is a day off', (moment, published) => {
  const head = `<meta property="article:published_time" content="${moment}">`;
  const page = read(TITLE + TEXT, head, 'https://www.basin.example/2026/03/14/silt-in-the-basin');
  expect(page.published).toBe(published);
});

test('a date before the title of the document is of the text', () => {
  const page = (title: string) =>
    readHtml(`<title>${title}</title><body>${TITLE}${TEXT}</body>`, 'https://www.basin.example/a/silt')
      .published;
  expect(page('14.03.2026 - Silt in the old basin')).toBe('2026-03-14');
  expect(page('Silt on 14.03.2026 in the old basin')).toBeUndefined();
  expect(page('14.03.2026 - 16.03.2026 Silt in the old basin')).toBeUndefined();
  expect(page('2026-03-14 - 2026-03-16: Silt in the old basin')).toBeUndefined();
  expect(page('14.03.9026 | Silt in the old basin')).toBeUndefined();
});

test('the owner of a question signs it', () => {
  const signature =
    '<div class="post-signature owner"><div>asked 14 March 2026</div><div itemprop="author"><a href="/users/1">silt_77</a></div></div>';
  expect(read(`${TITLE}<div>${TEXT}${signature}</div>`).author).toBe('silt_77');
});
