import { expect, test } from 'vitest';
import { readByline } from '../../../src/browse/readers/html/metadata/author-name.ts';
import { readHtml } from '../../../src/browse/readers/html.ts';

/** Where bylines and dates are on pages of news systems, blogs and forums, and which of them are not of the page. */

const TEXT =
  '<p>The ferry has crossed the sound since the road was cut, and its master keeps a list of all who came over in the years of the ice, with the hour of each.</p>'.repeat(
    4,
  );
const TITLE = '<h1>Ferry over the sound</h1>';
const NONE = { author: undefined, published: undefined };
const ADA = { author: 'Ada Lake', published: '2026-03-14' };

function read(body: string, head = '') {
  const { author, published } = readHtml(
    `<!doctype html><html lang="en"><head><title>Ferry over the sound - Sound Harbour Gazette</title>${head}</head><body>${body}</body></html>`,
    'https://www.gazette.example/a/ferry',
  );
  return { author, published };
}

const BYLINE = '<p class="byline">By Ada Lake</p><p class="date">14 March 2026</p>';
const data = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

test.each<[string, string, object]>([
  [
    'the heading of the site is shorter than the title',
    `<h1>Sound Harbour</h1><div class="post"><h2>Ferry over the sound</h2>${BYLINE}${TEXT}</div>`,
    ADA,
  ],
  [
    'the box of the text has headings of its own',
    `${TITLE}<div class="body">${BYLINE}${TEXT}<h2>The ice</h2>${TEXT}</div>`,
    ADA,
  ],
  [
    'a heading with its summary follows in a box of its own',
    `${TITLE}${TEXT}<div class="more"><h3>Bridge over the sound</h3>${BYLINE}</div>`,
    NONE,
  ],
  [
    'the title is twice on the page',
    `<div class="small"><h1>Ferry over the sound</h1>${BYLINE}</div><div class="wide">${TITLE}</div>${TEXT}`,
    ADA,
  ],
  [
    'the title is outside of the article',
    `<div><div><div>${TITLE}</div></div></div><article>${BYLINE}${TEXT}</article>`,
    ADA,
  ],
  [
    'other articles are longer than the one that follows',
    `${TITLE}${TEXT}<article>${BYLINE}<p>Short.</p></article><article>${TEXT}</article>`,
    NONE,
  ],
  [
    'the box below the title is called a footer',
    `<div class="header">${TITLE}</div><div class="footer"><p class="date">14 March 2026</p></div>${TEXT}`,
    { ...NONE, published: '2026-03-14' },
  ],
  [
    'the box below the title is called a teaser',
    `<div>${TITLE}<div class="teaser-meta">${BYLINE}</div>${TEXT}</div>`,
    ADA,
  ],
  [
    'a footer after a title without text is of the site',
    `${TITLE}<div class="footer"><p class="date">14 March 2026</p></div>`,
    NONE,
  ],
  [
    'the day is in a heading above the box of the text',
    `<div class="day"><h2 class="date-header">Saturday, 14 March 2026</h2><div><div><div><div>${TITLE}</div>${TEXT}</div></div></div></div>`,
    { ...NONE, published: '2026-03-14' },
  ],
  [
    'a date and a section are above the title',
    `<main><p>14 March 2026 | Press</p>${TITLE}${TEXT}</main>`,
    { ...NONE, published: '2026-03-14' },
  ],
  [
    'the text begins with its day',
    `${TITLE}<p>14.03.2026 – The ferry has crossed the sound since the road was cut, and its master keeps a list of all who came over in the years of the ice.</p>${TEXT}`,
    { ...NONE, published: '2026-03-14' },
  ],
  [
    'the day of a press release begins the text',
    `${TITLE}<p>Pressemitteilung vom 14. März 2026 | Kiel – The ferry has crossed the sound since the road was cut, and its master keeps a list of all who came over.</p>${TEXT}`,
    { ...NONE, published: '2026-03-14' },
  ],
  [
    'tables lay out the page',
    `<table><tr><td><table><tr><td>${'<a href="/x">x</a>'.repeat(60)}</td></tr></table></td><td><p>Written by Ada on 14 March 2026</p>${TEXT}</td></tr></table>`,
    { author: 'Ada', published: '2026-03-14' },
  ],
  [
    'a builder of pages calls all boxes widgets',
    `<div>${TITLE}</div><div><div class="elementor-widget elementor-widget-post-info"><ul><li itemprop="datePublished"><span class="item-date">14 March 2026</span><time>14 March 2026</time></li></ul></div></div>${TEXT}`,
    { ...NONE, published: '2026-03-14' },
  ],
  [
    'the licence of a picture names who took it',
    `${TITLE}<div><div class="license-info"><span class="author-name">Bo Ray</span></div></div>${TEXT}`,
    NONE,
  ],
  [
    'the byline has a tag of its own',
    `${TITLE}<byline>By Ada Lake, dpa</byline>${TEXT}`,
    { ...NONE, author: 'Ada Lake' },
  ],
  [
    'a system says who submitted the text, below it',
    `${TITLE}${TEXT}<div class="submitted">Gespeichert von lake_7 am 14. März 2026 - 18:55</div>`,
    { author: 'lake_7', published: '2026-03-14' },
  ],
  [
    'a byline without a name is no name',
    `${TITLE}${TEXT}<span class="post-author">Eingestellt von</span>`,
    NONE,
  ],
])('%s', (_, body, facts) => {
  expect(read(body)).toEqual(facts);
});

