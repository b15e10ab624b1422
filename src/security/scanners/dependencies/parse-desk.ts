import { moduleUrl } from '../../../lib/module-url.ts';
import { createWorkerPool } from '../../../lib/worker-pool.ts';
import type { ParseAnswer, ParseJob } from './parse.ts';

/** Reads lockfiles in a worker, which is ended where one takes too long or takes all memory. */
export interface ParseDesk {
  parse(job: ParseJob, signal: AbortSignal): Promise<ParseAnswer>;
}

/** Scans that may wait for it, far more than may run. */
const QUEUE = 1000;
const IDLE = 10_000;

/** One worker, started when it is needed; it keeps no process alive. `fileMs` is for one file. */
export function createParseDesk(fileMs: number): ParseDesk {
  const pool = createWorkerPool<ParseJob, ParseAnswer>({
    file: moduleUrl('./parse-worker.ts', import.meta.url),
    workers: 1,
    queue: QUEUE,
    idleMs: IDLE,
    stopOnAbort: true,
  });
  return {
    async parse(job, signal) {
      const outcome = await pool.run(job, fileMs, signal);
      if ('answer' in outcome) return outcome.answer;
      return {
        broken:
          outcome.failed === 'time' ? `reading it took over ${fileMs / 1000} seconds` : 'it broke its reader',
      };
    },
  };
}
