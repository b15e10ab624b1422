import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCrawlStore } from '../../../src/search/stores/crawls.ts';
import type { Database } from '../../../src/storage/sqlite.ts';
import { describeCrawlStore } from '../../contracts/crawl-store.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';

async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-crawls-'));
  const opened = [await openTestDatabase({ folder })] as [Database, ...Database[]];
  return {
    db: opened[0],
    store: createCrawlStore(opened[0]),
    async openAnother() {
      const db = await openTestDatabase({ folder });
      opened.push(db);
      return createCrawlStore(db);
    },
    async close() {
      for (const db of opened) db.close();
      rmSync(folder, { recursive: true });
    },
  };
}

describeCrawlStore('sqlite', open);

test('a deleted crawl leaves no address in the database', async () => {
  const { db, store, close } = await open();
  const crawl = await store.openCrawl('ann', '/notes', { kind: 'folder', options: '', requeue: false });
  await store.queueAddresses(crawl, [{ url: 'file:///notes/a.md', depth: 0 }]);
  await store.deleteCrawls('ann', '/notes');
  expect(await db.read((sql) => sql.all('SELECT * FROM crawl_addresses'))).toEqual([]);
  await close();
});
