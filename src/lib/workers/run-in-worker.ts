import { createWorkerPool } from './worker-pool.ts';

/** Runs one job in a worker thread of its own that ends with the job. Resolves to its answer, or to the reason why there is none. */
export async function runInWorker<Job, Answer>(file: URL, job: Job, limitMs: number, signal: AbortSignal) {
  const pool = createWorkerPool<Job, Answer>({
    file,
    workers: 1,
    queue: 1,
    idleMs: 1000,
    stopOnAbort: true,
    sparesWorkers: true,
  });
  try {
    return await pool.run(job, limitMs, signal);
  } finally {
    await pool.close();
  }
}
