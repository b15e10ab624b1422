import { asAppError } from '../../errors.ts';
import type { PdfPagesAnswer, PdfPagesJob } from '../pdf-pages-reader.ts';
import { readPdfPages } from './pdf-pages.ts';

/** Takes one PDF at a time off the event loop; see pdf-pages-reader.ts. */
export async function answer({ body, name, bounds, gauge }: PdfPagesJob): Promise<PdfPagesAnswer> {
  return readPdfPages(body, name, bounds, gauge).then(
    (found) => ({ found }),
    (thrown: unknown) => {
      const { code, message } = asAppError(thrown);
      return { error: { code, message, cause: thrown instanceof Error ? String(thrown.stack) : '' } };
    },
  );
}
