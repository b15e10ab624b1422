import { availableParallelism } from 'node:os';
import { AppError } from '../../errors.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { elapsedLimitMs } from '../../lib/workers/pool-worker.ts';
import { createWorkerPool } from '../../lib/workers/worker-pool.ts';
import {
  type FileGroupJob,
  type FileScanJob,
  type FileScanResult,
  type FileScanTask,
  type ScanWorkerAnswer,
  type UnreadableKindsJob,
  WORKER_POSITION_CELLS,
} from './file-job.ts';
import type { ScanOptions, UnreadableFileKinds } from './scanner.ts';

export interface FileScanOutcome {
  readonly results: readonly FileScanResult[];
  readonly gaveUp: readonly UnfinishedScanner[];
}

export interface UnfinishedScanner {
  readonly scanner: string;
  readonly why: 'time' | 'broken';
}

export type FileScanPool = ReturnType<typeof createFileScanPool>;

const MAX_WORKERS = 8;
const MAX_QUEUED_JOBS = 10_000;
const IDLE_MS = 30_000;
/** Maximum number of files that may fail in a group. If more fail, the scanner skips the whole group. */
const MAX_GIVEN_UP = 3;
/** Maximum processor time of a job with several files, in milliseconds. Each file has a lower limit. */
const JOB_LIMIT_MS = 3_600_000;

export function createFileScanPool({ module, fileMs }: { readonly module: URL; readonly fileMs: number }) {
  const workers = Math.max(1, Math.min(MAX_WORKERS, availableParallelism()));
  const pool = createWorkerPool<FileScanJob | FileGroupJob | UnreadableKindsJob, ScanWorkerAnswer>({
    file: moduleUrl('./worker.ts', import.meta.url),
    workers,
    queue: MAX_QUEUED_JOBS,
    idleMs: IDLE_MS,
    stopOnAbort: true,
    sparesWorkers: true,
  });

  /** Results of `lacks` by scanner. They are cached, because installed packages do not change while this process runs. */
  const lacking = new Map<string, UnreadableFileKinds>();

  async function attempt(tasks: readonly FileScanTask[], options: ScanOptions, signal: AbortSignal) {
    const place = new Int32Array(new SharedArrayBuffer(12)).fill(-1);
    const job = { module: module.href, ...options, files: tasks, place };
    const outcome = await pool.run(job, JOB_LIMIT_MS, signal, { isOver: limitOf(place, fileMs) });
    signal.throwIfAborted();
    if ('answer' in outcome) {
      if ('results' in outcome.answer) return outcome.answer.results;
      throw noStart(outcome.answer);
    }
    const [at, scanner] = [
      Atomics.load(place, WORKER_POSITION_CELLS.file),
      Atomics.load(place, WORKER_POSITION_CELLS.scanner),
    ];
    const name = tasks[at]?.scanners[scanner];
    if (name === undefined) {
      throw new AppError('internal', NO_START, { cause: new Error('a worker broke off') });
    }
    return {
      file: at,
      scanner: name,
      why: outcome.failed === 'time' ? ('time' as const) : ('broken' as const),
    };
  }

  return {
    workers,
    /** Scans files in worker threads. Returns results in the order of `tasks`. Throws AppError `internal` if no worker starts. */
    async search(tasks: readonly FileScanTask[], options: ScanOptions, signal: AbortSignal) {
      const gaveUp = tasks.map((): UnfinishedScanner[] => []);
      for (;;) {
        const rest = tasks.map((task, at) => ({
          ...task,
          scanners: task.scanners.filter((name) => !gaveUp[at]?.some(({ scanner }) => scanner === name)),
        }));
        const answer = await attempt(rest, options, signal);
        if (!('length' in answer)) {
          gaveUp[answer.file]?.push(answer);
          continue;
        }
        const results = tasks.map((): FileScanResult[] => []);
        for (const result of answer) results[result.file]?.push(result);
        return tasks.map((_, at) => ({ results: results[at] ?? [], gaveUp: gaveUp[at] ?? [] }));
      }
    },
    /** Scans several files together with one scanner. Throws the same errors as `search`. */
    async searchTogether(
      scanner: string,
      files: readonly Omit<FileScanTask, 'scanners'>[],
      { rules }: ScanOptions,
      signal: AbortSignal,
    ) {
      const gaveUp: { path: string; why: UnfinishedScanner['why'] }[] = [];
      let rest = files;
      for (;;) {
        const place = new Int32Array(new SharedArrayBuffer(12)).fill(-1);
        const job = { module: module.href, together: scanner, files: rest, rules, place };
        const outcome = await pool.run(job, JOB_LIMIT_MS, signal, { isOver: limitOf(place, fileMs) });
        signal.throwIfAborted();
        if ('answer' in outcome) {
          if ('together' in outcome.answer) return { ...outcome.answer.together, gaveUp };
          throw noStart(outcome.answer);
        }
        const path = rest[Atomics.load(place, WORKER_POSITION_CELLS.file)]?.path;
        const why = outcome.failed === 'time' ? ('time' as const) : ('broken' as const);
        gaveUp.push({ path: path ?? '', why });
        if (path === undefined || gaveUp.length > MAX_GIVEN_UP)
          return { findings: [], refuted: [], left: rest.length, ms: 0, gaveUp };
        rest = rest.filter((one) => one.path !== path);
      }
    },
    /** Returns kinds of files that the scanner cannot read on this machine. Throws the same errors as `search`. */
    async lacks(scanner: string, signal: AbortSignal) {
      const known = lacking.get(scanner);
      if (known) return known;
      const outcome = await pool.run({ module: module.href, lacks: scanner }, fileMs, signal);
      if ('answer' in outcome && 'lacks' in outcome.answer) {
        lacking.set(scanner, outcome.answer.lacks);
        return outcome.answer.lacks;
      }
      throw noStart('answer' in outcome ? outcome.answer : outcome);
    },
    close: () => pool.close(),
  };
}

/** Returns a function that is true when a scanner exceeds its limit of processor time or elapsed time. */
function limitOf(place: Int32Array<SharedArrayBuffer>, fileMs: number): (workerMs: number) => boolean {
  let [seen, seenAt] = ['', 0];
  return (workerMs) => {
    const at = place.join(' ');
    if (at !== seen) [seen, seenAt] = [at, performance.now()];
    if (Atomics.load(place, WORKER_POSITION_CELLS.file) < 0) return false;
    const used = workerMs - Atomics.load(place, WORKER_POSITION_CELLS.since);
    return used > fileMs || performance.now() - seenAt > elapsedLimitMs(fileMs);
  };
}

function noStart(came: ScanWorkerAnswer | { readonly failed: string }): AppError {
  const why = 'failed' in came ? came.failed : 'it answered another question';
  return new AppError('internal', NO_START, { cause: new Error(why) });
}

const NO_START = 'the scanners could not be started; the log has the details';
