import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { feedLinks, isFeed } from '../../src/search/feed-links.ts';
import { parseRobots } from '../../src/search/robots.ts';
import { isSitemap, parseSitemap, unzipped } from '../../src/search/sitemap.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const URL_OF_MAP = 'https://a.example/sitemap.xml';

test('addresses of a sitemap, with other namespaces, entities and spaces, and no image among them', () => {
  const map = `<?xml version="1.0"?><!-- made by hand --><s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9">
    <s:url><s:loc>\n https://a.example/x?a=1&amp;b=2 </s:loc><s:lastmod>2026-01-01</s:lastmod>
      <image:image><image:loc>https://a.example/x.png</image:loc></image:image></s:url>
    <s:url><s:loc><![CDATA[https://a.example/cdata]]></s:loc></s:url>
    <s:url><s:loc>/relative</s:loc></s:url><s:url><s:loc>https://</s:loc></s:url></s:urlset>`;
  expect(isSitemap(bytes(map))).toBe(true);
  expect(parseSitemap(bytes(map), URL_OF_MAP)).toEqual({
    pages: ['https://a.example/x?a=1&b=2', 'https://a.example/cdata', 'https://a.example/relative'],
    sitemaps: [],
  });
});

test('an index names sitemaps, and a file without end has an end', () => {
  const index = '<sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap></sitemapindex>';
  expect(parseSitemap(bytes(index), URL_OF_MAP)).toEqual({
    pages: [],
    sitemaps: ['https://a.example/1.xml'],
  });
  const endless = `<urlset>${'<url><loc>https://a.example/</loc></url>'.repeat(60_000)}<url><loc>${'x'.repeat(5_000_000)}`;
  expect(parseSitemap(bytes(endless), URL_OF_MAP).pages).toHaveLength(50_000);
  expect(parseSitemap(bytes('<'.repeat(1_000_000)), URL_OF_MAP).pages).toEqual([]);
});

test('packed files are unpacked, broken ones reported', async () => {
  expect(await unzipped(bytes('plain'))).toEqual(bytes('plain'));
  expect(Buffer.from(await unzipped(gzipSync('packed'))).toString()).toBe('packed');
  await expect(unzipped(gzipSync('packed').subarray(0, 12))).rejects.toMatchObject({ code: 'unsupported' });
});

test('feeds are known by their first element, and give their links in order', () => {
  const rss = `<?xml version="1.0"?><rss version="2.0"><channel><title>T</title><link>https://a.example/</link>
    <item><title>1</title><link>https://a.example/1</link></item><item><title>2</title><link>/2</link></item>
    <item><title>none</title></item></channel></rss>`;
  const atom = `\n<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="https://a.example/e"/></entry></feed>`;
  expect(
    [rss, atom, '<html><body><rss></body></html>', 'feed', '{}'].map((text) => isFeed(bytes(text))),
  ).toEqual([true, true, false, false, false]);
  expect(feedLinks(bytes(rss), 'https://a.example/feed')).toEqual([
    'https://a.example/1',
    'https://a.example/2',
  ]);
  expect(feedLinks(bytes(atom), 'https://a.example/feed')).toEqual(['https://a.example/e']);
});

test('robots.txt: the group of Magpie before that of all, the longest rule first, delays bounded', () => {
  const rules = parseRobots(
    'https://a.example/robots.txt',
    `User-agent: *\nDisallow: /\n\nUser-agent: MAGPIE\nDisallow: /private # not this\nAllow: /private/open$\nDisallow: /*.cgi\nCrawl-delay: 500\nSitemap: https://a.example/s.xml\nSitemap: nonsense`,
  );
  const allowed = ['/', '/private', '/private/open', '/private/open/x', '/run.cgi', '/other'].map((path) =>
    rules.allows(`https://a.example${path}`),
  );
  expect(allowed).toEqual([true, false, true, false, false, true]);
  expect([rules.delay, rules.sitemaps]).toEqual([60_000, ['https://a.example/s.xml']]);
  expect(
    parseRobots('https://a.example/robots.txt', '<!doctype html><p>no').allows('https://a.example/'),
  ).toBe(true);
});
