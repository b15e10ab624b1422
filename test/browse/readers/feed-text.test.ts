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
