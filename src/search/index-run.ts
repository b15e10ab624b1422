import { AppError } from '../errors.ts';
import type { Crawl, CrawlStore, SettledAddress, WaitingAddress } from './crawl-store.ts';
import type { PageStore, StoredPage } from './page-store.ts';
import type { IndexSummary } from './types.ts';

/** How one address of a run ended. */
export type Visit =
  | {
      readonly end: 'indexed';
      readonly page: StoredPage;
      readonly known: Omit<SettledAddress, 'url' | 'state'>;
    }
  | { readonly end: 'unchanged'; readonly known: Omit<SettledAddress, 'url' | 'state'> }
  | { readonly end: 'skipped'; readonly why: string }
  /** Skipped by its address alone: it does not count towards the limit. */
  | { readonly end: 'unasked'; readonly why: string }
  /** It is there no more, or asks not to be kept: it leaves the index too. */
  | { readonly end: 'gone'; readonly why: string }
  /** `fatal` when the host may be down, so that the run does not knock at its door for hours. */
  | { readonly end: 'failed'; readonly why: string; readonly fatal?: boolean };

export interface RunOptions {
  readonly owner: string;
  readonly crawl: Crawl;
  readonly pages: PageStore;
  readonly crawls: CrawlStore;
  /** Most addresses that are read in this run. */
  readonly limit: number;
  /** Addresses read at once. */
  readonly atOnce: number;
  readonly signal: AbortSignal;
  progress(message: string): void;
}

export type Tally = Omit<IndexSummary, 'source' | 'kind' | 'resumed'>;

/** Addresses taken from the line at a time; what they gave is written down together. */
const LOT = 64;
/** Milliseconds after which it is written down before the lot is through. */
const WRITE_EVERY = 250;
/** Characters of pages that wait to be written. */
const WRITE_AT = 4_000_000;
const FAILURES = 10;
const IN_A_ROW = 15;

/**
 * Visits what is in line until nothing is left, the limit is reached or the user stops it. A page is in the
 * index before its address leaves the line: a run that is killed repeats a moment's work and misses none.
 */
export async function workThrough(
  options: RunOptions,
  visit: (waiting: WaitingAddress) => Promise<Visit>,
): Promise<Tally> {
  const { owner, crawl, pages, crawls, limit, atOnce, signal, progress } = options;
  const count = { indexed: 0, unchanged: 0, forgotten: 0, failed: 0 };
  const skipped: Record<string, number> = {};
  const failures: { url: string; why: string }[] = [];
  let held = { pages: [] as StoredPage[], settled: [] as SettledAddress[], gone: [] as string[] };
  let [written, characters, fatal, asked] = [performance.now(), 0, 0, 0];

  const write = async () => {
    const { pages: done, settled, gone } = held;
    held = { pages: [], settled: [], gone: [] };
    [written, characters] = [performance.now(), 0];
    if (done.length > 0) await pages.savePages(owner, done);
    if (gone.length > 0) count.forgotten += await pages.deletePages(owner, gone);
    await crawls.settleAddresses(crawl, settled);
  };

  const record = (url: string, result: Visit) => {
    const read = result.end === 'indexed' || result.end === 'unchanged';
    held.settled.push(read ? { ...result.known, url, state: 'read' } : { url, state: 'left' });
    fatal = result.end === 'failed' && result.fatal ? fatal + 1 : 0;
    if (result.end !== 'unasked') asked += 1;
    if (read) count[result.end] += 1;
    if (result.end === 'indexed') {
      held.pages.push(result.page);
      characters += result.page.text.length;
    }
    if (result.end === 'gone') held.gone.push(url);
    if (result.end === 'failed') {
      count.failed += 1;
      if (failures.length < FAILURES) failures.push({ url, why: result.why });
    } else if (!read) skipped[result.why] = (skipped[result.why] ?? 0) + 1;
  };

  const one = async (waiting: WaitingAddress): Promise<void> => {
    if (signal.aborted || fatal >= IN_A_ROW) return;
    progress(`${words(count, skipped)}: ${legible(waiting.url)}`);
    try {
      record(waiting.url, await visit(waiting));
    } catch (error) {
      if (!signal.aborted) throw error;
      return;
    }
    if (characters > WRITE_AT || performance.now() - written > WRITE_EVERY) await write();
  };

  let state: Tally['state'] | undefined;
  try {
    while (!state) {
      const left = limit - asked;
      const lot = await crawls.listWaiting(crawl, Math.min(LOT, Math.max(left, 1)));
      if (lot.length === 0) state = 'finished';
      else if (left <= 0) state = 'limit';
      else {
        await inTurns(lot, atOnce, one);
        await write();
        if (signal.aborted) state = 'stopped';
        if (fatal >= IN_A_ROW) throw givesUp(failures.at(-1)?.why ?? '');
      }
    }
  } finally {
    await write();
  }
  const waiting = await crawls.countWaiting(crawl);
  return { state, ...count, skipped, failures, waiting };
}

function givesUp(why: string): AppError {
  return new AppError(
    'upstream',
    `${IN_A_ROW} pages failed one after another, and the run is given up for now (${why}); ` +
      'the same command goes on from here later',
  );
}

/** The counts so far, as the progress line and the summary say them. */
export function words(
  { indexed, unchanged, failed }: Pick<Tally, 'indexed' | 'unchanged' | 'failed'>,
  skipped: Tally['skipped'],
): string {
  const left = Object.values(skipped).reduce((sum, n) => sum + n, 0);
  return [
    `${indexed} indexed`,
    ...(unchanged ? [`${unchanged} unchanged`] : []),
    ...(left ? [`${left} skipped`] : []),
    ...(failed ? [`${failed} failed`] : []),
  ].join(', ');
}

/** An address as people read it. */
function legible(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}

/** `work` on every item, `atOnce` of them at a time; the first error ends it once those under way have ended. */
async function inTurns<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>) {
  const queue = [...items];
  const worker = async () => {
    try {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    } catch (error) {
      queue.length = 0;
      throw error;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}
