import { spawn } from 'node:child_process';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SearchBody } from '../../src/flows/searching/search-body.ts';
import { CONNECTIONS } from '../helpers/clients.ts';
import { exitOf } from '../helpers/exit-of.ts';
import { MAIN, runMagpie } from '../helpers/magpie.ts';
import { article } from '../helpers/site.ts';
import { type SiteCalls, startSiteCalls } from '../helpers/site-calls.ts';

/** Crawls of a site into the local index, as jobs, over every surface. */

let calls: SiteCalls;
beforeAll(async () => {
  calls = await startSiteCalls({ MAGPIE_ENGINES: 'local', MAGPIE_PAGE_TIMEOUT: '60000' });
});
afterAll(() => calls.close());
beforeEach(() => calls.clear());

const put = (path: string, ...rest: Parameters<typeof article>) =>
  calls.site.pages.set(path, article(...rest));
const PATIENCE = { timeout: 60_000, interval: 100 };

const crawl = async (path: string, word: string, operation?: string) => {
  const { status, body } = await calls.browse(path, { crawl: word }, operation);
  return { status, item: body.results?.[0], crawl: body.results?.[0]?.crawl, ...body };
};
const ended = (path: string) =>
  vi.waitFor(async () => {
    const { crawl: stands } = await crawl(path, 'status');
    expect(stands?.state).not.toBe('running');
    return stands;
  }, PATIENCE);
/** A site of five pages, of which only the first comes: a crawl is under way until the function that this gives lets the others come. */
function slowSite(root: string): () => void {
  const links = Array.from({ length: 4 }, (_, n) => `${root}${n}`);
  put(root, `${root} slow`, links);
  const comeAfter = (afterMs: number) => {
    for (const link of links) calls.site.pages.set(link, { ...article(`page ${link}`), afterMs });
  };
  comeAfter(300_000);
  return () => comeAfter(2);
}

