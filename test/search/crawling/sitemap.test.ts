import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { feedLinks, isFeed } from '../../../src/search/crawling/listing.ts';
import { readListingInPool } from '../../../src/search/crawling/listing-pool.ts';
import { isSitemap, parseSitemap } from '../../../src/search/crawling/sitemap.ts';
import { gzipBomb } from '../../helpers/archives.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const URL_OF_MAP = 'https://a.example/sitemap.xml';

test('the pages of a sitemap are read with other namespaces, entities and spaces, and without images', () => {
  const map = `<?xml version="1.0"?><!-- made by hand --><s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9">
    <s:url><s:loc>\n https://a.example/x?a=1&amp;b=2 </s:loc><s:lastmod> 2026-01-01 </s:lastmod>
      <image:image><image:loc>https://a.example/x.png</image:loc><image:title>No</image:title></image:image></s:url>
    <s:url><s:lastmod>yesterday</s:lastmod><s:loc><![CDATA[https://a.example/cdata]]></s:loc></s:url>
    <s:url><s:loc>/relative</s:loc></s:url><s:url><s:loc>https://</s:loc></s:url>
    <s:url><s:loc>javascript:alert(1)</s:loc></s:url></s:urlset>`;
  expect(isSitemap(bytes(map))).toBe(true);
  expect(parseSitemap(bytes(map), URL_OF_MAP)).toEqual({
    pages: [
      { url: 'https://a.example/x?a=1&b=2', modified: '2026-01-01' },
      { url: 'https://a.example/cdata' },
      { url: 'https://a.example/relative' },
    ],
    sitemaps: [],
    cut: false,
  });
});

test('a news sitemap gives titles and times, and no data of one entry is mixed with the next entry', () => {
  const news = `<urlset xmlns="x" xmlns:news="y"><url><loc>https://a.example/1</loc><news:news>
      <news:publication><news:name>The Gazette</news:name><news:language>en</news:language></news:publication>
      <news:publication_date>2026-11-20T08:30:00+01:00</news:publication_date>
      <news:title>Magpies &amp;\n their mirrors</news:title></news:news></url>
    <url><loc>https://a.example/2</loc></url></urlset>`;
  expect(parseSitemap(bytes(news), URL_OF_MAP).pages).toEqual([
    { url: 'https://a.example/1', title: 'Magpies & their mirrors', modified: '2026-11-20T08:30:00+01:00' },
    { url: 'https://a.example/2' },
  ]);
});

test('a text file has one address in each line, and words are not addresses', () => {
  const text = 'https://a.example/1\r\n  https://a.example/2 \nsome words\n/relative\n\nhttps://a.example/3';
  expect(isSitemap(bytes(text))).toBe(true);
  expect(parseSitemap(bytes(text), URL_OF_MAP).pages.map(({ url }) => url)).toEqual([
    'https://a.example/1',
    'https://a.example/2',
    'https://a.example/3',
  ]);
  expect(isSitemap(bytes('https://a.example/ is where it is.\nMore words.'))).toBe(false);
});

test('an index names sitemaps, and an endless file is cut', () => {
  const index = '<sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap></sitemapindex>';
  expect(parseSitemap(bytes(index), URL_OF_MAP)).toEqual({
    pages: [],
    sitemaps: ['https://a.example/1.xml'],
    cut: false,
  });
  const endless = `<urlset>${'<url><loc>https://a.example/</loc></url>'.repeat(60_000)}<url><loc>${'x'.repeat(5_000_000)}`;
  const { pages, cut } = parseSitemap(bytes(endless), URL_OF_MAP);
  expect([pages.length, cut]).toEqual([50_000, true]);
  expect(parseSitemap(bytes('<'.repeat(1_000_000)), URL_OF_MAP).pages).toEqual([]);
});

test('entities that a hostile file declares are not expanded', () => {
  const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "${'ha'.repeat(100)}"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
    <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY f SYSTEM "file:///etc/passwd">]>
    <urlset><url><loc>https://a.example/&c;</loc></url><url><loc>https://a.example/&f;</loc></url></urlset>`;
  expect(parseSitemap(bytes(bomb), URL_OF_MAP).pages).toEqual([
    { url: 'https://a.example/&c;' },
    { url: 'https://a.example/&f;' },
  ]);
});

test('compressed files are unpacked in a thread, and broken files and decompression bombs are refused', async () => {
  const signal = AbortSignal.timeout(60_000);
  const read = (body: Uint8Array) => readListingInPool({ body, url: URL_OF_MAP }, signal, 'ann');
  const packed = gzipSync('<urlset><url><loc>/packed</loc></url></urlset>');
  expect(await read(packed)).toMatchObject({ kind: 'sitemap', pages: [{ url: 'https://a.example/packed' }] });
  await expect(read(packed.subarray(0, 12))).rejects.toMatchObject({ code: 'unsupported' });
  await expect(read(gzipBomb())).rejects.toMatchObject({ code: 'too_large' });
  const large = `<urlset>${'<url><loc>https://a.example/x</loc></url>'.repeat(20_000)}</urlset>`;
  expect((await read(bytes(large))).pages).toHaveLength(20_000);
  expect(await read(bytes('plain'))).toMatchObject({ kind: 'other', pages: [] });
});

test('feeds are recognized by their first element and give their links in order', () => {
  const rss = `<?xml version="1.0"?><rss version="2.0"><channel><title>T</title><link>https://a.example/</link>
    <item><title>1</title><link>https://a.example/1</link><pubDate>Fri, 20 Nov 2026 08:30:00 GMT</pubDate></item>
    <item><title>2</title><link>/2</link><pubDate>some day</pubDate></item>
    <item><title>none</title></item></channel></rss>`;
  const atom = `\n<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="https://a.example/e"/></entry></feed>`;
  expect(
    [rss, atom, '<html><body><rss></body></html>', 'feed', '{}'].map((text) => isFeed(bytes(text))),
  ).toEqual([true, true, false, false, false]);
  expect(feedLinks(bytes(rss), 'https://a.example/feed')).toEqual([
    { url: 'https://a.example/1', title: '1', modified: '2026-11-20T08:30:00.000Z' },
    { url: 'https://a.example/2', title: '2' },
  ]);
  expect(feedLinks(bytes(atom), 'https://a.example/feed')).toEqual([{ url: 'https://a.example/e' }]);
  const entry = (more: string) => `<feed xmlns="http://www.w3.org/2005/Atom"><entry>${more}</entry></feed>`;
  const links =
    '<link rel="self" href="/e.atom"/><link type="application/json" href="/e.json"/><link rel="enclosure" href="/e.mp3"/><link href="/e"/>';
  const modified = '<updated>2026-11-20T09:30:00+01:00</updated>';
  expect(feedLinks(bytes(entry(links + modified)), 'https://a.example/feed')).toEqual([
    { url: 'https://a.example/e', modified: '2026-11-20T08:30:00.000Z' },
  ]);
});

test.each(['3', '03/04/2026', 'issue 12', 'May', '2026-13-40'])('%s is no date of a feed', (date) => {
  const rss = `<rss><channel><item><link>/1</link><pubDate>${date}</pubDate></item></channel></rss>`;
  expect(feedLinks(bytes(rss), 'https://a.example/feed')).toEqual([{ url: 'https://a.example/1' }]);
});
