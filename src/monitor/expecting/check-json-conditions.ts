import { AppError } from '../../errors.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { createWorkerPool, type WorkerPool } from '../../lib/workers/worker-pool.ts';
import type { UnmetExpectation } from '../probing/probe-options.ts';
import { findUnmetConditions, type JsonConditionJob } from './json-condition.ts';

/** Longer answers are checked in a worker. This length takes under a millisecond. */
const MAX_INLINE_CHARS = 20_000;
const MAX_WAITING = 1000;
/** Processor time to check one answer. An answer of a megabyte takes about 20 ms. */
const TIME_LIMIT_MS = 5000;
const IDLE_MS = 60_000;

let pool: WorkerPool<JsonConditionJob, readonly UnmetExpectation[]> | undefined;

/** Returns the conditions that an answer does not meet. Throws AppError `unavailable` if too many answers wait. */
export async function checkJsonConditions(
  job: JsonConditionJob,
  signal: AbortSignal,
): Promise<readonly UnmetExpectation[]> {
  if (job.body.length <= MAX_INLINE_CHARS) return findUnmetConditions(job);
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
