/** A check that runs in the background and has no results yet. Times are milliseconds since the epoch. */
export interface ComplianceJob {
  readonly id: string;
  readonly scope: string;
  readonly createdAt: number;
  readonly state: 'running' | 'failed';
  readonly progress: string;
  readonly reason?: string;
}

export interface StoredJob extends ComplianceJob {
  /** Process that runs the job; see lib/concurrency/runner.ts. */
  readonly runner: string;
  /** Time at which the process last renewed its lease. */
  readonly beatAt: number;
  readonly isShared: boolean;
}

export interface NewJob extends Pick<StoredJob, 'id' | 'scope' | 'createdAt' | 'runner'> {
  /** Data that another process needs to run the job. Undefined if only `runner` can run it. */
  readonly terms?: string | undefined;
}

/** A running job for a process that did not accept it. */
export interface SharedJob extends Pick<StoredJob, 'id' | 'scope'> {
  readonly owner: string;
  readonly terms: string;
}

export interface JobLimits {
  readonly ownRunning: number;
  readonly allRunning: number;
  /** Maximum number of jobs kept per owner. The oldest failed ones are removed. */
  readonly kept: number;
}

export interface JobInsertion {
  readonly inserted: boolean;
  readonly ownRunning: number;
  readonly allRunning: number;
}

/** Stores jobs of all processes that share the data folder, separately per owner. A write is durable when it resolves. */
export interface JobStore {
  /** Inserts a running job unless the limits are reached. Atomic, however many processes start jobs at once. */
  insertJob(owner: string, job: NewJob, limits: JobLimits): Promise<JobInsertion>;
  readTerms(id: string): Promise<SharedJob | undefined>;
  /** Assigns the job to `runner`. Resolves with false if it no longer runs. */
  takeJob(id: string, runner: string, at: number): Promise<boolean>;
  /** Renews the lease of a running job. Resolves with false if it no longer runs, or another process runs it. */
  recordProgress(id: string, runner: string, progress: string, at: number): Promise<boolean>;
  /** Fails a running job: with `beatAt` if not renewed since, with `runner` if that process runs it. False if unchanged. */
  failJob(
    id: string,
    reason: string,
    only?: { readonly beatAt?: number; readonly runner?: string },
  ): Promise<boolean>;
  readJob(owner: string, id: string): Promise<StoredJob | undefined>;
  /** Lists jobs, newest first. */
  listJobs(owner: string): Promise<StoredJob[]>;
  /** Lists the jobs of all owners, oldest first. */
  listRunning(): Promise<Pick<StoredJob, 'id' | 'runner' | 'beatAt' | 'isShared'>[]>;
  removeJob(owner: string, id: string): Promise<boolean>;
}
