import { asAppError } from '../../errors.ts';
import type { PdfPagePreview } from '../readers/pdf/pdf-preview.ts';
import type { ReaderPool } from './reader-pool.ts';

const TIME_LIMIT_MS = 20_000;

export function createPreviewReader(desk: ReaderPool): (page: {
  readonly file: Uint8Array | string;
  /** Page number, from 1. */
  readonly page: number;
  readonly passage: string;
  readonly owner: string;
  readonly signal: AbortSignal;
}) => Promise<PdfPagePreview | undefined> {
  return async ({ file, page, passage, owner, signal }) => {
    const bytes = typeof file === 'string' ? 0 : file.length;
    const limits = { processorMs: TIME_LIMIT_MS, signal, owner, bytes };
    try {
      const outcome = await desk.run('preview', { body: file, page, passage }, limits);
      return 'value' in outcome ? outcome.value : undefined;
    } catch (thrown) {
      const error = asAppError(thrown);
      if (error.code === 'unavailable' && error.retryAfter === undefined) return undefined;
      throw thrown;
    }
  };
}
