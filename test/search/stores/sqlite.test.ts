import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSqlitePageStore } from '../../../src/search/stores/sqlite.ts';
import { openDatabase } from '../../../src/storage/sqlite.ts';
import { CONTRACT_BYTES, CONTRACT_PAGES, pageStoreContract } from '../../contracts/page-store.ts';

async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-pages-'));
  const db = await openDatabase({ folder });
  return {
    db,
    folder,
    store: createSqlitePageStore(db, { maxPages: CONTRACT_PAGES, maxBytes: CONTRACT_BYTES }),
    async close() {
      db.close();
      rmSync(folder, { recursive: true });
    },
  };
}

pageStoreContract('sqlite', open);

test('pages are there after the database was opened again', async () => {
  const first = await open();
  await first.store.put('ann', { url: 'https://a.example/', title: 'A', text: 'the magpie', readAt: 5 });
  first.db.close();
  const db = await openDatabase({ folder: first.folder });
  const store = createSqlitePageStore(db, { maxPages: CONTRACT_PAGES, maxBytes: CONTRACT_BYTES });
  expect((await store.search('ann', 'magpies', 10)).map(({ url }) => url)).toEqual(['https://a.example/']);
  db.close();
  rmSync(first.folder, { recursive: true });
});

test('clearing many pages leaves what came in meanwhile, and nothing in the index', async () => {
  const { db, store: _, close } = await open();
  const store = createSqlitePageStore(db, { maxPages: 5000, maxBytes: 1e9 });
  for (let i = 0; i < 900; i++) {
    await store.put('ann', { url: `https://a.example/${i}`, title: '', text: 'magpie', readAt: i });
  }
  const cleared = store.clear('ann');
  await store.put('ann', { url: 'https://new.example/', title: '', text: 'magpie', readAt: 1 });
  expect(await cleared).toBe(900);
  expect((await store.list('ann', 10)).pages.map(({ url }) => url)).toEqual(['https://new.example/']);
  expect(db.get<{ n: number }>('SELECT count(*) AS n FROM pages_fts')?.n).toBe(1);
  expect(await store.clear('ann')).toBe(1);
  expect(db.all('SELECT * FROM page_owners')).toEqual([]);
  await close();
});

test('a lowered bound drops what is over it at the next put', async () => {
  const { db, store, close } = await open();
  for (let i = 0; i < 10; i++) {
    await store.put('ann', { url: `https://a.example/${i}`, title: '', text: 'magpie', readAt: i });
  }
  const smaller = createSqlitePageStore(db, { maxPages: 3, maxBytes: 1e9 });
  await smaller.put('ann', { url: 'https://a.example/new', title: '', text: 'magpie', readAt: 99 });
  expect((await smaller.list('ann', 10)).pages.map(({ readAt }) => readAt)).toEqual([99, 9, 8]);
  await close();
});

test('words that thousands of pages have do not hide what was asked, nor take the time of all pages', async () => {
  const { db, close } = await open();
  const store = createSqlitePageStore(db, { maxPages: 20_000, maxBytes: 1e9 });
  const pages = Array.from({ length: 9000 }, (_, i) => ({
    url: `https://a.example/${i}`,
    title: i === 4 ? 'The common bird' : '',
    text: `the common bird ${i % 3 === 0 ? 'sings' : 'flies'} here ${i === 5 ? 'with a wagtail' : `as number${i}`}`,
    readAt: i,
  }));
  for (let at = 0; at < pages.length; at += 1000) await store.putAll('ann', pages.slice(at, at + 1000));
  const found = async (query: string) => (await store.search('ann', query, 10)).map(({ url }) => url);
  // The rare word decides, however old its page is; alone it is found as well.
  expect((await found('the common bird with the wagtail'))[0]).toBe('https://a.example/5');
  expect(await found('wagtail')).toEqual(['https://a.example/5']);
  // The words of all pages: the title is found, and the rest are the newest.
  const common = await found('the common bird');
  expect(common[0]).toBe('https://a.example/4');
  expect(common).toHaveLength(10);
  for (const url of common.slice(1)) expect(Number(url.split('/').at(-1))).toBeGreaterThan(2900);
  // A word of a third of the pages beside words of all of them.
  const texts = await store.search('ann', 'the bird sings', 10);
  expect(texts).toHaveLength(10);
  for (const { snippet } of texts) expect(snippet).toContain('sings');
  expect(await found('nothing of this is there')).not.toContain('https://a.example/5');
  expect(await store.search('bob', 'the common bird', 10)).toEqual([]);
  await close();
});

test('a page whose bytes are damaged is told as such', async () => {
  const { db, store, close } = await open();
  await store.put('ann', { url: 'https://a.example/', title: '', text: 'magpie', readAt: 1 });
  db.run("UPDATE pages SET text = x'00112233'");
  await expect(store.search('ann', 'magpie', 10)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('magpie index --forget'),
  });
  expect(await store.forget('ann', 'https://a.example/')).toBe(1);
  await close();
});
