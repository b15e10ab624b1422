import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { article } from '../helpers/site.ts';
import { type SiteCalls, startSiteCalls } from '../helpers/site-calls.ts';

/** The pages of a site, by its sitemaps and links, over every surface. */

let calls: SiteCalls;
beforeAll(async () => {
  calls = await startSiteCalls({ MAGPIE_PAGE_TIMEOUT: '2000' });
});
afterAll(() => calls.close());
beforeEach(() => calls.clear());

const put = (path: string, ...rest: Parameters<typeof article>) =>
  calls.site.pages.set(path, article(...rest));
const entry = (path: string, more = '') => `<url><loc>${calls.site.url}${path}</loc>${more}</url>`;
const mapOf = async (path: string, parameters: Record<string, string> = {}) => {
  const { status, body } = await calls.browse(path, { map: 'true', ...parameters });
  const [item] = body.results ?? [];
  const paths = item?.links?.map(({ url }) => url.replace(calls.site.url, ''));
  return { status, item, paths, ...body };
};

/** A site with a sitemap index, of which one file is packed and one is missing. */
function listedSite(): void {
  const { site } = calls;
  site.pages.set('/robots.txt', { body: `User-agent: *\nSitemap: ${site.url}/index.xml` });
  const files = ['/a.xml.gz', '/b.xml', '/none.xml', '/index.xml'];
  const index = files.map((path) => `<sitemap><loc>${site.url}${path}</loc></sitemap>`).join('');
  site.pages.set('/index.xml', { body: `<sitemapindex>${index}</sitemapindex>` });
  const packed = gzipSync(
    `<urlset>${entry('/listed', '<lastmod>2026-11-01</lastmod>')}${entry('/nest')}</urlset>`,
  );
  site.pages.set('/a.xml.gz', { headers: { 'content-type': 'application/gzip' }, body: packed });
  site.pages.set('/b.xml', {
    body: `<urlset>${Array.from({ length: 60 }, (_, n) => entry(`/b${n}`)).join('')}<url><loc>https://other.example/</loc></url></urlset>`,
  });
  put('/', 'magpie', ['/nest', '/photo.png', 'https://other.example/x', '/nest#top', '/song?utm_source=x']);
}

