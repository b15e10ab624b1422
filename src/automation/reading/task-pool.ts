import { AppError, type ErrorCode, tooLargeError } from '../../errors.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { createWorkerPool, type WorkerPool } from '../../lib/workers/worker-pool.ts';
import { readTask, type TaskReading } from './read-task.ts';

export type TaskAnswer =
  | { readonly reading: TaskReading }
  | { readonly error: { readonly code: ErrorCode; readonly message: string } };

/** A task up to this length is read in this thread, in about 3 ms. A longer task is read in a worker. */
const MAX_INLINE_CHARS = 250;
const MAX_WORKERS = 1;
const [MAX_WAITING, MAX_WAITING_PER_OWNER] = [200, 50];
/** Limit of processor time for a task. A task of 4,000 characters takes about 100 ms. */
const TIME_LIMIT_MS = 5000;
const IDLE_MS = 30_000;

let pool: WorkerPool<string, TaskAnswer> | undefined;

/** Reads a task. Throws `unavailable` if too many tasks wait, and `too_large` if reading takes too long. */
export async function readTaskInPool(task: string, owner: string, signal: AbortSignal): Promise<TaskReading> {
  if (task.length <= MAX_INLINE_CHARS) return readTask(task);
  pool ??= createWorkerPool({
    file: moduleUrl('./task-worker.ts', import.meta.url),
    workers: MAX_WORKERS,
    queue: MAX_WAITING,
    queuePerOwner: MAX_WAITING_PER_OWNER,
    idleMs: IDLE_MS,
    stopOnAbort: true,
  });
  const outcome = await pool.run(task, TIME_LIMIT_MS, signal, { owner });
  if ('failed' in outcome) {
    signal.throwIfAborted();
    throw tooLargeError('q takes too long to read: say it in fewer words');
  }
  if ('reading' in outcome.answer) return outcome.answer.reading;
  const { code, message } = outcome.answer.error;
  throw new AppError(code, message);
}
