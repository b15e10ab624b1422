import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSqlitePageStore } from '../../../src/search/stores/sqlite.ts';
import { openDatabase } from '../../../src/storage/sqlite.ts';
import { CONTRACT_PAGES, pageStoreContract } from '../../contracts/page-store.ts';

async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-pages-'));
  const db = await openDatabase({ folder });
  return {
    db,
    folder,
    store: createSqlitePageStore(db, { maxPages: CONTRACT_PAGES, maxBytes: 1e9 }),
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
  const store = createSqlitePageStore(db, { maxPages: CONTRACT_PAGES, maxBytes: 1e9 });
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
