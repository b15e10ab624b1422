import type { ErrorCode } from '../../errors.ts';

/** Reason why a crawl ended before its first page was read, for the error of the call that started it. */
export interface CrawlFailure {
  readonly code: ErrorCode;
  readonly message: string;
  /** Time to wait before a new attempt, in seconds. */
  readonly retryAfter?: number | undefined;
}

/** Request for a crawl that any node may run. Times are in milliseconds since 1970. */
export interface NewCrawlJob {
  readonly id: string;
  readonly source: string;
  /** Number of links to follow from the start page. */
  readonly depth: number;
  readonly createdAt: number;
  /** Facts about the caller that the node that runs the crawl needs. */
  readonly terms: string;
}

/** A crawl job with its current state. */
export interface CrawlJob extends Omit<NewCrawlJob, 'terms'> {
  readonly owner: string;
  /** Name of the run that took the job last; undefined before the first run. */
  readonly runner?: string;
  /** Time when the first page was read. From then on CrawlStore contains the crawl. */
  readonly openedAt?: number;
  /** Set if the job ended before the first page was read. */
  readonly failure?: CrawlFailure;
}

/** Stores the crawls that nodes share, until these have ended. A change is durable when its promise resolves. */
export interface CrawlJobStore {
  /** Inserts a job; false if the owner already has an active crawl of this source. */
  insertJob(owner: string, job: NewCrawlJob): Promise<boolean>;
  /** Makes `runner` the only run of the job and returns the job; undefined if it has ended. */
  takeJob(id: string, runner: string): Promise<(CrawlJob & Pick<NewCrawlJob, 'terms'>) | undefined>;
  /** Records that the first page was read; false if the job has ended or belongs to another run. */
  openJob(id: string, runner: string, at: number): Promise<boolean>;
  /**
   * Ends the job; with `runner`, only if that run has it. A failure before the first page is kept for some minutes, for callers
   * that wait. False if there was no such job.
   */
  endJob(id: string, how: { readonly runner?: string; readonly failure?: CrawlFailure }): Promise<boolean>;
  /** Returns a job, including one that has failed. */
  readJob(id: string): Promise<CrawlJob | undefined>;
  /** Lists the jobs that have not ended, optionally those of one source. */
  listJobs(owner: string, source?: string): Promise<CrawlJob[]>;
}
