import { AppError } from '../errors.ts';
import { untilAborted } from './deadline.ts';
import { createLimiter } from './limiter.ts';
import { startThread } from './pool-thread.ts';
import type { JobLimits, Outcome, PoolWorker } from './pool-worker.ts';

export type { JobHandler, Outcome } from './pool-worker.ts';

/** Bounds of a pool of workers. */
export interface PoolOptions {
  /** The workers' module; it exports `answer`, a JobHandler. */
  readonly file: URL;
  /** Workers at once. */
  readonly workers: number;
  /** Jobs that may wait for one. */
  readonly queue: number;
  /** Milliseconds after which a worker with nothing to do is let go. */
  readonly idleMs: number;
  /** Whether cancelling a job ends its worker; otherwise the work continues until its time limit, and its answer is dropped. */
  readonly stopOnAbort: boolean;
}

/** Work that would hold the event loop up, done in workers. */
export interface WorkerPool<Job, Answer> {
  /**
   * `processorMs` are milliseconds of the worker's own processor time; its start does not count. AppError `unavailable`
   * when too many wait; throws the signal's reason when cancelled.
   */
  run(
    job: Job,
    processorMs: number,
    signal: AbortSignal,
    more?: Omit<JobLimits, 'processorMs'>,
  ): Promise<Outcome<Answer>>;
  close(): Promise<void>;
}

const NEVER = new AbortController().signal;

/** Workers are started when needed. */
export function createWorkerPool<Job, Answer>(options: PoolOptions): WorkerPool<Job, Answer> {
  const limiter = createLimiter({
    concurrency: options.workers,
    maxWaiting: options.queue,
    refuse: () =>
      new AppError('unavailable', 'too many pages are being read at once; try again shortly', {
        retryAfter: 5,
      }),
  });
  type Worker = PoolWorker<Job, Answer>;
  const idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout }[] = [];
  const all = new Set<Worker>();

  function takeWorker(): Worker {
    for (let free = idle.pop(); free; free = idle.pop()) {
      clearTimeout(free.timer);
      if (free.worker.usable()) return free.worker;
      void end(free.worker);
    }
    const worker = startThread<Job, Answer>(options.file);
    all.add(worker);
    return worker;
  }

  function rest(worker: Worker): void {
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((one) => one.worker === worker),
        1,
      );
      void end(worker);
    }, options.idleMs).unref();
    idle.push({ worker, timer });
  }

  async function end(worker: Worker): Promise<void> {
    await worker.end();
    all.delete(worker);
  }

  /** One job on one worker; the worker is free again, or ended, when this resolves. */
  async function work(job: Job, limits: JobLimits, signal: AbortSignal): Promise<Outcome<Answer>> {
    const worker = takeWorker();
    const outcome = await worker.work(job, limits, options.stopOnAbort ? signal : NEVER);
    if ('answer' in outcome && worker.usable()) rest(worker);
    else void end(worker);
    return outcome;
  }

  return {
    async run(job, processorMs, signal, more) {
      signal.throwIfAborted();
      // A caller who gives up is answered at once; its place is free when the worker is.
      const begin = async () => {
        // An abort in the moment in which the job gets its place would not be heard by `work`.
        signal.throwIfAborted();
        return work(job, { ...more, processorMs }, signal);
      };
      return untilAborted(limiter.run(begin, { signal }), signal);
    },
    async close() {
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      await Promise.all([...all].map(end));
    },
  };
}
