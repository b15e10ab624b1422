import { AppError } from '../../errors.ts';
import { quoteName } from '../../lib/text/quote-name.ts';
import { createSharedProgress, readSharedProgress } from '../../lib/workers/shared-progress.ts';
import type { OcrScanBounds } from '../readers/pdf/pdf-scans.ts';
import type { FileToRead } from './file-reader.ts';
import { type ReaderPool, readerMemoryError } from './reader-pool.ts';

/** Extra milliseconds in which a reader process may report its own timeout. */
const SPARE_MS = 120_000;
export const DEFAULT_SCAN_BOUNDS: OcrScanBounds = {
  pages: 300,
  time: 1_800_000,
  page: 60_000,
  draw: 120_000,
  imagePixels: 70_000_000,
  pagePixels: 16_000_000,
};

export function createOcrScanReader(
  desk: ReaderPool,
  language: string,
  bounds: OcrScanBounds = DEFAULT_SCAN_BOUNDS,
) {
  return {
    /** Returns the Markdown of `pages` (from 1). Throws AppError, for example `unavailable` or `timeout`. */
    async read(wanted: FileToRead, pages: readonly number[]): Promise<readonly string[]> {
      const { file, name: given, password, gauge = createSharedProgress(), signal, owner } = wanted;
      const processorMs = bounds.time + SPARE_MS;
      const bytes = typeof file === 'string' ? 0 : file.length;
      const name = quoteName(given);
      const values = { body: file, name: given, password, pages, language, bounds };
      const outcome = await desk.run('scans', values, { processorMs, signal, bytes, gauge, owner });
      if ('value' in outcome) return outcome.value;
      const { failed, cause } = outcome;
      const what = `the scanned pages of ${name}`;
      if (failed === 'memory') throw readerMemoryError(what, desk);
      if (failed === 'broken') {
        throw new AppError('unsupported', `${what} are broken and cannot be read`, { cause });
      }
      const { done, of } = readSharedProgress(gauge);
      const why =
        of > 0
          ? `page ${done + 1} of the scanned ones of ${name} takes too long to draw: leave it out`
          : `${what} take too long to read: split it`;
      throw new AppError('timeout', why);
    },
  };
}
