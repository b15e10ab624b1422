/** A running or failed check. Times are in milliseconds since the epoch. */
export interface ComplianceJob {
  readonly id: string;
  readonly scope: string;
  readonly createdAt: number;
  readonly state: 'running' | 'failed';
  readonly progress: string;
  readonly reason?: string;
}

export interface StoredJob extends ComplianceJob {
  readonly runner: string;
  readonly beatAt: number;
  readonly isShared: boolean;
}

export interface NewJob extends Pick<StoredJob, 'id' | 'scope' | 'createdAt' | 'runner'> {
  /** Input with which another process can run the job. If undefined, only `runner` can run it. */
  readonly terms?: string | undefined;
}

export interface SharedJob extends Pick<StoredJob, 'id' | 'scope'> {
  readonly owner: string;
  readonly terms: string;
}

export interface AssessmentLimits {
  readonly ownRunning: number;
  readonly allRunning: number;
  readonly kept: number;
}

export interface JobInsertion {
  readonly inserted: boolean;
  readonly ownRunning: number;
  readonly allRunning: number;
}

export interface ComplianceJobStore {
  insertJob(owner: string, job: NewJob, limits: AssessmentLimits): Promise<JobInsertion>;
  readTerms(id: string): Promise<SharedJob | undefined>;
  takeJob(id: string, runner: string, at: number): Promise<boolean>;
  /** Renews the lease of a running job. Returns false if the job has ended or another process runs it. */
  recordProgress(id: string, runner: string, progress: string, at: number): Promise<boolean>;
  /** Marks a running job as failed. Returns false if it has ended or differs from the values in `only`. */
  failJob(
    id: string,
    reason: string,
    only?: { readonly beatAt?: number; readonly runner?: string },
  ): Promise<boolean>;
  readJob(owner: string, id: string): Promise<StoredJob | undefined>;
  listJobs(owner: string): Promise<StoredJob[]>;
  listRunning(): Promise<Pick<StoredJob, 'id' | 'runner' | 'beatAt' | 'isShared'>[]>;
  removeJob(owner: string, id: string): Promise<boolean>;
}