test.each<[string, string | undefined]>([
  ['Von Ada Lake am 14.03.2026 um 09:07 Uhr', 'Ada Lake'],
  ['VON ADA LAKE am 14. März 2026', 'ADA LAKE'],
  ['Interview: Ada Lake', 'Ada Lake'],
  ['14.03.2026 - Redaktion: Ada Lake (Kiel)', 'Ada Lake'],
  ['Author Ada Lake Updated on 14 March 2026', 'Ada Lake'],
  ['Autor Ada Lake:', 'Ada Lake'],
  ['Ada Lake / 14.03.2026 / 06:15 / Foto: gazette.example', 'Ada Lake'],
  ['14 Mar 2026 · Ada Lake on behalf of the crew', 'Ada Lake'],
  ['Post by lakeada » 14 Mar 2026, 18:36', 'lakeada'],
  ['Posted by lakeada on 03/14/26 02:57 PM', 'lakeada'],
  ['Written by experts', undefined],
  ['Autor: Lake', 'Lake'],
  ['Autor Lake', undefined],
  ...['Search', 'Guidelines', 'Login', 'Interview', 'Copyright Notice'].map((words): [string, undefined] => [
    `Author ${words}`,
    undefined,
  ]),
  ['Sat, 14 Mar 2026', undefined],
  ['Full Bio', undefined],
])('in an element called author, the name in "%s" is %s', (line, name) => {
  expect(readByline(line, true)).toBe(name);
});

test('the topic of a page of questions has its author, and an account is one in a forum', () => {
  const post = { name: 'Ferry over the sound', author: { name: 'lakeada' }, datePublished: '2026-03-14' };
  const question = { '@type': 'QAPage', mainEntity: { '@type': 'Question', ...post } };
  const thread = { '@type': 'DiscussionForumPosting', headline: 'Ferry over the sound', ...post };
  for (const page of [question, thread])
    expect(read(`${TITLE}<p>by BO VAN RAY</p>${TEXT}`, data(page))).toEqual({
      author: 'lakeada',
      published: '2026-03-14',
    });
});

test.each<[string, string | undefined]>([
  ...['hand', 'students', 'email', 'AI', 'noreply', 'Marketing', 'us', 'sailors'].map(
    (words): [string, undefined] => [words, undefined],
  ),
  ['lake_7', 'lake_7'],
  ['ada.lake', 'ada.lake'],
  ['Ada', 'Ada'],
  ['<a href="/u/7">lakeada</a>', 'lakeada'],
  ['<span class="username">lakeada</span>', 'lakeada'],
])('a single word after "Written by" beside a date is an author if it is a name: %s', (words, author) => {
  const line = `<p class="meta">Written by ${words} on 14 March 2026</p>`;
  expect(read(TITLE + line + TEXT)).toEqual({ author, published: '2026-03-14' });
});

test('a thing that a page is about does not give its author, and a text of the page keeps the dates of the page', () => {
  const author = { '@type': 'Person', name: 'Bo Ray' };
  for (const page of ['WebPage', 'Article'])
    for (const topic of ['Book', 'Question', 'Product', 'Movie']) {
      const mainEntity = { '@type': topic, name: 'A book', author, datePublished: '1999-01-01' };
      expect(
        read(TITLE + TEXT, data({ '@type': page, name: 'Ferry', datePublished: '2026-03-14', mainEntity })),
      ).toEqual({ author: undefined, published: '2026-03-14' });
    }
  const question = { '@type': 'Question', name: 'Ferry over the sound', author };
  expect(
    read(TITLE + TEXT, data({ '@type': 'QAPage', datePublished: '2026-03-14', mainEntity: question })),
  ).toEqual({ author: 'Bo Ray', published: '2026-03-14' });
});

test('the card of a page says who wrote it, if its label does', () => {
  const card = (label: string) =>
    `<meta name="twitter:label1" content="${label}"><meta name="twitter:data1" content="Ada Lake">`;
  for (const label of ['Written by', 'Verfasst von', 'Écrit par', 'Geschreven door'])
    expect(read(TITLE + TEXT, card(label)).author).toBe('Ada Lake');
  expect(read(TITLE + TEXT, card('Est. reading time')).author).toBeUndefined();
});
