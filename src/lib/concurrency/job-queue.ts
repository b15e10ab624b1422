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

export interface JobKind {
  /** Name of this kind of job, in lower case. The job queue in a database has the same name. */
  readonly name: string;
  /** Maximum time of one run of a job in milliseconds. After this time, the job may be run again before this run ends. */
  readonly longestMs: number;
  /** Maximum number of jobs of one owner that run at once, over all processes. Default: no limit per owner. */
  readonly atOncePerOwner?: number;
  /** If true, one run does the work of all waiting jobs of its owner, so that the other waiting jobs are not run. */
  readonly onePerOwner?: boolean;
  refuse?(counts: JobCounts): Error | undefined;
}

export interface JobRun {
  readonly id: string;
  /** Id of this run, unique among all processes. A job's result is stored only if this run is still the job's current run. */
  readonly runner: string;
  /** Aborts to end the run early. If the reason is a `LostJob`, the run stores no result. Otherwise it must store a failure. */
  readonly signal: AbortSignal;
  /** True if the queue runs the job again after this error, because the database failed and attempts are left. */
  isDoneAgain(error: unknown): boolean;
}

export interface JobWorker {
  readonly places: Limiter;
  readonly atOnce: number;
  isReady?(): boolean;
  /** Runs the job. Resolves when its result or failure is stored. Rejects if neither was stored; the job may then run again. */
  run(run: JobRun): Promise<void>;
  drop?(id: string, reason: unknown): Promise<void>;
}

/** Queue of background jobs. Each job is run by one process at a time, fairly between owners. */
export interface JobQueue {
  handle(kind: JobKind, worker: JobWorker): void;
  /** Calls `store` to save the job's data and then queues the job. Rejects if `refuse` returns an error or `store` rejects. */
  send(kind: JobKind, job: QueuedJob, store: () => Promise<void>): Promise<void>;
  /** Ends a waiting or running job. Resolves when the job can no longer begin, or when its run in this process has ended. */
  cancel(kind: JobKind, id: string, reason?: unknown): Promise<void>;
  isPending(kind: JobKind, id: string): Promise<boolean>;
  close(): Promise<void>;
}

export const JOB_GIVEN_UP_MESSAGE =
  'its nodes were ended, or their database failed, again and again, and it is not tried again: start it again';

/** Thrown by a job's run that this process cannot do at present. Another process then takes the job at once. */
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
