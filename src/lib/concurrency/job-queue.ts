import { AppError } from '../../errors.ts';
import type { Limiter } from './limiter.ts';

/** A piece of background work. The module that sends it stores everything else about it under the id. */
export interface Job {
  readonly id: string;
  readonly owner: string;
}

/** Numbers of jobs of one kind at the moment when another job is sent. */
export interface JobCounts {
  readonly waiting: number;
  readonly ownWaiting: number;
  readonly ownRunning: number;
}

/** What all jobs of one kind have in common. Each module declares its own kinds. */
export interface JobKind {
  /** Name of the kind, in lower case. It is also the name of the queue in a database. */
  readonly name: string;
  /** Maximum time of one run in milliseconds. After it, another run of the job may begin. */
  readonly longestMs: number;
  /** Maximum number of jobs of one owner that run at once, over all processes. When left out, only the worker's limit applies. */
  readonly atOncePerOwner?: number;
  /** If true, only one of several waiting jobs of an owner is run: the store says what is to be done. */
  readonly onePerOwner?: boolean;
  /** Returns an error if a new job may not even wait. */
  refuse?(counts: JobCounts): Error | undefined;
}

export interface JobRun {
  readonly id: string;
  /** Id of this run, unique among all processes. All its writes are bound to it, so a run that lost its job stores nothing. */
  readonly runner: string;
  /** Aborts with a `LostJob` if the run must leave everything as it is, and with another reason if it must store a failure. */
  readonly signal: AbortSignal;
  /** True if the job is tried again after this run rejects with the error: the database has failed and attempts are left. */
  isDoneAgain(error: unknown): boolean;
}

/** How a process runs the jobs of one kind. */
export interface JobWorker {
  /** Limiter in which runs wait until they may start. */
  readonly places: Limiter;
  /** Maximum number of runs at once in this process. */
  readonly atOnce: number;
  /** False if this process cannot run such jobs at present. Other processes take them meanwhile. */
  isReady?(): boolean;
  /** Resolves when the outcome, even a failure, is stored. If it rejects, a job that other processes can run is tried again. */
  run(run: JobRun): Promise<void>;
  /** Called if a job that only this process could run is ended before it has begun. */
  drop?(id: string, reason: unknown): Promise<void>;
}

/**
 * Queue of background jobs. Each job is run by one process at a time, fairly between owners. Drivers: `createLocalJobs` for jobs
 * that end with this process, and that of PostgreSQL, in which another node takes over the jobs of a dead one.
 */
export interface JobQueue {
  /** Registers this process as a worker for a kind of job. */
  handle(kind: JobKind, worker: JobWorker): void;
  /**
   * Accepts a job. `store` saves the data of the job before any run begins. Rejects with the error of `JobKind.refuse`, with
   * nothing stored, or with the error of `store`.
   */
  send(kind: JobKind, job: Job, store: () => Promise<void>): Promise<void>;
  /** Ends a waiting or running job. Resolves when the job will not begin, or when its run in this process has ended. */
  cancel(kind: JobKind, id: string, reason?: unknown): Promise<void>;
  /** True if the job waits or runs in any process. */
  isLeft(kind: JobKind, id: string): Promise<boolean>;
  /** Accepts no further jobs and aborts the runs of this process. Resolves when they have ended. */
  close(): Promise<void>;
}

/** Message for a job that failed because the queue has given it up. */
export const GIVEN_UP =
  'its nodes were ended, or their database failed, again and again, and it is not tried again: start it again';

/** Thrown by a run that this process cannot do at present. Another process then takes the job at once. */
export class NotHere extends AppError {
  constructor(cause: unknown) {
    super('unavailable', 'this process cannot do it at present, and another one takes it', { cause });
  }
}

/** Reason of a run's signal if another process has taken over the job, or the job was removed. */
export class LostJob extends AppError {
  constructor(message = 'another process goes on with it, or it was removed') {
    super('unavailable', message);
  }
}
