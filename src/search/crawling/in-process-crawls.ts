import { setTimeout } from 'node:timers/promises';
import { type AppError, asAppError, unavailableError } from '../../errors.ts';
import { waitUnlessAborted } from '../../lib/concurrency/deadline.ts';
import type { Logger } from '../../log.ts';
import type { CrawlOptions, CrawlRun, CrawlTally, Indexer, SiteCrawler } from '../types.ts';
import {
  createCrawlStoppedError,
  createTooManyCrawlsError,
  MAX_RUNS,
  MAX_RUNS_PER_OWNER,
  REPORT_INTERVAL_MS,
  RETRY_AFTER_S,
  runCrawl,
} from './crawl-run.ts';
import { normalizeWebAddress } from './crawl-source.ts';

interface LocalCrawl {
  readonly owner: string;
  readonly stop: AbortController;
  readonly opened: Promise<void>;
  readonly ended: Promise<void>;
  message: string;
  tally?: CrawlTally;
}

export type InProcessCrawls = Pick<SiteCrawler, 'startCrawl' | 'readCrawls' | 'stopCrawl' | 'close'>;

export function createInProcessCrawls(
  indexer: () => Promise<Indexer>,
  log: Logger,
  delayMs?: number,
): InProcessCrawls {
  const runs = new Map<string, LocalCrawl>();
  let closed = false;

  function refuse(owner: string): void {
    if (closed) throw ending();
    const own = [...runs.values()].filter((run) => run.owner === owner).length;
    if (own >= MAX_RUNS_PER_OWNER) throw createTooManyCrawlsError(own);
    if (runs.size >= MAX_RUNS) {
      throw unavailableError(`${runs.size} crawls run on this server: try again later`, {
        retryAfter: RETRY_AFTER_S,
      });
    }
  }

  function begin(
    key: string,
    owner: string,
    source: string,
    { depth, read, mayFetch }: CrawlOptions,
  ): LocalCrawl {
    const stop = new AbortController();
    const open = Promise.withResolvers<void>();
    const run: LocalCrawl = {
      owner,
      stop,
      opened: open.promise,
      message: `reading ${source}`,
      ended: Promise.resolve()
        .then(indexer)
        .then((room) =>
          runCrawl(room, {
            ...{ owner, source, depth, delayMs, read, signal: stop.signal, onOpen: open.resolve },
            ...(mayFetch && { mayFetch }),
            report(tally) {
              run.tally = tally;
            },
            progress(message) {
              run.message = message;
            },
          }),
        )
        .then(open.resolve, (thrown: unknown) => {
          const error = asAppError(thrown);
          if (error.code === 'internal') log.error({ err: thrown, source }, 'a crawl failed');
          open.reject(error);
        })
        .finally(() => runs.delete(key)),
    };
    run.opened.catch(() => {});
    return run;
  }

  return {
    async startCrawl(owner, address, options) {
      const source = normalizeWebAddress(address);
      const key = JSON.stringify([owner, source]);
      const known = runs.get(key);
      if (!known) refuse(owner);
      const run = known ?? begin(key, owner, source, options);
      if (!known) runs.set(key, run);
      try {
        await waitUnlessAborted(run.opened, options.signal);
      } catch (error) {
        if (!known) run.stop.abort(createCrawlStoppedError());
        throw error;
      }
      return followed(run, known !== undefined);
    },

    async readCrawls(owner, address) {
      const reports = await (await indexer()).readCrawls(owner, address && normalizeWebAddress(address));
      return reports
        .filter(({ kind }) => kind !== 'folder')
        .map((report) => {
          const live = runs.get(JSON.stringify([owner, report.source]))?.tally;
          return report.state === 'running' ? { ...report, ...live } : report;
        });
    },

    async stopCrawl(owner, address) {
      const source = normalizeWebAddress(address);
      const run = runs.get(JSON.stringify([owner, source]));
      if (!run) return (await indexer()).askToStop(owner, source);
      run.stop.abort(createCrawlStoppedError());
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

function followed(run: LocalCrawl, joined: boolean): CrawlRun {
  const stop = async () => {
    run.stop.abort(createCrawlStoppedError());
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
        await waitUnlessAborted(Promise.race([end, setTimeout(REPORT_INTERVAL_MS)]), signal);
      }
    },
  };
}

function ending(): AppError {
  return unavailableError('Magpie is shutting down; the same call continues later');
}
