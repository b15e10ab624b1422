import { AppError } from '../../errors.ts';
import type { CrawlBound, CrawlTally, Indexer, IndexOptions } from '../types.ts';
import type { CrawlRunner } from './crawl-store.ts';

/** Limits of a run. Queued addresses that a run does not reach wait for the next run. */
const MAX_PAGES = 1000;
const MAX_BYTES = 200_000_000;
export const MAX_CRAWL_MS = 3_600_000;
const MAX_ADDRESSES = 20_000;
/** Minimum milliseconds between two requests to a host. robots.txt may demand more. */
const CRAWL_DELAY_MS = 500;
export const [MAX_RUNS, MAX_RUNS_PER_OWNER] = [8, 2];
export const RETRY_AFTER_S = 60;
export const REPORT_INTERVAL_MS = 250;
const KEPT = { crawls: 100, addresses: 200_000 };

export interface CrawlRunOptions extends Pick<IndexOptions, 'read' | 'mayFetch' | 'signal' | 'progress'> {
  readonly owner: string;
  readonly source: string;
  readonly depth: number;
  readonly delayMs?: number | undefined;
  readonly as?: CrawlRunner;
  /** Start of the crawl's first run, in milliseconds since 1970. Default: now. */
  readonly begunAt?: number | undefined;
  onOpen(): void | Promise<void>;
  report(tally: CrawlTally): void;
}

export async function runCrawl(indexer: Indexer, work: CrawlRunOptions): Promise<void> {
  const { owner, source, depth, read, mayFetch, signal, as, begunAt = Date.now(), ...followed } = work;
  const { delayMs = CRAWL_DELAY_MS } = work;
  let bytes = 0;
  const isOver = (): CrawlBound | undefined => {
    if (bytes > MAX_BYTES) return 'bytes';
    return Date.now() - begunAt > MAX_CRAWL_MS ? 'time' : undefined;
  };
  const job = {
    as,
    maxAddresses: MAX_ADDRESSES,
    onOpen: followed.onOpen,
    report: followed.report,
    addBytes(count: number) {
      bytes += count;
    },
    isOver,
  };
  try {
    await indexer.indexSource(owner, source, {
      ...{ depth, limit: MAX_PAGES, delayMs, include: [], exclude: [], read, job, signal },
      ...(mayFetch && { mayFetch }),
      progress: followed.progress,
    });
  } finally {
    await indexer.trimCrawls(owner, KEPT);
  }
}

export function createTooManyCrawlsError(own: number): AppError {
  const message = `${own} of your crawls run already: wait for the end of one, or stop it`;
  return new AppError('rate_limited', message, { retryAfter: RETRY_AFTER_S });
}

export function createCrawlStoppedError(): AppError {
  return new AppError('cancelled', 'the crawl was stopped');
}
