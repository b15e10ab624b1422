import { moduleUrl } from '../../../lib/workers/module-url.ts';
import { createWorkerPool, type WorkerPool } from '../../../lib/workers/worker-pool.ts';
import type { ParseAnswer, ParseJob } from './parse.ts';

/** Reads lockfiles in a worker, which is ended when a file takes too long or too much memory. */
export interface ParseDesk {
  parse(job: ParseJob, signal: AbortSignal): Promise<ParseAnswer>;
}

/** Jobs that may wait; more than scans can run at once. */
const MAX_WAITING_JOBS = 1000;
const IDLE_MS = 10_000;

/** The worker of all scans of a process, started when it is needed; it keeps no process alive. */
let pool: WorkerPool<ParseJob, ParseAnswer> | undefined;

/** `fileMs` is processor time for one file. */
export function createParseDesk(fileMs: number): ParseDesk {
  return {
    async parse(job, signal) {
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
  };
}
