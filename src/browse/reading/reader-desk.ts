import { AppError, type ErrorCode } from '../../errors.ts';
import { type Gauge, setGauge } from '../../lib/workers/gauge.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { createWorkerPool } from '../../lib/workers/worker-pool.ts';
import type { FileBounds, FilePages } from '../readers/file-pages.ts';
import type { PdfSlice, SliceRequest } from '../readers/pdf/pdf-pages.ts';
import type { Preview } from '../readers/pdf/pdf-preview.ts';
import type { ScanBounds } from '../readers/pdf/pdf-scans.ts';
import type { Scripted } from '../rendering/scripted.ts';
import type { OutlineCause, Page, PageKind, RawPage } from './page.ts';
import { countQueueBytes, shareReaders } from './reader-count.ts';

/** What readers do; a body may also be the path of a file on this machine. */
export interface ReaderTasks {
  /** A page or a document as Markdown; `outline`, the cause, reads HTML by its outline alone. */
  readonly page: {
    readonly values: { readonly raw: RawPage; readonly outline?: OutlineCause };
    readonly result: { readonly page: Page; readonly scripted: Scripted };
  };
  /** A file page by page; a long PDF slice by slice, which `joinedPdf` puts together. */
  readonly filePages: {
    readonly values: {
      readonly body: Uint8Array | string;
      readonly name: string;
      readonly slice: SliceRequest;
      readonly bounds: FileBounds;
    };
    readonly result: FilePages | PdfSlice;
  };
  readonly joinedPdf: {
    readonly values: {
      readonly slices: readonly PdfSlice[];
      readonly name: string;
      readonly bounds: FileBounds;
    };
    readonly result: FilePages;
  };
  /** A page of a PDF as it looks, with a passage marked; undefined where it cannot be drawn. */
  readonly preview: {
    readonly values: {
      readonly body: Uint8Array | string;
      readonly page: number;
      readonly passage: string;
    };
    readonly result: Preview | undefined;
  };
  /** The text of pages that are pictures, or of a file that is one. */
  readonly scans: {
    readonly values: {
      readonly body: Uint8Array | string;
      readonly name: string;
      readonly password?: string;
      readonly pages: readonly number[];
      readonly language: string;
      readonly bounds: ScanBounds;
    };
    readonly result: readonly string[];
  };
}
export type ReaderTask = keyof ReaderTasks;

/** What a reader is sent, and what it answers. */
export type ReaderJob = {
  readonly [Task in ReaderTask]: { readonly task: Task; readonly values: ReaderTasks[Task]['values'] };
}[ReaderTask];
export type ReaderAnswer =
  | { readonly value: ReaderTasks[ReaderTask]['result'] }
  | { readonly error: { readonly code: ErrorCode; readonly message: string; readonly cause: string } };

/** News of a job: how far it is, or what kind of page it reads. */
export type ReaderNews = { readonly done: number; readonly of: number } | { readonly kind: PageKind };

export interface ReaderLimits {
  /** Milliseconds of the reader's own processor time. */
  readonly processorMs: number;
  readonly signal: AbortSignal;
  /** Who wants it read: no one has all readers. */
  readonly owner?: string;
  /** Bytes that the job holds while it waits. */
  readonly bytes?: number;
  /** Waits however many wait already: it holds a place, see reading-places.ts. */
  readonly alwaysWaits?: boolean;
  /** Called when a reader begins with the job. */
  onBegin?(): void;
  /** Follows. */
  readonly gauge?: Gauge;
}

/** What came of a job; `broken` where a reader failed on the file, whose `kind` is there if the reader came so far. */
export type ReaderOutcome<Value> =
  | { readonly value: Value }
  | {
      readonly failed: 'time' | 'memory' | 'broken';
      readonly cause?: string;
      readonly kind?: PageKind;
    };

/** The readers of all that comes from outside, in processes of their own with bounded memory. */
export interface ReaderDesk {
  /** How many readers there are at most. */
  readonly readers: number;
  /** Bytes of memory of one reader. */
  readonly memoryBytes: number;
  /** AppError as the reader says; BusyError when too many wait or no reader can start; the signal's reason when cancelled. */
  run<Task extends ReaderTask>(
    task: Task,
    values: ReaderTasks[Task]['values'],
    limits: ReaderLimits,
  ): Promise<ReaderOutcome<ReaderTasks[Task]['result']>>;
  close(): Promise<void>;
}

export interface ReaderDeskOptions {
  /** Bytes of memory of one reader; a share of the machine's when left out. */
  readonly memoryBytes?: number;
}

/** Jobs that may wait, of all users and of one. */
const [MAX_WAITING, MAX_WAITING_PER_OWNER] = [200, 100];
const IDLE_MS = 60_000;
/**
 * To start another reader takes as long as a hundred pages, half of it once it has started and compiles its code: a job waits that long for a
 * reader that is busy for the same user.
 */
const PATIENCE = { starts: 3, mostMs: 3000 };
/**
 * Bytes with which a reader is kept between two jobs: one has 130 MB after small files, and 230 MB after OCR. What a large file took
 * is not given back as long as its reader lives.
 */
const REST_BYTES = 350_000_000;

/** Starts nothing until something is to be read. */
export function createReaderDesk(options: ReaderDeskOptions = {}): ReaderDesk {
  const { readers: workers, memoryBytes } = shareReaders(options.memoryBytes);
  const queued = countQueueBytes();
  const pool = createWorkerPool<ReaderJob, ReaderAnswer>({
    file: moduleUrl('../readers/reader-worker.ts', import.meta.url),
    workers,
    workersPerOwner: workers - 1,
    queue: MAX_WAITING,
    queuePerOwner: MAX_WAITING_PER_OWNER,
    bytes: { all: queued, perOwner: queued / 2 },
    idleMs: IDLE_MS,
    patience: PATIENCE,
    stopOnAbort: true,
    sparesWorkers: true,
    memoryBytes,
    restBytes: REST_BYTES,
  });
  return {
    readers: workers,
    memoryBytes,
    async run(task, values, { processorMs, gauge, ...more }) {
      let kind: PageKind | undefined;
      const onNews = (message: unknown) => {
        const news = message as ReaderNews;
        if ('kind' in news) kind = news.kind;
        else if (gauge) setGauge(gauge, news.done, news.of);
      };
      const job = { task, values } as ReaderJob;
      const outcome = await pool.run(job, processorMs, more.signal, { ...more, onNews });
      if ('failed' in outcome) return { ...outcome, kind };
      // A reader answers the task that it was given.
      if ('value' in outcome.answer) return outcome.answer as { value: never };
      const { code, message, cause } = outcome.answer.error;
      // What a library fails on is due to the file: the readers name the defects that they know.
      if (code === 'internal') return { failed: 'broken', cause, kind };
      throw new AppError(code, message, { cause });
    },
    close: () => pool.close(),
  };
}

/** AppError `too_large` for what a reader has too little memory for. */
export function tooMuchMemory(name: string, { memoryBytes }: ReaderDesk): AppError {
  return new AppError(
    'too_large',
    `${name} needs more memory than a reader has, which is ${Math.round(memoryBytes / 1e6)} MB: split it or take another copy, or the operator raises MAGPIE_READER_BYTES`,
  );
}
