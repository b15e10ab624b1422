import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  MAX_INDEXED_TERMS,
  prefixTermsWithOwner,
  termsToIndex,
} from '../../../src/search/stores/page-text.ts';
import { createSqlitePageStore } from '../../../src/search/stores/pages.ts';
import type { Database } from '../../../src/storage/sqlite.ts';
import { CONTRACT_BYTES, CONTRACT_PAGES, describePageStore } from '../../contracts/page-store.ts';
import { processorSecondsElsewhere } from '../../helpers/processor-time.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';

const BOUNDS = { maxPages: CONTRACT_PAGES, maxBytes: CONTRACT_BYTES };

async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-pages-'));
  const opened = [await openTestDatabase({ folder })] as [Database, ...Database[]];
  return {
    db: opened[0],
    store: createSqlitePageStore(opened[0], BOUNDS),
    async openAnother() {
      const db = await openTestDatabase({ folder });
      opened.push(db);
      return createSqlitePageStore(db, BOUNDS);
    },
    async close() {
      for (const db of opened) db.close();
      rmSync(folder, { recursive: true });
    },
  };
}

describePageStore('sqlite', open);

test('deleting many pages keeps pages that were saved meanwhile, and leaves no deleted page in the index', async () => {
  const { db, store: _, close } = await open();
  const store = createSqlitePageStore(db, { maxPages: 5000, maxBytes: 1e9 });
  const many = Array.from({ length: 900 }, (_, i) => ({
    url: `https://a.example/${i}`,
    title: '',
    text: 'magpie',
    readAt: i,
  }));
  await store.savePages('ann', many);
  const cleared = store.deleteAllPages('ann');
  await store.savePages('ann', [{ url: 'https://new.example/', title: '', text: 'magpie', readAt: 1 }]);
  expect(await cleared).toBe(900);
  expect((await store.listPages('ann', 10)).pages.map(({ url }) => url)).toEqual(['https://new.example/']);
  const indexed = await db.read((sql) => sql.get<{ n: number }>('SELECT count(*) AS n FROM pages_fts'));
  expect(indexed?.n).toBe(1);
  expect(await store.deleteAllPages('ann')).toBe(1);
  expect(await db.read((sql) => sql.all('SELECT * FROM page_owners'))).toEqual([]);
  await close();
});

test('a lowered limit deletes the excess pages at the next save', async () => {
  const { db, store, close } = await open();
  for (let i = 0; i < 10; i++) {
    await store.savePages('ann', [{ url: `https://a.example/${i}`, title: '', text: 'magpie', readAt: i }]);
  }
  const smaller = createSqlitePageStore(db, { maxPages: 3, maxBytes: 1e9 });
  await smaller.savePages('ann', [{ url: 'https://a.example/new', title: '', text: 'magpie', readAt: 99 }]);
  expect((await smaller.listPages('ann', 10)).pages.map(({ readAt }) => readAt)).toEqual([99, 9, 8]);
  await close();
});

test('words that thousands of pages contain neither hide the match nor take the time of all pages', async () => {
  const { db, close } = await open();
  const store = createSqlitePageStore(db, { maxPages: 20_000, maxBytes: 1e9 });
  const pages = Array.from({ length: 6600 }, (_, i) => ({
    url: `https://a.example/${i}`,
    title: i === 4 ? 'The common bird' : '',
    text: `the common bird ${i % 3 === 0 ? 'sings' : 'flies'} here ${i === 5 ? 'with a wagtail' : `as number${i}`}`,
    readAt: i,
  }));
  for (let at = 0; at < pages.length; at += 1000) await store.savePages('ann', pages.slice(at, at + 1000));
  const found = async (query: string) => (await store.searchPages('ann', query, 10)).map(({ url }) => url);
  // The rare word decides, however old its page is; alone it is found as well.
  expect((await found('the common bird with the wagtail'))[0]).toBe('https://a.example/5');
  expect(await found('wagtail')).toEqual(['https://a.example/5']);
  // The words of all pages: the title is found, and the rest are the newest.
  const common = await found('the common bird');
  expect(common[0]).toBe('https://a.example/4');
  expect(common).toHaveLength(10);
  for (const url of common.slice(1)) expect(Number(url.split('/').at(-1))).toBeGreaterThan(500);
  // A word of a third of the pages beside words of all of them.
  const texts = await store.searchPages('ann', 'the bird sings', 10);
  expect(texts).toHaveLength(10);
  for (const { snippet } of texts) expect(snippet).toContain('sings');
  expect(await found('nothing of this is there')).not.toContain('https://a.example/5');
  expect(await store.searchPages('bob', 'the common bird', 10)).toEqual([]);
  await close();
});

