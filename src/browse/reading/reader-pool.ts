import { type AppError, tooLargeError } from '../../errors.ts';
import { type ValueOrError, valueOrThrow } from '../../lib/workers/job-error.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { type SharedProgress, setSharedProgress } from '../../lib/workers/shared-progress.ts';
import { createWorkerPool } from '../../lib/workers/worker-pool.ts';
import type { FileBounds, FilePages } from '../readers/file-pages.ts';
import type { PdfSlice, SliceRequest } from '../readers/pdf/pdf-pages.ts';
import type { PdfPagePreview } from '../readers/pdf/pdf-preview.ts';
import type { OcrScanBounds } from '../readers/pdf/pdf-scans.ts';
import type { NeedsScripts } from '../rendering/needs-scripts.ts';
import type { OutlineCause, Page, PageKind, RawPage } from './page.ts';
import { computeMaxQueueBytes, planReaders } from './reader-plan.ts';

export interface ReaderTasks {
  readonly page: {
    readonly values: { readonly raw: RawPage; readonly outline?: OutlineCause };
    readonly result: { readonly page: Page; readonly scripted: NeedsScripts };
  };
  /** Reads a file. A long PDF is read in slices, which the task `joinedPdf` joins. */
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
  readonly preview: {
    readonly values: { readonly body: Uint8Array | string; readonly page: number; readonly passage: string };
    readonly result: PdfPagePreview | undefined;
  };
  readonly scans: {
    readonly values: {
      readonly body: Uint8Array | string;
      readonly name: string;
      readonly password?: string;
      readonly pages: readonly number[];
      readonly language: string;
      readonly bounds: OcrScanBounds;
    };
    readonly result: readonly string[];
  };
}
export type ReaderTask = keyof ReaderTasks;

export type ReaderJob = {
  readonly [Task in ReaderTask]: { readonly task: Task; readonly values: ReaderTasks[Task]['values'] };
}[ReaderTask];
export type ReaderAnswer = ValueOrError<ReaderTasks[ReaderTask]['result']>;

export type ReaderProgress = { readonly done: number; readonly of: number } | { readonly kind: PageKind };

export interface ReaderLimits {
  readonly processorMs: number;
  readonly signal: AbortSignal;
  readonly owner?: string;
  readonly bytes?: number;
  readonly alwaysWaits?: boolean;
  onBegin?(): void;
  readonly gauge?: SharedProgress;
}

/** `broken` means that the reader process failed on the file. `kind` is the file's kind, if known. */
export type ReaderOutcome<Value> =
  | { readonly value: Value }
  | { readonly failed: 'time' | 'memory' | 'broken'; readonly cause?: string; readonly kind?: PageKind };

export interface ReaderPool {
  readonly readers: number;
  readonly memoryBytes: number;
  /** Throws the task's AppError, the signal's reason, or BusyError. */
  run<Task extends ReaderTask>(
    task: Task,
    values: ReaderTasks[Task]['values'],
    limits: ReaderLimits,
  ): Promise<ReaderOutcome<ReaderTasks[Task]['result']>>;
  close(): Promise<void>;
}

const [MAX_WAITING, MAX_WAITING_PER_OWNER] = [200, 100];
const IDLE_MS = 60_000;
/** Before a user's job starts another process, it waits 3 times as long as a start takes, at most 3 s. */
const PATIENCE = { starts: 3, mostMs: 3000 };
/** Maximum bytes of a process after a job. A larger process is ended, because it never returns memory. */
const REST_BYTES = 350_000_000;

export function createReaderPool(options: { readonly memoryBytes?: number } = {}): ReaderPool {
  const { readers: workers, memoryBytes } = planReaders(options.memoryBytes);
  const queued = computeMaxQueueBytes();
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
        const news = message as ReaderProgress;
        if ('kind' in news) kind = news.kind;
        else if (gauge) setSharedProgress(gauge, news.done, news.of);
      };
      const job = { task, values } as ReaderJob;
      const outcome = await pool.run(job, processorMs, more.signal, { ...more, onNews });
      if ('failed' in outcome) return { ...outcome, kind };
      const { answer } = outcome;
      if ('error' in answer && answer.error.code === 'internal')
        return { failed: 'broken', cause: answer.error.cause, kind };
      return { value: valueOrThrow(answer) as never };
    },
    close: () => pool.close(),
  };
}

export function readerMemoryError(name: string, { memoryBytes }: ReaderPool): AppError {
  return tooLargeError(
    `${name} needs more memory than a reader has, which is ${Math.round(memoryBytes / 1e6)} MB: split it or take another copy, or the operator raises MAGPIE_READER_BYTES`,
  );
}
