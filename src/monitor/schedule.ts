import type { Sort } from './check.ts';

/** One thing that is done again and again: the checks of a sort at one target. */
export interface Plan {
  readonly target: string;
  readonly sort: Sort;
  readonly everyMs: number;
}

/** A plan that has fallen due and is this process's until it is done. */
export interface Job extends Plan {
  readonly monitor: number;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
}

/**
 * When what is done. A job is run by one process at a time, and once each time it falls due, however many processes or
 * nodes share the database; what one that is gone had in hand falls to another. `plan` and `upcoming` return at once, as
 * SQLite does: a driver that asks another machine has to make them asynchronous first.
 */
export interface Schedule {
  /**
   * What is done for a monitor from now on, in place of what was. Plans that stay as they were keep their time; new
   * ones begin soon, one after the other, and are then spread over their interval.
   */
  plan(monitor: number, plans: readonly Plan[]): void;
  /** The next time of each of a monitor's plans, in milliseconds since the epoch, soonest first. */
  upcoming(
    monitor: number,
  ): readonly { readonly target: string; readonly sort: Sort; readonly dueAt: number }[];
  /** Whether anybody does jobs at present, in this process or another. */
  isWorked(): boolean;
  /**
   * Does jobs in this process from now on; the signal is aborted when it closes or the job's time is up. `leaves` are
   * the monitors whose jobs are for other processes, `isLeft` whether all are.
   */
  work(
    run: (job: Job, signal: AbortSignal) => Promise<void>,
    leaves?: () => readonly number[],
    isLeft?: () => boolean,
  ): void;
  /** Something may have fallen due sooner than was thought. */
  wake(): void;
  /** Breaks off what is under way; it is done again by whoever comes next. */
  close(): Promise<void>;
}

/**
 * The point of the grid at which a job falls due next: at least half an interval after it was due, so that the first
 * round comes at once and the following ones are spread.
 */
export function nextDue(origin: number, everyMs: number, dueAt: number, now: number): number {
  const after = Math.max(dueAt + everyMs / 2, now);
  return origin + (Math.floor((after - origin) / everyMs) + 1) * everyMs;
}
