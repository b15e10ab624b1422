import type { ErrorCode } from '../../errors.ts';

export interface CrawlFailure {
  readonly code: ErrorCode;
  readonly message: string;
  /** Seconds until a new attempt may succeed. */
  readonly retryAfter?: number | undefined;
}

export interface NewCrawlJob {
  readonly id: string;
  readonly source: string;
  readonly depth: number;
  readonly createdAt: number;
  /** Data about the caller, with which another node can create the services for the crawl. */
  readonly terms: string;
}

export interface CrawlJob extends Omit<NewCrawlJob, 'terms'> {
  readonly owner: string;
  readonly runner?: string;
  readonly openedAt?: number;
  readonly failure?: CrawlFailure;
}

export interface CrawlJobStore {
  /** Stores a job. Resolves with false if the owner already crawls the source. */
  insertJob(owner: string, job: NewCrawlJob): Promise<boolean>;
  /** Assigns the job to the run with the id `runner` and returns it, or undefined if the job has ended. */
  takeJob(id: string, runner: string): Promise<(CrawlJob & Pick<NewCrawlJob, 'terms'>) | undefined>;
  /** Stores that the first page was read. Returns false if the job has ended or has another run. */
  openJob(id: string, runner: string, at: number): Promise<boolean>;
  /** Ends the job, but only if `runner` (if given) still runs it. `failure` is stored if no page was read. */
  endJob(id: string, how: { readonly runner?: string; readonly failure?: CrawlFailure }): Promise<boolean>;
  readJob(id: string): Promise<CrawlJob | undefined>;
  listJobs(owner: string, source?: string): Promise<CrawlJob[]>;
}
