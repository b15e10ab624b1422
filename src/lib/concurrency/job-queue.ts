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
  /** Name in lower case. The job queue in a database has the same name. */
  readonly name: string;
  /** Milliseconds after which a job may run again, even if this run has not ended. */
  readonly longestMs: number;
  readonly atOncePerOwner?: number;
  readonly onePerOwner?: boolean;
  refuse?(counts: JobCounts): Error | undefined;
}

export interface JobRun {
  readonly id: string;
  /** Id of this run, unique among all processes. Only the job's current run stores a result. */
  readonly runner: string;
  /** Aborts to end the run. The run then stores a failure, or nothing if the reason is a `LostJob`. */
  readonly signal: AbortSignal;
  /** True if the queue runs the job again after this error. */
  isDoneAgain(error: unknown): boolean;
}

export interface JobWorker {
  readonly places: Limiter;
  readonly atOnce: number;
  isReady?(): boolean;
  /** Runs the job. Resolves when its result or failure is stored. After a rejection, the job may run again. */
  run(run: JobRun): Promise<void>;
  drop?(id: string, reason: unknown): Promise<void>;
}

/** Queue of background jobs. Each job is run by one process at a time, fairly between owners. */
export interface JobQueue {
  handle(kind: JobKind, worker: JobWorker): void;
  /** Calls `store` to save the job's data and then queues the job. Rejects if `refuse` returns an error. */
  send(kind: JobKind, job: QueuedJob, store: () => Promise<void>): Promise<void>;
  /** Ends a job. Resolves when it can no longer begin or its run in this process has ended. */
  cancel(kind: JobKind, id: string, reason?: unknown): Promise<void>;
  isPending(kind: JobKind, id: string): Promise<boolean>;
  close(): Promise<void>;
}

export const JOB_GIVEN_UP_MESSAGE =
  'its nodes were ended, or their database failed, again and again, and it is not tried again: start it again';

/** Error of a run that this process cannot do now. Another process takes the job at once. */
export class JobNotPossibleHere extends AppError {
  constructor(cause: unknown) {
    super('unavailable', 'this process cannot do it at present, and another one takes it', { cause });
  }
}

/** Abort reason of a run whose job was removed or taken over by another process. */
export class LostJob extends AppError {
  constructor(message = 'another process goes on with it, or it was removed') {
    super('unavailable', message);
  }
}
