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
  /** Name in lower case, also the name of the queue in the database. */
  readonly name: string;
  /** Milliseconds after which a job that has not ended may be run again. */
  readonly longestMs: number;
  readonly atOncePerOwner?: number;
  readonly onePerOwner?: boolean;
  refuse?(counts: JobCounts): Error | undefined;
}

export interface JobRun {
  readonly id: string;
  /** Id of this run, unique among all processes. Results of older runs of the job are not stored. */
  readonly runner: string;
  /** Aborts to end the run. The worker then stores a failure, unless the reason is a `LostJob`. */
  readonly signal: AbortSignal;
  isDoneAgain(error: unknown): boolean;
}

export interface JobWorker {
  readonly places: Limiter;
  readonly atOnce: number;
  isReady?(): boolean;
  /** Runs the job. Resolves when its result or failure is stored. If it rejects, the job may run again. */
  run(run: JobRun): Promise<void>;
  drop?(id: string, reason: unknown): Promise<void>;
}

/** Queue of background jobs. A job runs in one process at a time, and owners get equal shares. */
export interface JobQueue {
  handle(kind: JobKind, worker: JobWorker): void;
  /** Queues a job after `store` has saved its data. Rejects if the kind's `refuse` returns an error. */
  send(kind: JobKind, job: QueuedJob, store: () => Promise<void>): Promise<void>;
  /** Ends a job. Resolves when the job cannot start any longer, or when its run in this process has ended. */
  cancel(kind: JobKind, id: string, reason?: unknown): Promise<void>;
  isPending(kind: JobKind, id: string): Promise<boolean>;
  close(): Promise<void>;
}

export const JOB_GIVEN_UP_MESSAGE =
  'its nodes were ended, or their database failed, again and again, and it is not tried again: start it again';

/** This process cannot run the job now. The queue passes the job to another process at once. */
export class JobNotPossibleHere extends AppError {
  constructor(cause: unknown) {
    super('unavailable', 'this process cannot do it at present, and another one takes it', { cause });
  }
}

/** Reason to abort a run: its job was removed, or another process runs the job now. */
export class LostJob extends AppError {
  constructor(message = 'another process goes on with it, or it was removed') {
    super('unavailable', message);
  }
}
