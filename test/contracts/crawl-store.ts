import { hostname } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PROCESS_RUNNER_ID } from '../../src/lib/concurrency/runner.ts';
import type { CrawlRequest, CrawlStore, OpenedCrawl } from '../../src/search/crawling/crawl-store.ts';

/** An empty store, and further openers of its data. */
export interface OpenedCrawlStore {
  readonly store: CrawlStore;
  /** As another process opens it, while the first is open or after it was dropped without being closed. */
  openAnother(): Promise<CrawlStore>;
  close(): Promise<void>;
}

const SITE = 'https://a.example/';

/** What every driver of CrawlStore does. */
export function describeCrawlStore(name: string, makeEmpty: () => Promise<OpenedCrawlStore>): void {
  describe(`${name} as CrawlStore`, () => {
    let opened: OpenedCrawlStore;
    let store: CrawlStore;
    beforeEach(async () => {
      opened = await makeEmpty();
      ({ store } = opened);
    });
    afterEach(() => opened.close());

    const open = (owner = 'ann', request: Partial<CrawlRequest> = {}, of = store) =>
      of.openCrawl(owner, SITE, { kind: 'site', options: '{}', requeue: true, ...request });
    const waiting = async (crawl: OpenedCrawl, of = store) =>
      (await of.listWaiting(crawl, 1000)).map(({ url }) => url);
    const at = (depth: number, ...urls: string[]) => urls.map((url) => ({ url, depth }));

    test('the queue is ordered by depth, then by arrival, and has each address once until it is settled', async () => {
      const crawl = await open();
      expect(crawl).toMatchObject({ run: 1, resumed: false, sameOptions: false });
      const mixed = [
        ...at(2, 'deep'),
        ...at(0, 'start'),
        ...at(1, 'one', 'another', 'one'),
        ...at(1, 'start'),
      ];
      expect(await store.queueAddresses(crawl, mixed)).toBe(4);
      expect(await waiting(crawl)).toEqual(['start', 'one', 'another', 'deep']);
      expect(await store.listWaiting(crawl, 1)).toEqual([{ url: 'start', depth: 0 }]);
      await store.settleAddresses(crawl, [{ url: 'start', state: 'read', etag: '"1"', digest: 'd' }]);
      await store.settleAddresses(crawl, [
        { url: 'one', state: 'left' },
        { url: 'another', state: 'left' },
      ]);
      expect(await store.queueAddresses(crawl, at(0, 'start'))).toBe(0);
      expect(await waiting(crawl)).toEqual(['deep']);
      expect(await store.countWaiting(crawl)).toBe(1);
      const states = ['start', 'one', 'deep', 'none'].map((url) => store.getAddressState(crawl, url));
      expect(await Promise.all(states)).toEqual(['read', 'left', 'waiting', undefined]);
      await store.queueAddresses(crawl, []);
      await store.settleAddresses(crawl, []);
      await store.deleteAddresses(crawl, []);
    });

    test('thousands of addresses are queued, settled and deleted in one call each', async () => {
      const crawl = await open();
      const urls = Array.from({ length: 3000 }, (_, i) => `https://a.example/${i}`);
      expect(await store.queueAddresses(crawl, at(1, ...urls))).toBe(3000);
      expect((await store.listWaiting(crawl, 3000)).map(({ url }) => url)).toEqual(urls);
      await store.settleAddresses(
        crawl,
        urls.slice(0, 2000).map((url) => ({ url, state: 'read' })),
      );
      expect(await store.countWaiting(crawl)).toBe(1000);
      await store.deleteAddresses(crawl, urls.slice(1000));
      expect(await store.countWaiting(crawl)).toBe(0);
      expect((await store.listCrawls('ann'))[0]).toMatchObject({ read: 1000, waiting: 0 });
    });

    test('an unfinished run continues; after a finished run the next one starts with the known addresses', async () => {
      const first = await open();
      await store.queueAddresses(first, [...at(0, 'a'), ...at(1, 'b')]);
      const known = { etag: '"1"', modified: 'm', digest: 'd' };
      await store.settleAddresses(first, [{ url: 'a', state: 'read', ...known }]);
      const second = await open();
      expect(second).toEqual({ id: first.id, run: 1, resumed: true, sameOptions: true });
      expect(await waiting(second)).toEqual(['b']);
      await store.settleAddresses(second, [{ url: 'b', state: 'left' }]);
      await store.finishCrawl(second);
      const third = await open('ann', { options: '{"depth":1}' });
      expect(third).toEqual({ id: first.id, run: 2, resumed: false, sameOptions: false });
      expect(await store.listWaiting(third, 10)).toEqual([
        { url: 'a', depth: 0, ...known },
        { url: 'b', depth: 1 },
      ]);
    });

    test('a run that does not requeue begins with an empty queue, and lists the addresses that it has not met', async () => {
      const first = await open();
      await store.queueAddresses(first, at(0, 'stays', 'goes'));
      await store.settleAddresses(first, [
        { url: 'stays', state: 'read' },
        { url: 'goes', state: 'read' },
      ]);
      await store.finishCrawl(first);
      const second = await open('ann', { requeue: false });
      expect(await waiting(second)).toEqual([]);
      expect(await store.queueAddresses(second, at(0, 'stays'))).toBe(1);
      expect(await store.listUnmet(second, 10)).toEqual(['goes']);
      await store.deleteAddresses(second, ['goes']);
      expect(await store.listUnmet(second, 10)).toEqual([]);
    });

    test('after a crash, another opener continues with exactly the addresses that were not settled', async () => {
      const lost = await open();
      await store.queueAddresses(lost, at(0, 'a', 'b', 'c', 'd'));
      await store.settleAddresses(lost, [
        { url: 'a', state: 'read', digest: 'of a' },
        { url: 'b', state: 'left' },
      ]);
      // The process dies here: nothing is closed, and the crawl is not finished.
      const next = await opened.openAnother();
      const crawl = await open('ann', {}, next);
      expect(crawl).toEqual({ id: lost.id, run: 1, resumed: true, sameOptions: true });
      expect(await waiting(crawl, next)).toEqual(['c', 'd']);
      expect(await next.getAddressState(crawl, 'a')).toBe('read');
      expect(await next.queueAddresses(crawl, at(1, 'a', 'b', 'e'))).toBe(1);
      await next.settleAddresses(
        crawl,
        ['c', 'd', 'e'].map((url) => ({ url, state: 'read' })),
      );
      await next.finishCrawl(crawl);
      const [info] = await store.listCrawls('ann');
      expect(info).toMatchObject({ read: 4, waiting: 0, finishedAt: expect.any(Number) });
    });

    test('two openers at once share one crawl and queue each address once', async () => {
      const other = await opened.openAnother();
      const [mine, theirs] = await Promise.all([open(), open('ann', {}, other)]);
      expect(theirs.id).toBe(mine.id);
      expect([mine.resumed, theirs.resumed].sort()).toEqual([false, true]);
      const urls = Array.from({ length: 40 }, (_, i) => `u${i}`);
      const queued = await Promise.all(
        urls.flatMap((url) => [
          store.queueAddresses(mine, at(0, url)),
          other.queueAddresses(theirs, at(0, url)),
        ]),
      );
      expect(queued.reduce((sum, n) => sum + n, 0)).toBe(40);
      expect((await waiting(mine)).sort()).toEqual([...urls].sort());
      await Promise.all([
        store.settleAddresses(
          mine,
          urls.slice(0, 30).map((url) => ({ url, state: 'read' })),
        ),
        other.settleAddresses(
          theirs,
          urls.slice(20).map((url) => ({ url, state: 'read' })),
        ),
      ]);
      expect(await other.countWaiting(theirs)).toBe(0);
      expect((await store.listCrawls('ann'))[0]).toMatchObject({ read: 40, waiting: 0 });
    });

    test('an owner lists, continues and deletes only their own crawls', async () => {
      const [anns, bobs] = await Promise.all([open('ann'), open('bob')]);
      expect(anns.id).not.toBe(bobs.id);
      await store.queueAddresses(anns, at(0, 'x'));
      expect(await waiting(bobs)).toEqual([]);
      expect(await store.getAddressState(bobs, 'x')).toBeUndefined();
      expect(await store.listCrawls('ann')).toEqual([
        {
          ...{ id: anns.id, source: SITE, kind: 'site', options: '{}' },
          ...{ startedAt: expect.any(Number), read: 0, waiting: 1 },
        },
      ]);
      expect(await store.listCrawls('eve')).toEqual([]);
      await store.finishCrawl(bobs);
      expect((await open('ann')).resumed).toBe(true);
      expect(await store.deleteCrawls('ann')).toBe(1);
      expect(await store.countWaiting(anns)).toBe(0);
      expect(await store.listCrawls('bob')).toHaveLength(1);
      // An owner that is not valid text could be taken for another.
      for (const call of [open('a\ud800'), store.listCrawls('a\ud800'), store.deleteCrawls('a\ud800')]) {
        await expect(call).rejects.toMatchObject({ code: 'bad_request' });
      }
    });

    test('one process runs a crawl, reports its progress and releases it; a process that is gone holds nothing', async () => {
      const crawl = await open();
      const other = await opened.openAnother();
      const theirs = `${hostname()} ${process.ppid} other`;
      expect(await store.holdCrawl(crawl, { runner: PROCESS_RUNNER_ID })).toEqual({
        name: PROCESS_RUNNER_ID,
      });
      expect(await other.holdCrawl(crawl, { runner: theirs })).toBeUndefined();
      expect(await store.reportCrawl(crawl, PROCESS_RUNNER_ID, '{"indexed":3}')).toBe(true);
      expect(await other.reportCrawl(crawl, theirs, 'no')).toBe(false);
      await other.letCrawlGo(crawl, theirs, 'no');
      expect(await other.readCrawl('ann', SITE)).toMatchObject({
        runner: PROCESS_RUNNER_ID,
        beatAt: expect.any(Number),
        outcome: '{"indexed":3}',
      });
      expect(await other.readCrawl('bob', SITE)).toBeUndefined();
      await store.letCrawlGo(crawl, PROCESS_RUNNER_ID, 'done');
      const ended = await other.readCrawl('ann', SITE);
      expect(ended).toMatchObject({ runner: undefined, endedAt: expect.any(Number), outcome: 'done' });
      // A process that has ended without a word: its number is no longer that of a process.
      expect(await store.holdCrawl(crawl, { runner: `${hostname()} 4194303 gone` })).toBeDefined();
      expect(await other.holdCrawl(crawl, { runner: theirs })).toEqual({ name: theirs });
      await other.deleteCrawls('ann');
      expect(await other.holdCrawl(crawl, { runner: theirs })).toBeUndefined();
      expect(await other.reportCrawl(crawl, theirs, '')).toBe(false);
    });

    test('the next run of a job takes over the crawl of an earlier run in another process, which then holds nothing', async () => {
      const crawl = await open();
      const other = await opened.openAnother();
      const first = { runner: `${hostname()} ${process.ppid} other 0`, job: 'a1' };
      const held = await other.holdCrawl(crawl, first);
      expect(held).toEqual({ name: `${first.runner} a1` });
      const { name = '' } = held ?? {};
      expect(await other.reportCrawl(crawl, name, '{"indexed":3}')).toBe(true);
      // That process is there: neither another job nor a process for itself takes it from there.
      expect(await store.holdCrawl(crawl, { runner: `${PROCESS_RUNNER_ID} 0`, job: 'b1' })).toBeUndefined();
      expect(await store.holdCrawl(crawl, { runner: PROCESS_RUNNER_ID })).toBeUndefined();
      expect(await store.holdCrawl(crawl, { runner: `${PROCESS_RUNNER_ID} 1`, job: 'a1' })).toEqual({
        name: `${PROCESS_RUNNER_ID} 1 a1`,
        outcome: '{"indexed":3}',
      });
      expect(await other.reportCrawl(crawl, name, '{"indexed":9}')).toBe(false);
      await other.letCrawlGo(crawl, name, '{}');
      expect(await store.readCrawl('ann', SITE)).toMatchObject({
        runner: `${PROCESS_RUNNER_ID} 1 a1`,
        outcome: '{"indexed":3}',
      });
    });

    test('only the owner of a crawl can ask its process to stop', async () => {
      const crawl = await open();
      expect(await store.askToStop('ann', SITE)).toBe(false);
      await store.holdCrawl(crawl, { runner: PROCESS_RUNNER_ID });
      const other = await opened.openAnother();
      expect(await other.askToStop('bob', SITE)).toBe(false);
      expect(await store.reportCrawl(crawl, PROCESS_RUNNER_ID, '')).toBe(true);
      expect(await other.askToStop('ann', SITE)).toBe(true);
      expect(await store.reportCrawl(crawl, PROCESS_RUNNER_ID, '')).toBe(false);
      await store.letCrawlGo(crawl, PROCESS_RUNNER_ID, '');
      await store.holdCrawl(crawl, { runner: PROCESS_RUNNER_ID });
      expect(await store.reportCrawl(crawl, PROCESS_RUNNER_ID, '')).toBe(true);
    });

    test('the addresses of a crawl and the crawls of an owner are limited', async () => {
      const crawl = await open();
      expect(await store.queueAddresses(crawl, at(0, 'a', 'b', 'c'), 2)).toBe(2);
      expect(await store.queueAddresses(crawl, at(0, 'd'), 2)).toBe(0);
      for (const [kind, path] of [
        ['folder', 'folder'],
        ['site', 'running'],
        ['site', 'old'],
        ['feed', 'new'],
      ] as const) {
        const one = await store.openCrawl('ann', path, { kind, options: '', requeue: false });
        if (path === 'running') await store.holdCrawl(one, { runner: PROCESS_RUNNER_ID });
      }
      await store.openCrawl('bob', 'his', { kind: 'site', options: '', requeue: false });
      await store.trimCrawls('ann', { crawls: 1, addresses: 10 });
      const left = (await store.listCrawls('ann')).map(({ source }) => source);
      expect(left).toEqual(['new', 'running', 'folder']);
      expect(await store.listCrawls('bob')).toHaveLength(1);
    });

    test('the oldest crawls of an owner are deleted when the addresses exceed the limit, never the newest crawl', async () => {
      for (const source of ['first', 'second', 'third']) {
        const crawl = await store.openCrawl('ann', source, { kind: 'site', options: '', requeue: false });
        await store.queueAddresses(crawl, at(0, 'a', 'b', 'c'), 10);
      }
      const keep = async (addresses: number) => {
        await store.trimCrawls('ann', { crawls: 10, addresses });
        return (await store.listCrawls('ann')).map(({ source }) => source);
      };
      expect(await keep(9)).toEqual(['third', 'second', 'first']);
      expect(await keep(8)).toEqual(['third', 'second']);
      expect(await keep(2)).toEqual(['third']);
    });

    test('crawls are listed newest first, and deleted by an address and the addresses below it', async () => {
      const sources = ['/docs', '/docs/', '/docs/a', '/docs?q=1', '/docs2', '/d', '/döcs%_/x'];
      for (const path of sources) {
        await store.openCrawl('ann', `https://a.example${path}`, {
          kind: 'feed',
          options: '',
          requeue: false,
        });
      }
      const left = async () =>
        (await store.listCrawls('ann')).map(({ source }) => source.replace('https://a.example', ''));
      expect(await left()).toEqual([...sources].reverse());
      expect(await store.deleteCrawls('ann', 'https://a.example/docs')).toBe(4);
      expect(await left()).toEqual(['/döcs%_/x', '/d', '/docs2']);
      expect(await store.deleteCrawls('ann', 'https://a.example/doc')).toBe(0);
      expect(await store.deleteCrawls('ann', 'https://a.example/döcs%_')).toBe(1);
      expect(await store.deleteCrawls('ann', 'https://a.example/')).toBe(2);
      expect(await left()).toEqual([]);
    });
  });
}
