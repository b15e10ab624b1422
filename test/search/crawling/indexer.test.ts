import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PageStore } from '../../../src/search/page-store.ts';
import { gzipBomb } from '../../helpers/archives.ts';
import { type Indexing, PAGE_BYTES, startIndexing } from '../../helpers/indexing.ts';
import { article, startSite, type TestSite } from '../../helpers/site.ts';

let site: TestSite;
let indexing: Indexing;
let index: Indexing['index'];
let pages: PageStore;
beforeEach(async () => {
  [site, indexing] = await Promise.all([startSite(), startIndexing()]);
  ({ index, pages } = indexing);
});
afterEach(async () => {
  await Promise.all([site.close(), indexing.close()]);
});

const kept = async (owner?: string) =>
  (await indexing.kept(owner)).map((url) => url.replace(site.url, '')).sort();
const put = (path: string, ...rest: Parameters<typeof article>) => site.pages.set(path, article(...rest));

const CUT = { 'content-length': '100000', connection: 'close' };

describe('a site', () => {
  test('is read below its address, each page once, one at a time', async () => {
    put('/docs/', 'magpie', ['nest', '/docs/song', '../outside', 'https://other.example/', 'nest#top']);
    put('/docs/nest', 'nest', ['./', 'deep/mud', 'mailto:a@b.example', 'javascript:alert(1)']);
    put('/docs/song', 'song', ['nest?utm_source=x', '//[broken']);
    put('/docs/deep/mud', 'mud', ['/docs/']);
    put('/outside', 'outside');
    const summary = await index(`${site.url}/docs/`);
    expect(summary).toMatchObject({ kind: 'site', state: 'finished', indexed: 4, failed: 0, waiting: 0 });
    expect(await kept()).toEqual(['/docs/', '/docs/deep/mud', '/docs/nest', '/docs/song']);
    expect(site.paths().sort()).toEqual([
      '/docs/',
      '/docs/deep/mud',
      '/docs/nest',
      '/docs/song',
      '/robots.txt',
      '/sitemap.xml',
    ]);
    expect(site.most.atOnce).toBe(1);
    expect(await pages.searchPages('ann', 'mud', 10)).toMatchObject([
      { title: 'About the mud', url: `${site.url}/docs/deep/mud` },
    ]);
    expect(await pages.searchPages('bob', 'mud', 10)).toEqual([]);
  });

  test('is read from the folder of an address without a final slash, or of a file', async () => {
    put('/guide', 'guide', ['/guide/one', '/guidebook', '/']);
    put('/guide/one', 'one');
    put('/guidebook', 'book');
    await index(`${site.url}/guide`);
    expect(await kept()).toEqual(['/guide', '/guide/one']);
    put('/wiki/start.html', 'start', ['next.html', '/guidebook']);
    put('/wiki/next.html', 'next');
    await index(`${site.url}/wiki/start.html`, {}, 'bob');
    expect(await kept('bob')).toEqual(['/wiki/next.html', '/wiki/start.html']);
  });

  test('follows its robots.txt: forbidden pages are not requested, the sitemap is read, and the delay is kept', async () => {
    site.pages.set('/robots.txt', {
      body: `User-agent: *\nDisallow: /\n\nUser-agent: Magpie\nDisallow: /private\nCrawl-delay: 0.15\nSitemap: ${site.url}/map.xml`,
    });
    site.pages.set('/map.xml', {
      body: `<?xml version="1.0"?><urlset xmlns="x"><url><loc>${site.url}/unlinked</loc></url><url><loc>https://other.example/x</loc></url></urlset>`,
    });
    put('/', 'magpie', ['/private/diary', '/open']);
    put('/open', 'open');
    put('/unlinked', 'unlinked');
    const { skipped } = await index(`${site.url}/`);
    expect(await kept()).toEqual(['/', '/open', '/unlinked']);
    expect(skipped).toEqual({ 'forbidden by robots.txt': 1 });
    expect(site.paths()).not.toContain('/private/diary');
    const gaps = site.asked.slice(2).map(({ at }, i) => at - (site.asked[i + 1]?.at ?? 0));
    expect(gaps).toHaveLength(3);
    // Timers may fire a millisecond early, never much.
    for (const gap of gaps) expect(gap).toBeGreaterThan(145);
  });

  test.each([
    [{ body: 'User-agent: *\nDisallow: /' }, 'forbidden', 'forbids reading'],
    [{ status: 503, body: 'down' }, 'upstream', 'cannot be read: it answered 503'],
    [{ headers: CUT, body: 'User-agent: *' }, 'upstream', 'cannot be read: its end is missing'],
  ])('is not read when its robots.txt forbids it or cannot be read: %o', async (robots, code, why) => {
    site.pages.set('/robots.txt', robots);
    put('/', 'magpie');
    await expect(index(`${site.url}/`)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(why),
    });
    expect(new Set(site.paths())).toEqual(new Set(['/robots.txt']));
  });

  test('is read according to noindex, nofollow, canonical links and copies', async () => {
    put('/', 'start', [
      '/noindex',
      '/nofollow',
      '/header',
      '/bots',
      '/copy',
      '/canonical',
      '/ring1',
      '/none',
    ]);
    put('/noindex', 'noindex', ['/behind-noindex'], '<meta name="robots" content="noindex">');
    put('/behind-noindex', 'behind');
    put('/nofollow', 'nofollow', ['/behind-nofollow'], '<meta name="robots" content="nofollow">');
    put('/behind-nofollow', 'secret');
    site.pages.set('/header', { ...article('header'), headers: { 'x-robots-tag': 'noindex' } });
    site.pages.set('/none', {
      ...article('none', ['/behind-nofollow']),
      headers: { 'x-robots-tag': 'none' },
    });
    site.pages.set('/bots', { ...article('bots'), headers: { 'x-robots-tag': 'otherbot: noindex' } });
    put('/copy', 'start');
    put('/canonical', 'canonical', [], '<link rel="canonical" href="/original">');
    put('/original', 'original', [], '<link rel="canonical" href="/original">');
    put('/ring1', 'ring one', [], '<link rel="canonical" href="/ring2">');
    put('/ring2', 'ring two', [], '<link rel="canonical" href="/ring1">');
    const { skipped } = await index(`${site.url}/`);
    expect(await kept()).toEqual(['/', '/behind-noindex', '/bots', '/nofollow', '/original', '/ring2']);
    expect(skipped).toEqual({
      'asks not to be indexed': 3,
      'the same text as another page': 1,
      'names another page as its original': 2,
    });
  });

  test('is read at the target of an immediate page refresh, and the refreshing page is not stored', async () => {
    const to = (address: string) => ({
      body: `<meta http-equiv="refresh" content="0; url=${address}"><p>Moved.</p>`,
    });
    put('/docs/', 'docs', ['old', 'up', 'slow', 'ring-a']);
    site.pages.set('/docs/old', to('new'));
    put('/docs/new', 'new');
    site.pages.set('/docs/up', { headers: { refresh: '0; url=/elsewhere' }, body: '<p>Moved.</p>' });
    put('/elsewhere', 'elsewhere');
    const { body } = article('slow');
    site.pages.set('/docs/slow', { body: `<meta http-equiv="refresh" content="300; url=/docs/new">${body}` });
    site.pages.set('/docs/ring-a', to('ring-b'));
    site.pages.set('/docs/ring-b', to('ring-a'));
    const { skipped, failures } = await index(`${site.url}/docs/`);
    expect(await kept()).toEqual(['/docs/', '/docs/new', '/docs/slow']);
    expect(skipped).toMatchObject({ 'leads out of the site': 1 });
    expect(failures).toEqual([]);
  });

  test('is read through redirects to its own pages, and not through redirects to other sites', async () => {
    const to = (location: string) => ({ status: 302, headers: { location }, body: '' });
    put('/docs/', 'docs', ['/docs/old', '/docs/older', '/docs/away', '/docs/up', '/docs/round']);
    site.pages.set('/docs/old', to('/docs/new'));
    site.pages.set('/docs/older', to('/docs/new'));
    put('/docs/new', 'new');
    site.pages.set('/docs/away', to('http://127.0.0.1:9/'));
    site.pages.set('/docs/up', to('/elsewhere'));
    put('/elsewhere', 'elsewhere');
    site.pages.set('/docs/round', to('/docs/round'));
    const { failures, skipped } = await index(`${site.url}/docs/`);
    expect(await kept()).toEqual(['/docs/', '/docs/new']);
    expect(skipped).toEqual({ 'leads to another page': 2, 'leads out of the site': 1 });
    expect(failures.map(({ url }) => url.replace(site.url, '')).sort()).toEqual([
      '/docs/away',
      '/docs/round',
    ]);
  });

  test('has non-pages counted by kind, and they do not stop the run', async () => {
    const links = ['/missing', '/broken', '/photo.png', '/program', '/large', '/empty', '/last'];
    put('/', 'start', links);
    site.pages.set('/broken', { status: 500, body: 'fault' });
    site.pages.set('/program', {
      headers: { 'content-type': 'application/octet-stream' },
      body: '\x7fELF\0\0',
    });
    site.pages.set('/large', { body: `<p>${'word '.repeat((2 * PAGE_BYTES) / 5)}</p>` });
    site.pages.set('/empty', { body: '' });
    put('/last', 'last');
    const { skipped, failures, failed } = await index(`${site.url}/`);
    expect(await kept()).toEqual(['/', '/last']);
    expect(skipped).toEqual({
      'not there (404)': 1,
      'no text that is read': 2,
      'larger than MAGPIE_PAGE_BYTES': 1,
    });
    expect(site.paths()).not.toContain('/photo.png');
    expect({ failed, failures }).toEqual({
      failed: 1,
      failures: [{ url: `${site.url}/broken`, why: 'it answered 500' }],
    });
  });

  test('with endless calendars and mazes ends by depth, by count and by the form of addresses', async () => {
    site.fallback = (path) => {
      const { pathname, searchParams } = new URL(path, site.url);
      const n = Number(searchParams.get('month') ?? 0);
      if (pathname === '/robots.txt') return { status: 404 };
      const many = Array.from({ length: 400 }, (_, i) => `/calendar?month=${n + i + 1}`);
      return article(`calendar ${path}`, pathname === '/maze' ? ['/maze/maze/maze/maze'] : many);
    };
    const byDepth = await index(`${site.url}/calendar?month=1`, { depth: 0 });
    expect(byDepth).toMatchObject({ state: 'finished', indexed: 1 });
    const byLimit = await index(`${site.url}/calendar?month=1`, { limit: 20 }, 'bob');
    expect(byLimit).toMatchObject({ state: 'limit', indexed: 20 });
    // Of one path no more than 300 addresses are taken.
    expect(byLimit.waiting).toBe(280);
    await index(`${site.url}/maze`, {}, 'eve');
    expect(await kept('eve')).toEqual(['/maze']);
  });

  test('is limited by --depth, --include and --exclude', async () => {
    put('/', 'start', ['/a', '/b', '/c-print']);
    put('/a', 'a', ['/a/1']);
    put('/b', 'b');
    put('/c-print', 'c');
    put('/a/1', 'deep');
    await index(`${site.url}/`, { depth: 1, exclude: ['-print'] });
    expect(await kept()).toEqual(['/', '/a', '/b']);
    await index(`${site.url}/`, { include: [`${site.url}/`, '/a*1'], exclude: ['/b', '/c'] }, 'bob');
    expect(await kept('bob')).toEqual(['/', '/a', '/a/1']);
  });

  test('is given up after a while when its host is down, and the same call continues later', async () => {
    const all = Array.from({ length: 40 }, (_, i) => `/${i}`);
    put('/', 'start', all);
    site.fallback = (path) => (path === '/robots.txt' ? { status: 404 } : { status: 500 });
    await expect(index(`${site.url}/`)).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringContaining('15 pages failed one after another'),
    });
    expect(site.asked.length).toBeLessThan(25);
    site.fallback = (path) => (path === '/robots.txt' ? { status: 404 } : article(`page ${path}`));
    expect(await index(`${site.url}/`)).toMatchObject({ resumed: true, state: 'finished', indexed: 25 });
  });

  test('has pages over the byte limit skipped, also the first page, and a sitemap may be larger', async () => {
    const thick = { body: `<article><p>${'The mill turned. '.repeat(PAGE_BYTES / 15)}</p></article>` };
    put('/', 'start', ['/thick']);
    site.pages.set('/thick', thick);
    const why = { 'larger than MAGPIE_PAGE_BYTES': 1 };
    expect(await index(`${site.url}/`)).toMatchObject({ indexed: 1, failed: 0, skipped: why });
    expect(await index(`${site.url}/thick`, {}, 'bob')).toMatchObject({
      indexed: 0,
      failed: 0,
      skipped: why,
    });
    const map = `<urlset xmlns="x"><url><loc>${site.url}/</loc></url>${'<url/>'.repeat(PAGE_BYTES / 5)}</urlset>`;
    site.pages.set('/map.xml', { body: map });
    expect(await index(`${site.url}/map.xml`, {}, 'eve')).toMatchObject({ kind: 'sitemap', indexed: 1 });
  });

  test('is waited for as long as its busy host asks', async () => {
    let busy = 2;
    put('/', 'start', ['/busy']);
    site.pages.set('/busy', () =>
      busy-- > 0 ? { status: 429, headers: { 'retry-after': '0' } } : article('busy'),
    );
    expect(await index(`${site.url}/`)).toMatchObject({ indexed: 2, failed: 0 });
    // Each time that it is asked counts.
    busy = 2;
    let left = 4;
    const mayFetch = async () => left-- > 0;
    await expect(index(`${site.url}/`, { mayFetch }, 'bob')).rejects.toMatchObject({ code: 'rate_limited' });
    expect(site.paths().filter((path) => path === '/busy')).toHaveLength(5);
  });
});

