import { hostname } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError, DatabaseFailure } from '../../src/errors.ts';
import { createKeyedLock } from '../../src/lib/concurrency/keyed-lock.ts';
import { PROCESS_RUNNER_ID } from '../../src/lib/concurrency/runner.ts';
import { createGuardedFetch } from '../../src/lib/network/fetch.ts';
import { createLog } from '../../src/log.ts';
import { runWhileHeld } from '../../src/search/crawling/crawl-hold.ts';
import { makeSiteMap } from '../../src/search/crawling/site-map.ts';
import { createSiteCrawler } from '../../src/search/crawling/sites.ts';
import { createCrawlStore } from '../../src/search/stores/crawls.ts';
import type { BackgroundCrawl, ParsedPage } from '../../src/search/types.ts';
import { type Indexing, startIndexing } from '../helpers/indexing.ts';
import { article, startSite, type TestSite } from '../helpers/site.ts';

/** Crawls as jobs: their bounds before the first page, and how they end there. */

let site: TestSite;
let indexing: Indexing;
beforeEach(async () => {
  [site, indexing] = await Promise.all([startSite(), startIndexing()]);
  site.pages.set('/', article('heron'));
});
afterEach(async () => {
  await Promise.all([site.close(), indexing.close()]);
});

const sitemap = (paths: readonly string[]) =>
  `<urlset>${paths.map((path) => `<url><loc>${site.url}${path}</loc></url>`).join('')}</urlset>`;

/** robots.txt names so many sitemaps, each with one page. */
function manySitemaps(count: number, delay = 0): void {
  const files = Array.from({ length: count }, (_, n) => `/map${n}.xml`);
  const lines = files.map((file) => `Sitemap: ${site.url}${file}`);
  site.pages.set('/robots.txt', { body: ['User-agent: *', `Crawl-delay: ${delay}`, ...lines].join('\n') });
  for (const [n, file] of files.entries()) {
    site.pages.set(file, { body: sitemap([`/page${n}`]) });
    site.pages.set(`/page${n}`, article(`page ${n}`));
  }
}
const askedMaps = () => site.paths().filter((path) => path.startsWith('/map'));

function jobOf(more: Partial<BackgroundCrawl> = {}): BackgroundCrawl {
  return {
    ...{ maxAddresses: 100, onOpen() {}, report() {}, addBytes() {}, isOver: () => undefined },
    ...more,
  };
}

/** Seconds of processor time of the longest turn of the event loop while the work is done. */
async function longestTurnOf(work: () => Promise<unknown>): Promise<number> {
  let [longest, done] = [0, false];
  const watch = (async () => {
    while (!done) {
      const began = process.threadCpuUsage();
      await setImmediate();
      const { user, system } = process.threadCpuUsage(began);
      longest = Math.max(longest, (user + system) / 1e6);
    }
  })();
  await work();
  done = true;
  await watch;
  return longest;
}

describe('before the first page', () => {
  test('bytes of sitemaps count towards the limit and end the reading of further sitemaps', async () => {
    manySitemaps(9);
    let bytes = 0;
    const job = jobOf({
      addBytes(count) {
        bytes += count;
      },
      isOver: () => (askedMaps().length >= 3 ? 'bytes' : undefined),
    });
    const summary = await indexing.index(`${site.url}/`, { job });
    expect(summary).toMatchObject({ state: 'limit', bound: 'bytes' });
    expect(askedMaps()).toHaveLength(3);
    const read = ['/', ...askedMaps()].map((path) => site.pages.get(path));
    const all = read.reduce(
      (sum, reply) => sum + Buffer.byteLength(String((reply as { body: string }).body)),
      0,
    );
    expect(bytes).toBe(all);
  });

  test('addresses from sitemaps are limited to the number that a crawl stores', async () => {
    manySitemaps(9);
    const summary = await indexing.index(`${site.url}/`, { job: jobOf({ maxAddresses: 4 }) });
    expect(summary).toMatchObject({ state: 'finished', indexed: 4 });
    expect(askedMaps()).toHaveLength(4);
  });

  test('the event loop stays free while a long list is judged and queued, and while a map is made from the list', async () => {
    const paths = Array.from({ length: 5000 }, (_, n) => `/p${n}?utm_source=a&long=${'z'.repeat(300)}`);
    site.pages.set('/sitemap.xml', { body: sitemap(paths) });
    const longest = await longestTurnOf(() =>
      indexing.index(`${site.url}/`, { limit: 1, job: jobOf({ maxAddresses: 5000 }) }),
    );
    expect(await indexing.indexer.readCrawls('ann')).toMatchObject([{ state: 'limit', waiting: 4999 }]);
    expect(longest).toBeLessThan(0.15);
    const fetch = createGuardedFetch({ allowHosts: ['127.0.0.1'], userAgent: 'Magpie/test' });
    const options = { fetch, hosts: createKeyedLock(), pageBytes: 200_000, pageTimeout: 2000, owner: 'ann' };
    const { signal } = new AbortController();
    const read = async () => ({ title: 'Start', markdown: 'Start.' }) as ParsedPage;
    expect(
      await longestTurnOf(() => makeSiteMap(`${site.url}/`, { ...options, signal, read, progress() {} })),
    ).toBeLessThan(0.15);
    await fetch.close();
  });

  test('a crawl stopped while it reads sitemaps is stopped, not failed', async () => {
    manySitemaps(9, 0.05);
    const stop = new AbortController();
    const report = setInterval(() => askedMaps().length > 1 && stop.abort(), 5);
    await expect(indexing.index(`${site.url}/`, { signal: stop.signal, job: jobOf() })).rejects.toThrow();
    clearInterval(report);
    const [crawl] = await indexing.indexer.readCrawls('ann', `${site.url}/`);
    expect(crawl).toMatchObject({ state: 'stopped' });
    expect(crawl?.why).toBeUndefined();
  });
});

