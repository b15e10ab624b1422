import type { ErrorCode } from '../../errors.ts';

/** Why a crawl failed before its first page was read. The call that started the crawl reports this failure. */
export interface CrawlFailure {
  readonly code: ErrorCode;
  readonly message: string;
  /** Time to wait before a new attempt may succeed, in seconds. */
  readonly retryAfter?: number | undefined;
}

/** A crawl to run on any node. Times are in milliseconds since 1970. */
export interface NewCrawlJob {
  readonly id: string;
  readonly source: string;
  readonly depth: number;
  readonly createdAt: number;
  /** Facts about the caller as text, from which another node creates the services that the crawl needs. */
  readonly terms: string;
}

export interface CrawlJob extends Omit<NewCrawlJob, 'terms'> {
  readonly owner: string;
  readonly runner?: string;
  /** Time when the first page was read. Before that, the crawl is only in this store and not in CrawlStore. */
  readonly openedAt?: number;
  readonly failure?: CrawlFailure;
}

/** Stores the crawls that several nodes share, until the crawls have ended. */
export interface CrawlJobStore {
  /** Stores a job. Resolves with false if the owner already has an active crawl of this source. */
  insertJob(owner: string, job: NewCrawlJob): Promise<boolean>;
  /** Makes `runner` the only run that works on the job, and returns the job. Undefined if the job has ended. */
  takeJob(id: string, runner: string): Promise<(CrawlJob & Pick<NewCrawlJob, 'terms'>) | undefined>;
  /** Records that the first page was read. Returns false if the job has ended or another run works on it. */
  openJob(id: string, runner: string, at: number): Promise<boolean>;
  /** Ends the job. With `runner`, ends it only if this run works on the job. Stores `failure` for callers that still wait. */
  endJob(id: string, how: { readonly runner?: string; readonly failure?: CrawlFailure }): Promise<boolean>;
  readJob(id: string): Promise<CrawlJob | undefined>;
  listJobs(owner: string, source?: string): Promise<CrawlJob[]>;
}
