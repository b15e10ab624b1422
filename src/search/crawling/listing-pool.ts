import { tooLargeError, upstreamError } from '../../errors.ts';
import type { FetchResult } from '../../lib/network/fetch.ts';
import { type ValueOrError, valueOrThrow } from '../../lib/workers/job-error.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { createWorkerPool, type WorkerPool } from '../../lib/workers/worker-pool.ts';
import { isGzip, readSitemapOrFeed, type SitemapOrFeed } from './listing.ts';

/** Parses short listings (sitemaps, feeds) in the main thread, long or gzipped listings in a worker. */

export interface SitemapOrFeedJob {
  readonly body: Uint8Array;
  readonly url: string;
}

export type ListingAnswer = ValueOrError<SitemapOrFeed>;

const MAX_INLINE_BYTES = 20_000;
const [MAX_WORKERS, MAX_WORKERS_PER_OWNER] = [2, 1];
const [MAX_WAITING, MAX_WAITING_PER_OWNER] = [50, 20];
const MAX_BYTES = { all: 200_000_000, perOwner: 60_000_000 };
/** Limit of processor time. A file of 50 MB takes about 2,000 ms. */
const TIME_LIMIT_MS = 10_000;
const IDLE_MS = 30_000;
let pool: WorkerPool<SitemapOrFeedJob, ListingAnswer> | undefined;

/** Parses a sitemap or feed. Throws AppError `too_large`, `unsupported`, `upstream` or `unavailable`. */
export async function readListingInPool(
  { isCut, ...file }: Pick<FetchResult, 'body' | 'url' | 'isCut'>,
  signal: AbortSignal,
  owner: string,
): Promise<SitemapOrFeed> {
  const listing = await parseInPool(file, signal, owner);
  if (isCut && listing.kind !== 'other') throw upstreamError(`the end of ${file.url} is missing`);
  return listing;
}

async function parseInPool({ body, url }: SitemapOrFeedJob, signal: AbortSignal, owner: string) {
  if (body.length <= MAX_INLINE_BYTES && !isGzip(body)) return readSitemapOrFeed(body, url);
  pool ??= createWorkerPool({
    file: moduleUrl('./listing-worker.ts', import.meta.url),
    workers: MAX_WORKERS,
    workersPerOwner: MAX_WORKERS_PER_OWNER,
    queue: MAX_WAITING,
    queuePerOwner: MAX_WAITING_PER_OWNER,
    bytes: MAX_BYTES,
    idleMs: IDLE_MS,
    stopOnAbort: true,
  });
  const outcome = await pool.run({ body, url }, TIME_LIMIT_MS, signal, { owner, bytes: body.length });
  if ('failed' in outcome) {
    signal.throwIfAborted();
    throw tooLargeError(`the list of pages at ${url} takes too long to read`);
  }
  return valueOrThrow(outcome.answer);
}
