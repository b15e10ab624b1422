import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { AppError, asAppError } from '../errors.ts';
import { isTimeout } from '../lib/deadline.ts';
import { createLimiter } from '../lib/limiter.ts';
import { HEARTBEAT_MS, RUNNER } from '../lib/runner.ts';
import { visible } from '../lib/visible.ts';
import type { Logger } from '../log.ts';
import { hideTokens } from './hide.ts';
import { type RunParts, runScan } from './run.ts';
import { countsOf, type Progress, type ScanRequest, withoutCredentials } from './scan.ts';
import { createScanFailures, type ScanFailure, type ScanFailures } from './scan-failures.ts';
import type { ScanStore } from './scan-store.ts';
import type { ScanTerms, Watch } from './types.ts';

const MAX_WAITING_SCANS = 20;
const MAX_WAITING_SCANS_PER_OWNER = 10;
const RETRY_AFTER_S = 30;

/** A scan that waits or runs in this process. */
export interface Run {
  readonly id: string;
  /** Resolves when the scan has completed; rejects with why it failed. */
  readonly ended: Promise<void>;
}

/** The scans of this process: each waits for a place, runs, reports how far it is, and is stored as it ends. */
export interface ScanQueue {
  /** Resolves when the scan is stored. AppError `rate_limited` when too many wait. */
  addScan(owner: string, request: ScanRequest, terms: ScanTerms, watch?: Watch): Promise<Run>;
  /** Work that counts as a scan, and waits for a place as one. */
  runInTurn<T>(owner: string, work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Why a scan of this process failed, as long as the store does not have it. */
  failureOf(id: string): ScanFailure | undefined;
  /** How far a scan of this process is. */
  progressOf(id: string): Progress | undefined;
  /** Ends the scan if it waits or runs here. */
  stopScan(id: string): Promise<void>;
  /** Ends all of them; none begins afterwards. */
  close(): Promise<void>;
}

export interface ScanQueueOptions {
  readonly parts: RunParts;
  readonly store: ScanStore;
  readonly log: Logger;
  /** Scans at once. */
  readonly atOnce: number;
  /** Milliseconds of one scan. */
  readonly timeoutMs: number;
  /** Scans kept for one owner. */
  readonly keep: number;
}

interface Entry extends Run {
  readonly stop: AbortController;
  readonly signal: AbortSignal;
  progress: Progress;
}

interface Order {
  readonly owner: string;
  readonly request: ScanRequest;
  readonly terms: ScanTerms;
  readonly watch?: Watch;
}

export function createScanQueue(options: ScanQueueOptions): ScanQueue {
  const { store, log } = options;
  const failures = createScanFailures(store, log);
  const execute = createExecutor(options, failures);
  const limiter = createLimiter({
    concurrency: options.atOnce,
    maxWaiting: MAX_WAITING_SCANS,
    maxWaitingPerOwner: MAX_WAITING_SCANS_PER_OWNER,
    refuse: refusalOf,
  });
  const entries = new Map<string, Entry>();
  let closed = false;

  /** Asks for a place and stores the scan; the place may come much later. */
  async function insert(id: string, owner: string, request: ScanRequest, signal: AbortSignal) {
    const place = limiter.enter({ owner, signal });
    place.catch(ignore);
    // A refusal comes at once: then no scan is stored.
    await Promise.race([place, setImmediate()]);
    const shown = { ...request, repository: withoutCredentials(request.repository) };
    try {
      const scan = { id, request: shown, runner: RUNNER, createdAt: Date.now() };
      await store.insertScan(owner, scan, options.keep);
    } catch (thrown) {
      place.then((leave) => leave(), ignore);
      throw thrown;
    }
    return { place };
  }

  return {
    async addScan(owner, request, terms, watch) {
      if (closed) throw new AppError('unavailable', 'no scan can start: Magpie is shutting down');
      const id = randomBytes(12).toString('hex');
      const stop = new AbortController();
      const signal = watch ? AbortSignal.any([stop.signal, watch.signal]) : stop.signal;
      const inserted = insert(id, owner, request, signal);
      const entry: Entry = {
        id,
        stop,
        signal,
        progress: { message: 'waiting for its turn' },
        ended: inserted
          .then(({ place }) => execute(entry, place, { owner, request, terms, watch }))
          .finally(() => entries.delete(id)),
      };
      entries.set(id, entry);
      entry.ended.catch(ignore);
      // A scan that cannot be stored waits no longer.
      inserted.catch(() => stop.abort());
      await inserted;
      return entry;
    },
    runInTurn: (owner, work, signal) => limiter.run(work, { owner, signal }),
    failureOf: failures.unwritten,
    progressOf: (id) => entries.get(id)?.progress,
    async stopScan(id) {
      const entry = entries.get(id);
      entry?.stop.abort();
      await entry?.ended.catch(ignore);
    },
    async close() {
      closed = true;
      const open = [...entries.values()];
      for (const { stop } of open) stop.abort(new AppError('unavailable', 'Magpie was ended while it ran'));
      await Promise.allSettled(open.map(({ ended }) => ended));
      await failures.close();
    },
  };
}

/** Runs a scan once it has its place, and stores how it ended. */
function createExecutor({ parts, store, log, timeoutMs }: ScanQueueOptions, failures: ScanFailures) {
  return async (entry: Entry, place: Promise<() => void>, scan: Order): Promise<void> => {
    const { id, signal } = entry;
    const { owner, request, terms, watch } = scan;
    const endHeartbeat = startHeartbeat(entry, store, log);
    try {
      const leave = await place;
      try {
        await store.startScan(id, Date.now());
        // Not `withDeadline`: the scan ends only after its tree is closed.
        const limit = AbortSignal.timeout(timeoutMs);
        const result = await runScan(parts, {
          ...terms,
          owner,
          request,
          anyFolder: terms.anyFolder === true,
          signal: AbortSignal.any([signal, limit]),
          progress(progress) {
            entry.progress = { ...progress, message: visible(hideTokens(progress.message)) };
            watch?.progress(entry.progress);
          },
        });
        const counts = countsOf(result.findings);
        const stored = await store.completeScan(id, { ...result, counts }, Date.now());
        if (!stored) throw new AppError('cancelled', 'the scan was removed while it ran');
      } finally {
        leave();
      }
    } catch (thrown) {
      const error = failureOf(thrown, signal, timeoutMs);
      if (error.code === 'internal') log.error({ err: thrown, scan: id }, error.message);
      await failures.record(id, { reason: error.message, endedAt: Date.now() });
      throw error;
    } finally {
      await endHeartbeat();
    }
  };
}

/** Reports every few seconds that this process still runs the scan; gives what ends that. */
function startHeartbeat(entry: Entry, store: ScanStore, log: Logger): () => Promise<void> {
  let recorded = Promise.resolve();
  const timer = setInterval(() => {
    recorded = store
      .recordHeartbeat(entry.id, entry.progress.message, Date.now())
      .catch((err: unknown) =>
        log.warn({ err, scan: entry.id }, 'a heartbeat of a scan could not be stored'),
      );
  }, HEARTBEAT_MS);
  return async () => {
    clearInterval(timer);
    await recorded;
  };
}

function refusalOf({ all, own }: { readonly all: number; readonly own: number }): AppError {
  const why = own >= MAX_WAITING_SCANS_PER_OWNER ? `${own} of your scans wait already` : `${all} scans wait`;
  return new AppError('rate_limited', `${why}: try again when one has ended`, { retryAfter: RETRY_AFTER_S });
}

/** How a scan failed, in public words. */
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
