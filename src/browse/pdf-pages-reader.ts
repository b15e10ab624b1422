import { AppError, type ErrorCode } from '../errors.ts';
import { createGauge, type Gauge } from '../lib/gauge.ts';
import { moduleUrl } from '../lib/module-url.ts';
import { createWorkerPool } from '../lib/worker-pool.ts';
import type { PdfBounds, PdfPages } from './readers/pdf-pages.ts';

export interface PdfPagesJob {
  readonly body: Uint8Array;
  /** How errors name the file. */
  readonly name: string;
  readonly bounds: PdfBounds;
  readonly gauge: Gauge;
}

export type PdfPagesAnswer =
  | { readonly found: PdfPages }
  | { readonly error: { readonly code: ErrorCode; readonly message: string; readonly cause: string } };

/** Reads whole PDF files page by page, apart from the readers of pages: a thick book may take minutes. */
export interface PdfPagesReader {
  /** `gauge` follows. AppError as `readPdfPages` says, and `unavailable` when too many wait. */
  read(body: Uint8Array, name: string, signal: AbortSignal, gauge?: Gauge): Promise<PdfPages>;
  close(): Promise<void>;
}

const MAX_WORKERS = 1;
const MAX_WAITING = 20;
const IDLE_MS = 30_000;
/** Milliseconds that a worker has to say itself that the time is up. */
const SPARE_MS = 15_000;
export const PDF_BOUNDS: PdfBounds = {
  pages: 10_000,
  time: 240_000,
  page: 1_000_000,
  characters: 60_000_000,
};

/** One worker, started when it is first needed; cancelling a call ends its work. */
export function createPdfPagesReader(bounds: PdfBounds = PDF_BOUNDS): PdfPagesReader {
  const pool = createWorkerPool<PdfPagesJob, PdfPagesAnswer>({
    file: moduleUrl('./readers/pdf-pages-worker.ts', import.meta.url),
    workers: MAX_WORKERS,
    queue: MAX_WAITING,
    idleMs: IDLE_MS,
    stopOnAbort: true,
  });
  return {
    async read(body, name, signal, gauge = createGauge()) {
      const outcome = await pool.run({ body, name, bounds, gauge }, bounds.time + SPARE_MS, signal);
      if ('failed' in outcome) {
        if (outcome.failed === 'broken') throw broken(name);
        throw new AppError('timeout', `${name} takes over ${bounds.time / 1000} s to read: split it`);
      }
      if ('found' in outcome.answer) return outcome.answer.found;
      const { code, message, cause } = outcome.answer.error;
      // What the library fails on is due to the file: the reader names the defects that it knows.
      if (code === 'internal') throw broken(name, cause);
      throw new AppError(code, message, { cause });
    },
    close: () => pool.close(),
  };
}

function broken(name: string, cause?: string): AppError {
  return new AppError('unsupported', `${name} is broken and cannot be read`, { cause });
}
