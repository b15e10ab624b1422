import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFeed } from '../../../src/browse/readers/feeds/feed.ts';
import { decodeHtmlEntities } from '../../../src/browse/readers/html-text.ts';
import { readKnownJson } from '../../../src/browse/readers/json.ts';

const URL_ = 'https://q.example/feed';
const atom = (title: string, entry: string) =>
  `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title${title}</title><entry>${entry}</entry></feed>`;
const rss = (title: string, item: string) =>
  `<rss version="2.0"><channel><title>${title}</title><item>${item}</item></channel></rss>`;

test.each<[string, string, string, string]>([
  ['entities of HTML in Atom', atom('>Rope&nbsp;&mdash; tar', '<title>A</title>'), 'Rope — tar', '## A'],
  [
    'no address but that of the entry itself',
    atom('>x', '<id>tag:q.example,2026:7</id><link rel="self" href="/entries/7"/><title>A</title>'),
    'x',
    '## A\n\nhttps://q.example/entries/7',
  ],
  [
    'several addresses, as in rssguard#104',
    atom(
      '>x',
      '<title>A</title><link rel="self" href="/s"/><link type="application/json" href="/a.json"/><link rel="alternate" type="application/xhtml+xml" href="/a"/>',
    ),
    'x',
    '## A\n\nhttps://q.example/a',
  ],
  [
    'content of an unknown type',
    atom('>x', '<content type="CDATA"><![CDATA[<p>The <b>crane</b></p>]]></content>'),
    'x',
    'The **crane**',
  ],
  [
    'escaped HTML whose type says XHTML',
    atom('>x', '<content type="xhtml">&lt;p&gt;Hi &lt;em&gt;you&lt;/em&gt;&lt;/p&gt;</content>'),
    'x',
    'Hi *you*',
  ],
  [
    'HTML that is escaped twice',
    rss(
      'x',
      '<description>&amp;lt;p&amp;gt;Hi &amp;lt;em&amp;gt;you&amp;lt;/em&amp;gt;&amp;lt;/p&amp;gt;</description>',
    ),
    'x',
    'Hi *you*',
  ],
  [
    'a text about a tag',
    rss('x', '<description>Use &amp;lt;main&amp;gt; for it&amp;lt;/main&amp;gt;</description>'),
    'x',
    'Use \\<main> for it\\</main>',
  ],
  [
    'content without a type',
    atom('>x', '<content>&lt;p&gt;Hi &lt;em&gt;you&lt;/em&gt;&lt;/p&gt;</content>'),
    'x',
    'Hi *you*',
  ],
  [
    'a title of the type HTML',
    atom(' type="html">Q&amp;amp;A &lt;b&gt;daily&lt;/b&gt;', '<title>A</title>'),
    'Q&A daily',
    '## A',
  ],
  [
    'a type in capitals',
    atom('>x', '<title type="HTML">R&amp;eacute;sum&amp;eacute;</title>'),
    'x',
    '## Résumé',
  ],
  ['a title in CDATA', atom('>x', '<title><![CDATA[<b>Bold</b> title]]></title>'), 'x', '## **Bold** title'],
  [
    'entities of HTML in RSS',
    rss('Quay&nbsp;cast', '<title>&ldquo;Tar&rdquo; &nbsp; rope</title>'),
    'Quay cast',
    '## “Tar” rope',
  ],
  [
    'tags in the title of RSS',
    rss('<![CDATA[Tide &amp; <i>table</i>]]>', '<title>Fish &amp;amp; chips</title>'),
    'Tide & table',
    '## Fish & chips',
  ],
])('%s are no tags or entities in the text', async (_name, feed, title, text) => {
  const page = await readFeed(feed, URL_);
  expect(page.title).toBe(title);
  expect(page.markdown).toContain(text);
  expect(`${page.title}${page.markdown}`).not.toMatch(/&nbsp;|<\/?(?:p|b|i|em)>/);
});

test('text that is declared as text stays as it is', async () => {
  const feed = atom(
    '>x',
    '<title>Use &lt;b&gt; well</title><summary type="text">the tag &lt;/p&gt;</summary>',
  );
  expect((await readFeed(feed, URL_)).markdown).toContain('## Use \\<b> well\n\n');
  expect((await readFeed(feed, URL_)).markdown).toContain('the tag \\</p>');
  const json = JSON.stringify({ title: 'a < b & c', items: [{ title: 'x' }] });
  expect((await readKnownJson(json, URL_))?.title).toBe('a < b & c');
});

