import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { AppError, asAppError, unavailableError } from '../../errors.ts';
import { runWithoutCallSignal } from '../../lib/concurrency/call-signal.ts';
import { type JobKind, type JobQueue, type JobRun, LostJob } from '../../lib/concurrency/job-queue.ts';
import { createLimiter } from '../../lib/concurrency/limiter.ts';
import type { Logger } from '../../log.ts';
import type { CrawlOptions, CrawlReport, CrawlRun, CrawlServicesFactory, Indexer } from '../types.ts';
import type { CrawlFailure, CrawlJob, CrawlJobStore } from './crawl-job-store.ts';
import {
  createCrawlStoppedError,
  createTooManyCrawlsError,
  MAX_CRAWL_MS,
  MAX_RUNS,
  MAX_RUNS_PER_OWNER,
  REPORT_INTERVAL_MS,
  RETRY_AFTER_S,
  runCrawl,
} from './crawl-run.ts';
import { normalizeWebAddress } from './crawl-source.ts';
import type { InProcessCrawls } from './in-process-crawls.ts';
import { formatTally } from './index-run.ts';

export interface SharedCrawlsOptions {
  readonly indexer: () => Promise<Indexer>;
  readonly store: CrawlJobStore;
  readonly queue: JobQueue;
  readonly log: Logger;
  readonly delayMs?: number | undefined;
}

const MAX_WAITING = 64;
const LONGEST_WAIT_MS = 20_000;
/** Milliseconds after a crawl's time limit during which a run may still store its current page. */
const ENDING_MS = 600_000;
const HANDING_MS = 60_000;
const READS_A_REPORT = 4;

const CRAWLS: JobKind = {
  name: 'crawl',
  longestMs: MAX_CRAWL_MS + ENDING_MS,
  refuse({ waiting, ownWaiting, ownRunning }) {
    const own = ownWaiting + ownRunning;
    if (own >= MAX_RUNS_PER_OWNER) return createTooManyCrawlsError(own);
    return waiting >= MAX_WAITING ? noPlace(`${waiting} crawls wait for a place`) : undefined;
  },
};

export interface SharedCrawls extends Pick<InProcessCrawls, 'startCrawl' | 'stopCrawl'> {
  /** Adds the state of shared jobs to the reports. A crawl that another node will continue is `running`. */
  withJobs(owner: string, reports: readonly CrawlReport[]): Promise<CrawlReport[]>;
  handleCrawls(open: CrawlServicesFactory): void;
}

export function createSharedCrawls(own: SharedCrawlsOptions): SharedCrawls {
  const { indexer, store, queue } = own;

  async function listLive(owner: string, source?: string): Promise<CrawlJob[]> {
    const live: CrawlJob[] = [];
    for (const job of await store.listJobs(owner, source)) if (!(await dropGivenUp(job))) live.push(job);
    return live;
  }

  async function dropGivenUp(job: CrawlJob): Promise<boolean> {
    if (Date.now() - job.createdAt < HANDING_MS || (await queue.isPending(CRAWLS, job.id))) return false;
    await drop(job);
    return true;
  }

  async function readWaitedFor(id: string, reads: number): Promise<CrawlJob | undefined> {
    const job = await store.readJob(id);
    const isAsked = job && !job.failure && reads % READS_A_REPORT === 0;
    return isAsked && (await dropGivenUp(job)) ? store.readJob(id) : job;
  }

  async function drop(job: CrawlJob): Promise<void> {
    await (await indexer()).endRunOf(job, 'interrupted');
    await store.endJob(job.id, {
      failure: textOf(
        noPlace('the nodes that ran this crawl were ended, or their database failed, again and again'),
      ),
    });
  }

  async function stopJob(job: Pick<CrawlJob, 'id' | 'owner' | 'source'>): Promise<void> {
    await (await indexer()).endRunOf(job, 'stopped');
    await store.endJob(job.id, { failure: textOf(createCrawlStoppedError()) });
    await queue.cancel(CRAWLS, job.id);
  }

  async function sendOrJoin(owner: string, source: string, { depth, terms = '' }: CrawlOptions) {
    const [known] = await listLive(owner, source);
    if (known) return { id: known.id, joined: true };
    const id = randomBytes(12).toString('hex');
    let isFirst = true;
    try {
      await queue.send(CRAWLS, { id, owner }, async () => {
        isFirst = await store.insertJob(owner, { id, source, depth, terms, createdAt: Date.now() });
        if (!isFirst) throw noPlace('this crawl was begun by another call');
      });
      return { id, joined: false };
    } catch (error) {
      const [other] = isFirst ? [] : await store.listJobs(owner, source);
      if (other) return { id: other.id, joined: true };
      throw error;
    }
  }

  return {
    async startCrawl(owner, address, options) {
      const source = normalizeWebAddress(address);
      await indexer();
      const { id, joined } = await sendOrJoin(owner, source, options);
      const stop = () => runWithoutCallSignal(() => stopJob({ id, owner, source }));
      try {
        await untilOpened((reads) => readWaitedFor(id, reads), options.signal);
      } catch (error) {
        if (!joined) await stop();
        throw error;
      }
      const readReport = async () => (await (await indexer()).readCrawls(owner, source))[0];
      return { joined, stop, wait: waitFor((reads) => readWaitedFor(id, reads), readReport) };
    },

    async stopCrawl(owner, address) {
      const [job] = await store.listJobs(owner, normalizeWebAddress(address));
      if (job) await stopJob(job);
      return job !== undefined;
    },

    async withJobs(owner, reports) {
      const live = await listLive(owner);
      return reports.map((report) => {
        const { state, endedAt: _, ...rest } = report;
        const goesOn = live.some(
          ({ source, openedAt }) => source === report.source && openedAt !== undefined,
        );
        return goesOn && state === 'interrupted' ? { ...rest, state: 'running' } : report;
      });
    },

    handleCrawls(open) {
      queue.handle(CRAWLS, {
        places: createLimiter({ concurrency: MAX_RUNS }),
        atOnce: MAX_RUNS,
        run: (run) => runJob(own, open, run),
      });
    },
  };
}

