import { AppError, type ErrorCode } from '../errors.ts';
import { type Gauge, readGauge } from '../lib/gauge.ts';
import { moduleUrl } from '../lib/module-url.ts';
import { createWorkerPool } from '../lib/worker-pool.ts';
import type { ScanBounds } from './readers/pdf-scans.ts';

export interface PdfScansJob {
  readonly body: Uint8Array;
  /** How errors name the file. */
  readonly name: string;
  /** From 1. */
  readonly pages: readonly number[];
  readonly language: string;
  readonly bounds: ScanBounds;
  readonly gauge: Gauge;
}

export type PdfScansAnswer =
  | { readonly found: readonly string[] }
  | { readonly error: { readonly code: ErrorCode; readonly message: string; readonly cause: string } };

/** Reads scanned pages of PDF files by OCR: some seconds a page, and for that apart from all other reading. */
export interface PdfScansReader {
  /**
   * Markdown of `pages`, from 1, in order; '' where there is nothing to read. AppError `unavailable` when a package is missing or too many wait, `too_large` and
   * `timeout` past the bounds, `unsupported` for a broken file.
   */
  read(
    body: Uint8Array,
    name: string,
    pages: readonly number[],
    gauge: Gauge,
    signal: AbortSignal,
  ): Promise<readonly string[]>;
  close(): Promise<void>;
}

const MAX_WAITING = 20;
/** The model and its worker take some 400 MB: they are let go soon. */
const IDLE_MS = 30_000;
/** Milliseconds that the worker has to say itself that the time is up. */
const SPARE_MS = 120_000;
/** Milliseconds between checks of the progress. */
const PROGRESS_INTERVAL_MS = 500;
export const SCAN_BOUNDS: ScanBounds = {
  pages: 300,
  time: 1_800_000,
  page: 60_000,
  draw: 120_000,
  imagePixels: 70_000_000,
  pagePixels: 16_000_000,
};

/** One worker for the model of `language`, started when it is first needed; cancelling a call ends its work. */
export function createPdfScansReader(language: string, bounds: ScanBounds = SCAN_BOUNDS): PdfScansReader {
  const pool = createWorkerPool<PdfScansJob, PdfScansAnswer>({
    file: moduleUrl('./readers/pdf-scans-worker.ts', import.meta.url),
    workers: 1,
    queue: MAX_WAITING,
    idleMs: IDLE_MS,
    stopOnAbort: true,
  });
  return {
    async read(body, name, pages, gauge, signal) {
      const job = { body, name, pages, language, bounds, gauge };
      const watch = watchOver(gauge, name, bounds);
      const both = AbortSignal.any([signal, watch.signal]);
      const outcome = await pool.run(job, bounds.time + SPARE_MS, both).finally(watch.end);
      if ('failed' in outcome) {
        throw outcome.failed === 'broken'
          ? new AppError('unsupported', `the scanned pages of ${name} are broken and cannot be read`)
          : new AppError('timeout', `the scanned pages of ${name} take too long to read: split it`);
      }
      if ('found' in outcome.answer) return outcome.answer.found;
      const { code, message, cause } = outcome.answer.error;
      if (code !== 'internal') throw new AppError(code, message, { cause });
      throw new AppError('unsupported', `the scanned pages of ${name} cannot be read`, { cause });
    },
    close: () => pool.close(),
  };
}

/** Ends the work when no page comes out of it for longer than one may take: a hostile one would hold all files up. */
function watchOver(
  gauge: Gauge,
  name: string,
  { page, draw }: ScanBounds,
): { signal: AbortSignal; end(): void } {
  const stop = new AbortController();
  let [done, since] = [-1, 0];
  const timer = setInterval(() => {
    const now = readGauge(gauge);
    // Before it begins, time spent in line does not count.
    if (now.of === 0 || now.done !== done) [done, since] = [now.of === 0 ? -1 : now.done, performance.now()];
    else if (performance.now() - since > page + draw) {
      const why = `page ${done + 1} of the scanned ones of ${name} takes too long to draw: leave it out`;
      stop.abort(new AppError('timeout', why));
    }
  }, PROGRESS_INTERVAL_MS);
  timer.unref();
  return { signal: stop.signal, end: () => clearInterval(timer) };
}
