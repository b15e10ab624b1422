import { AppError, type ErrorCode } from '../../errors.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { createWorkerPool, type WorkerPool } from '../../lib/workers/worker-pool.ts';
import { isPacked, type Listing, readListing } from './listing.ts';

/** Reads sitemaps and feeds: short ones at once, long and packed ones in a thread. */

export interface ListingJob {
  readonly body: Uint8Array;
  readonly url: string;
}

export type ListingAnswer =
  | { readonly listing: Listing }
  | { readonly error: { readonly code: ErrorCode; readonly message: string } };

/** Bytes that are read at once: some 3 ms. */
const MAX_INLINE_BYTES = 20_000;
/** Threads in all, and of one user. */
const [MAX_WORKERS, MAX_WORKERS_PER_OWNER] = [2, 1];
/** Files that may wait, of all users and of one. */
const [MAX_WAITING, MAX_WAITING_PER_OWNER] = [50, 20];
/** Bytes of those that wait or run, of all users and of one. */
const MAX_BYTES = { all: 200_000_000, perOwner: 60_000_000 };
/** Milliseconds of processor time: 50 MB take some 2,000. */
const TIME_LIMIT_MS = 10_000;
const IDLE_MS = 30_000;

/** The threads of all crawls of a process; each ends when it has had nothing to do. */
let pool: WorkerPool<ListingJob, ListingAnswer> | undefined;

/**
 * What a file lists. AppError `too_large` and `unsupported` as in listing.ts, `too_large` where it takes too long, and
 * `unavailable` when too many wait.
 */
export async function listingOf(
  body: Uint8Array,
  url: string,
  signal: AbortSignal,
  owner: string,
): Promise<Listing> {
  if (body.length <= MAX_INLINE_BYTES && !isPacked(body)) return readListing(body, url);
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
    throw new AppError('too_large', `the list of pages at ${url} takes too long to read`);
  }
  if ('listing' in outcome.answer) return outcome.answer.listing;
  const { code, message } = outcome.answer.error;
  throw new AppError(code, message);
}