describe('map', () => {
  test('lists the sitemap entries and linked pages, each once, with title and date where known', async () => {
    listedSite();
    const { item, paths, rules, results } = await mapOf('/');
    expect(results).toHaveLength(1);
    expect(item).toMatchObject({ title: 'About the magpie', link: `${calls.site.url}/`, linkCount: 64 });
    expect(item?.full_content).toBeUndefined();
    expect(paths?.slice(0, 4)).toEqual(['/', '/nest', '/song', '/listed']);
    expect(item?.links?.[0]?.title).toBe('About the magpie');
    expect(item?.links?.[3]).toEqual({
      title: '',
      url: `${calls.site.url}/listed`,
      lastModified: '2026-11-01',
    });
    expect(rules).toMatch(
      /^64 pages at and under this address, from 3 sitemaps and the links of 1 page\. (?!There)/,
    );
    expect(calls.site.paths()).not.toContain('/nest');
    expect(calls.site.asked[0]?.headers['user-agent']).toMatch(/^Magpie\//);
  });

  test('follows links without sitemaps, within robots.txt, nofollow and the host limit', async () => {
    calls.site.pages.set('/robots.txt', {
      body: 'User-agent: magpie\nDisallow: /private\n\nUser-agent: *\nDisallow: /',
    });
    put('/docs/', 'docs', ['one', 'shy', 'away', 'missing', 'slow', '/private/x', '/up']);
    put('/docs/one', 'one', ['two']);
    put('/docs/two', 'two', ['three']);
    put('/docs/three', 'three', ['four']);
    put('/docs/shy', 'shy', ['behind'], '<meta name="robots" content="nofollow">');
    calls.site.pages.set('/docs/away', { status: 302, headers: { location: 'http://127.0.0.1:9/' } });
    const { paths, rules, item } = await mapOf('/docs/');
    expect(paths).toEqual(
      ['', 'one', 'shy', 'away', 'missing', 'slow', 'two', 'three'].map((name) => `/docs/${name}`),
    );
    expect(item?.links?.map(({ title }) => title)).toContain('About the two');
    expect(calls.site.most.atOnce).toBe(1);
    expect(calls.site.paths()).not.toContain('/docs/three');
    expect(rules).toContain('There may be more: links were followed 2 pages deep.');
    expect(item?.reduced).toBe('links were followed 2 pages deep');
    put('/private/x', 'diary', ['/docs/secret']);
    // Nor by a redirect.
    for (const path of ['/start', '/docs/way']) {
      calls.site.pages.set(path, { status: 302, headers: { location: '/private/x' } });
    }
    expect(await mapOf('/start')).toMatchObject({ status: 403, error: /forbids reading .*private/ });
    put('/docs/', 'docs', ['way']);
    expect((await mapOf('/docs/')).paths).toEqual(['/docs/', '/docs/way']);
    expect(await mapOf('/private/x')).toMatchObject({ status: 403, error: /forbids reading/ });
  });

  test('ends in calendars and rings, and names the limit of the map', async () => {
    calls.site.fallback = (path) => {
      if (path === '/robots.txt' || path === '/sitemap.xml') return { status: 404 };
      const n = Number(/(\d+)$/.exec(path)?.[1] ?? 0);
      return article(
        `day ${path}`,
        Array.from({ length: 30 }, (_, i) => `/day/2026/${n * 30 + i + 1}`),
      );
    };
    const { item, rules } = await mapOf('/');
    expect(item?.linkCount).toBe(101);
    expect(rules).toContain('of addresses that are alike the first 100 were taken');
    expect(calls.site.asked.length).toBeLessThan(30);
  });

  test('returns further parts of the same map, which is not built again', async () => {
    const { site } = calls;
    site.pages.set('/sitemap.xml', {
      body: `<urlset>${Array.from({ length: 450 }, (_, n) => entry(`/p/${n}`)).join('')}</urlset>`,
    });
    put('/', 'parts');
    const first = await mapOf('/', { numofpages: '2' });
    expect(first.results.map(({ part, parts, links }) => [part, parts, links?.length])).toEqual([
      [1, 3, 200],
      [2, 3, 200],
    ]);
    expect(first.rules).toContain('Call again with paging 3 for more of them.');
    const asked = site.asked.length;
    const third = await mapOf('/', { paging: '3' });
    expect(third.item?.links).toHaveLength(51);
    expect((await mapOf('/', { paging: '4' })).rules).toContain('paging goes from 1 to 3');
    expect(site.asked).toHaveLength(asked);
    const { body } = await calls.browse('/', { map: 'true', inputwindowwords: '50' }, 'browsegiant');
    expect(body.results[0]?.links).toHaveLength(47);
    expect(body.rules).toContain('Not all links of a part fit into the answer.');
  });

  test('lists the entries of a sitemap or feed given by its own address', async () => {
    listedSite();
    expect((await mapOf('/', { section: 'Nests', links: 'true', paging: '1' })).rules).toMatch(
      /^Beside map, section and links change nothing\. /,
    );
    expect((await mapOf('/', { links: 'false' })).rules).not.toContain('Beside map');
    expect((await mapOf('/a.xml.gz')).paths).toEqual(['/listed', '/nest']);
    const feed = `<rss version="2.0"><channel><item><title>News</title><link>${calls.site.url}/news</link></item></channel></rss>`;
    calls.site.pages.set('/feed', { headers: { 'content-type': 'application/rss+xml' }, body: feed });
    expect((await mapOf('/feed')).item?.links).toEqual([{ title: 'News', url: `${calls.site.url}/news` }]);
  });

  test('refuses sources that are not web sites, missing sites and combinations', async () => {
    expect(await mapOf('/nothing')).toMatchObject({ status: 502, error: /answered 404/ });
    const dots = `/nothing${'.'.repeat(1000)}`;
    expect(await mapOf(dots)).toMatchObject({ status: 502, error: /answered 404/ });
    const tried = calls.site.paths().filter((path) => path.startsWith('/nothing.'));
    expect(new Set(tried).size).toBe(2);
    expect(await mapOf('/', { since: 'last' })).toMatchObject({
      status: 400,
      error: /since and map cannot be combined/,
    });
    const { isError, text } = await calls.callTool({ q: 'file:///etc/passwd', map: true });
    expect([isError, text]).toEqual([true, expect.stringContaining('map takes a site of the web')]);
    expect((await calls.callTool({ q: 'http://169.254.169.254/', map: true })).isError).toBe(true);
  });

  test('works over MCP and in a terminal', async () => {
    listedSite();
    const { body, text } = await calls.callTool({ q: `${calls.site.url}/`, map: true });
    expect(body.results[0]?.linkCount).toBe(64);
    expect(text).toContain(
      `64 links:\n- About the magpie: ${calls.site.url}/\n- /nest: ${calls.site.url}/nest`,
    );
    const { stdout, code } = await calls.run('browse', `${calls.site.url}/`, '--map');
    expect(code).toBe(0);
    expect(stdout).toContain(`- ${calls.site.url}/listed (2026-11-01)`);
    expect(stdout).not.toContain('Read the most useful link');
  });
});
