import { readFile } from 'node:fs/promises';
import { asAppError } from '../../errors.ts';
import type { PageKind } from '../page.ts';
import type { ReaderAnswer, ReaderJob, ReaderNews, ReaderTask, ReaderTasks } from '../reader-desk.ts';
import type { Ocr } from './ocr.ts';

/** Reads one page or file at a time, in a process of its own; each reader is loaded when it is first needed. See reader-desk.ts. */
export async function answer(
  job: ReaderJob,
  report: (news: ReaderNews) => void,
  step: (processorMs: number) => void,
): Promise<ReaderAnswer> {
  try {
    return { value: await read(job, spaced(report), step, (kind) => report({ kind })) };
  } catch (thrown) {
    const { code, message } = asAppError(thrown);
    return { error: { code, message, cause: thrown instanceof Error ? String(thrown.stack) : '' } };
  }
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
    case 'pdfPages': {
      const { body, name, bounds } = job.values;
      return (await import('./pdf-pages.ts')).readPdfPages(await bytesOf(body), name, bounds, tell);
    }
    case 'pdfScans': {
      const { body, name, pages, language, bounds } = job.values;
      const { readPdfScans } = await import('./pdf-scans.ts');
      return readPdfScans(await bytesOf(body), name, pages, () => ocrOf(language), bounds, { tell, step });
    }
  }
}

async function bytesOf(body: Uint8Array | string): Promise<Uint8Array> {
  const bytes = typeof body === 'string' ? await readFile(body) : body;
  // Readers take the buffer over: it has to be the bytes' own, and no view of more.
  const own = bytes.byteLength === bytes.buffer.byteLength;
  return own ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);
}

/** The model stays until the process goes. */
let kept: { readonly language: string; readonly ocr: Ocr } | undefined;

async function ocrOf(language: string): Promise<Ocr> {
  if (kept?.language !== language) {
    await kept?.ocr.close();
    kept = { language, ocr: await (await import('./ocr.ts')).createOcr(language) };
  }
  return kept.ocr;
}

/** Milliseconds between two pieces of news. */
const NEWS_INTERVAL_MS = 100;

function spaced(report: (news: ReaderNews) => void): (done: number, of: number) => void {
  let last = -Infinity;
  return (done, of) => {
    if (done > 0 && done < of && performance.now() - last < NEWS_INTERVAL_MS) return;
    last = performance.now();
    report({ done, of });
  };
}
