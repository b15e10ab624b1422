import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CrawlFailure, CrawlJobStore } from '../../src/search/crawling/crawl-job-store.ts';

/** An empty store, and further openers of its data. */
export interface OpenedCrawlJobStore {
  readonly store: CrawlJobStore;
  /** As another process opens it. */
  openAnother(): Promise<CrawlJobStore>;
  close(): Promise<void>;
}

const SITE = 'https://a.example/';
const FAILURE: CrawlFailure = { code: 'upstream', message: 'it answered 500', retryAfter: 5 };

/** What every driver of CrawlJobStore does. */
export function describeCrawlJobStore(name: string, makeEmpty: () => Promise<OpenedCrawlJobStore>): void {
  describe(`${name} as CrawlJobStore`, () => {
    let opened: OpenedCrawlJobStore;
    let store: CrawlJobStore;
    beforeEach(async () => {
      opened = await makeEmpty();
      ({ store } = opened);
    });
    afterEach(() => opened.close());

    const insert = (id: string, owner = 'ann', source = SITE, of = store, createdAt = Date.now()) =>
      of.insertJob(owner, { id, source, depth: 2, createdAt, terms: '{"key":1}' });
    const ids = async (owner = 'ann', source?: string) =>
      (await store.listJobs(owner, source)).map(({ id }) => id).sort();

    test('a source has one job of an owner at a time, whichever process inserts it', async () => {
      const other = await opened.openAnother();
      const inserted = await Promise.all([insert('a'), insert('b', 'ann', SITE, other)]);
      expect([...inserted].sort()).toEqual([false, true]);
      expect(await insert('c', 'ann', 'https://b.example/')).toBe(true);
      expect(await insert('d', 'bob')).toBe(true);
      expect(await ids()).toHaveLength(2);
      expect(await ids('ann', 'https://b.example/')).toEqual(['c']);
      expect(await ids('eve')).toEqual([]);
      await expect(insert('e', 'a\ud800')).rejects.toMatchObject({ code: 'bad_request' });
    });

    test('a run takes the job with its terms, and reports of an earlier run have no effect', async () => {
      await insert('a');
      expect(await store.readJob('a')).toEqual({
        ...{ id: 'a', owner: 'ann', source: SITE, depth: 2 },
        createdAt: expect.any(Number),
      });
      expect(await store.takeJob('a', 'one')).toMatchObject({ runner: 'one', terms: '{"key":1}' });
      expect(await store.openJob('a', 'one', 7)).toBe(true);
      const other = await opened.openAnother();
      expect(await other.takeJob('a', 'two')).toMatchObject({ runner: 'two', openedAt: 7 });
      expect(await store.openJob('a', 'one', 8)).toBe(false);
      expect(await store.endJob('a', { runner: 'one' })).toBe(false);
      expect(await other.openJob('a', 'two', 9)).toBe(true);
      expect(await store.readJob('a')).toMatchObject({ openedAt: 7 });
      expect(await other.endJob('a', { runner: 'two' })).toBe(true);
      expect(await store.readJob('a')).toBeUndefined();
      expect(await store.takeJob('a', 'three')).toBeUndefined();
      expect(await store.takeJob('none', 'three')).toBeUndefined();
      expect(await insert('b')).toBe(true);
    });

    test('a failure before the first page is stored for the waiting calls, and blocks no further crawl', async () => {
      await insert('a');
      await store.takeJob('a', 'one');
      expect(await store.endJob('a', { runner: 'other', failure: FAILURE })).toBe(false);
      expect(await store.endJob('a', { runner: 'one', failure: FAILURE })).toBe(true);
      expect(await store.readJob('a')).toMatchObject({ failure: FAILURE });
      expect(await store.endJob('a', { failure: FAILURE })).toBe(false);
      expect(await store.openJob('a', 'one', 7)).toBe(false);
      expect(await store.takeJob('a', 'two')).toBeUndefined();
      expect(await ids()).toEqual([]);
      expect(await insert('b')).toBe(true);
      // After its first page, how it ended stands with the crawl.
      await store.takeJob('b', 'one');
      await store.openJob('b', 'one', 7);
      expect(await store.endJob('b', { failure: FAILURE })).toBe(true);
      expect(await store.readJob('b')).toBeUndefined();
      // Failures are deleted after some minutes.
      await insert('c', 'ann', SITE, store, Date.now() + 3_600_000);
      expect(await store.readJob('a')).toBeUndefined();
    });
  });
}