test('a call refused because another process reads the site does not change the crawl of that process', async () => {
  const crawls = createCrawlStore(indexing.db);
  const options = JSON.stringify({ depth: 1, include: [], exclude: [] });
  const crawl = await crawls.openCrawl('ann', `${site.url}/`, { kind: 'site', options, requeue: true });
  // A process of this machine that is there.
  expect(await crawls.holdCrawl(crawl, { runner: `${hostname()} 1 abc` })).toBeDefined();
  await expect(indexing.index(`${site.url}/`, { depth: 9, job: jobOf() })).rejects.toMatchObject({
    code: 'unavailable',
  });
  expect(await indexing.indexer.readCrawls('ann')).toMatchObject([{ state: 'running', depth: 1 }]);
});

test('a run that will be repeated remains running for its user, without a reason for its end', async () => {
  const crawls = createCrawlStore(indexing.db);
  const source = `${site.url}/`;
  const crawl = await crawls.openCrawl('ann', source, { kind: 'site', options: '{}', requeue: true });
  const as = {
    runner: PROCESS_RUNNER_ID,
    job: 'a1',
    isDoneAgain: (error: unknown) => error instanceof DatabaseFailure,
  };
  const fail = (error: Error) =>
    runWhileHeld({ crawls, crawl, source, signal: new AbortController().signal, as }, ignore, async () => {
      throw error;
    });
  const outcome = async () => JSON.parse((await crawls.readCrawl('ann', source))?.outcome ?? '');
  await expect(fail(new DatabaseFailure('unavailable', 'it is away', {}))).rejects.toThrow('it is away');
  expect(await outcome()).toMatchObject({ state: 'running' });
  expect(await outcome()).not.toHaveProperty('why');
  await expect(fail(new AppError('upstream', 'it is broken'))).rejects.toThrow('it is broken');
  expect(await outcome()).toMatchObject({ state: 'failed', why: 'it is broken' });
});

test('the event loop stays free while crawls are listed', async () => {
  const crawls = createCrawlStore(indexing.db);
  for (let n = 0; n < 20; n++) {
    await crawls.openCrawl('ann', `http://old.example/${n}`, { kind: 'site', options: '{}', requeue: true });
  }
  let [turns, done] = [0, false];
  const watch = (async () => {
    for (; !done; turns++) await setImmediate();
  })();
  expect(await crawls.listCrawls('ann')).toHaveLength(20);
  done = true;
  await watch;
  expect(turns).toBeGreaterThanOrEqual(20);
});

test('the history of old crawls is bounded, also where every crawl fails', async () => {
  const crawls = createCrawlStore(indexing.db);
  for (let n = 0; n < 105; n++) {
    await crawls.openCrawl('ann', `http://old.example/${n}`, { kind: 'site', options: '{}', requeue: true });
  }
  const fetch = createGuardedFetch({ allowHosts: ['127.0.0.1'], userAgent: 'Magpie/test' });
  const sites = createSiteCrawler({
    ...{ fetch, hosts: createKeyedLock(), pageBytes: 200_000, pageTimeout: 2000, log: createLog('silent') },
    indexer: async () => indexing.indexer,
  });
  const run = await sites.startCrawl('ann', `${site.url}/`, {
    depth: 1,
    signal: new AbortController().signal,
    read: () => Promise.reject(new Error('the reader is broken')),
    mayFetch: async () => site.paths().length < 2,
  });
  await run.wait(20_000, new AbortController().signal, () => {});
  const list = await crawls.listCrawls('ann');
  expect(list).toHaveLength(100);
  expect(list[0]?.source).toBe(`${site.url}/`);
  await sites.close();
  await fetch.close();
});

function ignore(): void {}
