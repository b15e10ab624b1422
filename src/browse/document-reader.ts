import { AppError, type ErrorCode } from '../errors.ts';
import { moduleUrl } from '../lib/module-url.ts';
import { createWorkerPool } from '../lib/worker-pool.ts';
import type { Content, PageKind, RawPage } from './page.ts';

export interface DocumentJob {
  readonly kind: PageKind;
  readonly raw: RawPage;
}

export type DocumentAnswer =
  | { readonly content: Content }
  | { readonly error: { readonly code: ErrorCode; readonly message: string; readonly cause: string } };

/** Turns documents other than HTML pages into Markdown without holding the event loop up. */
export interface DocumentReader {
  /** AppError: `unsupported` and `too_large` as the readers say, `timeout`, `unavailable` when too many wait. */
  readDocument(kind: PageKind, raw: RawPage, signal: AbortSignal): Promise<Content>;
  close(): Promise<void>;
}

/** Apart from those for HTML, so that a few thick books leave pages readable. */
const MAX_WORKERS = 2;
const MAX_WAITING = 50;
/** Milliseconds for one document; the PDF reader stops by itself before that with what it has. */
const TIME_LIMIT_MS = 25_000;
const IDLE_MS = 60_000;
/** Kinds that take next to no time, up to this many bytes. */
const LIGHT: ReadonlySet<PageKind> = new Set(['text', 'markdown', 'code', 'json', 'xml', 'csv']);
const LIGHT_BYTES = 50_000;

/** A pool of workers with a time limit; cancelling a call ends its worker's work. */
export function createDocumentReader(): DocumentReader {
  const pool = createWorkerPool<DocumentJob, DocumentAnswer>({
    file: moduleUrl('./readers/document-worker.ts', import.meta.url),
    workers: MAX_WORKERS,
    queue: MAX_WAITING,
    idleMs: IDLE_MS,
    stopOnAbort: true,
  });
  return {
    async readDocument(kind, raw, signal) {
      if (LIGHT.has(kind) && raw.body.length <= LIGHT_BYTES) {
        return (await import('./readers/document.ts')).readDocument(kind, raw);
      }
      const outcome = await pool.run({ kind, raw }, TIME_LIMIT_MS, signal);
      if ('failed' in outcome) throw failure(raw.url, outcome.failed);
      if ('content' in outcome.answer) return outcome.answer.content;
      const { code, message, cause } = outcome.answer.error;
      // What a library fails on is due to the document: the readers name the defects that they know.
      if (code === 'internal') throw failure(raw.url, 'broken', cause);
      throw new AppError(code, message, { cause });
    },
    close: () => pool.close(),
  };
}

function failure(url: string, why: 'time' | 'memory' | 'broken', cause?: string): AppError {
  if (why === 'time') {
    return new AppError(
      'timeout',
      `${url} took over ${TIME_LIMIT_MS / 1000} seconds to read; try another copy or page`,
    );
  }
  return new AppError('unsupported', `${url} is broken and cannot be read; try another copy`, { cause });
}
