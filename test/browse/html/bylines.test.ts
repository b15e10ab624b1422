import { describe, expect, test } from 'vitest';
import { readHtml } from '../../../src/browse/readers/html.ts';

/** What a page says beside its text, after public reports on readers of articles, and whose dates and names are not its own. */

const PROSE = [
  'The workshop on the quay has mended boats since the bridge was built, and three people still work there every week of the year, with tools that their teachers left.',
  'Visitors are asked to come before noon, since the tide sets the hours of the yard, and nobody can say a day before when the slipway will be dry enough.',
  'What they charge is written on a board beside the door; it has changed twice in ten years, and both times the people of the harbour were asked about it first.',
]
  .map((text) => `<p>${text}</p>`)
  .join('');
const HEADING = '<h1>Quay and tide</h1>';

function article(above: string, below = ''): string {
  return `<article>${HEADING}${above}${PROSE}${below}</article>`;
}

function data(value: unknown): string {
  return `<script type="application/ld+json">${typeof value === 'string' ? value : JSON.stringify(value)}</script>`;
}

interface Sample {
  readonly name: string;
  readonly lang?: string;
  readonly head?: string;
  readonly body: string;
  readonly url?: string;
  readonly published?: string | undefined;
  readonly author?: string | undefined;
}

function read({ lang = 'en', head = '', body, url = 'https://site.example/a/quay' }: Sample) {
  return readHtml(
    `<!doctype html><html lang="${lang}"><head><title>Quay and tide</title>${head}</head><body>${body}</body></html>`,
    url,
  );
}

