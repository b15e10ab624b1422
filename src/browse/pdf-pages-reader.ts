import { AppError } from '../errors.ts';
import type { Gauge } from '../lib/gauge.ts';
import { type ReaderDesk, tooMuchMemory } from './reader-desk.ts';
import type { PdfBounds, PdfPages } from './readers/pdf-pages.ts';

/** Reads whole PDF files page by page: a thick book may take minutes. */
export interface PdfPagesReader {
  /**
   * `body` may be the path of a file; `gauge` follows; `owner` is whose file it is. AppError as `readPdfPages` says, `too_large` for what takes too
   * much memory, and `unavailable` when too many wait.
   */
  read(
    body: Uint8Array | string,
    name: string,
    signal: AbortSignal,
    gauge?: Gauge,
    owner?: string,
  ): Promise<PdfPages>;
}

/** Milliseconds that a reader has to say itself that the time is up. */
const SPARE_MS = 15_000;
export const PDF_BOUNDS: PdfBounds = {
  pages: 10_000,
  time: 240_000,
  page: 1_000_000,
  characters: 60_000_000,
};

/** Cancelling a call ends its work. */
export function createPdfPagesReader(desk: ReaderDesk, bounds: PdfBounds = PDF_BOUNDS): PdfPagesReader {
  return {
    async read(body, name, signal, gauge, owner) {
      const processorMs = bounds.time + SPARE_MS;
      const bytes = typeof body === 'string' ? 0 : body.length;
      const outcome = await desk.run(
        'pdfPages',
        { body, name, bounds },
        { processorMs, signal, bytes, gauge, owner },
      );
      if ('value' in outcome) return outcome.value;
      const { failed, cause } = outcome;
      if (failed === 'memory') throw tooMuchMemory(name, desk);
      if (failed === 'broken') {
        throw new AppError('unsupported', `${name} is broken and cannot be read`, { cause });
      }
      throw new AppError('timeout', `${name} takes over ${bounds.time / 1000} s to read: split it`);
    },
  };
}
