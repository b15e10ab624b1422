import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { counted } from '../lib/counted.ts';
import type { GuardedFetch } from '../lib/fetch.ts';
import type { Crawl, CrawlStore, SourceKind } from './crawl-store.ts';
import { createFileVisit, filesOf, isThere, realFolder } from './folder.ts';
import { workThrough } from './index-run.ts';
import type { PageStore } from './page-store.ts';
import { createSite, webAddress } from './site.ts';
import type { Indexer, IndexOptions, IndexSummary } from './types.ts';

export interface IndexerOptions {
  readonly fetch: GuardedFetch;
  readonly pages: PageStore;
  readonly crawls: CrawlStore;
  readonly maxPages: number;
  readonly maxBytes: number;
  /** Most bytes of one page or file. */
  readonly pageBytes: number;
  /** Milliseconds for fetching one page. */
  readonly pageTimeout: number;
}

/** Pages that a run reads of the web when it is not told. */
const WEB_LIMIT = 1000;
const SITE_DEPTH = 5;
const FOLDER_DEPTH = 32;
/** Files read at once: HTML and PDF are read in workers. */
const FILES_AT_ONCE = 4;

export function createIndexer(own: IndexerOptions): Indexer {
  const { fetch, pages, crawls, maxPages, maxBytes, pageBytes, pageTimeout } = own;

  const openCrawl = (owner: string, source: string, kind: SourceKind, options: IndexOptions) => {
    const { depth, include, exclude } = options;
    const asked = JSON.stringify({ depth, include, exclude });
    return crawls.openCrawl(owner, source, { kind, options: asked, requeue: kind !== 'folder' });
  };

  const work = (owner: string, crawl: Crawl, options: IndexOptions, limit: number) => ({
    owner,
    crawl,
    pages,
    crawls,
    limit: options.limit ?? limit,
    signal: options.signal,
    progress: options.progress,
  });

  async function indexFolder(owner: string, path: string, options: IndexOptions): Promise<IndexSummary> {
    const real = await realFolder(path);
    const crawl = await openCrawl(owner, real.path, 'folder', options);
    const skipped: Record<string, number> = {};
    const skip = (why: string) => {
      skipped[why] = (skipped[why] ?? 0) + 1;
    };
    const { depth: maxDepth = FOLDER_DEPTH, include, exclude, signal, read } = options;
    if (real.isFolder) {
      let count = 0;
      for await (const files of filesOf(real.path, { maxDepth, include, exclude }, skip)) {
        if (signal.aborted) break;
        await crawls.queueAddresses(crawl, files);
        count += files.length;
        options.progress(`${counted(count, 'file')} found in ${real.path}`);
      }
    } else await crawls.queueAddresses(crawl, [{ url: addressOf(real.path), depth: 0 }]);
    const kept = async (url: string) => (await pages.getReadTime(owner, url)) !== undefined;
    const visit = createFileVisit({ maxBytes: pageBytes, signal, read, kept });
    const tally = await workThrough(
      { ...work(owner, crawl, options, maxPages), atOnce: FILES_AT_ONCE },
      visit,
    );
    let { forgotten } = tally;
    if (tally.state === 'finished') {
      forgotten += await forgetLost(owner, crawl);
      await crawls.finishCrawl(crawl);
    }
    for (const [why, n] of Object.entries(tally.skipped)) skipped[why] = (skipped[why] ?? 0) + n;
    return { source: real.path, kind: 'folder', resumed: crawl.resumed, ...tally, skipped, forgotten };
  }

  /** Files that were indexed once and are gone now. */
  async function forgetLost(owner: string, crawl: Crawl): Promise<number> {
    const lost: string[] = [];
    for (const url of await crawls.listUnmet(crawl, maxPages)) if (!(await isThere(url))) lost.push(url);
    await crawls.deleteAddresses(crawl, lost);
    return pages.deletePages(owner, lost);
  }

  async function indexWeb(owner: string, address: string, options: IndexOptions): Promise<IndexSummary> {
    const site = await createSite(address, options, {
      fetch,
      timeoutMs: pageTimeout,
      maxBytes: pageBytes,
      depth: SITE_DEPTH,
    });
    const crawl = await openCrawl(owner, site.source, site.kind, options);
    await crawls.queueAddresses(crawl, await site.starts());
    const visit = site.createVisit({
      conditional: crawl.sameOptions,
      kept: async (url) => (await pages.getReadTime(owner, url)) !== undefined,
      stateOf: (url) => crawls.getAddressState(crawl, url),
      add: async (urls, depth) => {
        await crawls.queueAddresses(
          crawl,
          urls.map((url) => ({ url, depth })),
        );
      },
    });
    const tally = await workThrough({ ...work(owner, crawl, options, WEB_LIMIT), atOnce: 1 }, visit);
    if (tally.state === 'finished') await crawls.finishCrawl(crawl);
    return { source: site.source, kind: site.kind, resumed: crawl.resumed, ...tally };
  }

  return {
    indexSource: (owner, source, options) =>
      /^https?:/i.test(source)
        ? indexWeb(owner, source, options)
        : indexFolder(owner, pathOf(source), options),

    async listIndex(owner) {
      const [usage, sources, hosts] = await Promise.all([
        pages.measureUsage(owner),
        crawls.listCrawls(owner),
        pages.countByHost(owner),
      ]);
      return { ...usage, bounds: { pages: maxPages, bytes: maxBytes }, sources, hosts };
    },

    async forgetSource(owner, what) {
      if (what === 'all') {
        await crawls.deleteCrawls(owner);
        return pages.deleteAllPages(owner);
      }
      if (/^https?:/i.test(what)) {
        const prefix = webAddress(what);
        await crawls.deleteCrawls(owner, prefix);
        return pages.deletePagesUnder(owner, prefix);
      }
      const path = await lostOrReal(pathOf(what));
      await crawls.deleteCrawls(owner, path);
      return pages.deletePagesUnder(owner, addressOf(path));
    },
  };
}

function pathOf(source: string): string {
  return /^file:\/\//i.test(source) && URL.canParse(source) ? fileURLToPath(source) : source;
}

function addressOf(path: string): string {
  return pathToFileURL(path).href;
}

/** A folder that is gone can be forgotten too. */
async function lostOrReal(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}
