import { AppError } from '../../errors.ts';
import { factsOf, openPdf, readLines } from './pdf.ts';
import { pdfPages } from './pdf-markdown.ts';

/** A PDF's text page by page. */
export interface PdfPages {
  /** Its own title, else its first heading, else ''. */
  readonly title: string;
  readonly author?: string;
  /** Markdown of each page, in order; '' for one without text. */
  readonly pages: readonly string[];
  /** Pages, from 1, with no text but a stamp: what they show may be a picture of text. */
  readonly wordless: readonly number[];
}

export interface PdfBounds {
  readonly pages: number;
  /** Milliseconds of processor time. */
  readonly time: number;
  /** UTF-16 units of one page, and of all text. */
  readonly page: number;
  readonly characters: number;
}

/** Characters that a scanner's or a library's stamp on a scanned page has at most. */
const MAX_STAMP_CHARS = 60;
/** Bytes at the start among which the mark of a PDF has to stand. */
const HEAD_BYTES = 1024;
const SIGNS: readonly (readonly [string, string])[] = [
  ['PK\x03\x04', 'a ZIP archive or an Office document'],
  ['\x1f\x8b', 'a gzip archive'],
  ['Rar!', 'a RAR archive'],
  ['7z\xbc\xaf', 'a 7-Zip archive'],
  ['\x89PNG', 'a PNG picture'],
  ['\xff\xd8\xff', 'a JPEG picture'],
  ['\xd0\xcf\x11\xe0', 'an old Office document'],
  ['MZ', 'a Windows program'],
  ['\x7fELF', 'a program'],
  ['%!PS', 'PostScript'],
];

/**
 * All pages of a PDF, or none: a part of a file would pass for the whole. `body` is taken over. AppError
 * `unsupported` for what is not a PDF, is encrypted or broken; `too_large` and `timeout` past the bounds.
 */
export async function readPdfPages(
  body: Uint8Array,
  name: string,
  bounds: PdfBounds,
  /** Called with how many pages are read, of how many. */
  tell: (done: number, of: number) => void,
): Promise<PdfPages> {
  refuseOthers(body, name);
  const document = await openPdf(body, name);
  try {
    const { numPages } = document;
    if (numPages > bounds.pages) {
      const why = `${name} has ${numPages} pages and ${bounds.pages} are the most: split it`;
      throw new AppError('too_large', why);
    }
    const told = (done: number) => tell(done, numPages);
    told(0);
    const lines = await readLines(document, numPages, bounds.time, told);
    if (lines.pages.length < numPages) {
      const why = `${name} takes over ${Math.round(bounds.time / 1000)} s to read (${lines.pages.length} of ${numPages} pages so far): split it`;
      throw new AppError('timeout', why);
    }
    const { pages, heading } = pdfPages(lines.pages);
    const characters = pages.reduce((sum, text) => sum + text.length, 0);
    if (characters === 0 && lines.broken > 0) throw broken(name);
    const longest = pages.findIndex((text) => text.length > bounds.page);
    if (longest >= 0) {
      const why = `page ${longest + 1} of ${name} has ${pages[longest]?.length} characters of text and ${bounds.page} are the most`;
      throw new AppError('too_large', why);
    }
    if (characters > bounds.characters) {
      const why = `${name} has ${characters} characters of text and ${bounds.characters} are the most: split it`;
      throw new AppError('too_large', why);
    }
    const { title, author } = await factsOf(document);
    return { title: title || heading, author: author || undefined, pages, wordless: wordlessPages(pages) };
  } finally {
    await document.loadingTask.destroy();
  }
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

function broken(name: string): AppError {
  return new AppError('unsupported', `${name} is a broken PDF: none of its pages can be read`);
}

function refuseOthers(body: Uint8Array, name: string): void {
  if (body.length === 0) throw new AppError('unsupported', `${name} is empty`);
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, HEAD_BYTES)).toString(
    'latin1',
  );
  // An archive may hold a PDF as it is, near its beginning.
  const what = SIGNS.find(([sign]) => head.startsWith(sign))?.[1];
  if (!what && head.includes('%PDF-')) return;
  throw new AppError(
    'unsupported',
    `${name} is not a PDF${what ? `, but ${what}` : ''}: only PDF files are accepted`,
  );
}
