import { basename } from 'node:path';
import { type AppError, BusyError, unavailableError } from '../../errors.ts';
import { waitUnlessAborted } from '../concurrency/deadline.ts';
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
  /** Module of the workers, which exports a function `handleJob` of type JobHandler. */
  readonly file: URL;
  readonly workers: number;
  readonly workersPerOwner?: number;
  readonly queue: number;
  readonly queuePerOwner?: number;
  /** Maximum total bytes of waiting and running jobs. A job may be larger if it is the only one. */
  readonly bytes?: { readonly all: number; readonly perOwner: number };
  /** A process that uses more bytes than this after a job is replaced. Default: half of `memoryBytes`. */
  readonly memoryBytes?: number;
  /** Maximum memory of a process after a job, above which it is replaced. Default: half of `memoryBytes`. */
  readonly restBytes?: number;
  readonly idleMs: number;
  readonly patience?: BusyWorkerPatience;
  /** True to reuse the idle workers of closed pools, if `keepSpareWorkers` was called. */
  readonly sparesWorkers?: boolean;
  /** True to end the worker of a cancelled job. Otherwise the job runs on, and its answer is ignored. */
  readonly stopOnAbort: boolean;
}

export interface PoolJobOptions extends Omit<JobLimits, 'processorMs' | 'onEnd'> {
  readonly owner?: string;
  readonly bytes?: number;
  readonly alwaysWaits?: boolean;
  onBegin?(): void;
}

export interface WorkerPool<Job, Answer> {
  /** Runs a job. Rejects with BusyError, AppError `unavailable` (pool closed) or the signal's reason. */
  run(job: Job, processorMs: number, signal: AbortSignal, more?: PoolJobOptions): Promise<JobOutcome<Answer>>;
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
  const { file, memoryBytes, restBytes, idleMs, sparesWorkers } = options;
  const { patience = { starts: 0, mostMs: 0 } } = options;
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

  async function work(
    job: Job,
    { onBegin, ...limits }: JobLimits & Pick<PoolJobOptions, 'onBegin'>,
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
      // Reads the meter of this request now, because `begin` may run in the async context of another request.
      const onEnd = processorMeter();
      const release = held.take(owner, bytes);
      const noLonger = registerWaitingJob();
      // Without `stopOnAbort`, a cancelled job still occupies a worker, so the limiter counts it as running.
      const begin = async () => {
        noLonger();
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
      return waitUnlessAborted(limiter.run(begin, { signal, owner, alwaysWaits }).finally(settled), signal);
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
  return unavailableError('Magpie is shutting down; try again later');
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
  return new BusyError(message, { retryAfter: RETRY_SECONDS, cause });
}

function known<Answer>(outcome: WorkerOutcome<Answer>, signal: AbortSignal): JobOutcome<Answer> {
  if ('answer' in outcome) return outcome;
  const { failed } = outcome;
  if (failed === 'start') throw noStart(outcome.cause);
  if (failed !== 'stopped') return { failed };
  signal.throwIfAborted();
  throw closing();
}

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

/** Creates a pool of one worker for the jobs of one caller, which closes the pool after them. */
export function createOwnWorker<Job, Answer>(file: URL): WorkerPool<Job, Answer> {
  return createWorkerPool({
    file,
    workers: 1,
    queue: 1,
    idleMs: 1000,
    stopOnAbort: true,
    sparesWorkers: true,
  });
}

export async function runInWorker<Job, Answer>(file: URL, job: Job, limitMs: number, signal: AbortSignal) {
  const pool = createOwnWorker<Job, Answer>(file);
  try {
    return await pool.run(job, limitMs, signal);
  } finally {
    await pool.close();
  }
}
