import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBrowse } from '../../src/browse/browse.ts';
import { createKeyedLock } from '../../src/lib/concurrency/keyed-lock.ts';
import { createGuardedFetch } from '../../src/lib/network/fetch.ts';
import { createIndexer } from '../../src/search/crawling/indexer.ts';
import type { PageStore } from '../../src/search/page-store.ts';
import { createCrawlStore } from '../../src/search/stores/crawls.ts';
import { createSqlitePageStore } from '../../src/search/stores/pages.ts';
import type { Indexer, IndexOptions, IndexSummary } from '../../src/search/types.ts';
import type { Database } from '../../src/storage/sqlite.ts';
import { sharedReaders } from './shared-readers.ts';
import { openTestDatabase } from './test-database.ts';

/** An indexer with real parts, that may read loopback, over a database of its own. */
export interface Indexing {
  readonly indexer: Indexer;
  readonly pages: PageStore;
  readonly db: Database;
  index(source: string, options?: Partial<IndexOptions>, owner?: string): Promise<IndexSummary>;
  /** Addresses in the owner's index, in order. */
  kept(owner?: string): Promise<string[]>;
  close(): Promise<void>;
}

/** Most bytes of a page or file that it reads. */
export const PAGE_BYTES = 200_000;

/** One for all tests of a file: its workers take a while to start. Workers do not hold the process. */
const fetch = createGuardedFetch({ allowHosts: ['127.0.0.1'], userAgent: 'Magpie/test' });
const browse = createBrowse({ fetch, maxBytes: PAGE_BYTES, timeoutMs: 2000, readers: sharedReaders() });

export async function startIndexing(): Promise<Indexing> {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-indexing-'));
  const db = await openTestDatabase({ folder });
  const pages = createSqlitePageStore(db, { maxPages: 1000, maxBytes: 1e9 });
  const indexer = createIndexer({
    fetch,
    hosts: createKeyedLock(),
    pages,
    crawls: createCrawlStore(db),
    maxPages: 1000,
    maxBytes: 1e9,
    pageBytes: PAGE_BYTES,
    pageTimeout: 2000,
  });
  return {
    indexer,
    pages,
    db,
    index: (source, options = {}, owner = 'ann') =>
      indexer.indexSource(owner, source, {
        delayMs: 0,
        include: [],
        exclude: [],
        signal: new AbortController().signal,
        read: (raw, signal) => browse.readBytes(raw, signal),
        progress() {},
        ...options,
      }),
    kept: async (owner = 'ann') => (await pages.listPages(owner, 1000)).pages.map(({ url }) => url).sort(),
    async close() {
      db.close();
      rmSync(folder, { recursive: true });
    },
  };
}
