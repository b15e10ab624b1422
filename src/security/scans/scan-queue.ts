import { randomBytes } from 'node:crypto';
import { AppError, asAppError, unavailableError } from '../../errors.ts';
import { isTimeout } from '../../lib/concurrency/deadline.ts';
import { type JobKind, type JobQueue, type JobRun, LostJob } from '../../lib/concurrency/job-queue.ts';
import { createLimiter } from '../../lib/concurrency/limiter.ts';
import { createLocalJobs } from '../../lib/concurrency/local-jobs.ts';
import { HEARTBEAT_MS, PROCESS_RUNNER_ID } from '../../lib/concurrency/runner.ts';
import { escapeInvisible } from '../../lib/text/escape-invisible.ts';
import type { Logger } from '../../log.ts';
import { hideTokens } from '../findings/hide.ts';
import { type RunParts, runScan } from './run.ts';
import { countFindings, type ScanProgress, type ScanRequest, withoutCredentials } from './scan.ts';
import type { ScanStore } from './scan-store.ts';
import {
  restoreScanTerms,
  type ScanProgressWatch,
  type ScanTerms,
  serializeScanTerms,
} from './scan-terms.ts';

const MAX_WAITING_SCANS = 20;
const MAX_WAITING_SCANS_PER_OWNER = 10;
const MAX_WAITING_SHARED = 500;
const RETRY_AFTER_S = 30;
/** Extra time in milliseconds to store the findings of a scan that has reached its time limit. */
const STORING_MS = 600_000;

export interface QueuedRun {
  readonly id: string;
  /** Resolves when the scan ends, or at once if another process may run the scan. Rejects if the scan fails. */
  readonly ended: Promise<void>;
}

export type ScanQueue = ReturnType<typeof createScanQueue>;

export interface ScanQueueOptions {
  readonly parts: RunParts;
  readonly store: ScanStore;
  readonly log: Logger;
  /** Scan queue that several processes share. `shared` is undefined if this process runs all of its scans. */
  readonly shared?: JobQueue | undefined;
  readonly atOnce: number;
  readonly timeoutMs: number;
  readonly keep: number;
}

interface ScanOrder {
  readonly owner: string;
  readonly request: ScanRequest;
  readonly terms: ScanTerms;
  readonly watch?: ScanProgressWatch | undefined;
}

interface ScanJob extends QueuedRun {
  readonly order: ScanOrder;
  readonly end: (error?: unknown) => void;
  progress: ScanProgress;
}

function createRuns(options: ScanQueueOptions, failures: ScanFailures) {
  const { store, log, timeoutMs } = options;
  const entries = new Map<string, ScanJob>();

  function addEntry(id: string, order: ScanOrder): ScanJob {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    promise.catch(ignore);
    const entry: ScanJob = {
      id,
      order,
      ended: promise,
      progress: { message: 'waiting for its turn' },
      end(error) {
        entries.delete(id);
        if (error === undefined) resolve();
        else reject(error);
      },
    };
    entries.set(id, entry);
    return entry;
  }

  async function openEntry({ id }: JobRun): Promise<ScanJob | undefined> {
    const known = await store.readTerms(id);
    if (!known) return undefined;
    return addEntry(id, { owner: known.owner, ...restoreScanTerms(known.request, known.terms) });
  }

  async function fail(entry: ScanJob, thrown: unknown, signal: AbortSignal, runner: string): Promise<void> {
    const error = failureOf(thrown, signal, timeoutMs);
    if (error.code === 'internal') log.error({ err: thrown, scan: entry.id }, error.message);
    await failures.record(entry.id, { reason: error.message, endedAt: Date.now(), runner });
    entry.end(error);
  }

  return {
    entries,
    addEntry,
    async run(job: JobRun): Promise<void> {
      const own = entries.get(job.id);
      const entry = own ?? (await openEntry(job));
      if (!entry) return;
      try {
        await execute(options, entry, job);
        entry.end();
      } catch (thrown) {
        const { reason = thrown } = job.signal;
        const goesOn = reason instanceof LostJob || job.isDoneAgain(reason);
        if (!goesOn) return fail(entry, thrown, job.signal, job.runner);
        entry.end(reason);
        throw reason;
      }
    },
    async drop(id: string, reason: unknown): Promise<void> {
      const entry = entries.get(id);
      if (entry) await fail(entry, reason, AbortSignal.abort(reason), PROCESS_RUNNER_ID);
    },
  };
}

