import { AppError } from '../../errors.ts';
import type { Limiter } from './limiter.ts';

export interface QueuedJob {
  readonly id: string;
  readonly owner: string;
}

export interface JobCounts {
  readonly waiting: number;
  readonly ownWaiting: number;
  readonly ownRunning: number;
}

/** Settings that all jobs of one kind share. */
export interface JobKind {
  /** Name of the kind, in lower case. In a database, the queue has the same name. */
  readonly name: string;
  /** Maximum time of one run in milliseconds. After this time, another run of the job may begin. */
  readonly longestMs: number;
  /** Maximum number of running jobs of one owner, over all processes. When left out, only the worker's limit applies. */
  readonly atOncePerOwner?: number;
  /** If true, only one of several waiting jobs of an owner is run, because the job reads from the store what it must do. */
  readonly onePerOwner?: boolean;
  refuse?(counts: JobCounts): Error | undefined;
}

export interface JobRun {
  readonly id: string;
  /** Id of this run of the job, unique among all processes. The run stores nothing after its job was taken over or removed. */
  readonly runner: string;
  /** Aborts the run. If the signal's reason is a `LostJob`, the run must store nothing. Otherwise it must store a failure. */
  readonly signal: AbortSignal;
  /** True if the job is tried again after this run rejects with the error: the database has failed and attempts are left. */
  isDoneAgain(error: unknown): boolean;
}

export interface JobWorker {
  /** Limiter in which runs of this kind of job wait until they may start. */
  readonly places: Limiter;
  readonly atOnce: number;
  isReady?(): boolean;
  /** Runs the job. Resolves when its outcome is stored, even a failure. If it rejects, a job that others can run is retried. */
  run(run: JobRun): Promise<void>;
  drop?(id: string, reason: unknown): Promise<void>;
}

/** Queue of background jobs. Each job is run by one process at a time, fairly between owners. */
export interface JobQueue {
  handle(kind: JobKind, worker: JobWorker): void;
  /** Adds a job to the queue after `store` has saved its data. Rejects with the error of `refuse` or `store`. */
  send(kind: JobKind, job: QueuedJob, store: () => Promise<void>): Promise<void>;
  /** Ends a waiting or running job. Resolves when the job will not begin, or when its run in this process has ended. */
  cancel(kind: JobKind, id: string, reason?: unknown): Promise<void>;
  isPending(kind: JobKind, id: string): Promise<boolean>;
  close(): Promise<void>;
}

export const JOB_GIVEN_UP_MESSAGE =
  'its nodes were ended, or their database failed, again and again, and it is not tried again: start it again';

/** Thrown by a run that this process cannot do at present. Another process then takes the job at once. */
export class JobNotPossibleHere extends AppError {
  constructor(cause: unknown) {
    super('unavailable', 'this process cannot do it at present, and another one takes it', { cause });
  }
}

/** Reason with which a run's signal aborts if another process has taken over the job, or the job was removed. */
export class LostJob extends AppError {
  constructor(message = 'another process goes on with it, or it was removed') {
    super('unavailable', message);
  }
}
