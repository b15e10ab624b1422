import { expect, test } from 'vitest';
import { readHtml } from '../../../src/browse/readers/html.ts';

const read = (head: string, body = '<p>Text.</p>') =>
  readHtml(
    `<html lang="en-GB"><head>${head}</head><body>${body}</body></html>`,
    'https://www.mills.example/a/b?x=1',
  );

test('facts from meta, Open Graph and links', () => {
  expect(
    read(`<title>Tide mills | Mills Weekly</title><meta property="og:title" content="Tide mills">
      <meta property="og:site_name" content="Mills Weekly"><meta name="author" content="By Ada Lake">
      <meta property="article:published_time" content="2026-11-02T10:00:00+01:00">
      <meta name="description" content="How they turn."><link rel="canonical" href="/a">
      <meta name="robots" content="noindex, follow">`),
  ).toMatchObject({
    title: 'Tide mills',
    author: 'Ada Lake',
    published: '2026-11-02T10:00:00+01:00',
    language: 'en-GB',
    site: 'Mills Weekly',
    canonical: 'https://www.mills.example/a',
    description: 'How they turn.',
    robots: { noindex: true, nofollow: false },
  });
});

test('facts from JSON-LD, the article before the page, broken JSON passed over', () => {
  expect(
    read(`<script type="application/ld+json">{"@graph": [{"@type": "WebSite", "name": "Mills Weekly"},
      {"@type": "WebPage", "name": "Page", "datePublished": "2020-01-01"},
      {"@type": ["NewsArticle"], "headline": "Tide &amp; mills", "datePublished": "2026-11-02",
       "author": [{"@id": "#ada"}, {"@type": "Person", "name": "Bo Ray"}]},
      {"@type": "Person", "@id": "#ada", "name": "Ada Lake"}]}</script><script type="application/ld+json">{broken</script>`),
  ).toMatchObject({
    title: 'Tide & mills',
    author: 'Ada Lake, Bo Ray',
    published: '2026-11-02',
    site: 'Mills Weekly',
  });
});

test('facts from microdata and what stands in the page', () => {
  expect(
    read(
      '<title>Tide mills</title>',
      '<span itemprop="author"><span itemprop="name">Ada Lake</span></span><time datetime="2026-11-02">Monday</time>',
    ),
  ).toMatchObject({ author: 'Ada Lake', published: '2026-11-02' });
});

test.each([
  ['Mills - The Daily Mill', '', 'Mills'],
  ['Mills: how they turn', '', 'Mills: how they turn'],
  ['The Daily Mill', '<h1>How mills turn</h1>', 'How mills turn'],
  ['潮汐磨坊_磨坊网', '<h1>潮汐磨坊</h1>', '潮汐磨坊'],
])('the title of %j is without the site', (whole, body, title) => {
  expect(
    read(`<title>${whole}</title><meta property="og:site_name" content="The Daily Mill">`, body).title,
  ).toBe(title);
});

test.each([
  ['2026-11-02T10:00:00.123Z', '2026-11-02T10:00:00Z'],
  ['20261102', '2026-11-02'],
  ['November 2nd, 2026', '2026-11-02'],
  ['Mon, 02 Nov 2026 10:00:00 GMT', '2026-11-02'],
  ['2026/1/2 10:00', '2026-01-02'],
  ['0001-01-01T00:00:00Z', undefined],
  ['yesterday', undefined],
])('the date %j is %j', (content, published) => {
  expect(read(`<meta name="date" content="${content}">`).published).toBe(published);
});

test('a page that names nothing has no facts; `none` means both', () => {
  const page = readHtml('<p>Text.</p>', 'https://mills.example/');
  expect(page).toEqual({ title: '', markdown: 'Text.' });
  expect(read('<meta name="robots" content="none">').robots).toEqual({ noindex: true, nofollow: true });
});

test('links: absolute, in order, each once with its words, without the page itself and other schemes', () => {
  const { links } = read(
    '<base href="/dir/">',
    `<nav><a href="x"> Ex
      one </a></nav><a href="#top">Top</a><a href="/a/b?x=1#note">Note</a><a href="javascript:go()">Go</a>
    <a href="mailto:a@b.example">Mail</a><a href="y#z"><img src="i.png" alt="Wye"></a><a href="x#again">Again</a>
    <p hidden><a href="/trap">Trap</a></p>`,
  );
  expect(links).toEqual([
    { url: 'https://www.mills.example/dir/x', text: 'Ex one' },
    { url: 'https://www.mills.example/dir/y', text: 'Wye' },
  ]);
});
