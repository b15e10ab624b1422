import { AppError } from '../../errors.ts';
import type { Limiter } from './limiter.ts';

/** A piece of background work: the room that sends it keeps all about it under the id. */
export interface Job {
  readonly id: string;
  readonly owner: string;
}

/** Jobs of one kind at the moment when another one is sent. */
export interface JobCounts {
  readonly waiting: number;
  readonly ownWaiting: number;
  readonly ownRunning: number;
}

/** What all jobs of one sort have in common; a room declares its kinds. */
export interface JobKind {
  /** In small letters: its queue's name in a database. */
  readonly name: string;
  /** Milliseconds of one run at most; another one may begin after them. */
  readonly longestMs: number;
  /** Jobs of one owner at once over all processes; as many as there are places when left out. */
  readonly atOncePerOwner?: number;
  /** Of several jobs of one owner that wait, one is run: what is to be done stands in the store. */
  readonly onePerOwner?: boolean;
  /** The error for a job that may not even wait. */
  refuse?(counts: JobCounts): Error | undefined;
}

/** One run of a job. */
export interface JobRun {
  readonly id: string;
  /** Names this run among all of all processes: what it stores is bound to it, so that a run that lost its job stores nothing. */
  readonly runner: string;
  /** Aborted with a `LostJob` where the run is to leave everything as it is, and with another reason where it is to say why it failed. */
  readonly signal: AbortSignal;
  /** Whether the job is begun again after this run where it rejects with the error: the database failed, and runs are left. */
  isDoneAgain(error: unknown): boolean;
}

/** How a process does the jobs of one kind. */
export interface JobWorker {
  /** Where runs wait for a place. */
  readonly places: Limiter;
  /** Runs at once. */
  readonly atOnce: number;
  /** Whether this process can do such jobs at present; others take them meanwhile. */
  isReady?(): boolean;
  /** Resolves when the effect of the job is stored, a failure included. Where it rejects, a job that other processes can do is done again. */
  run(run: JobRun): Promise<void>;
  /** A job that only this process could do ends before it was begun. */
  drop?(id: string, reason: unknown): Promise<void>;
}

/**
 * Background work: accepted, then done by one process at a time, fairly between owners. Two drivers: `createLocalJobs`, for
 * what ends with this process, and that of PostgreSQL, where another node takes over what a dead one ran.
 */
export interface JobQueue {
  /** This process does jobs of the kind, once it works. */
  handle(kind: JobKind, worker: JobWorker): void;
  /**
   * Accepts a job: `store` keeps what it is about, before any run begins. Rejects as the kind refuses it, with nothing stored,
   * and as `store` does.
   */
  send(kind: JobKind, job: Job, store: () => Promise<void>): Promise<void>;
  /** Ends the job wherever it waits or runs; resolves when it will not begin, and a run in this process has ended. */
  cancel(kind: JobKind, id: string, reason?: unknown): Promise<void>;
  /** Whether the job waits or runs, in any process. */
  isLeft(kind: JobKind, id: string): Promise<boolean>;
  /** Takes no further job; runs of this process are aborted and have ended when it resolves. */
  close(): Promise<void>;
}

/** Why a job has failed that the queue no longer has. */
export const GIVEN_UP =
  'its nodes were ended, or their database failed, again and again, and it is not tried again: start it again';

/** Thrown by a run that this process cannot do at present: another process takes the job at once. */
export class NotHere extends AppError {
  constructor(cause: unknown) {
    super('unavailable', 'this process cannot do it at present, and another one takes it', { cause });
  }
}

/** The reason of a run's signal: the job is another process's now, or was removed. */
export class LostJob extends AppError {
  constructor(message = 'another process goes on with it, or it was removed') {
    super('unavailable', message);
  }
}
