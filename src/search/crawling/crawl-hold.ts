import { AppError, asAppError, unavailableError } from '../../errors.ts';
import { attempt } from '../../lib/attempt.ts';
import { LostJob } from '../../lib/concurrency/job-queue.ts';
import { HEARTBEAT_MS, isRunnerDead, PROCESS_RUNNER_ID } from '../../lib/concurrency/runner.ts';
import type { CrawlOutcome, CrawlReport, CrawlTally } from '../types.ts';
import type { CrawlInfo, CrawlRunner, CrawlStore, OpenedCrawl } from './crawl-store.ts';
import type { IndexRunTally } from './index-run.ts';

export const EMPTY_TALLY: CrawlTally = {
  indexed: 0,
  unchanged: 0,
  forgotten: 0,
  failed: 0,
  skipped: {},
  failures: [],
};

const FOLLOWED_MS = 1000;
const MAX_LISTED_FAILURES = 10;

export interface HeldRun {
  readonly before: CrawlTally;
  report(tally: CrawlTally): void;
}

interface HoldOptions {
  readonly crawls: CrawlStore;
  readonly crawl: OpenedCrawl;
  readonly source: string;
  readonly signal: AbortSignal;
  readonly as?: CrawlRunner | undefined;
  readonly beatMs?: number | undefined;
}

/** Locks the crawl while `work` runs. Throws AppError `unavailable` if another run has the lock. */
export async function runWhileHeld(
  { crawls, crawl, source, signal, as = { runner: PROCESS_RUNNER_ID }, beatMs = HEARTBEAT_MS }: HoldOptions,
  stop: () => void,
  work: (held: HeldRun) => Promise<IndexRunTally>,
): Promise<IndexRunTally> {
  const hold = await crawls.holdCrawl(crawl, as);
  const held = `${source} is being read by another run: wait for its end, or stop it`;
  if (!hold) throw unavailableError(held, { retryAfter: 60 });
  const { state: _, why: __, ...before } = parseOutcome(hold.outcome);
  let outcome: CrawlOutcome = { ...before, state: 'running' };
  let isDoneAgain = false;
  let written = Promise.resolve();
  const write = () => {
    written = crawls.reportCrawl(crawl, hold.name, JSON.stringify(outcome)).then(
      (goesOn) => (goesOn ? undefined : stop()),
      () => undefined,
    );
  };
  const timer = setInterval(write, as.job === undefined ? beatMs : FOLLOWED_MS).unref();
  try {
    const { waiting, ...rest } = await work({
      before,
      report(tally) {
        outcome = { ...sumOf(before, tally), state: 'running' };
      },
    });
    const tally = { ...rest, ...sumOf(before, rest) };
    const { state } = tally;
    outcome = { ...tally, state: state === 'stopped' && isEnding(signal) ? 'interrupted' : state };
    return { ...tally, waiting };
  } catch (thrown) {
    isDoneAgain = as.isDoneAgain?.(thrown) === true;
    // Stores no end if the job will be repeated, so that the user still sees a running job.
    if (!isDoneAgain) outcome = { ...outcome, ...endOf(thrown, signal) };
    throw thrown;
  } finally {
    clearInterval(timer);
    await written;
    const text = JSON.stringify(outcome);
    if (isDoneAgain || signal.reason instanceof LostJob) await crawls.reportCrawl(crawl, hold.name, text);
    else await crawls.letCrawlGo(crawl, hold.name, text);
  }
}

function endOf(thrown: unknown, signal: AbortSignal): Pick<CrawlOutcome, 'state' | 'why'> {
  if (signal.aborted) return { state: isEnding(signal) ? 'interrupted' : 'stopped' };
  const { code, message: why } = asAppError(thrown);
  return { state: code === 'rate_limited' ? 'limit' : 'failed', why };
}

function isEnding({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof AppError && reason.code === 'unavailable';
}

function sumOf(one: CrawlTally, other: CrawlTally): CrawlTally {
  const skipped: Record<string, number> = { ...one.skipped };
  for (const [why, n] of Object.entries(other.skipped)) skipped[why] = (skipped[why] ?? 0) + n;
  return {
    indexed: one.indexed + other.indexed,
    unchanged: one.unchanged + other.unchanged,
    forgotten: one.forgotten + other.forgotten,
    failed: one.failed + other.failed,
    skipped,
    failures: [...one.failures, ...other.failures].slice(0, MAX_LISTED_FAILURES),
  };
}

/** True if a run of the job has the lock. The lock's name then ends with the job's id. */
export function isHoldOfJob(job: string | undefined, name: string | null | undefined): boolean {
  return job !== undefined && name?.endsWith(` ${job}`) === true;
}

export function toCrawlReport(info: CrawlInfo): CrawlReport {
  const { source, kind, read, waiting, startedAt, finishedAt, endedAt, runner, beatAt = 0 } = info;
  const { state: last = 'running', why, bound, ...tally } = parseOutcome(info.outcome);
  const runs = runner !== undefined && !isRunnerDead(runner, Date.now() - beatAt);
  const ended = finishedAt === undefined ? 'interrupted' : 'finished';
  const state = runs ? 'running' : last === 'running' ? ended : last;
  return {
    ...{ source, kind, read, waiting, startedAt, state },
    ...tally,
    depth: attempt(() => (JSON.parse(info.options) as { depth?: number }).depth),
    ...(!runs && { endedAt: endedAt ?? finishedAt }),
    ...(why !== undefined && { why }),
    ...(bound !== undefined && state === 'limit' && { bound }),
  };
}

export function parseOutcome(text: string | undefined): Partial<CrawlOutcome> & CrawlTally {
  return { ...EMPTY_TALLY, ...(text === undefined ? {} : (JSON.parse(text) as CrawlOutcome)) };
}