export function createScanQueue(options: ScanQueueOptions) {
  const { store, log, shared, timeoutMs, keep, atOnce } = options;
  const failures = createScanFailures(store, log);
  const { entries, addEntry, run, drop } = createRuns(options, failures);
  const scans = kindOf(timeoutMs, MAX_WAITING_SCANS);
  const sharedScans = kindOf(timeoutMs, MAX_WAITING_SHARED);
  const places = createLimiter({
    concurrency: atOnce,
    maxWaiting: MAX_WAITING_SCANS,
    maxWaitingPerOwner: MAX_WAITING_SCANS_PER_OWNER,
    refuse: ({ all, own: mine }) => refusalOf(all, mine),
  });
  const own = createLocalJobs();
  own.handle(scans, { places, atOnce, run, drop });
  shared?.handle(sharedScans, { places, atOnce, run });
  let closed = false;

  /** Queues a scan that only this process can run. The caller can cancel the scan by the signal in `watch`. */
  async function addOwn(entry: ScanJob, insert: () => Promise<void>): Promise<void> {
    const { id, ended, order } = entry;
    const signal = order.watch?.signal;
    const stop = () => void own.cancel(scans, id, signal?.reason);
    const sent = own.send(scans, { id, owner: order.owner }, insert);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    ended.then(ignore, ignore).then(() => signal?.removeEventListener('abort', stop));
    await sent;
  }

  return {
    /** Queues a scan. A scan with `watch` is run by this process. Throws `rate_limited` if the queue is full. */
    async addScan(owner: string, request: ScanRequest, terms: ScanTerms, watch?: ScanProgressWatch) {
      if (closed) throw unavailableError('no scan can start: Magpie is shutting down');
      const id = randomBytes(12).toString('hex');
      const text = shared && !watch ? serializeScanTerms(request, terms) : undefined;
      const shown = { ...request, repository: withoutCredentials(request.repository) };
      const scan = { id, request: shown, runner: PROCESS_RUNNER_ID, createdAt: Date.now(), terms: text };
      const insert = () => store.insertScan(owner, scan, keep);
      if (shared && text !== undefined) {
        await shared.send(sharedScans, { id, owner }, insert);
        return { id, ended: Promise.resolve() };
      }
      const entry = addEntry(id, { owner, request, terms, watch });
      try {
        await addOwn(entry, insert);
      } catch (error) {
        entry.end(error);
        throw error;
      }
      return entry;
    },
    runInTurn: <T>(owner: string, work: () => Promise<T>, signal: AbortSignal) =>
      places.run(work, { owner, signal }),
    /** Returns the failure of a scan that this process ran, if the failure could not be stored yet. */
    failureOf: failures.unwritten,
    progressOf: (id: string) => entries.get(id)?.progress,
    isLeft: async (id: string) => (await shared?.isPending(sharedScans, id)) === true,
    async stopScan(id: string) {
      await own.cancel(scans, id);
      await shared?.cancel(sharedScans, id);
    },
    async close() {
      closed = true;
      await own.close();
      await failures.close();
    },
  };
}

const kindOf = (timeoutMs: number, maxWaiting: number): JobKind => ({
  name: 'scan',
  longestMs: timeoutMs + STORING_MS,
  refuse: ({ waiting, ownWaiting }) =>
    waiting >= maxWaiting || ownWaiting >= MAX_WAITING_SCANS_PER_OWNER
      ? refusalOf(waiting, ownWaiting)
      : undefined,
});

