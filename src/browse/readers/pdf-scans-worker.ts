import { asAppError } from '../../errors.ts';
import type { PdfScansAnswer, PdfScansJob } from '../pdf-scans-reader.ts';
import { createOcr, type Ocr } from './ocr.ts';
import { readPdfScans } from './pdf-scans.ts';

/** Takes one scanned PDF at a time off the event loop; see pdf-scans-reader.ts. The model stays until the worker goes. */
let kept: { readonly language: string; readonly ocr: Ocr } | undefined;

async function ocrOf(language: string): Promise<Ocr> {
  if (kept?.language !== language) {
    await kept?.ocr.close();
    kept = { language, ocr: await createOcr(language) };
  }
  return kept.ocr;
}

export async function answer({
  body,
  name,
  pages,
  language,
  bounds,
  gauge,
}: PdfScansJob): Promise<PdfScansAnswer> {
  const ocr = () => ocrOf(language);
  return readPdfScans(body, name, pages, ocr, bounds, gauge).then(
    (found) => ({ found }),
    (thrown: unknown) => {
      const { code, message } = asAppError(thrown);
      return { error: { code, message, cause: thrown instanceof Error ? String(thrown.stack) : '' } };
    },
  );
}
