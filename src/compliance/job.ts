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
  /** The process that runs it; see lib/runner.ts. */
  readonly runner: string;
  /** When that process last recorded its progress: its lease on the job. */
  readonly beatAt: number;
}

export type NewJob = Pick<StoredJob, 'id' | 'scope' | 'createdAt' | 'runner'>;

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
  /** Renews the lease of a running job. False where it no longer runs: it has failed or was removed. */
  recordProgress(id: string, progress: string, at: number): Promise<boolean>;
  /**
   * Marks a running job as failed. With `beatAt` only if the lease has not been renewed since: a job that another process
   * still runs is left alone. False where nothing was changed.
   */
  failJob(id: string, reason: string, beatAt?: number): Promise<boolean>;
  readJob(owner: string, id: string): Promise<StoredJob | undefined>;
  /** Of all owners, the oldest first. */
  listRunning(): Promise<Pick<StoredJob, 'id' | 'runner' | 'beatAt'>[]>;
  /** False where the owner has no such job. */
  removeJob(owner: string, id: string): Promise<boolean>;
}
