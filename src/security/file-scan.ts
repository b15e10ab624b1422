import { availableParallelism } from 'node:os';
import { AppError } from '../errors.ts';
import { moduleUrl } from '../lib/module-url.ts';
import { createWorkerPool } from '../lib/worker-pool.ts';
import { clock, elapsed, type FileAnswer, type FileJob, type FileResult, PLACE } from './file-job.ts';

/** One file that is to be searched. */
export interface FileTask {
  readonly path: string;
  readonly content: Uint8Array;
  readonly scanners: readonly string[];
}

/** What came of one file. */
export interface FileOutcome {
  readonly results: readonly FileResult[];
  /** Scanners that did not come to an end on it: they took too long, or broke the thread. */
  readonly gaveUp: readonly GivenUp[];
}

export interface GivenUp {
  readonly scanner: string;
  readonly why: 'time' | 'broken';
}

/** Searches files in worker threads. */
export interface FileDesk {
  /** Workers at once. */
  readonly workers: number;
  /** Outcomes in the order of the tasks. Throws the signal's reason; AppError `internal` when no worker starts. */
  search(tasks: readonly FileTask[], deep: boolean, signal: AbortSignal): Promise<FileOutcome[]>;
  close(): Promise<void>;
}

export interface FileDeskOptions {
  /** Module that exports `fileScanners`. */
  readonly module: URL;
  /** Milliseconds that one scanner has for one file. */
  readonly fileMs: number;
}

const MAX_WORKERS = 8;
const MAX_QUEUED_JOBS = 10_000;
const IDLE_MS = 30_000;
/** Milliseconds between two checks of how far a worker is. */
const CHECK_INTERVAL_MS = 200;
/** A worker's start, and all files of one message: far over what the single limits allow. */
const JOB_TIMEOUT_MS = 3_600_000;

/** A pool of as many workers as there are cores, at most 8. */
export function createFileDesk({ module, fileMs }: FileDeskOptions): FileDesk {
  const workers = Math.max(1, Math.min(MAX_WORKERS, availableParallelism()));
  const pool = createWorkerPool<FileJob, FileAnswer>({
    file: moduleUrl('./worker.ts', import.meta.url),
    workers,
    queue: MAX_QUEUED_JOBS,
    idleMs: IDLE_MS,
    stopOnAbort: true,
  });

  /** The answer, or where the worker stood when it broke or a scanner took too long. */
  async function attempt(tasks: readonly FileTask[], deep: boolean, signal: AbortSignal) {
    const place = new Int32Array(new SharedArrayBuffer(12)).fill(-1);
    const late = new AbortController();
    const watch = setInterval(() => {
      const since = Atomics.load(place, PLACE.since);
      if (Atomics.load(place, PLACE.file) >= 0 && elapsed(since, clock()) > fileMs) late.abort();
    }, CHECK_INTERVAL_MS);
    try {
      const job = { module: module.href, deep, files: tasks, place };
      const outcome = await pool.run(job, JOB_TIMEOUT_MS, AbortSignal.any([signal, late.signal]));
      if ('answer' in outcome) {
        if ('results' in outcome.answer) return outcome.answer.results;
        throw new AppError('internal', NO_START, { cause: new Error(outcome.answer.failed) });
      }
    } catch (thrown) {
      if (signal.aborted || !late.signal.aborted) throw thrown;
    } finally {
      clearInterval(watch);
    }
    signal.throwIfAborted();
    const [at, scanner] = [Atomics.load(place, PLACE.file), Atomics.load(place, PLACE.scanner)];
    const name = tasks[at]?.scanners[scanner];
    if (name === undefined) {
      throw new AppError('internal', NO_START, { cause: new Error('a worker broke off') });
    }
    return { file: at, scanner: name, why: late.signal.aborted ? ('time' as const) : ('broken' as const) };
  }

  return {
    workers,
    async search(tasks, deep, signal) {
      const gaveUp = tasks.map((): GivenUp[] => []);
      for (;;) {
        const rest = tasks.map((task, at) => ({
          ...task,
          scanners: task.scanners.filter((name) => !gaveUp[at]?.some(({ scanner }) => scanner === name)),
        }));
        const answer = await attempt(rest, deep, signal);
        if (!('length' in answer)) {
          gaveUp[answer.file]?.push(answer);
          continue;
        }
        const results = tasks.map((): FileResult[] => []);
        for (const result of answer) results[result.file]?.push(result);
        return tasks.map((_, at) => ({ results: results[at] ?? [], gaveUp: gaveUp[at] ?? [] }));
      }
    },
    close: () => pool.close(),
  };
}

const NO_START = 'the scanners could not be started; the log has the details';
