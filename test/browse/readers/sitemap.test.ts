import { expect, test } from 'vitest';
import { detectPageKind } from '../../../src/browse/fetching/page-kind.ts';
import { readFeed } from '../../../src/browse/readers/feeds/feed.ts';

const ADDRESS = 'https://q.example/sitemap.xml';
const NAMESPACES =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" ' +
  'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"';

test('a sitemap is a list of its addresses with days and titles', async () => {
  const file = `<?xml version="1.0"?><urlset ${NAMESPACES}>
<url><loc> https://q.example/a?b=1&amp;c=2 </loc><lastmod>2026-03-04T10:00:00Z</lastmod></url>
<url><loc>https://q.example/news</loc><news:news><news:title>Tide [live]</news:title></news:news>
<image:image><image:loc>https://q.example/i.png</image:loc></image:image></url>
<url><loc>no address</loc></url></urlset>`;
  const body = Buffer.from(file);
  expect(await detectPageKind({ url: ADDRESS, contentType: 'application/xml', body })).toBe('feed');
  expect((await readFeed(file, ADDRESS)).markdown).toBe(
    'Sitemap with 2 addresses:\n\n' +
      '- [https://q.example/a?b=1&c=2](https://q.example/a?b=1&c=2) (2026-03-04)\n' +
      '- [Tide \\[live\\]](https://q.example/news)',
  );
});

test('an index of sitemaps is a list as well', async () => {
  const file = `<sitemapindex ${NAMESPACES}><sitemap><loc>https://q.example/s1.xml</loc></sitemap></sitemapindex>`;
  expect((await readFeed(file, ADDRESS)).markdown).toContain(
    '- [https://q.example/s1.xml](https://q.example/s1.xml)',
  );
});

test('parentheses of an address do not end its link', async () => {
  const file = `<urlset ${NAMESPACES}><url><loc>https://q.example/a)b(c</loc></url></urlset>`;
  expect((await readFeed(file, ADDRESS)).markdown).toContain(
    '- [https://q.example/a)b(c](https://q.example/a%29b%28c)',
  );
});
