import { basename } from 'node:path';
import { AppError, BusyError } from '../../errors.ts';
import { untilAborted } from '../concurrency/deadline.ts';
import { createLimiter } from '../concurrency/limiter.ts';
import { registerWaitingJob } from '../concurrency/waiting-jobs.ts';
import { runInSpan } from '../tracing.ts';
import { startProcess } from './pool-process.ts';
import { startThread } from './pool-thread.ts';
import type { JobLimits, JobOutcome, PoolWorker, WorkerOutcome } from './pool-worker.ts';
import { processorMeter } from './processor-meter.ts';
import { keepSpare, takeSpare } from './spare-workers.ts';
import { type BusyWorkerPatience, createWorkerList } from './worker-list.ts';

export type { JobHandler, JobOutcome } from './pool-worker.ts';

export interface PoolOptions {
  /** Module of the workers, which exports a function `answer` of type JobHandler. */
  readonly file: URL;
  readonly workers: number;
  /** Default: `workers`. */
  readonly workersPerOwner?: number;
  readonly queue: number;
  /** Default: `queue`. */
  readonly queuePerOwner?: number;
  /** Maximum bytes of all waiting and running jobs. A single job may exceed it. */
  readonly bytes?: { readonly all: number; readonly perOwner: number };
  /** If set, workers are processes of this size. Otherwise they are threads. */
  readonly memoryBytes?: number;
  /** A process with more memory after a job is ended. Default: half of `memoryBytes`. */
  readonly restBytes?: number;
  readonly idleMs: number;
  readonly patience?: BusyWorkerPatience;
  /** True to keep idle workers of a closed pool for the next pool. Needs `keepSpareWorkers`. */
  readonly sparesWorkers?: boolean;
  /** True to end the worker of a cancelled job. Otherwise its answer is dropped. */
  readonly stopOnAbort: boolean;
}

export interface JobOptions extends Omit<JobLimits, 'processorMs' | 'onEnd'> {
  readonly owner?: string;
  readonly bytes?: number;
  readonly alwaysWaits?: boolean;
  onBegin?(): void;
}

export interface WorkerPool<Job, Answer> {
  /** Runs a job. Throws BusyError, `unavailable` (closed) or the signal's reason. */
  run(job: Job, processorMs: number, signal: AbortSignal, more?: JobOptions): Promise<JobOutcome<Answer>>;
  close(): Promise<void>;
}

const NEVER = new AbortController().signal;

