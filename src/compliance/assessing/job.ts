/** A compliance check that runs in the background without results yet. Times are in milliseconds since the epoch. */
export interface ComplianceJob {
  readonly id: string;
  readonly scope: string;
  readonly createdAt: number;
  readonly state: 'running' | 'failed';
  readonly progress: string;
  readonly reason?: string;
}

export interface StoredJob extends ComplianceJob {
  /** Id of the process that runs the job (lib/concurrency/runner.ts). */
  readonly runner: string;
  /** Time at which the process last renewed its lease. */
  readonly beatAt: number;
  readonly isShared: boolean;
}

export interface NewJob extends Pick<StoredJob, 'id' | 'scope' | 'createdAt' | 'runner'> {
  /** Data that another process needs to run the job. Undefined if only `runner` can run it. */
  readonly terms?: string | undefined;
}

/** A running job, with the data that a process needs to run a job that another process started. */
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

/** Stores jobs of all processes that share the data folder, separate per owner. A write is durable when its promise resolves. */
export interface JobStore {
  /** Inserts a running job unless the limits are reached. It is atomic, even if several processes start jobs at once. */
  insertJob(owner: string, job: NewJob, limits: JobLimits): Promise<JobInsertion>;
  readTerms(id: string): Promise<SharedJob | undefined>;
  /** Assigns a job to the process `runner`. Resolves to false if the job is not running now. */
  takeJob(id: string, runner: string, at: number): Promise<boolean>;
  /** Renews the lease of a running job. Resolves to false if the job ended, or another process runs it. */
  recordProgress(id: string, runner: string, progress: string, at: number): Promise<boolean>;
  /** Fails a running job if `runner` runs it, or if its lease was not renewed since `beatAt`. False if nothing changed. */
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