async function execute({ parts, store, log, timeoutMs }: ScanQueueOptions, entry: ScanJob, job: JobRun) {
  const { id, order } = entry;
  const { owner, request, terms, watch } = order;
  const stop = new AbortController();
  const endHeartbeat = startHeartbeat(entry, job.runner, store, log, () => stop.abort(removed()));
  try {
    if (!(await store.startScan(id, job.runner, Date.now()))) throw removed();
    // Ends the scan by a signal at the time limit, so that the scan still removes its work folder.
    const limit = AbortSignal.timeout(timeoutMs);
    const result = await runScan(parts, {
      ...terms,
      owner,
      request,
      anyFolder: terms.anyFolder === true,
      signal: AbortSignal.any([job.signal, stop.signal, limit]),
      progress(progress) {
        entry.progress = { ...progress, message: escapeInvisible(hideTokens(progress.message)) };
        watch?.progress(entry.progress);
      },
    });
    const counts = countFindings(result.findings);
    if (!(await store.completeScan(id, job.runner, { ...result, counts }, Date.now()))) throw removed();
  } finally {
    await endHeartbeat();
  }
}

function startHeartbeat(
  entry: ScanJob,
  runner: string,
  store: ScanStore,
  log: Logger,
  onRemoved: () => void,
): () => Promise<void> {
  let recorded = Promise.resolve();
  const timer = setInterval(() => {
    recorded = store.recordHeartbeat(entry.id, runner, entry.progress.message, Date.now()).then(
      (isThere) => (isThere ? undefined : onRemoved()),
      (err: unknown) => log.warn({ err, scan: entry.id }, 'a heartbeat of a scan could not be stored'),
    );
  }, HEARTBEAT_MS);
  return async () => {
    clearInterval(timer);
    await recorded;
  };
}

function refusalOf(all: number, own: number): AppError {
  const why = own >= MAX_WAITING_SCANS_PER_OWNER ? `${own} of your scans wait already` : `${all} scans wait`;
  return new AppError('rate_limited', `${why}: try again when one has ended`, { retryAfter: RETRY_AFTER_S });
}

const removed = (): AppError => new AppError('cancelled', 'the scan was removed while it ran');

function failureOf(thrown: unknown, signal: AbortSignal, limitMs: number): AppError {
  if (signal.aborted) {
    const reason: unknown = signal.reason;
    if (reason instanceof AppError) return reason;
    if (isTimeout(reason)) return asAppError(reason);
    return new AppError('cancelled', 'the scan was cancelled', { cause: thrown });
  }
  if (isTimeout(thrown)) {
    const why = `the scan took over ${limitMs / 1000} seconds: scan a part of the repository, or raise MAGPIE_SCAN_TIMEOUT`;
    return new AppError('timeout', why, { cause: thrown });
  }
  return asAppError(thrown);
}

function ignore(): void {}

interface ScanFailure {
  readonly reason: string;
  readonly endedAt: number;
  readonly runner: string;
}

/** Stores failures of scans. If storing fails, as on a full disk, the failure stays in memory for a retry. */
type ScanFailures = ReturnType<typeof createScanFailures>;

const [FIRST_RETRY_MS, MAX_RETRY_MS] = [1000, 60_000];

function createScanFailures(store: Pick<ScanStore, 'failScan'>, log: Logger, firstRetryMs = FIRST_RETRY_MS) {
  const left = new Map<string, ScanFailure>();
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = firstRetryMs;
  let isClosed = false;

  async function write(id: string, { reason, endedAt, runner }: ScanFailure): Promise<boolean> {
    try {
      await store.failScan(id, reason, endedAt, { runner });
      left.delete(id);
      return true;
    } catch (err) {
      log.warn({ err, scan: id }, 'the failure of a scan could not be stored; it is tried again');
      return false;
    }
  }

  async function writeAll(): Promise<void> {
    timer = undefined;
    let isWell = true;
    for (const [id, failure] of left) isWell = (await write(id, failure)) && isWell;
    pauseMs = isWell ? firstRetryMs : Math.min(2 * pauseMs, MAX_RETRY_MS);
    arm();
  }

  function arm(): void {
    if (left.size > 0 && !isClosed) timer ??= setTimeout(() => void writeAll(), pauseMs).unref();
  }

  return {
    /** Resolves after the first attempt to store the failure, even if the attempt fails. Never rejects. */
    async record(id: string, failure: ScanFailure) {
      left.set(id, failure);
      await write(id, failure);
      arm();
    },
    unwritten: (id: string) => left.get(id),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      for (const [id, failure] of left) await write(id, failure);
    },
  };
}
