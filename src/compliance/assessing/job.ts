/** A check that runs in the background, until it has results. Times are in milliseconds. */
export interface Job {
  readonly id: string;
  readonly scope: string;
  readonly createdAt: number;
  readonly state: 'running' | 'failed';
  /** What it is doing, in plain words. */
  readonly progress: string;
  /** Why it failed. */
  readonly reason?: string;
}

/** A job as it is stored. */
export interface StoredJob extends Job {
  /** The process that runs it; see lib/concurrency/runner.ts. */
  readonly runner: string;
  /** When that process last recorded its progress: its lease on the job. */
  readonly beatAt: number;
  /** Whether any process may run it. */
  readonly isShared: boolean;
}

export interface NewJob extends Pick<StoredJob, 'id' | 'scope' | 'createdAt' | 'runner'> {
  /** What a process needs that did not accept it; undefined where only `runner` can run it. */
  readonly terms?: string | undefined;
}

/** A running job as a process takes it that did not accept it. */
export interface JobTerms extends Pick<StoredJob, 'id' | 'scope'> {
  readonly owner: string;
  readonly terms: string;
}

/** How many jobs may run at once, and how many of one owner are kept. */
export interface JobLimits {
  readonly ownRunning: number;
  readonly allRunning: number;
  /** Jobs of one owner; the oldest that failed are removed. */
  readonly kept: number;
}

/** Whether a job was inserted, and how many ran before it. */
export interface Insertion {
  readonly inserted: boolean;
  readonly ownRunning: number;
  readonly allRunning: number;
}

/** Jobs, each owner's apart, shared by all processes of the data folder. A write is durable when it resolves. */
export interface JobStore {
  /** Inserts a running job, unless as many run as the limits allow: one step, however many processes start jobs at once. */
  insertJob(owner: string, job: NewJob, limits: JobLimits): Promise<Insertion>;
  /** A running job that any process may run; undefined where there is none. */
  readTerms(id: string): Promise<JobTerms | undefined>;
  /** The job is run by `runner` from now on, and by no other; false where it no longer runs. */
  takeJob(id: string, runner: string, at: number): Promise<boolean>;
  /** Renews the lease of a running job. False where it no longer runs, or another process runs it. */
  recordProgress(id: string, runner: string, progress: string, at: number): Promise<boolean>;
  /**
   * Marks a running job as failed. With `beatAt` only if the lease has not been renewed since, with `runner` only where that one
   * runs it: a job that another process still runs is left alone. False where nothing was changed.
   */
  failJob(
    id: string,
    reason: string,
    only?: { readonly beatAt?: number; readonly runner?: string },
  ): Promise<boolean>;
  readJob(owner: string, id: string): Promise<StoredJob | undefined>;
  /** Newest first. */
  listJobs(owner: string): Promise<StoredJob[]>;
  /** Of all owners, the oldest first. */
  listRunning(): Promise<Pick<StoredJob, 'id' | 'runner' | 'beatAt' | 'isShared'>[]>;
  /** False where the owner has no such job. */
  removeJob(owner: string, id: string): Promise<boolean>;
}