test('entities are decoded outside of CDATA alone, and none becomes markup', () => {
  expect(
    decodeHtmlEntities('<a>&eacute;&amp;&nvlt;&none;</a><![CDATA[&eacute;]]>&eacute;<![CDATA[&eacute;'),
  ).toBe('<a>é&amp;&lt;\u20d2&none;</a><![CDATA[&eacute;]]>é<![CDATA[&eacute;');
});

test.each([
  [
    'of the entry, within that of the feed',
    '<feed xmlns="x" xml:base="https://a.example/blog/"><title>x</title><entry xml:base="2026/"><title>E</title><link href="wax"/><content type="html">&lt;a href="melt"&gt;m&lt;/a&gt;</content></entry></feed>',
    ['https://a.example/blog/2026/wax', '[m](https://a.example/blog/2026/melt)'],
  ],
  [
    'of the content',
    '<feed xmlns="x"><title>x</title><entry><title>E</title><link href="/1"/><content type="html" xml:base="https://b.example/c/">&lt;a href="d"&gt;m&lt;/a&gt;</content></entry></feed>',
    ['https://q.example/1', '[m](https://b.example/c/d)'],
  ],
  [
    'of a channel',
    '<rss version="2.0" xml:base="https://a.example/x/"><channel><title>x</title><item><title>E</title><link>https://c.example/</link><description>&lt;a href="d"&gt;m&lt;/a&gt;</description></item></channel></rss>',
    ['[m](https://a.example/x/d)'],
  ],
])('links are relative to the base %s', async (_name, feed, all) => {
  const { markdown } = await readFeed(feed, URL_);
  for (const one of all) expect(markdown).toContain(one);
});

test.each<[string, string, string]>([
  [
    'feedbin 216: a base of the entry',
    '<feed xmlns="x"><entry xml:base="When/06/26/"><title>E</title><link href="Texas"/><link rel="enclosure" href="a.mp3"/></entry></feed>',
    'https://q.example/When/06/26/Texas · https://q.example/When/06/26/a.mp3',
  ],
  [
    'a base of the link',
    '<feed xmlns="x"><entry><title>E</title><link xml:base="https://c.example/y/" href="p"/></entry></feed>',
    'https://c.example/y/p',
  ],
  [
    'a base of the channel',
    '<rss xml:base="https://b.example/x/"><channel><item><title>E</title><link>p</link><enclosure url="a.mp3"/></item></channel></rss>',
    'https://b.example/x/p · https://b.example/x/a.mp3',
  ],
  [
    'the page of a channel without a base',
    '<rss><channel><link>https://s.example/blog/</link><item><title>E</title><link>p</link></item></channel></rss>',
    'https://s.example/blog/p',
  ],
  [
    'another link before that of the item',
    '<rss><channel><item><title>E</title><a:link href="https://x.example/self"/><link>https://x.example/1</link></item></channel></rss>',
    'https://x.example/1',
  ],
  [
    'an id in place of a link',
    '<feed xmlns="x"><entry><title>E</title><id>https://x.example/1</id></entry></feed>',
    'https://x.example/1',
  ],
  [
    'an identifier of RDF in place of a link',
    '<rdf:RDF><channel/><item rdf:about="https://x.example/1"><title>E</title></item></rdf:RDF>',
    'https://x.example/1',
  ],
  [
    'recordings of Media RSS, and addresses as text',
    '<rss><channel><item><title>E</title><enclosure>https://x.example/1.mp3</enclosure><media:content url="https://x.example/2.mp4" medium="video"/><media:content url="https://x.example/3.png" medium="image"/></item></channel></rss>',
    'https://x.example/1.mp3 · https://x.example/2.mp4',
  ],
  [
    'all authors',
    '<rss><channel><item><title>E</title><dc:creator>Ada</dc:creator><dc:creator>Bo</dc:creator></item></channel></rss>',
    'Ada, Bo',
  ],
  [
    'feed-rs 205: elements in text',
    '<feed xmlns="x"><entry><title>E</title><content type="text/html">See <a href="https://x.example/">it</a></content></entry></feed>',
    'See [it](https://x.example/)',
  ],
  [
    'elements in a description',
    '<rss><channel><item><title>E</title><description>See <a href="https://x.example/">it</a></description></item></channel></rss>',
    'See [it](https://x.example/)',
  ],
])('%s', async (_name, feed, expected) => {
  expect((await readFeed(feed, URL_)).markdown).toBe(`## E\n\n${expected}`);
});

