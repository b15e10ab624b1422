import { moduleUrl } from '../../../lib/workers/module-url.ts';
import { createWorkerPool, type WorkerPool } from '../../../lib/workers/worker-pool.ts';
import type { LockfileParseJob, ParseAnswer } from './parse.ts';

export type LockfileParser = ReturnType<typeof createLockfileParser>;

const MAX_WAITING_JOBS = 1000;
const IDLE_MS = 10_000;
/** Worker pool for the lockfiles of all scans. Created on first use. Does not keep the process alive. */
let pool: WorkerPool<LockfileParseJob, ParseAnswer> | undefined;

export const createLockfileParser = (fileMs: number) => ({
  async parse(job: LockfileParseJob, signal: AbortSignal) {
    pool ??= createWorkerPool({
      file: moduleUrl('./parse-worker.ts', import.meta.url),
      workers: 1,
      queue: MAX_WAITING_JOBS,
      idleMs: IDLE_MS,
      stopOnAbort: true,
    });
    const outcome = await pool.run(job, fileMs, signal);
    if ('answer' in outcome) return outcome.answer;
    return {
      broken:
        outcome.failed === 'time'
          ? `reading it took over ${fileMs / 1000} seconds of processor time`
          : 'its reader crashed',
    };
  },
});