describe('crawl', () => {
  test('reads a site to a depth into the local index, and reports the result', async () => {
    put('/a/', 'heron', ['one', 'gone', 'away', '/outside', 'photo.png']);
    put('/a/one', 'bittern', ['two']);
    put('/a/two', 'spoonbill', ['three']);
    put('/outside', 'outside');
    calls.site.pages.set('/a/away', { status: 302, headers: { location: 'http://127.0.0.1:9/' } });
    calls.site.pages.set('/robots.txt', { body: 'User-agent: magpie\nDisallow: /a/three' });
    const { status, item, rules } = await crawl('/a/', '1');
    expect(status).toBe(200);
    expect(item).toMatchObject({ title: `Crawl of ${calls.site.url}/a/`, link: `${calls.site.url}/a/` });
    expect(item?.crawl).toMatchObject({
      state: 'finished',
      depth: 1,
      indexed: 2,
      failed: 1,
      waiting: 0,
      skipped: { 'not there (404)': 1 },
      failures: [{ url: `${calls.site.url}/a/away` }],
    });
    expect(rules).toContain('Its pages are in the local index, where search finds them');
    const paths = calls.site.paths();
    for (const path of ['/a/two', '/outside', '/a/photo.png']) expect(paths).not.toContain(path);
    expect(calls.site.most.atOnce).toBe(1);
    const found = await fetch(
      new URL('/ultrafastsearch?q=bittern&percentile=100&numofpages=10', calls.url()),
    );
    const { results } = (await found.json()) as SearchBody;
    expect(results.map(({ link }) => link)).toEqual([`${calls.site.url}/a/one`]);
    // Again, and deeper: what has not changed is not written again.
    const again = await crawl('/a/', '3', 'browseByUrl');
    expect(again.crawl).toMatchObject({ state: 'finished', depth: 3, indexed: 1, unchanged: 2 });
    expect(calls.site.paths()).not.toContain('/a/three');
  });

  test('runs in the background on request: with 202, progress, joining, stopping and continuing', async () => {
    const quicken = slowSite('/b/');
    const url = new URL(`/browse?percentile=1&numofpages=1&crawl=2`, calls.url());
    url.searchParams.set('q', `${calls.site.url}/b/`);
    const answer = await fetch(url, { headers: { prefer: 'respond-async' } });
    expect(answer.status).toBe(202);
    const at = new URL(answer.headers.get('location') ?? '', calls.url());
    expect(((await answer.json()) as SearchBody).rules).toMatch(/^It goes on in the background/);
    await vi.waitFor(async () => {
      const { results } = (await (await fetch(at)).json()) as SearchBody;
      expect(results[0]?.crawl).toMatchObject({ state: 'running', indexed: 1 });
    }, PATIENCE);
    const joined = await fetch(url, { headers: { prefer: 'respond-async' } });
    expect(((await joined.json()) as SearchBody).rules).toMatch(/^It ran already, and goes on as it was/);
    expect(calls.site.paths().filter((path) => path === '/b/')).toHaveLength(1);
    const list = await crawl('/', 'list');
    expect(list.results.map(({ link, crawl: one }) => [link, one?.state])).toEqual([
      [`${calls.site.url}/b/`, 'running'],
      [`${calls.site.url}/a/`, 'finished'],
    ]);
    const stopped = await crawl('/b/', 'stop');
    expect(stopped.crawl).toMatchObject({ state: 'stopped' });
    const { waiting = 0 } = stopped.crawl ?? {};
    expect(waiting).toBeGreaterThan(1);
    expect(stopped.rules).toContain(
      `${waiting} addresses wait: call again with a depth to go on from there.`,
    );
    expect((await crawl('/b/', 'stop')).rules).toMatch(/^It did not run/);
    quicken();
    expect((await crawl('/b/', '2')).crawl).toMatchObject({ state: 'finished', indexed: waiting });
  });

  test('reports progress over MCP while the client waits, and stops when the client cancels', async () => {
    slowSite('/c/');
    const client = await CONNECTIONS['HTTP, 2026 era, v2 client']?.({ url: calls.url(), env: calls.env });
    const messages: string[] = [];
    const stop = new AbortController();
    const answer = client?.callTool(
      { name: 'browse', arguments: { q: `${calls.site.url}/c/`, crawl: 2 } },
      {
        signal: stop.signal,
        onprogress: ({ message = '' }) => {
          messages.push(message);
          if (message.startsWith('1 indexed')) stop.abort();
        },
      },
    );
    await expect(answer).rejects.toThrow();
    expect(messages.at(-1)).toMatch(/^1 indexed: http/);
    expect(await ended('/c/')).toMatchObject({ state: 'stopped', indexed: 1 });
    const { text, isError } = await calls.callTool({ q: `${calls.site.url}/c/`, crawl: 'status' });
    expect([isError, text]).toEqual([false, expect.stringMatching(/\nstopped: 1 indexed, 4 waiting; 20/)]);
    await client?.close();
  });

  test('reads a feed on its own host only, whatever the feed lists', async () => {
    put('/news/1', 'kestrel', ['http://localhost:9/link']);
    const items = ['/news/1', 'http://localhost:9/elsewhere'].map(
      (link) => `<item><link>${link}</link></item>`,
    );
    calls.site.pages.set('/news/feed', {
      body: `<rss version="2.0"><channel>${items.join('')}</channel></rss>`,
    });
    expect((await crawl('/news/feed', '2')).crawl).toMatchObject({
      state: 'finished',
      indexed: 1,
      failed: 0,
    });
  });

  test('is awaited by a terminal, which shows the result', async () => {
    put('/d/', 'osprey', ['one']);
    put('/d/one', 'goshawk');
    const { stdout, code } = await calls.run('browse', `${calls.site.url}/d/`, '--crawl', '1');
    expect(code).toBe(0);
    expect(stdout).toMatch(/finished: 2 indexed; 20\S+ to 20/);
    const { stdout: list } = await calls.run('index', '--list');
    expect(list).toContain(`${calls.site.url}/d/  (site, 2 pages, finished 20`);
  });

  test('refuses crawls above the concurrent limit, a missing page, and an unknown word', async () => {
    for (const path of ['/e1/', '/e2/', '/e3/']) slowSite(path);
    calls.site.pages.set('/robots.txt', { body: 'User-agent: *\nCrawl-delay: 9' });
    const later = { headers: { prefer: 'respond-async' } };
    const begin = (path: string) => {
      const url = new URL('/browse?percentile=1&numofpages=1&crawl=1', calls.url());
      url.searchParams.set('q', `${calls.site.url}${path}`);
      return fetch(url, later);
    };
    expect((await begin('/e1/')).status).toBe(202);
    const second = begin('/e2/');
    const third = await begin('/e3/');
    expect([third.status, await third.json()]).toEqual([
      429,
      { error: expect.stringContaining('2 of your crawls run already') },
    ]);
    // The second waits for the host, which the first has asked just now, and which asks for time between two pages.
    const stopped = await crawl('/e2/', 'stop');
    expect([stopped.status, stopped.rules]).toEqual([
      200,
      expect.stringMatching(/^It was stopped before its first page was read/),
    ]);
    const refused = await second;
    expect([refused.status, await refused.json()]).toEqual([499, { error: 'the crawl was stopped' }]);
    await crawl('/e1/', 'stop');
    expect((await begin('/nothing/')).status).toBe(502);
    expect(await crawl('/nothing/', 'status')).toMatchObject({ status: 404, error: /no crawl of/ });
    expect(await crawl('/', 'deep')).toMatchObject({
      status: 400,
      error: 'crawl is "deep": it takes a depth from 0 to 9, or one of status, stop, list',
    });
    calls.site.pages.set('/robots.txt', { body: 'User-agent: *\nDisallow: /' });
    expect(await crawl('/e3/', '1')).toMatchObject({ status: 403 });
  });

  test('is interrupted when its process ends or is killed, and continues from there', async () => {
    const quicken = slowSite('/f/');
    const url = new URL('/browse?percentile=1&numofpages=1&crawl=2', calls.url());
    url.searchParams.set('q', `${calls.site.url}/f/`);
    await fetch(url, { headers: { prefer: 'respond-async' } });
    const isUnderWay = () =>
      vi.waitFor(async () => {
        const { state, waiting = 0 } = (await crawl('/f/', 'status')).crawl ?? {};
        expect([state, waiting > 0]).toEqual(['running', true]);
      }, PATIENCE);
    await isUnderWay();
    await calls.restart();
    expect((await crawl('/f/', 'status')).crawl).toMatchObject({ state: 'interrupted' });
    const args = [MAIN, 'browse', `${calls.site.url}/f/`, '--crawl', '2'];
    const other = spawn(process.execPath, args, { env: calls.env, stdio: 'ignore' });
    await isUnderWay();
    expect(await crawl('/f/', '2')).toMatchObject({ status: 503, error: /is being read by another run/ });
    other.kill('SIGKILL');
    await exitOf(other);
    expect((await crawl('/f/', 'status')).crawl).toMatchObject({ state: 'interrupted' });
    quicken();
    expect((await crawl('/f/', '2')).crawl).toMatchObject({ state: 'finished', waiting: 0 });
    const index = await calls.run('index', '--list', '--json');
    const { sources } = JSON.parse(index.stdout) as { sources: { source: string; read: number }[] };
    expect(sources.find(({ source }) => source.endsWith('/f/'))?.read).toBe(5);
  });

  test('is stopped on request when a terminal runs it', async () => {
    slowSite('/g/');
    const other = calls.run('browse', `${calls.site.url}/g/`, '--crawl', '2');
    await vi.waitFor(
      async () => expect((await crawl('/g/', 'status')).crawl?.state).toBe('running'),
      PATIENCE,
    );
    expect((await crawl('/g/', 'stop')).rules).toMatch(/^It was asked to stop/);
    expect(await ended('/g/')).toMatchObject({ state: 'stopped' });
    await other;
  });
});