describe('a repeated run', () => {
  test('continues after a stop by the user, and reads no page twice', async () => {
    const all = Array.from({ length: 12 }, (_, i) => `/${i}`);
    put('/', 'start', all);
    site.fallback = (path) => (path === '/robots.txt' ? { status: 404 } : article(`page ${path}`));
    const stop = new AbortController();
    let seen = 0;
    const progress = () => {
      if (++seen === 6) stop.abort();
    };
    const first = await index(`${site.url}/`, { signal: stop.signal, progress });
    expect(first).toMatchObject({ state: 'stopped', resumed: false, indexed: 5 });
    expect(first.waiting).toBe(8);
    const before = site.asked.length;
    const second = await index(`${site.url}/`);
    expect(second).toMatchObject({ state: 'finished', resumed: true, indexed: 8, unchanged: 0, waiting: 0 });
    expect(await kept()).toHaveLength(13);
    const again = site.paths().slice(before);
    expect(again.filter((path) => site.paths().slice(0, before).includes(path))).toEqual([
      '/robots.txt',
      '/',
      '/sitemap.xml',
    ]);
  });

  test('continues after the limit of the run before', async () => {
    put('/', 'start', ['/1', '/2', '/3']);
    for (const n of [1, 2, 3]) put(`/${n}`, `page ${n}`);
    expect(await index(`${site.url}/`, { limit: 2 })).toMatchObject({
      state: 'limit',
      indexed: 2,
      waiting: 2,
    });
    expect(await index(`${site.url}/`, { limit: 2 })).toMatchObject({ state: 'finished', indexed: 2 });
    expect(await kept()).toHaveLength(4);
  });

  test('skips unchanged pages by ETag, Last-Modified and text after a finished run, and reads changed pages', async () => {
    const date = 'Sat, 21 Nov 2026 07:00:00 GMT';
    put('/', 'start', ['/etag', '/date', '/plain', '/gone', '/changes']);
    const tagged = (name: string, value: string, asked: string) => (headers: Record<string, unknown>) =>
      headers[asked] === value ? { status: 304 } : { ...article(name), headers: { [name]: value } };
    site.pages.set('/etag', tagged('etag', '"v1"', 'if-none-match'));
    site.pages.set('/date', tagged('last-modified', date, 'if-modified-since'));
    put('/plain', 'plain');
    put('/gone', 'gone');
    put('/changes', 'crow');
    expect(await index(`${site.url}/`)).toMatchObject({ indexed: 6, unchanged: 0 });
    site.pages.delete('/gone');
    put('/changes', 'raven', ['/added']);
    put('/added', 'added');
    expect(await index(`${site.url}/`)).toMatchObject({
      state: 'finished',
      resumed: false,
      indexed: 2,
      unchanged: 4,
      forgotten: 1,
      skipped: { 'not there (404)': 1 },
    });
    expect(await kept()).toEqual(['/', '/added', '/changes', '/date', '/etag', '/plain']);
    expect((await pages.searchPages('ann', 'raven', 10)).map(({ title }) => title)).toEqual([
      'About the raven',
    ]);
    expect(await pages.searchPages('ann', 'crow', 10)).toEqual([]);
  });

  test('keeps its pages as they are when an answer is cut, and a page that was read from a cut answer is read again', async () => {
    const tagged = (subject: string, cut = {}) => ({
      ...article(subject),
      headers: { ...cut, etag: `"${subject}"` },
    });
    put('/', 'start', ['/whole', '/part']);
    site.pages.set('/whole', tagged('magpie'));
    site.pages.set('/part', tagged('nest', CUT));
    expect(await index(`${site.url}/`)).toMatchObject({ indexed: 3 });
    site.pages.set('/whole', tagged('mud', CUT));
    site.pages.set('/part', tagged('song'));
    expect(await index(`${site.url}/`)).toMatchObject({
      indexed: 1,
      failures: [{ url: `${site.url}/whole`, why: 'the end of its answer is missing' }],
    });
    expect(await pages.searchPages('ann', 'magpie', 10)).toHaveLength(1);
    expect(await pages.searchPages('ann', 'song', 10)).toHaveLength(1);
    const { headers } = site.asked.findLast(({ path }) => path === '/part') ?? {};
    expect(headers).not.toHaveProperty('if-none-match');
  });

  test('reads a page again that was forgotten meanwhile, whatever its ETag', async () => {
    site.pages.set('/', (headers) =>
      headers['if-none-match'] === '"v1"'
        ? { status: 304 }
        : { ...article('start', ['/a']), headers: { etag: '"v1"' } },
    );
    site.pages.set('/a', (headers) =>
      headers['if-none-match'] === '"v1"'
        ? { status: 304 }
        : { ...article('magpie'), headers: { etag: '"v1"' } },
    );
    await index(`${site.url}/`);
    expect(await indexing.indexer.forgetSource('ann', `${site.url}/a`)).toBe(1);
    expect(await kept()).toEqual(['/']);
    expect(await index(`${site.url}/`)).toMatchObject({ indexed: 1, unchanged: 1 });
    expect(await kept()).toEqual(['/', '/a']);
  });
});

