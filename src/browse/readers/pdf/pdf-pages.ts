import { tooLargeError } from '../../../errors.ts';
import { processorTime } from '../../../lib/workers/processor-time.ts';
import { brokenFile } from '../broken-file-error.ts';
import { checkBounds, type FileBounds, type FilePages } from '../file-pages.ts';
import { openHiddenTexts } from './hidden/hidden-texts.ts';
import { openPdf, readLines, readPdfFacts } from './pdf.ts';
import { withoutPdfComments } from './pdf-comments.ts';
import type { PdfLine } from './pdf-lines.ts';
import { pdfPages } from './pdf-markdown.ts';

export interface SliceRequest {
  readonly from: number;
  /** Maximum processor time in milliseconds, after which no further page is read. */
  readonly time: number;
  readonly password?: string;
}

export interface PdfSlice {
  readonly lines: Uint8Array;
  readonly done: number;
  readonly of: number;
  readonly broken: number;
  /** Processor time in milliseconds for reading the pages. */
  readonly spent: number;
  readonly title: string;
  readonly author?: string;
}

const MAX_STAMP_CHARS = 60;

/** Reads pages until the time limit and makes `body` unusable. Throws AppError `unsupported`, `too_large`. */
export async function readPdfSlice(
  body: Uint8Array,
  name: string,
  { from, time, password }: SliceRequest,
  bounds: FileBounds,
  tell: (done: number, of: number) => void,
): Promise<PdfSlice> {
  const began = processorTime();
  const hidden = await openHiddenTexts(body, password);
  const document = await openPdf(body, name, password).catch((thrown: unknown) => {
    hidden.close();
    throw thrown;
  });
  try {
    const { numPages } = document;
    if (numPages > bounds.pages) {
      const why = `${name} has ${numPages} pages, and at most ${bounds.pages} are read: split it`;
      throw tooLargeError(why);
    }
    tell(from, numPages);
    const left = Math.max(0, time - (processorTime() - began));
    const { pages, broken } = await readLines(
      document,
      hidden,
      numPages,
      left,
      (at) => tell(at, numPages),
      from,
    );
    const { title, author } = await readPdfFacts(document);
    return {
      lines: Buffer.from(JSON.stringify(pages)),
      done: from + pages.length,
      of: numPages,
      broken,
      spent: processorTime() - began,
      title,
      author,
    };
  } finally {
    hidden.close();
    await document.loadingTask.destroy();
  }
}

/** Joins slices of pages to the text of the file. Throws AppError `unsupported` or `too_large`. */
export function joinPdfSlices(slices: readonly PdfSlice[], name: string, bounds: FileBounds): FilePages {
  const lines = slices.flatMap((slice) => JSON.parse(Buffer.from(slice.lines).toString()) as PdfLine[][]);
  const { pages, heading } = pdfPages(lines);
  if (!pages.some(Boolean) && slices.some(({ broken }) => broken > 0)) {
    throw brokenFile(name, 'PDF', undefined, 'none of its pages can be read');
  }
  checkBounds(pages, name, bounds);
  const [first] = slices;
  const title = first?.title || heading;
  const author = first?.author || undefined;
  return { kind: 'pdf', title, author, pages, wordless: wordlessPages(pages.map(withoutPdfComments)) };
}

function wordlessPages(pages: readonly string[]): number[] {
  const stamps = pages.map((text) =>
    text.length <= MAX_STAMP_CHARS ? text.replace(/\d+/g, '0') : undefined,
  );
  const counts = new Map<string | undefined, number>();
  for (const stamp of stamps) counts.set(stamp, (counts.get(stamp) ?? 0) + 1);
  return stamps.flatMap((stamp, at) =>
    stamp === '' || (stamp !== undefined && (counts.get(stamp) ?? 0) > 1) ? [at + 1] : [],
  );
}