export function createWorkerPool<Job, Answer>(options: PoolOptions): WorkerPool<Job, Answer> {
  const { queuePerOwner = Infinity } = options;
  const limiter = createLimiter({
    concurrency: options.workers,
    concurrencyPerOwner: options.workersPerOwner,
    maxWaiting: options.queue,
    maxWaitingPerOwner: queuePerOwner,
    refuse: ({ own }) => (own >= queuePerOwner ? tooManyOfOne() : tooMany()),
  });
  const held = createBytes(options.bytes, tooMany);
  const {
    file,
    memoryBytes,
    restBytes,
    idleMs,
    patience = { starts: 0, mostMs: 0 },
    sparesWorkers,
  } = options;
  const kind = `${file} ${memoryBytes} ${restBytes}`;
  const spare = () => (sparesWorkers ? (takeSpare(kind) as PoolWorker<Job, Answer> | undefined) : undefined);
  const start = () =>
    memoryBytes === undefined
      ? startThread<Job, Answer>(file)
      : startProcess<Job, Answer>(file, memoryBytes, restBytes);
  const shelf = createWorkerList<PoolWorker<Job, Answer>>({
    start: () => spare() ?? start(),
    keep: (worker) => sparesWorkers === true && keepSpare(kind, worker, idleMs),
    idleMs,
    patience,
  });
  let closed = false;
  const jobName = basename(file.pathname).replace(/\.\w+$/, '');

  /** Resolves when the worker is free for another job or is about to end. */
  async function work(
    job: Job,
    { onBegin, ...limits }: JobLimits & Pick<JobOptions, 'onBegin'>,
    signal: AbortSignal,
    owner: string,
  ): Promise<JobOutcome<Answer>> {
    if (closed) throw closing();
    const worker = await shelf.take(signal, owner).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw closed ? closing() : noStart(cause);
    });
    if (signal.aborted) {
      shelf.putBack(worker);
      throw signal.reason;
    }
    onBegin?.();
    const outcome = await worker.work(job, limits, options.stopOnAbort ? signal : NEVER);
    if ('answer' in outcome) shelf.putBack(worker);
    else void shelf.end(worker);
    return known(outcome, signal);
  }

  return {
    async run(job, processorMs, signal, { owner = '', bytes = 0, alwaysWaits, ...more } = {}) {
      signal.throwIfAborted();
      if (closed) throw closing();
      // Fetched now, because `begin` may run in the async context of another request.
      const onEnd = processorMeter();
      const release = held.take(owner, bytes);
      const noLonger = registerWaitingJob();
      // A cancelled job counts as running until its worker is free again.
      const begin = async () => {
        noLonger();
        // The signal may have aborted while the job waited.
        signal.throwIfAborted();
        return runInSpan(
          () => ({ name: `job ${jobName}`, kind: 'internal', facts: { 'magpie.job': jobName } }),
          () => work(job, { ...more, processorMs, onEnd }, signal, owner),
        );
      };
      const settled = () => {
        noLonger();
        release();
      };
      return untilAborted(limiter.run(begin, { signal, owner, alwaysWaits }).finally(settled), signal);
    },
    async close() {
      closed = true;
      await shelf.close(closing);
      await limiter.idle();
    },
  };
}

const RETRY_SECONDS = 5;

function closing(): AppError {
  return new AppError('unavailable', 'Magpie is shutting down; try again later');
}

function tooMany(): BusyError {
  return new BusyError(`Magpie is busy with other calls: ask again in ${RETRY_SECONDS} seconds`, {
    retryAfter: RETRY_SECONDS,
  });
}

function tooManyOfOne(): BusyError {
  const message = `Magpie is busy with your other calls: ask again in ${RETRY_SECONDS} seconds, with fewer at once`;
  return new BusyError(message, { retryAfter: RETRY_SECONDS });
}

function noStart(cause: unknown): BusyError {
  const message = `no reader can start on this machine now: ask again in ${RETRY_SECONDS} seconds`;
  return new BusyError(message, {
    retryAfter: RETRY_SECONDS,
    cause,
  });
}

function known<Answer>(outcome: WorkerOutcome<Answer>, signal: AbortSignal): JobOutcome<Answer> {
  if ('answer' in outcome) return outcome;
  const { failed } = outcome;
  if (failed === 'start') throw noStart(outcome.cause);
  if (failed !== 'stopped') return { failed };
  signal.throwIfAborted();
  throw closing();
}

/** Counts bytes. `take` adds bytes and returns a function that subtracts them. Throws if a limit is exceeded. */
function createBytes(bounds: PoolOptions['bytes'], refuse: () => AppError) {
  const held = new Map<string, number>();
  let all = 0;
  return {
    take(owner: string, bytes: number): () => void {
      if (bytes === 0) return () => {};
      const own = held.get(owner) ?? 0;
      const over =
        bounds && ((own > 0 && own + bytes > bounds.perOwner) || (all > 0 && all + bytes > bounds.all));
      if (over) throw refuse();
      held.set(owner, own + bytes);
      all += bytes;
      return () => {
        all -= bytes;
        const left = (held.get(owner) ?? 0) - bytes;
        if (left > 0) held.set(owner, left);
        else held.delete(owner);
      };
    },
  };
}

/** Runs one job in a thread of its own. Resolves to its answer or the reason of failure. */
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
