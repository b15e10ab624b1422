import { Worker } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import { untilAborted } from './deadline.ts';
import { createLimiter } from './limiter.ts';

/** Bounds of a pool of workers. */
export interface PoolOptions {
  /** The worker's file; it answers every message with one message. */
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

/** How one job ended: with an answer, or without one since its worker broke or was out of time. */
export type Outcome<Answer> = { readonly answer: Answer } | { readonly failed: 'time' | 'broken' };

/** Work that would hold the event loop up, done in worker threads. */
export interface WorkerPool<Job, Answer> {
  /** AppError `unavailable` when too many wait; throws the signal's reason when cancelled. */
  run(job: Job, timeoutMs: number, signal: AbortSignal): Promise<Outcome<Answer>>;
  close(): Promise<void>;
}

interface Idle {
  readonly worker: Worker;
  readonly timer: NodeJS.Timeout;
}

/** Workers are started when needed. (No heap limit: reaching one can end the whole process.) */
export function createWorkerPool<Job, Answer>(options: PoolOptions): WorkerPool<Job, Answer> {
  const limiter = createLimiter({
    concurrency: options.workers,
    maxWaiting: options.queue,
    refuse: () =>
      new AppError('unavailable', 'too many pages are being read at once; try again shortly', {
        retryAfter: 5,
      }),
  });
  const idle: Idle[] = [];
  const all = new Set<Worker>();

  function start(): Worker {
    const worker = new Worker(options.file);
    worker.unref();
    worker.on('error', () => {});
    worker.once('exit', () => all.delete(worker));
    all.add(worker);
    return worker;
  }

  function takeWorker(): Worker {
    const free = idle.pop();
    clearTimeout(free?.timer);
    return free?.worker ?? start();
  }

  function rest(worker: Worker): void {
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((one) => one.worker === worker),
        1,
      );
      end(worker);
    }, options.idleMs).unref();
    idle.push({ worker, timer });
  }

  function end(worker: Worker): void {
    all.delete(worker);
    void worker.terminate();
  }

  /** One job on one worker; the worker is free again, or ended, when this resolves. */
  function work(job: Job, timeoutMs: number, signal: AbortSignal): Promise<Outcome<Answer>> {
    const worker = takeWorker();
    const { promise, resolve } = Promise.withResolvers<Outcome<Answer>>();
    const onMessage = (answer: Answer) => resolve({ answer });
    const onExit = () => resolve({ failed: 'broken' });
    const onTime = () => resolve({ failed: 'time' });
    const timer = setTimeout(onTime, timeoutMs);
    worker.on('message', onMessage).on('exit', onExit);
    if (options.stopOnAbort) signal.addEventListener('abort', onTime, { once: true });
    worker.postMessage(job);
    return promise.then((outcome) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onTime);
      worker.off('message', onMessage).off('exit', onExit);
      if ('answer' in outcome) rest(worker);
      else end(worker);
      return outcome;
    });
  }

  return {
    async run(job, timeoutMs, signal) {
      signal.throwIfAborted();
      // A caller who gives up is answered at once; its place is free when the worker is.
      const begin = async () => {
        // An abort in the moment in which the job gets its place would not be heard by `work`.
        signal.throwIfAborted();
        return work(job, timeoutMs, signal);
      };
      return untilAborted(limiter.run(begin, { signal }), signal);
    },
    async close() {
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}
