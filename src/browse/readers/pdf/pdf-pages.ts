import { AppError } from '../../../errors.ts';
import { processorTime } from '../../../lib/workers/processor-time.ts';
import { brokenFile } from '../broken.ts';
import { checkBounds, type FileBounds, type FilePages } from '../file-pages.ts';
import { factsOf, openPdf, readLines } from './pdf.ts';
import type { Line } from './pdf-lines.ts';
import { pdfPages } from './pdf-markdown.ts';

/** Which pages of a PDF are read in one go. */
export interface SliceRequest {
  /** Pages before these. */
  readonly from: number;
  /** Milliseconds of processor time after which the next page is left to another go. */
  readonly time: number;
  readonly password?: string;
}

/** Pages of a PDF as they were read in one go, to be put together by `joinPdfSlices`. */
export interface PdfSlice {
  /** Lines of its pages, as JSON, since what passes them on does not read them. */
  readonly lines: Uint8Array;
  /** Pages up to its end, and of the file. */
  readonly done: number;
  readonly of: number;
  /** Of its pages, those that cannot be read. */
  readonly broken: number;
  /** Milliseconds of processor time that it took. */
  readonly spent: number;
  readonly title: string;
  readonly author?: string;
}

/** Characters that a scanner's or a library's stamp on a scanned page has at most. */
const MAX_STAMP_CHARS = 60;

/**
 * Pages of a PDF, as many as there is time for. `body` is taken over. AppError `unsupported` for what is encrypted or
 * broken, `too_large` for what has too many pages.
 */
export async function readPdfSlice(
  body: Uint8Array,
  name: string,
  { from, time, password }: SliceRequest,
  bounds: FileBounds,
  /** Called with how many pages are read, of how many. */
  tell: (done: number, of: number) => void,
): Promise<PdfSlice> {
  const began = processorTime();
  const document = await openPdf(body, name, password);
  try {
    const { numPages } = document;
    if (numPages > bounds.pages) {
      const why = `${name} has ${numPages} pages, and at most ${bounds.pages} are read: split it`;
      throw new AppError('too_large', why);
    }
    tell(from, numPages);
    const left = Math.max(0, time - (processorTime() - began));
    const { pages, broken } = await readLines(document, numPages, left, (at) => tell(at, numPages), from);
    const { title, author } = await factsOf(document);
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
    await document.loadingTask.destroy();
  }
}

/**
 * All pages of a PDF, or none: a part of a file would pass for the whole. AppError `unsupported` where no page can be read,
 * `too_large` past the bounds.
 */
export function joinPdfSlices(slices: readonly PdfSlice[], name: string, bounds: FileBounds): FilePages {
  const lines = slices.flatMap((slice) => JSON.parse(Buffer.from(slice.lines).toString()) as Line[][]);
  const { pages, heading } = pdfPages(lines);
  if (!pages.some(Boolean) && slices.some(({ broken }) => broken > 0)) {
    throw brokenFile(name, 'PDF', undefined, 'none of its pages can be read');
  }
  checkBounds(pages, name, bounds);
  const [first] = slices;
  const title = first?.title || heading;
  const author = first?.author || undefined;
  return { kind: 'pdf', title, author, pages, wordless: wordlessPages(pages) };
}

/** Stamps differ from short pages in that several have them, but for their numbers. */
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
