import { expect, test } from 'vitest';
import { readByline } from '../../../src/browse/readers/html/metadata/author-name.ts';
import { readHtml } from '../../../src/browse/readers/html.ts';
import { processorSeconds } from '../../helpers/processor-time.ts';

const read = (head: string, body = '<p>Text.</p>') =>
  readHtml(
    `<html lang="en-GB"><head>${head}</head><body>${body}</body></html>`,
    'https://www.mills.example/a/b?x=1',
  );

test('facts are read from meta elements, Open Graph and links', () => {
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

test.each([
  ['<link rel="next" href="/a/c">', '', 'https://www.mills.example/a/c'],
  [
    '',
    '<p>Text.</p><a rel="nofollow next" href="?page=2#top">Next</a>',
    'https://www.mills.example/a/b?page=2',
  ],
  ['<link rel="next" href="https://other.example/c">', '', undefined],
  ['<link rel="next" href="javascript:alert(1)">', '', undefined],
  ['<link rel="next" href="/a/b?x=1#end">', '', undefined],
])('the next page is an address of the same host that the page names: %s%s', (head, body, next) => {
  expect(read(head, body || '<p>Text.</p>').next).toBe(next);
});

const PRESS =
  '<p>The maker of weather stations Larkfield opened a works with a hundred and forty places on Tuesday.</p>';
test.each([
  ['de', 'Görlitz, 17. November 2025', '2025-11-17'],
  ['es', 'Zaragoza, 17 de noviembre de 2025', '2025-11-17'],
  ['ja', '2025年11月17日', '2025-11-17'],
  ['ar', '١٧ نوفمبر ٢٠٢٥', '2025-11-17'],
  ['en', 'Tuesday, November 17, 2999', undefined],
  ['en', 'Ada Lake was born on 17 November 1850.', undefined],
  ['en', 'Open from 1 May 2025 until this house closes its doors for good at last', undefined],
])('the day above an article is its date: %s %s', (language, line, published) => {
  const page = `<html lang="${language}"><title>Works</title><article><h1>Works opened</h1><p>${line}</p>${PRESS.repeat(3)}</article></html>`;
  expect(readHtml(page, 'https://www.mills.example/a').published).toBe(published);
});

test('the longest heading is the title, not the site name above it', () => {
  expect(
    read(
      '<title>Sending patches: a guide &#8212; The Mill Handbook  documentation</title>',
      '<h1><a href="/">The Mill Handbook</a></h1><h1>Sending patches: a guide<a href="#guide">¶</a></h1><p>Text.</p>',
    ).title,
  ).toBe('Sending patches: a guide');
});

test('facts are read from JSON-LD, the article before the page, and broken JSON is skipped', () => {
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

test('facts are read from microdata and from the visible page', () => {
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
])('the title of %j is shortened by the site name', (whole, body, title) => {
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
  ['2026-11-02 10:00:00 +0100', '2026-11-02T10:00:00+01:00'],
  ['2026-11-02T10:00+01', '2026-11-02T10:00+01:00'],
  ['2026-11-02T10:00:00z', '2026-11-02T10:00:00Z'],
  ['2026-11-02T25:00:00Z', '2026-11-02'],
  ['2.11.2026', '2026-11-02'],
  ['2026-11', '2026-11'],
  ['2026', '2026'],
  ['Mon, 02 Nov 2026 23:30:00 -0800', '2026-11-02'],
  ['2 November 2026 01:00 PST', '2026-11-02'],
  ['2026-02-30', undefined],
  ['2026-13-01', undefined],
  ['2026-00-10', undefined],
  ['31.13.2026', undefined],
  ['0001-01-01T00:00:00Z', undefined],
  ['yesterday', undefined],
])('the date %j is read as %j', (content, published) => {
  expect(read(`<meta name="date" content="${content}">`).published).toBe(published);
});

test.each(['UTC', 'Asia/Tokyo', 'America/Los_Angeles'])(
  'reading a written date does not depend on %s',
  (zone) => {
    const before = process.env.TZ;
    process.env.TZ = zone;
    try {
      expect(read('<meta name="date" content="November 2, 2026 10:00 pm">').published).toBe('2026-11-02');
      expect(read('<meta name="date" content="2 Nov 2026 01:00">').published).toBe('2026-11-02');
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  },
);

test('implausible facts are skipped in favour of plausible facts', () => {
  expect(
    read(
      `<script type="application/ld+json">{"@type": "Article", "author": "https://x.example/ada", "datePublished": "soon"}</script>
      <meta property="article:author" content="https://x.example/ada"><meta name="dc.creator" content="Ada Lake">
      <meta name="dc.date" content="2026-11-02"><meta name="dc.publisher" content="Mill Press">`,
    ),
  ).toMatchObject({ author: 'Ada Lake', published: '2026-11-02', site: 'Mill Press' });
  expect(
    read(
      '<meta name="citation_author" content="Lake, Ada"><meta name="citation_author" content="Ray, Bo">',
      '<time>Monday</time><time datetime="2026-11-02">Monday</time>',
    ),
  ).toMatchObject({ author: 'Lake, Ada; Ray, Bo', published: '2026-11-02' });
});

test.each([
  [['Ron Miller', 'Sarah Perez'], 'Ron Miller; Sarah Perez'],
  [['Ron Miller', 'Ron Miller'], 'Ron Miller'],
  [['Ron Miller', 'Miller'], 'Ron Miller'],
  [['Mill News', 'Ron Miller'], 'Ron Miller'],
  [['Ron Miller', 'https://x.example/ron'], 'Ron Miller'],
  [['https://x.example/ron', 'Ron Miller'], 'Ron Miller'],
])('authors in several metas %j are all named once (readability#153)', (names, author) => {
  for (const key of ['name="author"', 'property="article:author"']) {
    const metas = names.map((name) => `<meta ${key} content="${name}">`).join('');
    expect(read(`<meta property="og:site_name" content="Mill News">${metas}`).author).toBe(author);
  }
});

test.each([
  ['nested without end', '['.repeat(250_000)],
  ['a graph in a graph', '{"@graph":'.repeat(40_000)],
  ['very many things', `[${'{"@type":"Article"},'.repeat(20_000)}{}]`],
  ['types without end', `{"@type":[${'"Article",'.repeat(40_000)}"x"]}`],
  ['references without end', `{"@type":"Article","author":[${'{"@id":"#a"},'.repeat(30_000)}{}]}`],
  ['a name without end', `{"@type":"Article","headline":"${' &amp;'.repeat(80_000)}"}`],
])('JSON-LD with %s is read in little time', (_name, script) => {
  const page = `<script type="application/ld+json">${script}</script>`.repeat(4);
  expect(processorSeconds(() => void read(page))).toBeLessThan(5);
});

test('a page without metadata has no facts, and the robots value `none` means noindex and nofollow', () => {
  const page = readHtml('<p>Text.</p>', 'https://mills.example/');
  expect(page).toEqual({ title: '', markdown: 'Text.' });
  expect(read('<meta name="robots" content="none">').robots).toEqual({ noindex: true, nofollow: true });
});

test('links are absolute, in order and listed once with their words, without links to the page itself and other schemes', () => {
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

test.each([
  ['<meta property="music:release_date" content="1973-03-01">', undefined],
  [
    '<meta property="og:type" content="book"><meta property="book:release_date" content="1851-10-18">',
    undefined,
  ],
  ['<meta property="video:release_date" content="2001-10-18">', undefined],
  ['<meta name="last-published" content="2026-05-04">', '2026-05-04'],
  ['<meta name="release_date" content="2026-05-04">', '2026-05-04'],
])('the date of a work or of a change is not taken for the page: %s', (head, published) => {
  expect(read(head).published).toBe(published);
  const shown = '<h1>Quay</h1><p class="byline">By Ada Lake, 12 March 2024</p><p>Text.</p>';
  if (!head.includes('"release_date')) expect(read(head, shown).published).toBe('2024-03-12');
});

test.each([
  ['12 May 2026 · Politics', undefined],
  ['12 May 2026 · POLITICS', undefined],
  ['12 May 2026 · Ada Lake', 'Ada Lake'],
  ['12 May 2026 · by Ada', 'Ada'],
  ['Plinius · 12 May 2026', 'Plinius'],
  ['2026年5月12日 · 山田太郎', '山田太郎'],
])('a line of a date and one word has no author: %s', (line, author) => {
  expect(readByline(line, true)).toBe(author);
});
