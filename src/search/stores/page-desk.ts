import { AppError } from '../../errors.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { createWorkerPool, type WorkerPool } from '../../lib/workers/worker-pool.ts';
import type { StoredPage } from '../local-index/page-store.ts';
import { cutAt, MAX_TEXT_BYTES, MAX_TITLE_BYTES, type PreparedPage, preparePage } from './page-text.ts';

/** Makes pages ready for the disk: short ones at once, long ones in a thread. */

/** Characters that are made ready at once: some 5 ms. */
const MAX_INLINE_CHARS = 20_000;
/** Threads in all, and of one user. */
const [MAX_WORKERS, MAX_WORKERS_PER_OWNER] = [2, 1];
/** Pages that may wait, of all users and of one. */
const [MAX_WAITING, MAX_WAITING_PER_OWNER] = [1000, 500];
/** Milliseconds of processor time: the longest text takes some 500. */
const TIME_LIMIT_MS = 15_000;
const IDLE_MS = 60_000;

/** The threads of all stores of a process; each ends when it has had nothing to do. */
let pool: WorkerPool<StoredPage, PreparedPage> | undefined;

/** AppError `unavailable` when too many wait or the page takes too long. */
export async function prepare(owner: string, page: StoredPage): Promise<PreparedPage> {
  if (page.title.length + page.text.length <= MAX_INLINE_CHARS) return preparePage(page);
  pool ??= createWorkerPool({
    file: moduleUrl('./page-worker.ts', import.meta.url),
    workers: MAX_WORKERS,
    workersPerOwner: MAX_WORKERS_PER_OWNER,
    queue: MAX_WAITING,
    queuePerOwner: MAX_WAITING_PER_OWNER,
    idleMs: IDLE_MS,
    stopOnAbort: false,
  });
  // What lies beyond is not kept: it need not be sent.
  const cut = { ...page, title: cutAt(page.title, MAX_TITLE_BYTES), text: cutAt(page.text, MAX_TEXT_BYTES) };
  const outcome = await pool.run(cut, TIME_LIMIT_MS, NEVER, { owner });
  if ('answer' in outcome) return outcome.answer;
  throw new AppError('unavailable', `${page.url} could not be made ready for the local index`);
}

const NEVER = new AbortController().signal;