const OWN_OR_NONE: readonly Sample[] = [
  {
    name: 'fr dated',
    lang: 'fr',
    body: article('<p class="date">Publié le 14 mars 2026 à 09h30</p>'),
    published: '2026-03-14',
  },
  {
    name: 'fr numeric',
    lang: 'fr',
    body: article('<span class="date">03/04/2026</span>'),
    published: '2026-04-03',
  },
  {
    name: 'es',
    lang: 'es',
    body: article('<div class="fecha">14 de marzo de 2026</div>'),
    published: '2026-03-14',
  },
  {
    name: 'nl',
    lang: 'nl',
    body: article('<div>zaterdag 14 maart 2026 om 9.30 uur</div>'),
    published: '2026-03-14',
  },
  {
    name: 'ru',
    lang: 'ru',
    body: article('<div class="article__date">14 марта 2026, 09:30</div>'),
    published: '2026-03-14',
  },
  {
    name: 'ja',
    lang: 'ja',
    body: article('<p class="date">2026年3月14日 9時30分</p>'),
    published: '2026-03-14',
  },
  {
    name: 'zh',
    lang: 'zh-CN',
    body: article('<div class="info">发布时间：2026年03月14日 09:30 来源：新华网</div>'),
    published: '2026-03-14',
  },
  {
    name: 'us',
    lang: 'en-US',
    body: article('<span class="date">03/04/2026</span>'),
    published: '2026-03-04',
  },
  {
    name: 'de dots',
    lang: 'de',
    body: article('<p>Veröffentlicht am 03.04.2026 um 10:15 Uhr</p>'),
    published: '2026-04-03',
  },
  {
    name: 'de short',
    lang: 'de',
    body: article('<span class="date">03.04.26, 10:15 Uhr</span>'),
    published: '2026-04-03',
  },
  {
    name: 'en-AU host',
    lang: 'en',
    url: 'https://quay.com.au/a/b',
    body: article('<span class="date">03/04/2026</span>'),
    published: '2026-04-03',
  },
  {
    name: 'en ambiguous none',
    lang: 'en',
    body: article('<span class="date">03/04/2026</span>'),
    published: undefined,
  },
  {
    name: 'updated+published',
    lang: 'en',
    body: article('<p>Updated 20 March 2026. Published 14 March 2026</p>'),
    published: '2026-03-14',
  },
  {
    name: 'two times',
    lang: 'en',
    body: article(
      '<time class="updated" datetime="2026-03-20">20 March</time><time class="entry-date published" datetime="2026-03-14">14 March</time>',
    ),
    published: '2026-03-14',
  },
  {
    name: 'updated label before time',
    lang: 'en',
    body: article(
      '<p>Last updated: <time datetime="2026-03-20">20 March</time></p><p>First published: <time datetime="2026-03-14">14 March</time></p>',
    ),
    published: '2026-03-14',
  },
  {
    name: 'comment time',
    lang: 'en',
    body:
      article('', '') +
      '<section id="comments"><h2>Comments</h2><div class="comment"><span class="comment-author">Bob Reef</span><time datetime="2026-05-05">5 May</time><p>Nice text.</p></div></section>',
    published: undefined,
    author: undefined,
  },
  {
    name: 'comment microdata',
    lang: 'en',
    body:
      article('') +
      '<div itemscope itemtype="https://schema.org/Comment"><span itemprop="author">Bob Reef</span><meta itemprop="datePublished" content="2026-05-05"><p>Nice.</p></div>',
    published: undefined,
    author: undefined,
  },
  {
    name: 'latest list',
    lang: 'en',
    body:
      '<aside class="latest"><ul><li><a href="/1">One long title about the mast</a> <time datetime="2026-01-01">1 Jan</time></li></ul></aside>' +
      article('<p class="meta">14 March 2026</p>'),
    published: '2026-03-14',
  },
  {
    name: 'teaser articles',
    lang: 'en',
    body:
      article('') +
      '<div class="more"><article><h3><a href="/x">Other</a></h3><time datetime="2025-01-01">1 Jan 2025</time><span class="author">Kim Larsen</span></article></div>',
    published: undefined,
    author: undefined,
  },
  {
    name: 'event past',
    lang: 'en',
    head: data({ '@type': 'Event', name: 'Quay and tide', startDate: '2019-05-05' }),
    body: article('<p><time datetime="2019-05-05T19:00">5 May 2019, 19:00</time></p>'),
    published: undefined,
  },
  {
    name: 'event label',
    lang: 'en',
    body: article('<p>When: 5 May 2019</p><p>Where: The old hall</p>'),
    published: undefined,
  },
  {
    name: 'history in prose',
    lang: 'en',
    body: article(
      '<p>The fire of <time datetime="1999-04-04">4 April 1999</time> destroyed the old shed, and the people of the harbour built it up again within two summers of hard work.</p>',
    ),
    published: undefined,
  },
  {
    name: 'site header today',
    lang: 'en',
    body:
      '<header><nav><a href="/">Home</a></nav><div class="date">28 November 2026</div></header>' +
      article('<p>By Aaron Bunt</p>'),
    published: undefined,
    author: 'Aaron Bunt',
  },
  {
    name: 'copyright date',
    lang: 'en',
    body: `${article('')}<footer><p>Copyright 2026. Last build 1 January 2026</p></footer>`,
    published: undefined,
  },
  {
    name: 'ld several',
    lang: 'en',
    head: data([
      {
        '@type': 'NewsArticle',
        headline: 'Masts',
        url: 'https://site.example/masts',
        datePublished: '2020-01-01',
        author: 'Kim Larsen',
      },
      {
        '@type': 'NewsArticle',
        headline: 'Quay and tide',
        datePublished: '2026-03-14',
        author: { name: 'Aaron Bunt' },
      },
    ]),
    body: article(''),
    published: '2026-03-14',
    author: 'Aaron Bunt',
  },
  {
    name: 'ld list page',
    lang: 'en',
    head: data([
      { '@type': 'NewsArticle', headline: 'Masts', datePublished: '2020-01-01' },
      { '@type': 'NewsArticle', headline: 'Sails', datePublished: '2026-03-14' },
    ]),
    body: article(''),
    published: undefined,
  },
  {
    name: 'ld cdata',
    lang: 'en',
    head: data(
      '\n//<![CDATA[\n{"@type":"NewsArticle","headline":"Quay and tide","datePublished":"2026-03-14","author":{"@type":"Person","name":"Aaron Bunt"}}\n//]]>\n',
    ),
    body: article(''),
    published: '2026-03-14',
    author: 'Aaron Bunt',
  },
  {
    name: 'ld cdata 2',
    lang: 'en',
    head: data(
      '<![CDATA[{"@type":"NewsArticle","headline":"Quay and tide","datePublished":"2026-03-14","author":{"@type":"Person","name":"Aaron Bunt"}}]]>',
    ),
    body: article(''),
    published: '2026-03-14',
    author: 'Aaron Bunt',
  },
  {
    name: 'ld cdata 3',
    lang: 'en',
    head: data(
      '/*<![CDATA[*/{"@type":"NewsArticle","headline":"Quay and tide","datePublished":"2026-03-14","author":[{"@type":"Person","name":["Aaron Bunt","Lena Kay"]}]};/*]]>*/',
    ),
    body: article(''),
    published: '2026-03-14',
    author: 'Aaron Bunt, Lena Kay',
  },
  {
    name: 'org author + byline',
    lang: 'en',
    head: data({
      '@type': 'Article',
      headline: 'Quay and tide',
      author: { '@type': 'Organization', name: 'Quay News' },
    }),
    body: article('<div class="byline">By Aaron Bunt, Harbour Reporter</div>'),
    author: 'Aaron Bunt',
  },
  {
    name: 'org author only',
    lang: 'en',
    head: data({
      '@type': 'Article',
      headline: 'Quay and tide',
      author: { '@type': 'Organization', name: 'Harbour Press' },
    }),
    body: article(''),
    author: 'Harbour Press',
  },
  {
    name: 'meta admin',
    lang: 'en',
    head: '<meta name="author" content="admin">',
    body: article('<p class="byline">By <span class="author">Aaron Bunt</span></p>'),
    author: 'Aaron Bunt',
  },
  {
    name: 'meta site name',
    lang: 'en',
    head: '<meta name="author" content="Quay News"><meta property="og:site_name" content="Quay News">',
    body: article('<p>Words: Aaron Bunt</p>'),
    author: 'Aaron Bunt',
  },
  { name: 'label only', lang: 'en', body: article('<span class="author">Author</span>'), author: undefined },
  {
    name: 'label then name',
    lang: 'en',
    body: article('<div class="author"><span>Author:</span> <span>Aaron Bunt</span></div>'),
    author: 'Aaron Bunt',
  },
  {
    name: 'written by box',
    lang: 'en',
    body: article(
      '<div class="post-meta"><div>Written by</div><div>Aaron Bunt</div><div>14 March 2026</div></div>',
    ),
    author: 'Aaron Bunt',
    published: '2026-03-14',
  },
  {
    name: 'posted in cat',
    lang: 'en',
    body: article(
      '<p class="meta">Posted on <time datetime="2026-03-14">March 14</time> by <a href="/author/ab" rel="author">Aaron Bunt</a> in <a rel="category tag" href="/category/news">News</a></p>',
    ),
    author: 'Aaron Bunt',
    published: '2026-03-14',
  },
  {
    name: 'category as author class',
    lang: 'en',
    body: article('<p class="author"><a href="/category/news">News</a></p>'),
    author: undefined,
  },
  {
    name: 'two authors',
    lang: 'en',
    body: article(
      '<p class="byline">By <a rel="author" href="/a">Aaron Bunt</a> and <a rel="author" href="/l">Lena Kay</a></p>',
    ),
    author: 'Aaron Bunt, Lena Kay',
  },
  {
    name: 'de von',
    lang: 'de',
    body: article('<p class="autor">Von Aaron Bunt und Lena Kay</p>'),
    author: 'Aaron Bunt, Lena Kay',
  },
  {
    name: 'fr par',
    lang: 'fr',
    body: article('<p>Par Élodie de la Tour, le 14 mars 2026</p>'),
    author: 'Élodie de la Tour',
    published: '2026-03-14',
  },
  { name: 'ja', lang: 'ja', body: article('<p>文：山田太郎</p>'), author: '山田太郎' },
  {
    name: 'zh',
    lang: 'zh',
    body: article('<p class="info">作者：王小明　2026-03-14</p>'),
    author: '王小明',
    published: '2026-03-14',
  },
  { name: 'ru', lang: 'ru', body: article('<p>Автор: Анна Петрова</p>'), author: 'Анна Петрова' },
  {
    name: 'bar line',
    lang: 'en',
    body: article('<p>By Aaron Bunt | 14 March 2026 | 5 min read</p>'),
    author: 'Aaron Bunt',
    published: '2026-03-14',
  },
  {
    name: 'photo credit',
    lang: 'en',
    body: article(
      '<figure><img src="a.jpg"><figcaption>Photo by Kim Larsen, 1 May 2020</figcaption></figure>',
    ),
    author: undefined,
    published: undefined,
  },
  {
    name: 'related author',
    lang: 'en',
    body:
      article('') +
      '<div class="related-posts"><div class="post"><a rel="author" href="/k">Kim Larsen</a><span class="date">1 May 2020</span></div></div>',
    author: undefined,
    published: undefined,
  },
  {
    name: 'author box end',
    lang: 'en',
    body: article('', '<p class="byline">Aaron Bunt is a reporter of the harbour.</p>'),
    author: undefined,
  },
  {
    name: 'hatom',
    lang: 'en',
    body: `<div class="hentry">${HEADING}<abbr class="published" title="2026-03-14T09:00:00Z">last week</abbr> <span class="author vcard"><span class="fn">Aaron Bunt</span></span>${PROSE}</div>`,
    author: 'Aaron Bunt',
    published: '2026-03-14T09:00:00Z',
  },
  {
    name: 'above heading',
    lang: 'en',
    body: `<main><div class="kicker">News</div><p class="date">March 14, 2026</p>${HEADING}${PROSE}</main>`,
    published: '2026-03-14',
  },
  {
    name: 'blog list',
    lang: 'en',
    body: `<main><h1>Blog</h1><ul><li><a href="/1">First</a> <time datetime="2026-01-01">1</time></li><li><a href="/2">Second</a> <time datetime="2026-02-01">2</time></li><li><a href="/3">Third</a> <time datetime="2026-03-01">3</time></li></ul></main>`,
    published: undefined,
  },
  { name: 'future', lang: 'en', body: article('<p class="date">14 March 2999</p>'), published: undefined },
  { name: 'range', lang: 'en', body: article('<p>14–16 March 2026</p>'), published: undefined },
  ...[
    '5 March 2024 – 3 April 2024',
    '5 March 2024 to 3 April',
    'March 5–7, 2024',
    'vom 5. bis 7. März 2024',
    'March 5, 2024, 10:30–11:30',
  ].map((text) => ({ name: text, lang: 'en', body: article(`<p>${text}</p>`), published: undefined })),
  ...[
    'March 5, 2024 - 10 min read',
    '5 March 2024 — 3 comments',
    'March 5, 2024 – 5 Minuten',
    '2024-03-05 - 10 min read',
    'March 5, 2024 10:30 - 5 min read',
  ].map((text) => ({ name: text, lang: 'en', body: article(`<p>${text}</p>`), published: '2024-03-05' })),
  {
    name: 'relative time w title',
    lang: 'en',
    body: article('<span class="date" title="2026-03-14">2 hours ago</span>'),
    published: '2026-03-14',
  },
  {
    name: 'meta dmy',
    lang: 'en-GB',
    head: '<meta name="date" content="03/04/2026 10:00">',
    body: article(''),
    published: '2026-04-03',
  },
  {
    name: 'footer of article',
    lang: 'en',
    body: article('', '<footer>Posted on 14 March 2026 by <a rel="author" href="/a">Aaron Bunt</a></footer>'),
    published: '2026-03-14',
    author: 'Aaron Bunt',
  },
  {
    name: 'email author',
    lang: 'en',
    head: '<meta name="author" content="aaron@quay.example (Aaron Bunt)">',
    body: article(''),
    author: 'Aaron Bunt',
  },
  {
    name: 'twitter',
    lang: 'en',
    body: article('<p class="byline">Aaron Bunt @abunt</p>'),
    author: 'Aaron Bunt',
  },
  {
    name: 'standfirst then by',
    lang: 'en',
    body: `<article>${HEADING}<p class="standfirst">A long standfirst that says what the text below is about, and that is longer than a line of a hundred characters in all.</p><p>By Aaron Bunt</p><p>14 March 2026</p>${PROSE}</article>`,
    author: 'Aaron Bunt',
    published: '2026-03-14',
  },
  {
    name: 'review author',
    lang: 'en',
    head: data({
      '@type': 'Product',
      name: 'Quay and tide',
      review: { '@type': 'Review', author: 'Bob Reef', datePublished: '2020-01-01' },
    }),
    body:
      article('') +
      '<div class="review" itemprop="review" itemscope itemtype="http://schema.org/Review"><span itemprop="author">Bob Reef</span><time itemprop="datePublished" datetime="2020-01-01"></time></div>',
    author: undefined,
    published: undefined,
  },
  {
    name: 'url date',
    lang: 'en',
    url: 'https://site.example/2026/03/14/quay-and-tide',
    body: article(''),
    published: '2026-03-14',
  },
  {
    name: 'es author',
    lang: 'es',
    body: article('<div class="firma">Por María de la Cruz</div>'),
    author: 'María de la Cruz',
  },
  {
    name: 'ko',
    lang: 'ko',
    body: article('<p class="byline">홍길동 기자</p><p>입력 2026.03.14 09:30</p>'),
    author: '홍길동',
    published: '2026-03-14',
  },
  { name: 'nl door', lang: 'nl', body: article('<p>Door Jan van der Berg</p>'), author: 'Jan van der Berg' },
  {
    name: 'view all posts',
    lang: 'en',
    body: article('<span class="author"><a href="/author/a">View all posts by Aaron Bunt</a></span>'),
    author: undefined,
  },
  {
    name: 'schema in body',
    lang: 'en',
    body: `<article itemscope itemtype="http://schema.org/Article">${HEADING}<meta itemprop="datePublished" content="2026-03-14"><span itemprop="author" itemscope itemtype="http://schema.org/Person"><meta itemprop="name" content="Aaron Bunt"></span>${PROSE}</article>`,
    author: 'Aaron Bunt',
    published: '2026-03-14',
  },
  {
    name: 'itemprop list in article',
    lang: 'en',
    body:
      article('<time itemprop="datePublished" datetime="2026-03-14">14 March</time>') +
      '<ul class="posts"><li itemscope itemtype="http://schema.org/BlogPosting"><meta itemprop="datePublished" content="2020-03-14"></li></ul>',
    published: '2026-03-14',
  },
  {
    name: 'pt',
    lang: 'pt-BR',
    body: article('<p>Por Ana Souza — 03/04/2026 10h15</p>'),
    author: 'Ana Souza',
    published: '2026-04-03',
  },
  {
    name: 'it',
    lang: 'it',
    body: article('<p>di Marco Rossi, 14 marzo 2026</p>'),
    author: 'Marco Rossi',
    published: '2026-03-14',
  },
  { name: 'born date', lang: 'en', body: article('<p>Born 4 May 1950</p>'), published: undefined },
];

