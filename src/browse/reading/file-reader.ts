import { AppError, tooLargeError } from '../../errors.ts';
import { quoteName } from '../../lib/text/quote-name.ts';
import type { SharedProgress } from '../../lib/workers/shared-progress.ts';
import type { FileBounds, FilePages } from '../readers/file-pages.ts';
import type { PdfSlice } from '../readers/pdf/pdf-pages.ts';
import { type ReaderPool, type ReaderTask, type ReaderTasks, readerMemoryError } from './reader-pool.ts';

export interface FileToRead {
  readonly file: Uint8Array | string;
  readonly name: string;
  readonly password?: string;
  readonly signal: AbortSignal;
  readonly owner?: string;
  readonly gauge?: SharedProgress;
}

export interface FileReadProgress {
  readonly slices: readonly PdfSlice[];
}

export interface FileReader {
  /** Returns all pages. For a long file, returns `soFar`, which the next call needs. Throws AppError. */
  readOn(
    file: FileToRead,
    soFar?: FileReadProgress,
  ): Promise<FilePages | { readonly soFar: FileReadProgress }>;
  read(file: FileToRead): Promise<FilePages>;
}

/** Extra milliseconds in which a reader process may finish a page and report its own timeout. */
const SPARE_MS = 30_000;
/** Processor time in milliseconds for one slice of a PDF. Between slices, other files can be read. */
const SLICE_MS = 4000;
/** The lines of a PDF may have this many bytes for each character in `bounds.characters`. */
const LINE_BYTES = 5;
export const DEFAULT_FILE_BOUNDS: FileBounds = {
  pages: 10_000,
  time: 240_000,
  page: 1_000_000,
  characters: 60_000_000,
};

export function createFileReader(
  desk: ReaderPool,
  bounds: FileBounds = DEFAULT_FILE_BOUNDS,
  sliceMs = SLICE_MS,
): FileReader {
  async function run<Task extends ReaderTask>(
    task: Task,
    values: ReaderTasks[Task]['values'],
    { file, name, signal, gauge, owner }: FileToRead,
    timeMs: number,
  ): Promise<ReaderTasks[Task]['result']> {
    const bytes = typeof file === 'string' ? 0 : file.length;
    const processorMs = timeMs + SPARE_MS;
    const outcome = await desk.run(task, values, { processorMs, signal, bytes, gauge, owner });
    if ('value' in outcome) return outcome.value;
    const { failed, cause } = outcome;
    if (failed === 'memory') throw readerMemoryError(quoteName(name), desk);
    if (failed === 'broken') {
      throw new AppError('unsupported', `${quoteName(name)} is broken and cannot be read; try another copy`, {
        cause,
      });
    }
    throw tooSlow(name);
  }
  const tooSlow = (name: string, place = '') =>
    new AppError(
      'timeout',
      `${quoteName(name)} takes over ${bounds.time / 1000} s to read${place}: split it`,
    );

  async function readOn(
    file: FileToRead,
    { slices }: FileReadProgress = { slices: [] },
  ): Promise<FilePages | { readonly soFar: FileReadProgress }> {
    const { name, password } = file;
    const last = slices.at(-1);
    if (last && last.done >= last.of) return run('joinedPdf', { slices, name, bounds }, file, bounds.time);
    const spent = slices.reduce((sum, slice) => sum + slice.spent, 0);
    if (last && spent > bounds.time) throw tooSlow(name, ` (${last.done} of ${last.of} pages so far)`);
    const from = last?.done ?? 0;
    const time = Math.min(sliceMs, bounds.time - spent);
    const values = { body: file.file, name, slice: { from, time, password }, bounds };
    const found = await run('filePages', values, file, from === 0 ? bounds.time : sliceMs);
    if ('pages' in found) return found;
    const read = [...slices, found];
    // All slices stay in memory until the PDF has been read, so their size is limited.
    const bytes = read.reduce((sum, { lines }) => sum + lines.length, 0);
    if (bytes <= LINE_BYTES * bounds.characters) return { soFar: { slices: read } };
    const place = `${found.done} of its ${found.of} pages`;
    throw tooLargeError(`${quoteName(name)} has too much text, in ${place} alone: split it`);
  }

  return {
    readOn,
    async read(file) {
      let found = await readOn(file);
      while (!('pages' in found)) found = await readOn(file, found.soFar);
      return found;
    },
  };
}
