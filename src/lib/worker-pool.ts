import { Worker } from 'node:worker_threads';
import { AppError } from '../errors.ts';

/** Bounds of a pool of workers. */
export interface PoolOptions {
  /** The worker's file; it answers every message with one of its own. */
  readonly file: URL;
  /** Workers at once. */
  readonly workers: number;
  /** Jobs that may wait for one. */
  readonly queue: number;
  /** Milliseconds after which a worker with nothing to do is let go. */
  readonly idleMs: number;
  /** Whether a cancelled job takes its worker along; without it the work goes on unheard until its time is up. */
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

interface Waiting<Job, Answer> {
  readonly job: Job;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  done(outcome: Outcome<Answer>): void;
}

/** Workers are started when needed. (No heap limit: reaching one can end the whole process.) */
export function createWorkerPool<Job, Answer>(options: PoolOptions): WorkerPool<Job, Answer> {
  const waiting: Waiting<Job, Answer>[] = [];
  const idle: { worker: Worker; timer: NodeJS.Timeout }[] = [];
  const all = new Set<Worker>();

  function start(): Worker {
    const worker = new Worker(options.file);
    worker.unref();
    worker.on('error', () => {});
    worker.once('exit', () => all.delete(worker));
    all.add(worker);
    return worker;
  }

  function next(): void {
    if (waiting.length === 0) return;
    const free = idle.pop();
    if (free) clearTimeout(free.timer);
    else if (all.size >= options.workers) return;
    const one = waiting.shift();
    if (one) work(free?.worker ?? start(), one);
  }

  function work(worker: Worker, { job, timeoutMs, signal, done }: Waiting<Job, Answer>): void {
    let ended = false;
    const end = (outcome: Outcome<Answer>) => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      worker.off('message', onMessage).off('exit', onExit);
      if ('answer' in outcome) rest(worker);
      else {
        all.delete(worker);
        void worker.terminate();
      }
      done(outcome);
      next();
    };
    const onMessage = (answer: Answer) => end({ answer });
    const onExit = () => end({ failed: 'broken' });
    const stop = () => options.stopOnAbort && end({ failed: 'time' });
    const timer = setTimeout(() => end({ failed: 'time' }), timeoutMs);
    worker.on('message', onMessage).on('exit', onExit);
    signal.addEventListener('abort', stop, { once: true });
    worker.postMessage(job);
  }

  function rest(worker: Worker): void {
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((one) => one.worker === worker),
        1,
      );
      all.delete(worker);
      void worker.terminate();
    }, options.idleMs).unref();
    idle.push({ worker, timer });
  }

  return {
    async run(job, timeoutMs, signal) {
      signal.throwIfAborted();
      if (waiting.length >= options.queue) {
        throw new AppError('unavailable', 'too many pages are being read at once; try again shortly', {
          retryAfter: 5,
        });
      }
      const { promise, resolve, reject } = Promise.withResolvers<Outcome<Answer>>();
      const one: Waiting<Job, Answer> = { job, timeoutMs, signal, done: resolve };
      const cancel = () => {
        const at = waiting.indexOf(one);
        if (at >= 0) waiting.splice(at, 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', cancel, { once: true });
      waiting.push(one);
      next();
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    },
    async close() {
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}
