import { basename } from 'node:path';
import { AppError, BusyError } from '../../errors.ts';
import { untilAborted } from '../concurrency/deadline.ts';
import { createLimiter } from '../concurrency/limiter.ts';
import { countWaiting } from '../concurrency/waiting-jobs.ts';
import { traced } from '../tracing.ts';
import { startProcess } from './pool-process.ts';
import { startThread } from './pool-thread.ts';
import type { JobLimits, Outcome, PoolWorker, WorkerOutcome } from './pool-worker.ts';
import { processorMeter } from './processor-meter.ts';
import { keepSpare, takeSpare } from './spare-workers.ts';
import { createWorkerShelf, type Patience } from './worker-shelf.ts';

export type { JobHandler, Outcome } from './pool-worker.ts';

/** Bounds of a pool of workers. */
export interface PoolOptions {
  /** The workers' module; it exports `answer`, a JobHandler. */
  readonly file: URL;
  /** Workers at once. */
  readonly workers: number;
  /** Workers of one owner at once; as many as of all when left out. */
  readonly workersPerOwner?: number;
  /** Jobs that may wait for one. */
  readonly queue: number;
  /** Jobs of one owner that may wait; as many as of all when left out. */
  readonly queuePerOwner?: number;
  /** Bytes of the jobs that wait or run, of all and of one owner; one job alone may have more. No bound when left out. */
  readonly bytes?: { readonly all: number; readonly perOwner: number };
  /** Workers are processes with so many bytes of memory each; threads of this process when left out. */
  readonly memoryBytes?: number;
  /** Bytes of memory beyond which a process ends after its job; half of `memoryBytes` when left out, or where that is less. */
  readonly restBytes?: number;
  /** Milliseconds after which a worker with nothing to do is let go. */
  readonly idleMs: number;
  /** How long a job waits for a worker that is busy with another one of its owner's, before it starts one; not at all when left out. */
  readonly patience?: Patience;
  /** Whether its workers serve the next pool of their module, where `keepSpareWorkers` has them kept. */
  readonly sparesWorkers?: boolean;
  /** Whether cancelling a job ends its worker; otherwise the work continues until its time limit, and its answer is dropped. */
  readonly stopOnAbort: boolean;
}

/** More about a job. */
export interface JobOptions extends Omit<JobLimits, 'processorMs' | 'onEnd'> {
  readonly owner?: string;
  /** What the job holds in memory while it waits. */
  readonly bytes?: number;
  /** Waits however many wait already, since the number of such jobs is bounded elsewhere. */
  readonly alwaysWaits?: boolean;
  /** Called when a worker begins with the job. */
  onBegin?(): void;
}

/** Work that would hold the event loop up, done in workers. */
export interface WorkerPool<Job, Answer> {
  /**
   * `processorMs` are milliseconds of the worker's own processor time; its start does not count. BusyError when too many
   * wait and when no worker can start, AppError `unavailable` once the pool is closed; throws the signal's reason when cancelled.
   */
  run(job: Job, processorMs: number, signal: AbortSignal, more?: JobOptions): Promise<Outcome<Answer>>;
  /** Ends the workers: jobs that run or wait are `unavailable`, and so are later ones. */
  close(): Promise<void>;
}

const NEVER = new AbortController().signal;

/** Workers are started when needed. */
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
  // One of the same module has the same jobs.
  const spare = () => (sparesWorkers ? (takeSpare(kind) as PoolWorker<Job, Answer> | undefined) : undefined);
  const start = () =>
    memoryBytes === undefined
      ? startThread<Job, Answer>(file)
      : startProcess<Job, Answer>(file, memoryBytes, restBytes);
  const shelf = createWorkerShelf<PoolWorker<Job, Answer>>({
    start: () => spare() ?? start(),
    keep: (worker) => sparesWorkers === true && keepSpare(kind, worker, idleMs),
    idleMs,
    patience,
  });
  let closed = false;
  const jobName = basename(file.pathname).replace(/\.\w+$/, '');

  /** One job on one worker; the worker is free again, or ended, when this resolves. */
  async function work(
    job: Job,
    { onBegin, ...limits }: JobLimits & Pick<JobOptions, 'onBegin'>,
    signal: AbortSignal,
    owner: string,
  ): Promise<Outcome<Answer>> {
    if (closed) throw closing();
    const worker = await shelf.take(signal, owner).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw closed ? closing() : noStart(cause);
    });
    // A caller may have given up in the moment in which the job got its worker.
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
      // Of this request, whichever runs when the job's turn comes.
      const onEnd = processorMeter();
      const release = held.take(owner, bytes);
      const noLonger = countWaiting();
      // A caller who gives up is answered at once; its place is free when the worker is.
      const begin = async () => {
        noLonger();
        // An abort in the moment in which the job gets its place would not be heard by `work`.
        signal.throwIfAborted();
        return traced(
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

/** The machine is out of processes or memory, or too busy: that says nothing about the job. */
function noStart(cause: unknown): BusyError {
  const message = `no reader can start on this machine now: ask again in ${RETRY_SECONDS} seconds`;
  return new BusyError(message, {
    retryAfter: RETRY_SECONDS,
    cause,
  });
}

/** The outcome of a job that had its worker. Throws what the job did not cause. */
function known<Answer>(outcome: WorkerOutcome<Answer>, signal: AbortSignal): Outcome<Answer> {
  if ('answer' in outcome) return outcome;
  const { failed } = outcome;
  if (failed === 'start') throw noStart(outcome.cause);
  if (failed !== 'stopped') return { failed };
  signal.throwIfAborted();
  throw closing();
}

/** Counts the bytes of jobs. `take` throws what `refuse` gives where they are too many, and returns what frees them. */
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