const SITES: readonly Sample[] = [
  {
    name: 'role span',
    body: article('<div class="author">Aaron Bunt<span class="role">Editor</span></div>'),
    author: 'Aaron Bunt',
  },
  {
    name: 'date divs',
    body: article('<div class="date"><div>14</div><div>Mar</div><div>2026</div></div>'),
    published: '2026-03-14',
  },
  {
    name: 'daily mail',
    body: article(
      '<p class="byline-section">By <a class="author" rel="author" href="/a">Aaron Bunt for Quay News</a></p><p><span>Published: 10:00 GMT, 14 March 2026</span> | <span>Updated: 12:00 GMT, 15 March 2026</span></p>',
    ),
    published: '2026-03-14',
  },
  {
    name: 'top wrap date',
    body: `<div id="wrap"><div><div class="top"><span class="date">27 November 2026</span></div></div><div><div><div>${HEADING}<p>By Aaron Bunt</p>${PROSE}</div></div></div></div>`,
    published: undefined,
    author: 'Aaron Bunt',
  },
  { name: 'staff writer', body: article('<p class="byline">By Staff Writer</p>'), author: undefined },
  {
    name: 'trailing comma ld',
    head: data(
      '{"@type":"NewsArticle","headline":"Quay and tide","datePublished":"2026-03-14","author":{"@type":"Person","name":"Aaron Bunt",},}',
    ),
    body: article(''),
    published: '2026-03-14',
    author: 'Aaron Bunt',
  },
  {
    name: 'related under h2',
    body:
      article('') +
      '<div><h2>You may like</h2><div><a href="/x">Masts</a><span class="date">1 May 2020</span><span class="author">Kim Larsen</span></div></div>',
    published: undefined,
    author: undefined,
  },
  {
    name: 'issued meta',
    head: '<meta name="DCTERMS.issued" content="2026-03-14">',
    body: article(''),
    published: '2026-03-14',
  },
  {
    name: 'commenters by line',
    body: `${article('', '')}<div id="disqus_thread"><p>By Bob Reef</p><p>5 May 2026</p></div>`,
    published: undefined,
    author: undefined,
  },
  {
    name: 'comments ol plain',
    body:
      article('') +
      '<h3>3 Comments</h3><ol><li><b>Bob Reef</b> <span>May 5, 2026 at 10:00 am</span><p>Nice.</p></li><li><b>Kim Larsen</b> <span>May 6, 2026</span><p>So.</p></li></ol>',
    published: undefined,
    author: undefined,
  },
  {
    name: 'epoch',
    body: article('<time datetime="1773482400">a while ago</time>'),
    published: '2026-03-14T10:00:00Z',
  },
  {
    name: 'guardian',
    body: article(
      '<address aria-label="Contributor info"><a rel="author" href="/p">Aaron Bunt</a> in Hull</address><details><summary>Sat 14 Mar 2026 09.30 GMT</summary>Last modified on Sun 15 Mar 2026 10.00 GMT</details>',
    ),
    published: '2026-03-14',
    author: 'Aaron Bunt',
  },
  {
    name: 'substack',
    body: `<div class="post"><h1 class="post-title">Quay and tide</h1><h3 class="subtitle">Of boats</h3><div class="meta"><a href="https://x.example/@a">Aaron Bunt</a><div>Mar 14, 2026</div></div>${PROSE}</div>`,
    published: '2026-03-14',
  },
  {
    name: 'medium',
    body: article(
      '<div><a href="/@a">Aaron Bunt</a><p>4 min read</p><span>·</span><span>Mar 14, 2026</span></div>',
    ),
    published: '2026-03-14',
  },
  {
    name: 'wp',
    body: `<article class="post hentry"><header class="entry-header"><h1 class="entry-title">Quay and tide</h1><div class="entry-meta"><span class="posted-on">Posted on <a href="/2026"><time class="entry-date published" datetime="2026-03-14T09:30:00+00:00">March 14, 2026</time><time class="updated" datetime="2026-03-20T09:30:00+00:00">March 20, 2026</time></a></span><span class="byline"> by <span class="author vcard"><a class="url fn n" href="/author/ab">Aaron Bunt</a></span></span><span class="comments-link"><a href="#c">3 Comments</a></span></div></header><div class="entry-content">${PROSE}</div></article><aside class="widget"><ul><li><a href="/m">Masts</a><span class="post-date">May 5, 2020</span></li></ul></aside>`,
    published: '2026-03-14T09:30:00+00:00',
    author: 'Aaron Bunt',
  },
  {
    name: 'de meta line',
    lang: 'de',
    body: article('<p>14.03.2026 | Stand: 15.03.2026, 10:00 Uhr</p><p>von Aaron Bunt, Hamburg</p>'),
    published: '2026-03-14',
    author: 'Aaron Bunt',
  },
  {
    name: 'tagesschau',
    lang: 'de',
    body: article('<p class="metatextline">Stand: 14.03.2026 09:30 Uhr</p>'),
    published: '2026-03-14',
  },
  {
    name: 'lemonde',
    lang: 'fr',
    body: article(
      '<p class="meta__publisher">Par <a href="/s" class="article__author-link">Aaron Bunt</a></p><p><span class="meta__date">Publié le 14 mars 2026 à 09h30, modifié le 15 mars 2026 à 10h00</span></p>',
    ),
    published: '2026-03-14',
    author: 'Aaron Bunt',
  },
  {
    name: 'elpais',
    lang: 'es',
    body: article(
      '<div class="a_md_a"><a rel="author" href="/a">Aaron Bunt</a></div><span>Madrid - 14 mar 2026 - 09:30 CET</span>',
    ),
    published: '2026-03-14',
    author: 'Aaron Bunt',
  },
  {
    name: 'lenta',
    lang: 'ru',
    body: article(
      '<a class="topic-header__item topic-header__time">09:30, 14 марта 2026</a><span class="topic-authors__name">Анна Петрова</span><span class="topic-authors__job">(редактор)</span>',
    ),
    published: '2026-03-14',
    author: 'Анна Петрова',
  },
  {
    name: 'asahi',
    lang: 'ja',
    body: article(
      '<p><span>山田太郎</span>　<time datetime="2026-03-14T09:30">2026年3月14日 9時30分</time></p>',
    ),
    published: '2026-03-14T09:30',
  },
  {
    name: 'xinhua',
    lang: 'zh',
    body: article(
      '<div class="header-time"><span class="year"><em>2026</em></span><span class="day"><em>03</em>/<em>14</em></span><span class="time">09:30:00</span></div>',
    ),
    published: '2026-03-14',
  },
  {
    name: 'sina',
    lang: 'zh',
    body: article(
      '<div class="date-source"><span class="date">2026年03月14日 09:30</span> <a class="source">新京报</a></div>',
    ),
    published: '2026-03-14',
  },
  {
    name: 'org ld no byline',
    head: data({
      '@type': 'NewsArticle',
      headline: 'Quay and tide',
      author: [
        { '@type': 'Organization', name: 'Quay News' },
        { '@type': 'Person', name: 'Aaron Bunt' },
      ],
    }),
    body: article(''),
    author: 'Aaron Bunt',
  },
  {
    name: 'graph yoast',
    head: data({
      '@graph': [
        { '@type': 'WebPage', '@id': 'https://site.example/a/quay', datePublished: '2026-03-14T00:00:00Z' },
        { '@type': 'Person', '@id': '#p', name: 'Aaron Bunt' },
        {
          '@type': 'Article',
          headline: 'Quay and tide',
          author: { '@id': '#p' },
          datePublished: '2026-03-14T00:00:00Z',
        },
      ],
    }),
    body: article(''),
    author: 'Aaron Bunt',
    published: '2026-03-14T00:00:00Z',
  },
  {
    name: 'foreign ld only',
    head: data({
      '@type': 'NewsArticle',
      headline: 'Masts of old',
      url: 'https://other.example/m',
      datePublished: '2020-01-01',
      author: 'Kim Larsen',
    }),
    body: article('<p>By Aaron Bunt</p><p>14 March 2026</p>'),
    author: 'Aaron Bunt',
    published: '2026-03-14',
  },
  { name: 'concert review', body: article('<p>Concert date: 5 May 2019</p>'), published: undefined },
  {
    name: 'upcoming events box',
    body:
      '<div class="upcoming-events"><time datetime="2026-10-01">1 Oct</time></div>' +
      article('<span class="published">14 March 2026</span>'),
    published: '2026-03-14',
  },
  {
    name: 'h2 title',
    body: `<h1>Quay News</h1><article><h2>Quay and tide</h2><p>By Aaron Bunt - March 14, 2026</p>${PROSE}</article>`,
    published: '2026-03-14',
    author: 'Aaron Bunt',
  },
  {
    name: 'no heading',
    body: `<div><b>Quay</b><br>By Aaron Bunt<br>14 March 2026</div>${PROSE}`,
    published: '2026-03-14',
    author: 'Aaron Bunt',
  },
  {
    name: 'blogspot',
    body: `<h2 class="date-header">Saturday, March 14, 2026</h2><div class="post"><h3 class="post-title">Quay and tide</h3>${PROSE}<div class="post-footer">Posted by <span class="fn" itemprop="author">Aaron Bunt</span> at <a class="timestamp-link"><abbr class="published" title="2026-03-14T09:30:00-07:00">9:30 AM</abbr></a></div></div>`,
    published: '2026-03-14T09:30:00-07:00',
    author: 'Aaron Bunt',
  },
  {
    name: 'photos by',
    body: article('<p>Photos by Kim Larsen</p><p>Text by Aaron Bunt</p>'),
    author: 'Aaron Bunt',
  },
  { name: 'source line', body: article('<p>Source: Harbour Press</p>'), author: undefined },
  {
    name: 'sentence By',
    body: `<article>${HEADING}<p>By Monday, the slip was dry.</p>${PROSE}</article>`,
    author: undefined,
  },
  {
    name: 'sentence By2',
    body: `<article>${HEADING}<p>By Kim's own account the yard was lost.</p>${PROSE}</article>`,
    author: undefined,
  },
  {
    name: 'read time',
    body: article('<p class="meta">Aaron Bunt · 14 March 2026 · 4 min read</p>'),
    author: 'Aaron Bunt',
    published: '2026-03-14',
  },
  {
    name: 'se',
    lang: 'sv',
    body: article('<p>Publicerad 14 mars 2026 kl. 09.30</p><p>Av Anna Ström</p>'),
    author: 'Anna Ström',
    published: '2026-03-14',
  },
  {
    name: 'pl',
    lang: 'pl',
    body: article('<p>Autor: Jan Kowalski</p><p>14 marca 2026, 9:30</p>'),
    author: 'Jan Kowalski',
    published: '2026-03-14',
  },
  {
    name: 'author behind the date',
    body: article(
      '<p class="meta">Updated on March 20, 2026. Published on March 14, 2024 by <a href="/a">Ada Lake</a></p>',
    ),
    author: 'Ada Lake',
    published: '2024-03-14',
  },
  {
    name: 'author behind day and time',
    body: article(
      '<div class="byline">Monday March 9, 2026 10:05 am PDT by <a href="/j">Juli Clove</a></div>',
    ),
    author: 'Juli Clove',
    published: '2026-03-09',
  },
  {
    name: 'byline of a date alone',
    body: article('<div class="byline">February 25, 2021</div>'),
    author: undefined,
    published: '2021-02-25',
  },
  {
    name: 'byline that begins with its date',
    body: article('<div class="byline">25 February 2021 | Ada Lake</div>'),
    author: 'Ada Lake',
    published: '2021-02-25',
  },
  {
    name: 'kr with labels',
    lang: 'ko',
    body: article(
      '<div class="byline"><span>김민수 기자</span><span>입력 2026.03.14. 오전 10:02</span></div>',
    ),
    author: '김민수',
    published: '2026-03-14',
  },
  {
    name: 'lt',
    lang: 'lt',
    body: article('<div class="date">2018 m. sausio 18 d.</div>'),
    published: '2018-01-18',
  },
  {
    name: 'th',
    lang: 'th',
    body: article('<span class="date">14 มีนาคม 2569 เวลา 10:02 น.</span>'),
    published: '2026-03-14',
  },
  { name: 'he', lang: 'he', body: article('<div class="date">14 במרץ 2026</div>'), published: '2026-03-14' },
  {
    name: 'weekday decides',
    head: '<meta property="article:published_time" content="Mon, 07/10/2023 - 17:57">',
    body: article(''),
    published: '2023-07-10',
  },
  {
    name: 'days ago, with the day behind it',
    body: article(
      '<p>Posted <abbr title="2026-03-14">2 days ago</abbr> by <a href="/u" rel="author">Ada Lake</a></p>',
    ),
    author: 'Ada Lake',
    published: '2026-03-14',
  },
  { name: 'month alone', body: article('<time datetime="2026-03">March 2026</time>'), published: '2026-03' },
  {
    name: 'another name of the date',
    head: '<meta name="DC.date.created" content="2026-03-14"><meta name="expires_date" content="2027-01-01">',
    body: article(''),
    published: '2026-03-14',
  },
  {
    name: 'jp label',
    lang: 'ja',
    body: article(
      '<div><span class="date">2026/03/14</span><span class="author">投稿者：山田太郎</span></div>',
    ),
    author: '山田太郎',
    published: '2026-03-14',
  },
  {
    name: 'seconds since 1970',
    body: article('<span class="timeago" data-timestamp="1773480600">on Saturday</span>'),
    published: '2026-03-14T09:30:00Z',
  },
  {
    name: 'milliseconds in data',
    head: data({ '@type': 'NewsArticle', headline: 'Quay and tide', datePublished: 1773480600000 }),
    body: article(''),
    published: '2026-03-14T09:30:00Z',
  },
  {
    name: 'video of the page',
    head: data({
      '@type': 'VideoObject',
      name: 'Quay and tide',
      uploadDate: '2016-04-06',
      comment: [{ '@type': 'Comment', dateCreated: '2020-05-11' }],
    }),
    body: article(''),
    published: '2016-04-06',
  },
  {
    name: 'video beside the text',
    head: data({ '@type': 'VideoObject', name: 'Another story', uploadDate: '2016-04-06' }),
    body: article('<p class="date">14 March 2026</p>'),
    published: '2026-03-14',
  },
  ...[
    ['de', '5. bis 7. März 2024'],
    ['fr', 'Du 5 au 7 mars 2024'],
    ['es', '5 al 7 de marzo de 2024'],
    ['nl', '5 t/m 7 maart 2024'],
    ['en', 'March 5 to March 7, 2024'],
    ['it', 'Dal 5 al 7 marzo 2024'],
    ['ru', 'С 5 по 7 марта 2024'],
    ['ja', '2024年3月5日～7日'],
    ['en', '5–7 March 2024'],
  ].map(([lang = '', range = '']) => ({
    name: `days of an event in ${lang}`,
    lang,
    body: article(`<p>${range}</p>`),
    published: undefined,
  })),
  { name: 'wrong lang', lang: 'en', body: article('<p>14. März 2026</p>'), published: '2026-03-14' },
];

describe('the date and the author are those of the article, or none', () => {
  test.each([...OWN_OR_NONE, ...SITES])('$name', (sample) => {
    const { published, author } = read(sample);
    if ('published' in sample) expect(published).toBe(sample.published);
    if ('author' in sample) expect(author).toBe(sample.author);
  });
});