describe('lists', () => {
  test('of a sitemap index, compressed or not, are read to their pages, and no link is followed', async () => {
    const map = (...urls: string[]) =>
      `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls
        .map((url) => `<url><loc> ${site.url}${url} </loc><image:loc>${site.url}/x.png</image:loc></url>`)
        .join('')}</urlset>`;
    site.pages.set('/sitemap.xml', {
      body: `<sitemapindex><sitemap><loc>${site.url}/one.xml</loc></sitemap><sitemap><loc>${site.url}/two.xml.gz</loc></sitemap><sitemap><loc>${site.url}/sitemap.xml</loc></sitemap><sitemap><loc>${site.url}/lost.xml</loc></sitemap></sitemapindex>`,
    });
    site.pages.set('/one.xml', { body: map('/a', '/b?x=1&amp;y=2') });
    site.pages.set('/two.xml.gz', {
      headers: { 'content-type': 'application/gzip' },
      body: gzipSync(map('/c')),
    });
    put('/a', 'a', ['/linked']);
    put('/b?x=1&y=2', 'b');
    put('/c', 'c');
    put('/linked', 'linked');
    const { kind, state } = await index(`${site.url}/sitemap.xml`);
    expect({ kind, state }).toEqual({ kind: 'sitemap', state: 'finished' });
    expect(await kept()).toEqual(['/a', '/b?x=1&y=2', '/c']);
    await index(`${site.url}/sitemap.xml`, { depth: 1 });
    expect(await kept()).toEqual(['/a', '/b?x=1&y=2', '/c', '/linked']);
  });

  test('that are cut are refused, and the pages of the site are read without them', async () => {
    const body = `<?xml version="1.0"?><urlset xmlns="x"><url><loc>${site.url}/a</loc></url>`;
    site.pages.set('/sitemap.xml', { headers: CUT, body });
    put('/', 'start');
    put('/a', 'magpie');
    await expect(index(`${site.url}/sitemap.xml`)).rejects.toThrow('is missing');
    expect(await index(`${site.url}/`)).toMatchObject({ indexed: 1 });
  });

  test('that end in a sign of their sentence are read without it, if the site does not know them', async () => {
    put('/docs/page', 'magpie');
    put('/docs/own.', 'nest');
    await index(`${site.url}/docs/page.`);
    await index(`${site.url}/docs/own.`);
    expect(await kept()).toEqual(['/docs/own.', '/docs/page']);
  });

  test('of a feed are read to their entries, on whatever host', async () => {
    const other = await startSite();
    other.pages.set('/entry', article('entry elsewhere'));
    put('/entry', 'entry');
    site.pages.set('/feed', {
      headers: { 'content-type': 'application/rss+xml' },
      body: `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><link>${site.url}/</link>
        <item><title>One</title><link>${site.url}/entry</link><description>The first entry.</description></item>
        <item><title>Two</title><link>${other.url}/entry</link><description>The second.</description></item></channel></rss>`,
    });
    const { kind, indexed } = await index(`${site.url}/feed`);
    expect(kind).toBe('feed');
    expect(await kept()).toEqual(expect.arrayContaining(['/entry', `${other.url}/entry`]));
    expect(indexed).toBeGreaterThanOrEqual(2);
    await other.close();
  });

  test('in an endless compressed sitemap are refused', async () => {
    site.pages.set('/map.xml.gz', { body: gzipBomb('<url>') });
    await expect(index(`${site.url}/map.xml.gz`)).rejects.toMatchObject({ code: 'too_large' });
  });
});

test.each([
  [
    'http://127.0.0.1:4/',
    'upstream',
    'robots.txt, which says what may be read, cannot be read: 127.0.0.1:4 refuses',
  ],
  ['http://10.0.0.1/', 'forbidden', 'MAGPIE_ALLOW_HOSTS'],
  ['https://user:word@example.com/', 'bad_request', 'an http or https URL without a password is accepted'],
  ['http://', 'bad_request', 'is not an address that can be indexed'],
  ['/nowhere/at/all', 'bad_request', 'is not there; the address of a site begins with https://'],
])('%s is refused with the reason', async (source, code, message) => {
  await expect(index(source)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
});

test('an address of many dots that the site does not know is asked for twice', async () => {
  const asked = new Set<string>();
  site.fallback = (path) => {
    if (path !== '/robots.txt') asked.add(path);
    return { status: 404 };
  };
  await expect(index(`${site.url}/nothing${'.'.repeat(1000)}`)).rejects.toThrow('answered 404');
  expect(asked.size).toBe(2);
});

test('an answer of 404 for the source itself is an error', async () => {
  await expect(index(`${site.url}/nothing`)).rejects.toThrow(
    `${site.url}/nothing answered 404; check the address`,
  );
});