test('any addresses of an entry are resolved against the bases around them', async () => {
  const base = fc.option(fc.constantFrom('a/', '/b/', 'https://c.example/d/', '../'), { nil: undefined });
  const own = (one: string | undefined) => (one === undefined ? '' : ` xml:base="${one}"`);
  await fc.assert(
    fc.asyncProperty(base, base, base, async (outer, inner, last) => {
      const feed = `<feed xmlns="x"${own(outer)}><entry${own(inner)}><title>E</title><link href="p"${own(last)}/><link rel="enclosure" href="q"${own(last)}/></entry></feed>`;
      const around = [outer, inner, last].reduce((at, one) => (one ? new URL(one, at).href : at), URL_);
      const [link, file] = ['p', 'q'].map((one) => new URL(one, around).href);
      expect((await readFeed(feed, URL_)).markdown).toBe(`## E\n\n${link} · ${file}`);
    }),
    { seed: 38, numRuns: 60 },
  );
});

test.each([
  ['owntone 1677: a number', '013. Q&amp;A', '## 013. Q&A'],
  ['miniflux 940: a text like a tag', '&lt;/kubernetes&gt;', '## \\</kubernetes>'],
  ['miniflux 3149: an escaped section', '&lt;![CDATA[Lettre ouverte]]&gt;', '## Lettre ouverte'],
])('a title with %s', async (_name, title, expected) => {
  expect((await readFeed(rss('x', `<title>${title}</title>`), URL_)).markdown).toBe(expected);
  expect((await readFeed(atom('>x', `<title type="html">${title}</title>`), URL_)).markdown).toBe(expected);
});

test.each([
  ['FreshRSS 8124: entities in a title', { title: 'Apple&#8217;s Q&amp;A' }, '## Apple’s Q&A'],
  ['miniflux 940: a title like a tag', { title: '</kubernetes>' }, '## \\</kubernetes>'],
  ['rssguard 1916: a summary alone', { title: 'T', summary: 'S' }, '## T\n\nS'],
  ['a short text without a title', { content_text: 'Hello there' }, '## Hello there'],
  [
    'a long text without a title',
    { content_text: 'Hello '.repeat(30).trim(), date_published: '2026-03-01' },
    `## 2026-03-01\n\n${'Hello '.repeat(30).trim()}`,
  ],
  ['an address as its id', { title: 'T', id: 'https://x.example/1' }, '## T\n\nhttps://x.example/1'],
])('an item of a JSON feed as in %s', async (_name, item, expected) => {
  expect((await readKnownJson(JSON.stringify({ items: [item] }), URL_))?.markdown).toBe(expected);
});

test('addresses of recordings and of the page that an entry is about, and descriptions of films are read', async () => {
  const episode = rss('x', '<title>Talk</title><enclosure url="https://t.example/7.mp3"/>');
  expect((await readFeed(episode, URL_)).markdown).toBe('## Talk\n\nhttps://t.example/7.mp3');
  const film = atom(
    '>x',
    '<title>Film</title><media:group xmlns:media="m"><media:description>How wax &lt; honey\nis made</media:description></media:group>',
  );
  expect((await readFeed(film, URL_)).markdown).toMatch(/How wax \\?< honey\s+is made/);
  const named = '<m:title xmlns:m="m">Other</m:title><title>Own</title>'.replaceAll('m:', 'media:');
  expect((await readFeed(rss('x', named), URL_)).markdown).toBe('## Own');
  const item = {
    url: 'https://a.example/',
    external_url: 'https://b.example/',
    title: 'L',
    content_text: 'a\n\nb',
  };
  const { markdown = '' } =
    (await readKnownJson(JSON.stringify({ authors: { name: 'Ida' }, items: [item] }), URL_)) ?? {};
  expect(markdown).toBe('## L\n\nhttps://a.example/ · Ida · https://b.example/\n\na\n\nb');
});
