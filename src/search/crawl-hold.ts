import { AppError, asAppError } from '../errors.ts';
import { HEARTBEAT_MS, isGone, RUNNER } from '../lib/runner.ts';
import type { Crawl, CrawlInfo, CrawlStore } from './crawl-store.ts';
import type { Tally } from './index-run.ts';
import type { CrawlOutcome, CrawlReport, CrawlTally } from './types.ts';

/** What is known of a run that has read nothing yet. */
export const NOTHING_YET: CrawlTally = {
  indexed: 0,
  unchanged: 0,
  forgotten: 0,
  failed: 0,
  skipped: {},
  failures: [],
};

export interface Held {
  /** Notes how far the run is. */
  report(tally: CrawlTally): void;
}

/**
 * Runs a crawl as the one process that does, with heartbeats that say how far it is, and writes how it ended. `stop` is called
 * when another process asks for that. AppError `unavailable` where another run of this crawl is under way.
 */
export async function whileHeld(
  {
    crawls,
    crawl,
    source,
    signal,
  }: { crawls: CrawlStore; crawl: Crawl; source: string; signal: AbortSignal },
  stop: () => void,
  work: (held: Held) => Promise<Tally>,
): Promise<Tally> {
  if (!(await crawls.holdCrawl(crawl, RUNNER))) {
    throw new AppError(
      'unavailable',
      `${source} is being read by another run: wait for its end, or stop it`,
      {
        retryAfter: 60,
      },
    );
  }
  let outcome: CrawlOutcome = { ...NOTHING_YET, state: 'running' };
  let written = Promise.resolve();
  const timer = setInterval(() => {
    written = crawls.reportCrawl(crawl, RUNNER, JSON.stringify(outcome)).then(
      (goesOn) => (goesOn ? undefined : stop()),
      // The next heartbeat may be written.
      () => undefined,
    );
  }, HEARTBEAT_MS).unref();
  try {
    const { waiting: _waiting, ...tally } = await work({
      report(tally) {
        outcome = { ...tally, state: 'running' };
      },
    });
    outcome = {
      ...tally,
      state: tally.state === 'stopped' && isEnding(signal) ? 'interrupted' : tally.state,
    };
    return { ...tally, waiting: _waiting };
  } catch (thrown) {
    const { code, message: why } = asAppError(thrown);
    outcome = signal.aborted
      ? { ...outcome, state: isEnding(signal) ? 'interrupted' : 'stopped' }
      : { ...outcome, state: code === 'rate_limited' ? 'limit' : 'failed', why };
    throw thrown;
  } finally {
    clearInterval(timer);
    await written;
    await crawls.letCrawlGo(crawl, RUNNER, JSON.stringify(outcome));
  }
}

/** Whether the run was broken off since Magpie ends, and not by its user. */
function isEnding({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof AppError && reason.code === 'unavailable';
}

/** A crawl as its owner is shown it. */
export function reportOf(info: CrawlInfo): CrawlReport {
  const { source, kind, read, waiting, startedAt, finishedAt, endedAt, runner, beatAt = 0 } = info;
  const { state: last, why, bound, ...tally } = outcomeOf(info.outcome);
  const known = last ?? (finishedAt === undefined ? 'interrupted' : 'finished');
  const runs = runner !== undefined && !isGone(runner, Date.now() - beatAt);
  const state = runs ? 'running' : known === 'running' ? 'interrupted' : known;
  return {
    ...{ source, kind, read, waiting, startedAt, state },
    ...tally,
    depth: depthOf(info.options),
    ...(!runs && { endedAt: endedAt ?? finishedAt }),
    ...(why !== undefined && { why }),
    ...(bound !== undefined && state === 'limit' && { bound }),
  };
}

function outcomeOf(text: string | undefined): Partial<CrawlOutcome> & CrawlTally {
  return { ...NOTHING_YET, ...(text === undefined ? {} : (JSON.parse(text) as CrawlOutcome)) };
}

function depthOf(options: string): number | undefined {
  try {
    return (JSON.parse(options) as { depth?: number }).depth;
  } catch {
    return undefined;
  }
}
