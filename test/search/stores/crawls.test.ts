import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CrawlStore } from '../../../src/search/crawl-store.ts';
import { createSqliteCrawlStore } from '../../../src/search/stores/crawls.ts';
import { type Database, openDatabase } from '../../../src/storage/sqlite.ts';

let folder: string;
let db: Database;
let crawls: CrawlStore;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'magpie-crawls-'));
  db = await openDatabase({ folder });
  crawls = createSqliteCrawlStore(db);
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

const open = (owner = 'ann', again = true, options = '{}') =>
  crawls.open(owner, 'https://a.example/', { kind: 'site', options, again });
const urls = async (crawl: Awaited<ReturnType<typeof open>>) =>
  (await crawls.waiting(crawl, 100)).map(({ url }) => url);

test('the line is kept in order of depth, each address once, until it is settled', async () => {
  const crawl = await open();
  expect(crawl).toMatchObject({ run: 1, resumed: false, sameOptions: false });
  expect(
    await crawls.add(crawl, [
      { url: 'deep', depth: 2 },
      { url: 'start', depth: 0 },
      { url: 'one', depth: 1 },
      { url: 'start', depth: 1 },
    ]),
  ).toBe(3);
  expect(await urls(crawl)).toEqual(['start', 'one', 'deep']);
  await crawls.settle(crawl, [{ url: 'start', state: 'read', etag: '"1"', digest: 'd' }]);
  await crawls.settle(crawl, [{ url: 'one', state: 'left' }]);
  expect(await crawls.add(crawl, [{ url: 'start', depth: 0 }])).toBe(0);
  expect(await urls(crawl)).toEqual(['deep']);
  expect(await crawls.countWaiting(crawl)).toBe(1);
  const states = ['start', 'one', 'deep', 'none'].map((url) => crawls.stateOf(crawl, url));
  expect(await Promise.all(states)).toEqual(['read', 'left', 'waiting', undefined]);
});

test('unfinished, it goes on; finished, all begins anew with what is known', async () => {
  const first = await open();
  await crawls.add(first, [
    { url: 'a', depth: 0 },
    { url: 'b', depth: 1 },
  ]);
  await crawls.settle(first, [{ url: 'a', state: 'read', etag: '"1"', modified: 'm', digest: 'd' }]);
  const second = await open();
  expect(second).toEqual({ id: first.id, run: 1, resumed: true, sameOptions: true });
  expect(await urls(second)).toEqual(['b']);
  await crawls.settle(second, [{ url: 'b', state: 'left' }]);
  await crawls.finish(second);
  const third = await open('ann', true, '{"depth":1}');
  expect(third).toEqual({ id: first.id, run: 2, resumed: false, sameOptions: false });
  expect(await crawls.waiting(third, 10)).toEqual([
    { url: 'a', depth: 0, etag: '"1"', modified: 'm', digest: 'd' },
    { url: 'b', depth: 1 },
  ]);
});

test('without `again` the line is empty at first, and what is not met again can be told', async () => {
  const first = await open();
  await crawls.add(first, [
    { url: 'stays', depth: 0 },
    { url: 'goes', depth: 0 },
  ]);
  await crawls.settle(first, [
    { url: 'stays', state: 'read' },
    { url: 'goes', state: 'read' },
  ]);
  await crawls.finish(first);
  const second = await open('ann', false);
  expect(await urls(second)).toEqual([]);
  expect(await crawls.add(second, [{ url: 'stays', depth: 0 }])).toBe(1);
  expect(await crawls.unmet(second, 10)).toEqual(['goes']);
  await crawls.drop(second, ['goes']);
  expect(await crawls.unmet(second, 10)).toEqual([]);
});

test('an owner sees and forgets own crawls only', async () => {
  const [anns, bobs] = await Promise.all([open('ann'), open('bob')]);
  expect(anns.id).not.toBe(bobs.id);
  await crawls.add(anns, [{ url: 'x', depth: 0 }]);
  expect(await urls(bobs)).toEqual([]);
  expect(await crawls.list('ann')).toEqual([
    { source: 'https://a.example/', kind: 'site', startedAt: expect.any(Number), read: 0, waiting: 1 },
  ]);
  expect(await crawls.list('eve')).toEqual([]);
  expect(await crawls.forget('ann', 'https://b.example/')).toBe(0);
  await crawls.open('ann', '/home/ann/notes', { kind: 'folder', options: '', again: false });
  expect(await crawls.forget('ann', '/home/ann/note')).toBe(0);
  expect(await crawls.forget('ann', '/home/ann')).toBe(1);
  expect(await crawls.forget('ann', 'https://a.example/')).toBe(1);
  expect(await crawls.list('bob')).toHaveLength(1);
  expect(await crawls.forget('bob')).toBe(1);
  expect(db.all('SELECT * FROM crawl_addresses')).toEqual([]);
  // An owner that is no text could be taken for another.
  for (const call of [open('a\ud800'), crawls.list('a\ud800'), crawls.forget('a\ud800')]) {
    await expect(call).rejects.toMatchObject({ code: 'bad_request' });
  }
});
