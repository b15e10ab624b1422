import { readFile } from 'node:fs/promises';
import { quoteName } from '../../lib/text/quote-name.ts';
import { catchJobError } from '../../lib/workers/job-error.ts';
import type { PageKind } from '../reading/page.ts';
import type {
  ReaderAnswer,
  ReaderJob,
  ReaderProgress,
  ReaderTask,
  ReaderTasks,
} from '../reading/reader-pool.ts';
import { type FileBounds, type FilePages, isPdf, readFilePages } from './file-pages.ts';
import type { Ocr } from './ocr.ts';
import type { PdfSlice, SliceRequest } from './pdf/pdf-pages.ts';

export function handleJob(
  job: ReaderJob,
  report: (news: ReaderProgress) => void,
  step: (processorMs: number) => void,
): Promise<ReaderAnswer> {
  return catchJobError(() => read(job, spaced(report), step, (kind) => report({ kind })));
}

async function read(
  job: ReaderJob,
  tell: (done: number, of: number) => void,
  step: (processorMs: number) => void,
  onKind: (kind: PageKind) => void,
): Promise<ReaderTasks[ReaderTask]['result']> {
  switch (job.task) {
    case 'page': {
      const { raw, outline } = job.values;
      return (await import('./page.ts')).readPage(raw, outline, onKind);
    }
    case 'filePages': {
      const { body, name, slice, bounds } = job.values;
      return filePages(await bytesOf(body), name, slice, bounds, tell);
    }
    case 'joinedPdf': {
      const { slices, name, bounds } = job.values;
      return (await import('./pdf/pdf-pages.ts')).joinPdfSlices(slices, quoteName(name), bounds);
    }
    case 'preview': {
      const { body, page, passage } = job.values;
      return (await import('./pdf/pdf-preview.ts')).drawPreview(await bytesOf(body), page, passage);
    }
    case 'scans': {
      const { body, name, password, pages, language, bounds } = job.values;
      const bytes = await bytesOf(body);
      const { readPdfScans, readPictureText } = await import('./pdf/pdf-scans.ts');
      if (!isPdf(bytes, name)) return readPictureText(bytes, await ocrOf(language), bounds, { tell, step });
      const scan = { body: bytes, name: quoteName(name), password };
      return readPdfScans(scan, pages, () => ocrOf(language), bounds, { tell, step });
    }
  }
}

async function filePages(
  body: Uint8Array,
  name: string,
  slice: SliceRequest,
  bounds: FileBounds,
  tell: (done: number, of: number) => void,
): Promise<FilePages | PdfSlice> {
  if (!isPdf(body, name)) return readFilePages(body, name, bounds);
  const { joinPdfSlices, readPdfSlice } = await import('./pdf/pdf-pages.ts');
  const read = await readPdfSlice(body, quoteName(name), slice, bounds, tell);
  const whole = slice.from === 0 && read.done >= read.of;
  return whole ? joinPdfSlices([read], quoteName(name), bounds) : read;
}

async function bytesOf(body: Uint8Array | string): Promise<Uint8Array> {
  const bytes = typeof body === 'string' ? await readFile(body) : body;
  const own = bytes.byteLength === bytes.buffer.byteLength;
  return own ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);
}

let kept: { readonly language: string; readonly ocr: Ocr } | undefined;

async function ocrOf(language: string): Promise<Ocr> {
  if (kept?.language !== language) {
    await kept?.ocr.close();
    kept = { language, ocr: await (await import('./ocr.ts')).createOcr(language) };
  }
  return kept.ocr;
}

const NEWS_INTERVAL_MS = 100;

function spaced(report: (news: ReaderProgress) => void): (done: number, of: number) => void {
  let last = -Infinity;
  return (done, of) => {
    if (done > 0 && done < of && performance.now() - last < NEWS_INTERVAL_MS) return;
    last = performance.now();
    report({ done, of });
  };
}
