/** A compliance check that runs in the background or has failed. Times are in milliseconds since the epoch. */
export interface ComplianceJob {
  readonly id: string;
  readonly scope: string;
  readonly createdAt: number;
  readonly state: 'running' | 'failed';
  readonly progress: string;
  readonly reason?: string;
}

export interface StoredJob extends ComplianceJob {
  /** Id of the process that runs the job (see lib/concurrency/runner.ts). */
  readonly runner: string;
  /** Time at which the process last renewed its lease. */
  readonly beatAt: number;
  readonly isShared: boolean;
}

export interface NewJob extends Pick<StoredJob, 'id' | 'scope' | 'createdAt' | 'runner'> {
  /** Input of the job, with which another process can run it. Undefined if only the process `runner` can run the job. */
  readonly terms?: string | undefined;
}

/** A running job with the input that a process needs to continue the job of another process. */
export interface SharedJob extends Pick<StoredJob, 'id' | 'scope'> {
  readonly owner: string;
  readonly terms: string;
}

export interface JobLimits {
  readonly ownRunning: number;
  readonly allRunning: number;
  /** Maximum number of jobs kept per owner. The oldest failed jobs are deleted first. */
  readonly kept: number;
}

export interface JobInsertion {
  readonly inserted: boolean;
  readonly ownRunning: number;
  readonly allRunning: number;
}

/** Stores jobs of all processes that share a data folder, separately per owner. A write is durable when its promise resolves. */
export interface JobStore {
  /** Inserts a running job if the limits allow it. Counting and inserting are one atomic step for all processes. */
  insertJob(owner: string, job: NewJob, limits: JobLimits): Promise<JobInsertion>;
  readTerms(id: string): Promise<SharedJob | undefined>;
  /** Assigns a job to the process `runner`. Resolves to false if the job is no longer running. */
  takeJob(id: string, runner: string, at: number): Promise<boolean>;
  /** Renews the lease of a running job. Resolves to false if the job has ended or another process runs it. */
  recordProgress(id: string, runner: string, progress: string, at: number): Promise<boolean>;
  /** Fails a running job. `only`: just if `runner` runs it and `beatAt` is its last renewal. False if nothing changed. */
  failJob(
    id: string,
    reason: string,
    only?: { readonly beatAt?: number; readonly runner?: string },
  ): Promise<boolean>;
  readJob(owner: string, id: string): Promise<StoredJob | undefined>;
  /** Lists an owner's jobs, newest first. */
  listJobs(owner: string): Promise<StoredJob[]>;
  /** Lists the running jobs of all owners, oldest first. */
  listRunning(): Promise<Pick<StoredJob, 'id' | 'runner' | 'beatAt' | 'isShared'>[]>;
  removeJob(owner: string, id: string): Promise<boolean>;
}
