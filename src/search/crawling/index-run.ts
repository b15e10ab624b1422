import { upstreamError } from '../../errors.ts';
import { createLimiter } from '../../lib/concurrency/limiter.ts';
import { decodePercent } from '../../lib/text/decode-percent.ts';
import type { PageStore, StoredPage } from '../page-store.ts';
import type { BackgroundCrawl, CrawlBound, CrawlTally, IndexSummary } from '../types.ts';
import type { CrawlStore, OpenedCrawl, SettledAddress, WaitingAddress } from './crawl-store.ts';

export type VisitOutcome =
  | {
      readonly end: 'indexed';
      readonly page: StoredPage;
      readonly known: Omit<SettledAddress, 'url' | 'state'>;
    }
  | { readonly end: 'unchanged'; readonly known: Omit<SettledAddress, 'url' | 'state'> }
  | { readonly end: 'skipped'; readonly why: string }
  /** The address was skipped without a request, so it does not count towards the limit of pages. */
  | { readonly end: 'unasked'; readonly why: string }
  | { readonly end: 'gone'; readonly why: string }
  /** `fatal` means that the host may be down. Many fatal failures in a row end the run. */
  | { readonly end: 'failed'; readonly why: string; readonly fatal?: boolean };

export interface IndexRunOptions {
  readonly owner: string;
  readonly crawl: OpenedCrawl;
  readonly pages: PageStore;
  readonly crawls: CrawlStore;
  readonly limit: number;
  readonly atOnce: number;
  readonly signal: AbortSignal;
  readonly job?: Pick<BackgroundCrawl, 'isOver'> | undefined;
  report(tally: CrawlTally): void;
  progress(message: string): void;
}

export type IndexRunTally = Omit<IndexSummary, 'source' | 'kind' | 'resumed'>;
const LOT_SIZE = 64;
const WRITE_INTERVAL_MS = 250;
/** Pages are stored once the unstored pages have more characters than this in total. */
const MAX_UNWRITTEN_CHARS = 4_000_000;
const MAX_LISTED_FAILURES = 10;
const MAX_FAILURES_IN_A_ROW = 15;

/** Reads queued addresses. An address leaves the queue after its page is indexed, so no page is lost. */
export async function visitCrawlQueue(
  options: IndexRunOptions,
  visit: (waiting: WaitingAddress) => Promise<VisitOutcome>,
): Promise<IndexRunTally> {
  const { crawl, crawls, limit, atOnce, signal, progress, job } = options;
  const results = new Results(options);

  const visitOne = async (waiting: WaitingAddress): Promise<void> => {
    if (signal.aborted || results.isHopeless || job?.isOver()) return;
    progress(`${formatTally(results.count, results.skipped)}: ${decodePercent(waiting.url, decodeURI)}`);
    try {
      results.add(waiting.url, await visit(waiting));
    } catch (error) {
      if (!signal.aborted) throw error;
      return;
    }
    const { count, skipped, failures } = results;
    options.report({ ...count, skipped, failures });
    if (results.areDue) await results.write();
  };

  let bound: CrawlBound | undefined;
  const visitAll = async (): Promise<IndexRunTally['state']> => {
    for (;;) {
      const left = limit - results.asked;
      const lot = await crawls.listWaiting(crawl, Math.min(LOT_SIZE, Math.max(left, 1)));
      if (lot.length === 0) return 'finished';
      bound = left <= 0 ? 'pages' : job?.isOver();
      if (bound) return 'limit';
      await runLimited(lot, atOnce, visitOne);
      await results.write();
      if (results.isHopeless)
        throw upstreamError(
          `${MAX_FAILURES_IN_A_ROW} pages failed one after another, and the run stops for now ` +
            `(${results.failures.at(-1)?.why ?? ''}); the same call continues from here later`,
        );
      if (signal.aborted) return 'stopped';
    }
  };

  let state: IndexRunTally['state'];
  try {
    state = await visitAll();
  } finally {
    await results.write();
  }
  const waiting = await crawls.countWaiting(crawl);
  const { count, skipped, failures } = results;
  return { state, ...count, skipped, failures, waiting, ...(bound && { bound }) };
}

class Results {
  readonly count = { indexed: 0, unchanged: 0, forgotten: 0, failed: 0 };
  readonly skipped: Record<string, number> = {};
  readonly failures: { url: string; why: string }[] = [];
  asked = 0;
  readonly #options: IndexRunOptions;
  #pages: StoredPage[] = [];
  #settled: SettledAddress[] = [];
  #gone: string[] = [];
  #characters = 0;
  #writtenAt = performance.now();
  #failuresInARow = 0;

  constructor(options: IndexRunOptions) {
    this.#options = options;
  }

  get isHopeless(): boolean {
    return this.#failuresInARow >= MAX_FAILURES_IN_A_ROW;
  }

  get areDue(): boolean {
    return this.#characters > MAX_UNWRITTEN_CHARS || performance.now() - this.#writtenAt > WRITE_INTERVAL_MS;
  }

  add(url: string, visit: VisitOutcome): void {
    const read = visit.end === 'indexed' || visit.end === 'unchanged';
    this.#settled.push(read ? { ...visit.known, url, state: 'read' } : { url, state: 'left' });
    this.#failuresInARow = visit.end === 'failed' && visit.fatal ? this.#failuresInARow + 1 : 0;
    if (visit.end !== 'unasked') this.asked += 1;
    if (read) this.count[visit.end] += 1;
    else if (visit.end === 'failed') this.#addFailure(url, visit.why);
    else this.skipped[visit.why] = (this.skipped[visit.why] ?? 0) + 1;
    if (visit.end === 'gone') this.#gone.push(url);
    if (visit.end === 'indexed') {
      this.#pages.push(visit.page);
      this.#characters += visit.page.text.length;
    }
  }

  async write(): Promise<void> {
    const { owner, crawl, pages, crawls } = this.#options;
    const [saved, settled, gone] = [this.#pages, this.#settled, this.#gone];
    [this.#pages, this.#settled, this.#gone] = [[], [], []];
    [this.#writtenAt, this.#characters] = [performance.now(), 0];
    if (saved.length > 0) await pages.savePages(owner, saved);
    if (gone.length > 0) this.count.forgotten += await pages.deletePages(owner, gone);
    await crawls.settleAddresses(crawl, settled);
  }

  #addFailure(url: string, why: string): void {
    this.count.failed += 1;
    if (this.failures.length < MAX_LISTED_FAILURES) this.failures.push({ url, why });
  }
}

export function formatTally(
  { indexed, unchanged, failed }: Pick<IndexRunTally, 'indexed' | 'unchanged' | 'failed'>,
  skipped: IndexRunTally['skipped'],
): string {
  const left = Object.values(skipped).reduce((sum, n) => sum + n, 0);
  return [
    `${indexed} indexed`,
    ...(unchanged ? [`${unchanged} unchanged`] : []),
    ...(left ? [`${left} skipped`] : []),
    ...(failed ? [`${failed} failed`] : []),
  ].join(', ');
}

async function runLimited<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>) {
  const limiter = createLimiter({ concurrency: atOnce });
  let failed: { readonly error: unknown } | undefined;
  const runOne = async (item: T) => {
    if (failed) return;
    try {
      await work(item);
    } catch (error) {
      failed ??= { error };
    }
  };
  await Promise.all(items.map((item) => limiter.run(() => runOne(item))));
  if (failed) throw failed.error;
}
