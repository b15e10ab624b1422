import { asAppError } from '../../errors.ts';
import type { Preview } from '../readers/pdf/pdf-preview.ts';
import type { ReaderDesk } from './reader-desk.ts';

/** A page of an uploaded PDF that is to be shown. */
export interface PageToShow {
  /** Bytes, or the path. */
  readonly file: Uint8Array | string;
  /** From 1. */
  readonly page: number;
  /** What is marked; '' for nothing. */
  readonly passage: string;
  readonly owner: string;
  readonly signal: AbortSignal;
}

/** Milliseconds of processor time of one page. */
const TIME_LIMIT_MS = 20_000;

/** Draws pages as they look; undefined for one that cannot be drawn: its text is there in any case. */
export function createPreviewReader(desk: ReaderDesk): (page: PageToShow) => Promise<Preview | undefined> {
  return async ({ file, page, passage, owner, signal }) => {
    const bytes = typeof file === 'string' ? 0 : file.length;
    const limits = { processorMs: TIME_LIMIT_MS, signal, owner, bytes };
    try {
      const outcome = await desk.run('preview', { body: file, page, passage }, limits);
      return 'value' in outcome ? outcome.value : undefined;
    } catch (thrown) {
      // Without its optional package; too many that wait are worth another try, and say so.
      const error = asAppError(thrown);
      if (error.code === 'unavailable' && error.retryAfter === undefined) return undefined;
      throw thrown;
    }
  };
}
