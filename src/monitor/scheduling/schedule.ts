import type { Logger } from '../../log.ts';
import type { Sort } from '../probing/sort.ts';
import type { FinishedJob, Job, ScheduleStore } from '../store.ts';
import { nextDue } from './grid.ts';
import { releaseDeadLeases } from './leases.ts';
import { createPump, type Pump } from './pump.ts';

/**
 * Runs jobs as they fall due. A job is run by one process at a time, and once each time it falls due, however many
 * processes or machines share the store; what a dead one leased falls to another.
 */
export interface Schedule {
  /** Whether any process runs jobs at present, this one or another. */
  isWorked(): Promise<boolean>;
  /** Runs jobs in this process from now on. */
  startWorking(options: WorkOptions): void;
  /** Something may have fallen due sooner than was known. */
  wake(): void;
  /** Breaks off what is under way, and frees it for the next process. */
  close(): Promise<void>;
}

export interface WorkOptions {
  /**
   * The signal is aborted when the schedule closes or the job's time is up. Gives the milliseconds in which the job should come
   * again, where that is sooner than its interval.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: what gives nothing comes again after its interval
  run(job: Job, signal: AbortSignal): Promise<number | undefined | void>;
  /** Monitors whose jobs are left to other processes. */
  except?(): Promise<readonly number[]>;
  /** Whether all jobs are. */
  isLeft?: () => boolean | Promise<boolean>;
}

export interface ScheduleOptions {
  readonly store: ScheduleStore;
  readonly log: Logger;
  /** Jobs at once. */
  readonly concurrency: number;
  /** Milliseconds that one job of each sort may take. */
  readonly limits: Readonly<Record<Sort, number>>;
  /** Milliseconds after which another process's work is looked up; default a second. */
  readonly pollMs?: number | undefined;
}

/** Milliseconds beyond its limit for which a job is leased. */
const LEASE_SLACK_MS = 5000;

export function createSchedule({ store, log, concurrency, limits, pollMs }: ScheduleOptions): Schedule {
  const leaseMs = {
    watch: limits.watch + LEASE_SLACK_MS,
    survey: limits.survey + LEASE_SLACK_MS,
    scan: limits.scan + LEASE_SLACK_MS,
  };
  let pump: Pump | undefined;
  /** Jobs that are done, whose next time is recorded with the next that are taken. */
  let finished: { readonly job: Job; readonly againInMs: number }[] = [];

  /** Hands what is done to a step of the store; it stays for the next step where that fails. */
  async function recordingFinished<T>(step: (done: readonly FinishedJob[]) => Promise<T>): Promise<T> {
    const done = finished;
    finished = [];
    const now = Date.now();
    try {
      return await step(
        done.map(({ job, againInMs }) => {
          const nextAt = nextDue(job.origin, job.everyMs, job.dueAt, now);
          return { job, nextAt: Math.min(nextAt, Math.round(now + againInMs)) };
        }),
      );
    } catch (error) {
      finished = [...done, ...finished];
      throw error;
    }
  }

  async function runWithin({ run }: WorkOptions, job: Job, closing: AbortSignal): Promise<void> {
    let againInMs = Infinity;
    try {
      const soon = await run(job, AbortSignal.any([closing, AbortSignal.timeout(limits[job.sort])]));
      if (soon !== undefined) againInMs = soon;
    } finally {
      // Broken off by the end of this process, it is still due.
      if (!closing.aborted) finished.push({ job, againInMs });
    }
  }

  return {
    isWorked: async () => pump !== undefined || store.hasLeases(Date.now()),
    startWorking(options) {
      const { except = async () => [], isLeft } = options;
      pump ??= createPump<Job>({
        async take(limit) {
          const left = await except();
          return recordingFinished((done) =>
            store.takeDue({ limit, now: Date.now(), leaseMs, except: left, finished: done }),
          );
        },
        nextAt: async () => store.nextDueAt(await except()),
        async tidy() {
          // Another process may do the work by now, so that nothing more is taken.
          if (finished.length > 0) await recordingFinished((done) => store.finishJobs(done));
          await releaseDeadLeases(store);
          await store.bringForward(Date.now());
        },
        concurrency,
        pollMs,
        isLeft,
        log,
        run: (job, closing) => runWithin(options, job, closing),
      });
    },
    wake: () => pump?.wake(),
    async close() {
      if (!pump) return;
      await pump.close();
      await recordingFinished((done) => store.finishJobs(done));
      await store.releaseLeases();
    },
  };
}
