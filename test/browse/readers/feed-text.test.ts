import { expect, test } from 'vitest';
import { readFeed } from '../../../src/browse/readers/feed.ts';
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
    'content of an unknown type',
    atom('>x', '<content type="CDATA"><![CDATA[<p>The <b>crane</b></p>]]></content>'),
    'x',
    'The **crane**',
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