async function runJob(
  { indexer, store, log, delayMs }: SharedCrawlsOptions,
  open: CrawlServicesFactory,
  { id, runner, signal, isDoneAgain }: JobRun,
): Promise<void> {
  const job = await store.takeJob(id, runner);
  if (!job) return;
  const { owner, source, depth, terms, openedAt } = job;
  const room = await indexer();
  const stop = new AbortController();
  try {
    if (openedAt !== undefined && (await room.isDone(job))) {
      await room.endRunOf(job, 'finished');
    } else {
      await runCrawl(room, {
        ...{
          owner,
          source,
          depth,
          delayMs,
          ...open(owner, terms),
          as: { runner, job: id, isDoneAgain },
          begunAt: openedAt,
        },
        signal: AbortSignal.any([signal, stop.signal]),
        async onOpen() {
          if (!(await store.openJob(id, runner, Date.now()))) stop.abort(createCrawlStoppedError());
        },
        report: () => {},
        progress: () => {},
      });
    }
  } catch (thrown) {
    const { reason = thrown } = signal;
    if (reason instanceof LostJob || isDoneAgain(reason)) throw reason;
    const error = asAppError(thrown);
    if (error.code === 'internal') log.error({ err: thrown, crawl: id }, 'a crawl failed');
    await store.endJob(id, { runner, failure: textOf(error) });
    return;
  }
  if (signal.reason instanceof LostJob) throw signal.reason;
  await store.endJob(id, { runner });
}

type ReadWaitedFor = (reads: number) => Promise<CrawlJob | undefined>;

async function untilOpened(readJob: ReadWaitedFor, signal: AbortSignal): Promise<void> {
  const begun = performance.now();
  for (let reads = 0; ; reads++) {
    signal.throwIfAborted();
    const job = await readJob(reads);
    // Only a job that failed before its first page stays stored, so a missing job has read its first page.
    if (!job || job.openedAt !== undefined) return;
    if (job.failure) throw errorOf(job.failure);
    if (job.runner === undefined && performance.now() - begun > LONGEST_WAIT_MS) {
      throw noPlace(`no node has begun this crawl within ${LONGEST_WAIT_MS / 1000} s`);
    }
    await setTimeout(REPORT_INTERVAL_MS, undefined, { signal });
  }
}

function waitFor(
  readJob: ReadWaitedFor,
  readReport: () => Promise<CrawlReport | undefined>,
): CrawlRun['wait'] {
  return async (ms, signal, progress) => {
    const until = performance.now() + ms;
    for (let reads = 0; performance.now() < until; reads++) {
      signal.throwIfAborted();
      const job = await readJob(reads);
      if (!job || job.failure) return;
      const report = reads % READS_A_REPORT === 0 ? await readReport() : undefined;
      if (report) progress(`${formatTally(report, report.skipped)}: ${report.source}`);
      await setTimeout(REPORT_INTERVAL_MS, undefined, { signal });
    }
  };
}

function textOf({ code, message, retryAfter }: AppError): CrawlFailure {
  return { code, message, retryAfter };
}

function errorOf({ code, message, retryAfter }: CrawlFailure): AppError {
  return new AppError(code, message, retryAfter === undefined ? {} : { retryAfter });
}

function noPlace(why: string): AppError {
  return unavailableError(`${why}: try again later`, { retryAfter: RETRY_AFTER_S });
}