describe('permissions of a crawl', () => {
  test('require the scope write, count the daily limit, separate users, and exclude read-only servers', async () => {
    put('/h/', 'bustard', ['one', 'two']);
    put('/h/one', 'sandgrouse');
    put('/h/two', 'pratincole');
    const own = await startSiteCalls({
      MAGPIE_ENGINES: 'local',
      MAGPIE_ALLOW_HOSTS: calls.site.host,
      MAGPIE_DAY_FETCHES: '5',
    });
    const keyFor = async (user: string, scope: string) => {
      const { stdout } = await runMagpie(['key', 'create', '--user', user, '--scope', scope], own.env);
      return /magpie_\w+/.exec(stdout)?.[0] ?? '';
    };
    const [ann, bob, reader] = [
      await keyFor('ann', 'read,write'),
      await keyFor('bob', 'read,write'),
      await keyFor('ann', 'read'),
    ];
    const ask = async (key: string, word: string, headers: Record<string, string> = {}) => {
      const url = new URL(`/browse?percentile=1&numofpages=1&crawl=${word}`, own.url());
      url.searchParams.set('q', `${calls.site.url}/h/`);
      const answer = await fetch(url, { headers: { authorization: `Bearer ${key}`, ...headers } });
      return { status: answer.status, ...((await answer.json()) as SearchBody & { error?: string }) };
    };
    expect(await ask(reader, '1')).toMatchObject({ status: 403, error: /browse needs the scope write/ });
    expect(await ask(ann, '1', { 'sec-purpose': 'prefetch' })).toMatchObject({ status: 403 });
    // The call itself, three pages and a sitemap: all five of the day.
    const first = await ask(ann, '1');
    expect(first.results[0]?.crawl).toMatchObject({ state: 'finished', indexed: 3 });
    expect(await ask(ann, 'status')).toMatchObject({ status: 429 });
    expect((await ask(reader, 'status')).results[0]?.crawl).toMatchObject({ state: 'finished' });
    put('/h/', 'bustard', ['one', 'two', 'three', 'four']);
    const spent = await keyFor('ann', 'read,write');
    expect((await ask(spent, '0')).results[0]?.crawl?.state).toBe('finished');
    // Two of the day are used up, and the crawl wants four.
    expect((await ask(spent, '1')).results[0]?.crawl).toMatchObject({
      state: 'limit',
      why: expect.stringContaining('limit of fetches for one day'),
    });
    expect(await ask(bob, 'status')).toMatchObject({ status: 404 });
    expect((await ask(bob, 'list')).rules).toMatch(/^No site was crawled yet/);
    await own.close();
    const readOnly = await startSiteCalls({ MAGPIE_READ_ONLY: 'true' });
    const refused = await readOnly.browse('/', { crawl: '1' });
    expect([refused.status, refused.body.error]).toEqual([
      403,
      expect.stringContaining('browse changes stored data, and Magpie runs read-only here'),
    ]);
    expect((await readOnly.browse('/', { crawl: 'list' })).status).toBe(200);
    await readOnly.close();
  });
});
