import { AppError } from '../../errors.ts';
import { kindOf } from '../fetching/kind.ts';
import type { Scripted } from '../rendering/scripted.ts';
import type { Page, PageKind, RawPage } from './page.ts';
import { type ReaderDesk, type ReaderLimits, tooMuchMemory } from './reader-desk.ts';

/** A page, and how much of its text is there without running its scripts. */
export interface ReadPage {
  readonly page: Page;
  readonly scripted: Scripted;
}

/** For whom a page is read. */
export interface PageWork {
  readonly owner?: string;
  /** Called when a reader begins with it. */
  onBegin?(): void;
}

/** Bytes to text, by the reader that fits what they are. */
export interface PageReader {
  /**
   * A page without text has empty `markdown`. AppError `unsupported`, `too_large` and `timeout` say what is wrong with
   * it; BusyError when no reader can start. Bounded by the caller, see reading-places.ts: it waits for a reader without a bound.
   */
  readPage(raw: RawPage, signal: AbortSignal, work?: PageWork): Promise<ReadPage>;
}

/** Kinds that take next to no time, some milliseconds, up to so many bytes. */
const LIGHT: ReadonlyMap<PageKind, number> = new Map([
  ['text', 50_000],
  ['markdown', 50_000],
  ['code', 50_000],
  ['json', 10_000],
  ['xml', 10_000],
  ['csv', 10_000],
]);
const MOST_LIGHT_BYTES = Math.max(...LIGHT.values());
/**
 * Milliseconds of processor time for a page, and for each byte of it. HTML of 10 MB takes some 3 s; so much more is
 * taken by none but a page that was made for it, and so the same page is read the same way everywhere.
 */
const TIME_LIMIT_MS = 15_000;
const TIME_PER_BYTE_MS = 1e-3;
/** ... for the outline of one. */
const OUTLINE_LIMIT_MS = 30_000;

/** HTML that takes too long, or too much memory, comes by its outline, and says so. */
export function createPageReader(desk: ReaderDesk, limitMs = TIME_LIMIT_MS): PageReader {
  return {
    async readPage(raw, signal, work = {}) {
      if (await isLight(raw)) {
        work.onBegin?.();
        return (await import('../readers/page.ts')).readPage(raw);
      }
      const processorMs = limitMs + TIME_PER_BYTE_MS * raw.body.length;
      const limits: ReaderLimits = { ...work, signal, processorMs, alwaysWaits: true };
      let outcome = await desk.run('page', { raw }, limits);
      if ('failed' in outcome && (await isHtml(raw, outcome.kind))) {
        outcome = await desk.run(
          'page',
          { raw, outline: outcome.failed },
          { ...limits, processorMs: OUTLINE_LIMIT_MS },
        );
      }
      if ('value' in outcome) return outcome.value;
      const { failed, cause } = outcome;
      if (failed === 'memory') throw tooMuchMemory(raw.url, desk);
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

/** Whether bytes are short text, by their beginning: what is packed is not, nor what is taken apart for a schema. */
async function isLight(raw: RawPage): Promise<boolean> {
  const { body } = raw;
  if (raw.structured || body.length > MOST_LIGHT_BYTES || isPacked(body)) return false;
  return body.length <= (LIGHT.get(await kindOf(raw)) ?? 0);
}

/** Whether a page that failed is HTML, as its reader said; what is packed is not unpacked here to see it. */
async function isHtml(raw: RawPage, kind: PageKind | undefined): Promise<boolean> {
  return (kind ?? (isPacked(raw.body) ? undefined : await kindOf(raw))) === 'html';
}

function isPacked([first, second]: Uint8Array): boolean {
  return (first === 0x1f && second === 0x8b) || (first === 0x50 && second === 0x4b);
}
