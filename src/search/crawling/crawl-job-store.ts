import type { ErrorCode } from '../../errors.ts';

/** Why a crawl ended before its first page was read: the error of the call that asked for it. */
export interface CrawlFailure {
  readonly code: ErrorCode;
  readonly message: string;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
}

/** A crawl that any node may run, as it is asked for. Times are in milliseconds since 1970. */
export interface NewCrawlJob {
  readonly id: string;
  readonly source: string;
  /** Links from the start that are followed. */
  readonly depth: number;
  readonly createdAt: number;
  /** What the node that runs it needs to know of the caller. */
  readonly terms: string;
}

/** The same as it stands. */
export interface CrawlJob extends Omit<NewCrawlJob, 'terms'> {
  readonly owner: string;
  /** The run that took it last; undefined while it waits for its first. */
  readonly runner?: string;
  /** When its first page was read: from then on the CrawlStore knows the crawl. */
  readonly openedAt?: number;
  /** It ended before that. */
  readonly failure?: CrawlFailure;
}

/** Crawls that are shared by nodes, until they have ended. A change is durable when its promise resolves. */
export interface CrawlJobStore {
  /** False where a crawl of this source, of the same owner, is under way. */
  insertJob(owner: string, job: NewCrawlJob): Promise<boolean>;
  /** Makes `runner` the run of the job, and of no other run; undefined where it has ended. */
  takeJob(id: string, runner: string): Promise<(CrawlJob & Pick<NewCrawlJob, 'terms'>) | undefined>;
  /** Notes that the first page was read; false where it has ended, or another run has it. */
  openJob(id: string, runner: string, at: number): Promise<boolean>;
  /**
   * Ends the job, with `runner` only where that one runs it. A failure before its first page was read is kept for some minutes, for
   * the calls that wait. False where there was nothing to end.
   */
  endJob(id: string, how: { readonly runner?: string; readonly failure?: CrawlFailure }): Promise<boolean>;
  /** Also one that has failed. */
  readJob(id: string): Promise<CrawlJob | undefined>;
  /** Jobs that have not ended, those of one source where it is named. */
  listJobs(owner: string, source?: string): Promise<CrawlJob[]>;
}
