import { unavailableError } from '../../errors.ts';
import type { JobQueue } from '../../lib/concurrency/job-queue.ts';
import { createLimiter } from '../../lib/concurrency/limiter.ts';
import type { Logger } from '../../log.ts';
import type { Indexer, SiteCrawler, SiteMap } from '../types.ts';
import type { CrawlJobStore } from './crawl-job-store.ts';
import { createInProcessCrawls } from './in-process-crawls.ts';
import { createSharedCrawls } from './shared-crawls.ts';
import { makeSiteMap, type SiteMapServices } from './site-map.ts';

export interface SitesOptions extends SiteMapServices {
  readonly indexer: () => Promise<Indexer>;
  readonly log: Logger;
  readonly crawlDelayMs?: number | undefined;
  /** Store and queue of crawls that several nodes share. Without them, the process runs its own crawls. */
  readonly shared?: { readonly store: CrawlJobStore; readonly queue: JobQueue } | undefined;
}

const [MAX_AT_ONCE, MAX_AT_ONCE_PER_OWNER] = [4, 2];
const [MAX_WAITING, MAX_WAITING_PER_OWNER] = [40, 10];
const MAX_KEPT = 16;
const KEEP_MS = 600_000;

export function createSiteCrawler(own: SitesOptions): SiteCrawler {
  const limiter = createLimiter({
    concurrency: MAX_AT_ONCE,
    concurrencyPerOwner: MAX_AT_ONCE_PER_OWNER,
    maxWaiting: MAX_WAITING,
    maxWaitingPerOwner: MAX_WAITING_PER_OWNER,
    refuse: () =>
      unavailableError('too many maps are being made at once; try again shortly', { retryAfter: 20 }),
  });
  const kept = new Map<string, { readonly map: SiteMap; readonly until: number }>();
  return {
    ...createCrawls(own),
    async mapSite(owner, address, mayBeKept, options) {
      const key = JSON.stringify([owner, address]);
      const known = kept.get(key);
      if (mayBeKept && known && known.until > Date.now()) return known.map;
      const make = () => makeSiteMap(address, { ...own, ...options, owner });
      const map = await limiter.run(make, { owner, signal: options.signal });
      kept.delete(key);
      kept.set(key, { map, until: Date.now() + KEEP_MS });
      const [oldest] = kept.keys();
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
      return map;
    },
  };
}

function createCrawls({
  indexer,
  log,
  shared,
  crawlDelayMs: delayMs,
}: SitesOptions): Omit<SiteCrawler, 'mapSite'> {
  const desk = createInProcessCrawls(indexer, log, delayMs);
  const nodes = shared && createSharedCrawls({ indexer, log, delayMs, ...shared });
  if (!nodes) return { ...desk, handleCrawls() {} };
  return {
    startCrawl: (owner, address, options) =>
      (options.terms === undefined ? desk : nodes).startCrawl(owner, address, options),
    readCrawls: async (owner, address) => nodes.withJobs(owner, await desk.readCrawls(owner, address)),
    stopCrawl: async (owner, address) =>
      (await nodes.stopCrawl(owner, address)) || desk.stopCrawl(owner, address),
    handleCrawls: nodes.handleCrawls,
    close: desk.close,
  };
}
