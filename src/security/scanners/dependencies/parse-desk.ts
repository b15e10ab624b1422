import { moduleUrl } from '../../../lib/module-url.ts';
import { createWorkerPool } from '../../../lib/worker-pool.ts';
import type { ParseAnswer, ParseJob } from './parse.ts';

/** Reads lockfiles in a worker, which is ended when a file takes too long or too much memory. */
export interface ParseDesk {
  parse(job: ParseJob, signal: AbortSignal): Promise<ParseAnswer>;
}

/** Jobs that may wait; more than scans can run at once. */
const MAX_WAITING_JOBS = 1000;
const IDLE_MS = 10_000;

/** One worker, started when it is needed; it keeps no process alive. `fileMs` is processor time for one file. */
export function createParseDesk(fileMs: number): ParseDesk {
  const pool = createWorkerPool<ParseJob, ParseAnswer>({
    file: moduleUrl('./parse-worker.ts', import.meta.url),
    workers: 1,
    queue: MAX_WAITING_JOBS,
    idleMs: IDLE_MS,
    stopOnAbort: true,
  });
  return {
    async parse(job, signal) {
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