test('a damaged page is reported as damaged, and can be deleted', async () => {
  const { db, store, close } = await open();
  await store.savePages('ann', [{ url: 'https://a.example/', title: '', text: 'magpie', readAt: 1 }]);
  await db.write((sql) => sql.run("UPDATE pages SET text = x'00112233'"));
  await expect(store.searchPages('ann', 'magpie', 10)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('magpie index --forget'),
  });
  expect(await store.deletePagesUnder('ann', 'https://a.example/')).toBe(1);
  await close();
});

/** A page of 1 MB whose words are all different. */
function wordList(at = 0): string {
  return Array.from({ length: 140_000 }, (_, i) =>
    (((at * 140_000 + i) * 2_654_435_761) % 2 ** 32).toString(36),
  ).join(' ');
}

test('a page of many words is prepared in a thread, and its words are written a few at once', async () => {
  const { store, close } = await open();
  const page = { url: 'https://a.example/', title: '', text: wordList(), readAt: 1 };
  // Starts the thread.
  await store.savePages('ann', [{ ...page, text: wordList(1).slice(0, 50_000) }]);
  const elsewhere = await processorSecondsElsewhere(() => store.savePages('ann', [page]));
  // Preparing takes 0.1 s.
  expect(elsewhere).toBeGreaterThan(0.03);
  const words = page.text.split(' ');
  const found = async (word = '') => (await store.searchPages('ann', word, 10)).length;
  expect(await found(words[0])).toBe(1);
  expect(await found(words[20_000])).toBe(1);
  expect(await found(words.at(-1))).toBe(0);
  expect((await store.getPage('ann', 'https://a.example/'))?.text).toHaveLength(1_000_000);
  await close();
});

test('many pages of many words are all written, in several steps', async () => {
  const { db, close } = await open();
  let steps = 0;
  const counting: Database = {
    ...db,
    writeReplaceable: (work) => {
      steps += 1;
      return db.writeReplaceable(work);
    },
  };
  const store = createSqlitePageStore(counting, { maxPages: 3, maxBytes: 1e9 });
  const text = wordList().slice(0, 100_000);
  const pages = Array.from({ length: 5 }, (_, i) => ({
    url: `https://a.example/${i}`,
    title: '',
    text,
    readAt: i,
  }));
  await store.savePages('ann', pages);
  // Each page, that nothing is over the bounds, and before that the two pages that were.
  expect(steps).toBe(5 + 5 + 2);
  expect((await store.listPages('ann', 10)).pages.map(({ readAt }) => readAt)).toEqual([4, 3, 2]);
  await close();
});

test('words of a long text lose repetitions before the last words are left out', () => {
  const often = `${'magpie '.repeat(50)}${wordList().slice(0, 90_000)} ${wordList(1).slice(0, 70_000)} wagtail`;
  const terms = termsToIndex(`${often} ${often}`).trim().split(' ');
  expect(terms.length).toBeLessThanOrEqual(MAX_INDEXED_TERMS);
  expect(terms.filter((term) => term === 'magpie')).toHaveLength(1);
  expect(terms).toContain('wagtail');
  const short = termsToIndex('magpie '.repeat(50)).trim().split(' ');
  expect(short).toHaveLength(10);
  expect(prefixTermsWithOwner(7, termsToIndex('the nest'))).toBe('7_the 7_nest');
  expect(prefixTermsWithOwner(7, termsToIndex(''))).toBe('');
});
