import { AppError } from '../errors.ts';
import { type Gauge, readGauge } from '../lib/gauge.ts';
import { type ReaderDesk, tooMuchMemory } from './reader-desk.ts';
import type { ScanBounds } from './readers/pdf-scans.ts';

/** Reads scanned pages of PDF files by OCR: some seconds a page. */
export interface PdfScansReader {
  /**
   * Markdown of `pages`, from 1, in order; '' where there is nothing to read. `body` may be the path of a file, `owner` is whose it is. AppError
   * `unavailable` when a package is missing or too many wait, `too_large` and `timeout` past the bounds, `unsupported`
   * for a broken file.
   */
  read(
    body: Uint8Array | string,
    name: string,
    pages: readonly number[],
    gauge: Gauge,
    signal: AbortSignal,
    owner?: string,
  ): Promise<readonly string[]>;
}

/** Milliseconds that a reader has to say itself that the time is up. */
const SPARE_MS = 120_000;
export const SCAN_BOUNDS: ScanBounds = {
  pages: 300,
  time: 1_800_000,
  page: 60_000,
  draw: 120_000,
  imagePixels: 70_000_000,
  pagePixels: 16_000_000,
};

/** Reads with the model of `language`; cancelling a call ends its work. */
export function createPdfScansReader(
  desk: ReaderDesk,
  language: string,
  bounds: ScanBounds = SCAN_BOUNDS,
): PdfScansReader {
  return {
    async read(body, name, pages, gauge, signal, owner) {
      const processorMs = bounds.time + SPARE_MS;
      const bytes = typeof body === 'string' ? 0 : body.length;
      const values = { body, name, pages, language, bounds };
      const outcome = await desk.run('pdfScans', values, { processorMs, signal, bytes, gauge, owner });
      if ('value' in outcome) return outcome.value;
      const { failed, cause } = outcome;
      const what = `the scanned pages of ${name}`;
      if (failed === 'memory') throw tooMuchMemory(what, desk);
      if (failed === 'broken') {
        throw new AppError('unsupported', `${what} are broken and cannot be read`, { cause });
      }
      // One that takes long to draw ends its reader, whose last word says where it was.
      const { done, of } = readGauge(gauge);
      const why =
        of > 0
          ? `page ${done + 1} of the scanned ones of ${name} takes too long to draw: leave it out`
          : `${what} take too long to read: split it`;
      throw new AppError('timeout', why);
    },
  };
}
