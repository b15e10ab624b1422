import { AppError } from '../../errors.ts';
import { detectPageKind } from '../fetching/page-kind.ts';
import type { NeedsScripts } from '../rendering/needs-scripts.ts';
import type { Page, PageKind, RawPage } from './page.ts';
import { type ReaderLimits, type ReaderPool, readerMemoryError } from './reader-pool.ts';

export interface LoadedPage {
  readonly page: Page;
  readonly scripted: NeedsScripts;
}

export interface PageReadOptions {
  readonly owner?: string;
  onBegin?(): void;
}

/** Pages of at most this many bytes are read in this process, because that takes only milliseconds. */
const LIGHT: ReadonlyMap<PageKind, number> = new Map([
  ['text', 50_000],
  ['markdown', 50_000],
  ['code', 50_000],
  ['json', 10_000],
  ['xml', 10_000],
  ['csv', 10_000],
]);
const MOST_LIGHT_BYTES = Math.max(...LIGHT.values());
/** Limit in milliseconds. A page of 10 MB takes 3 s, so only hostile pages reach the limit. */
const TIME_LIMIT_MS = 15_000;
const TIME_PER_BYTE_MS = 1e-3;
const OUTLINE_LIMIT_MS = 30_000;

/** Creates a reader. If reading HTML fails, reads its text in a simpler way, and `Page.reduced` says why. */
export function createPageReader(desk: ReaderPool, limitMs = TIME_LIMIT_MS) {
  return {
    /** Throws AppError `unsupported`, `too_large`, `timeout`, or BusyError. Callers limit parallel calls. */
    async readPage(raw: RawPage, signal: AbortSignal, work: PageReadOptions = {}): Promise<LoadedPage> {
      if (await isLight(raw)) {
        work.onBegin?.();
        return (await import('../readers/page.ts')).readPage(raw);
      }
      const processorMs = limitMs + TIME_PER_BYTE_MS * raw.body.length;
      const limits: ReaderLimits = { ...work, signal, processorMs, alwaysWaits: true };
      let outcome = await desk.run('page', { raw }, limits);
      if ('failed' in outcome && !raw.watched && (await isHtml(raw, outcome.kind))) {
        outcome = await desk.run(
          'page',
          { raw, outline: outcome.failed },
          { ...limits, processorMs: OUTLINE_LIMIT_MS },
        );
      }
      if ('value' in outcome) return outcome.value;
      const { failed, cause } = outcome;
      if (failed === 'memory') throw readerMemoryError(raw.url, desk);
      if (failed === 'time') {
        const why = `${raw.url} took over ${Math.round(processorMs / 1000)} seconds to read; try another copy or page`;
        throw new AppError('timeout', why);
      }
      throw new AppError('unsupported', `${raw.url} is broken and cannot be read; try another copy`, {
        cause,
      });
    },
  };
}

async function isLight(raw: RawPage): Promise<boolean> {
  const { body } = raw;
  if (raw.structured || body.length > MOST_LIGHT_BYTES || isPacked(body)) return false;
  return body.length <= (LIGHT.get(await detectPageKind(raw)) ?? 0);
}

async function isHtml(raw: RawPage, kind: PageKind | undefined): Promise<boolean> {
  return (kind ?? (isPacked(raw.body) ? undefined : await detectPageKind(raw))) === 'html';
}

function isPacked([first, second]: Uint8Array): boolean {
  return (first === 0x1f && second === 0x8b) || (first === 0x50 && second === 0x4b);
}
