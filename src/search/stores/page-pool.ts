import { unavailableError } from '../../errors.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { createWorkerPool, type WorkerPool } from '../../lib/workers/worker-pool.ts';
import type { StoredPage } from '../page-store.ts';
import {
  MAX_INDEXED_TERMS,
  MAX_TEXT_BYTES,
  MAX_TITLE_BYTES,
  type PreparedPage,
  preparePage,
  truncateText,
} from './page-text.ts';

const MAX_INLINE_CHARS = 20_000;
const [MAX_WORKERS, MAX_WORKERS_PER_OWNER] = [2, 1];
const [MAX_WAITING, MAX_WAITING_PER_OWNER] = [1000, 500];
const TIME_LIMIT_MS = 15_000;
const IDLE_MS = 60_000;
let pool: WorkerPool<StoredPage, PreparedPage> | undefined;

/** Prepares a page for storage. Throws AppError `unavailable` if the workers are too busy. */
export async function preparePageInPool(owner: string, page: StoredPage): Promise<PreparedPage> {
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
  const cut = {
    ...page,
    title: truncateText(page.title, MAX_TITLE_BYTES),
    text: truncateText(page.text, MAX_TEXT_BYTES),
  };
  const outcome = await pool.run(cut, TIME_LIMIT_MS, NEVER, { owner });
  if ('answer' in outcome) return outcome.answer;
  throw unavailableError(`${page.url} could not be made ready for the local index`);
}

const NEVER = new AbortController().signal;

export async function saveInSteps(
  owner: string,
  pages: Iterable<StoredPage>,
  write: (step: readonly PreparedPage[]) => Promise<void>,
): Promise<void> {
  let [step, words]: [PreparedPage[], number] = [[], 0];
  for (const page of pages) {
    const ready = await preparePageInPool(owner, page);
    if (words + ready.words > MAX_INDEXED_TERMS) {
      await write(step);
      [step, words] = [[], 0];
    }
    step.push(ready);
    words += ready.words;
  }
  if (step.length > 0) await write(step);
}
