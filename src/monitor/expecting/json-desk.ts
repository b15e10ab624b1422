import { AppError } from '../../errors.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { createWorkerPool, type WorkerPool } from '../../lib/workers/worker-pool.ts';
import type { Fault } from '../probing/probing.ts';
import { type JsonJob, judgeJson } from './json-condition.ts';

/** Holds JSON answers against conditions: short ones at once, long ones in a thread. */

/** Characters that are read at once: less than a millisecond. */
const MAX_INLINE_CHARS = 20_000;
/** Answers that may wait. */
const MAX_WAITING = 1000;
/** Milliseconds of processor time: a megabyte takes some 20. */
const TIME_LIMIT_MS = 5000;
const IDLE_MS = 60_000;

/** The thread of all monitors of a process; it ends when it has had nothing to do. */
let pool: WorkerPool<JsonJob, readonly Fault[]> | undefined;

/** What is wrong with an answer, in plain words after `it`. AppError `unavailable` when too many wait. */
export async function jsonFaults(job: JsonJob, signal: AbortSignal): Promise<readonly Fault[]> {
  if (job.body.length <= MAX_INLINE_CHARS) return judgeJson(job);
  pool ??= createWorkerPool({
    file: moduleUrl('./json-worker.ts', import.meta.url),
    workers: 1,
    queue: MAX_WAITING,
    idleMs: IDLE_MS,
    stopOnAbort: false,
  });
  const outcome = await pool.run(job, TIME_LIMIT_MS, signal);
  if ('answer' in outcome) return outcome.answer;
  throw new AppError('unavailable', 'the JSON of the answer takes too long to read');
}
