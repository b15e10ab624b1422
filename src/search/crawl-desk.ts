import { setTimeout } from 'node:timers/promises';
import { AppError, asAppError } from '../errors.ts';
import { untilAborted } from '../lib/deadline.ts';
import type { Logger } from '../log.ts';
import { webAddress } from './site.ts';
import type { CrawlBound, CrawlOptions, CrawlRun, CrawlTally, Indexer, Sites } from './types.ts';

/** Bounds of one run; what waits then is read by the next. */
const MAX_PAGES = 1000;
const MAX_BYTES = 200_000_000;
const MAX_MS = 3_600_000;
/** Addresses that one crawl remembers. */
const MAX_ADDRESSES = 20_000;
/** Milliseconds between two requests to the host; robots.txt may ask for more. */
const DELAY_MS = 500;
/** Runs at once, of this process and of one owner. */
const MAX_RUNS = 8;
const MAX_RUNS_PER_OWNER = 2;
const RETRY_AFTER_S = 60;
/** Of an owner's crawls that have ended, what is known: the next run of one reads on from there. */
const KEPT = { crawls: 100, addresses: 200_000 };
/** Milliseconds between two reports of how far a run is. */
const REPORT_INTERVAL_MS = 250;

interface Run {
  readonly owner: string;
  readonly stop: AbortController;
  /** Resolves once it is open, rejects where it could not be opened. */
  readonly opened: Promise<void>;
  /** Never rejects. */
  readonly ended: Promise<void>;
  message: string;
  /** How far it is; undefined until it has read a page. */
  tally?: CrawlTally;
}

/** The crawls that run in this process, one for each owner and address. */
export function createCrawlDesk(indexer: () => Promise<Indexer>, log: Logger): Omit<Sites, 'mapSite'> {
  const runs = new Map<string, Run>();
  let closed = false;

  function refuse(owner: string): void {
    if (closed) throw ending();
    const own = [...runs.values()].filter((run) => run.owner === owner).length;
    const more = { retryAfter: RETRY_AFTER_S };
    if (own >= MAX_RUNS_PER_OWNER) {
      throw new AppError(
        'rate_limited',
        `${own} of your crawls run already: wait for the end of one, or stop it`,
        more,
      );
    }
    if (runs.size >= MAX_RUNS) {
      throw new AppError('unavailable', `${runs.size} crawls run on this server: try again later`, more);
    }
  }

  function begin(key: string, owner: string, source: string, options: CrawlOptions): Run {
    const stop = new AbortController();
    const open = Promise.withResolvers<void>();
    const run: Run = {
      owner,
      stop,
      opened: open.promise,
      message: `reading ${source}`,
      ended: Promise.resolve()
        .then(indexer)
        .then((room) => crawl(room, run, source, options, open.resolve))
        .then(open.resolve, (thrown: unknown) => {
          const error = asAppError(thrown);
          if (error.code === 'internal') log.error({ err: thrown, source }, 'a crawl failed');
          open.reject(error);
        })
        .finally(() => runs.delete(key)),
    };
    run.opened.catch(ignore);
    return run;
  }

  return {
    async startCrawl(owner, address, options) {
      const source = webAddress(address);
      const key = JSON.stringify([owner, source]);
      const known = runs.get(key);
      if (!known) refuse(owner);
      const run = known ?? begin(key, owner, source, options);
      if (!known) runs.set(key, run);
      try {
        await untilAborted(run.opened, options.signal);
      } catch (error) {
        if (!known) run.stop.abort(stopped());
        throw error;
      }
      return followed(run, known !== undefined);
    },

    async readCrawls(owner, address) {
      const reports = await (await indexer()).readCrawls(owner, address && webAddress(address));
      return reports
        .filter(({ kind }) => kind !== 'folder')
        .map((report) => {
          const live = runs.get(JSON.stringify([owner, report.source]))?.tally;
          return report.state === 'running' ? { ...report, ...live } : report;
        });
    },

    async stopCrawl(owner, address) {
      const source = webAddress(address);
      const run = runs.get(JSON.stringify([owner, source]));
      if (!run) return (await indexer()).askToStop(owner, source);
      run.stop.abort(stopped());
      await run.ended;
      return true;
    },

    async close() {
      closed = true;
      const open = [...runs.values()];
      for (const { stop } of open) stop.abort(ending());
      await Promise.all(open.map(({ ended }) => ended));
    },
  };
}

async function crawl(
  indexer: Indexer,
  run: Run,
  source: string,
  { depth, read, mayFetch }: CrawlOptions,
  onOpen: () => void,
): Promise<void> {
  const begun = performance.now();
  let bytes = 0;
  const isOver = (): CrawlBound | undefined => {
    if (bytes > MAX_BYTES) return 'bytes';
    return performance.now() - begun > MAX_MS ? 'time' : undefined;
  };
  const job = {
    maxAddresses: MAX_ADDRESSES,
    onOpen,
    report(tally: CrawlTally) {
      run.tally = tally;
    },
    addBytes(count: number) {
      bytes += count;
    },
    isOver,
  };
  try {
    await indexer.indexSource(run.owner, source, {
      ...{ depth, limit: MAX_PAGES, delayMs: DELAY_MS, include: [], exclude: [], read, job },
      signal: run.stop.signal,
      ...(mayFetch && { mayFetch }),
      progress(message) {
        run.message = message;
      },
    });
  } finally {
    await indexer.trimCrawls(run.owner, KEPT);
  }
}

function followed(run: Run, joined: boolean): CrawlRun {
  const stop = async () => {
    run.stop.abort(stopped());
    await run.ended;
  };
  return {
    joined,
    stop,
    async wait(ms, signal, progress) {
      const until = performance.now() + ms;
      let ended = false;
      const end = run.ended.then(() => {
        ended = true;
      });
      while (!ended && performance.now() < until) {
        progress(run.message);
        await untilAborted(Promise.race([end, setTimeout(REPORT_INTERVAL_MS)]), signal);
      }
    },
  };
}

function ending(): AppError {
  return new AppError('unavailable', 'Magpie is shutting down; the same call continues later');
}

function stopped(): AppError {
  return new AppError('cancelled', 'the crawl was stopped');
}

function ignore(): void {}
