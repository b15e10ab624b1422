import type { ErrorCode } from '../../errors.ts';

/** Reason why a crawl ended before it read its first page, for the error of the call that started the crawl. */
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
  readonly depth: number;
  readonly createdAt: number;
  /** Facts about the caller, for the node that runs the crawl. */
  readonly terms: string;
}

export interface CrawlJob extends Omit<NewCrawlJob, 'terms'> {
  readonly owner: string;
  readonly runner?: string;
  /** Time when the first page was read. From then on CrawlStore contains the crawl. */
  readonly openedAt?: number;
  readonly failure?: CrawlFailure;
}

/** Stores the crawls that nodes share, until these have ended. A change is durable when its promise resolves. */
export interface CrawlJobStore {
  /** Inserts a job; false if the owner already has an active crawl of this source. */
  insertJob(owner: string, job: NewCrawlJob): Promise<boolean>;
  /** Makes `runner` the only run of the job and returns the job; undefined if it has ended. */
  takeJob(id: string, runner: string): Promise<(CrawlJob & Pick<NewCrawlJob, 'terms'>) | undefined>;
  /** Records that the first page was read. Returns false if the job has ended or belongs to another run. */
  openJob(id: string, runner: string, at: number): Promise<boolean>;
  /** Ends the job, but with `runner` only if this run has it. Keeps an early failure for minutes, for callers that wait. */
  endJob(id: string, how: { readonly runner?: string; readonly failure?: CrawlFailure }): Promise<boolean>;
  readJob(id: string): Promise<CrawlJob | undefined>;
  listJobs(owner: string, source?: string): Promise<CrawlJob[]>;
}
