import type { Logger } from '../../log.ts';
import type { CheckCadence } from '../probing/check-cadence.ts';
import type { FinishedProbe, ProbeJob, ProbeScheduleStore } from '../store.ts';
import { computeNextDue } from './due-times.ts';
import { releaseDeadLeases } from './leases.ts';
import { createWorkLoop, type WorkLoop } from './work-loop.ts';

export type ProbeSchedule = ReturnType<typeof createProbeSchedule>;

export interface JobHandlerOptions {
  /** Runs a job. Returns the milliseconds until the next run if it should come early, otherwise undefined. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a result returns void
  run(job: ProbeJob, signal: AbortSignal): Promise<number | undefined | void>;
  except?(): Promise<readonly number[]>;
  isLeft?: () => boolean | Promise<boolean>;
}

export interface ScheduleOptions {
  readonly store: ProbeScheduleStore;
  readonly log: Logger;
  readonly concurrency: number;
  readonly limits: Readonly<Record<CheckCadence, number>>;
  readonly pollMs?: number | undefined;
}

const LEASE_SLACK_MS = 5000;

export function createProbeSchedule({ store, log, concurrency, limits, pollMs }: ScheduleOptions) {
  const leaseMs = {
    watch: limits.watch + LEASE_SLACK_MS,
    survey: limits.survey + LEASE_SLACK_MS,
    scan: limits.scan + LEASE_SLACK_MS,
  };
  let pump: WorkLoop | undefined;
  /** Finished jobs that are not stored yet. The next read of due jobs also stores them. */
  let finished: { readonly job: ProbeJob; readonly againInMs: number }[] = [];
  const held = new Set<number>();

  async function recordingFinished<T>(step: (done: readonly FinishedProbe[]) => Promise<T>): Promise<T> {
    const done = finished;
    finished = [];
    const now = Date.now();
    try {
      const result = await step(
        done.map(({ job, againInMs }) => {
          const nextAt = computeNextDue(job.origin, job.everyMs, job.dueAt, now);
          return { job, nextAt: Math.min(nextAt, Math.round(now + againInMs)) };
        }),
      );
      for (const { job } of done) held.delete(job.id);
      return result;
    } catch (error) {
      finished = [...done, ...finished];
      throw error;
    }
  }

  async function runWithin({ run }: JobHandlerOptions, job: ProbeJob, closing: AbortSignal): Promise<void> {
    let againInMs = Infinity;
    try {
      const soon = await run(job, AbortSignal.any([closing, AbortSignal.timeout(limits[job.sort])]));
      if (soon !== undefined) againInMs = soon;
    } finally {
      // A job that was aborted because this process closes stays due, so its end is not recorded.
      if (!closing.aborted) finished.push({ job, againInMs });
    }
  }

  return {
    isWorked: async (): Promise<boolean> => pump !== undefined || store.hasLeases(Date.now()),
    startWorking(options: JobHandlerOptions): void {
      const { except = async () => [], isLeft } = options;
      pump ??= createWorkLoop<ProbeJob>({
        async take(limit) {
          const left = await except();
          const taken = await recordingFinished((done) =>
            store.takeDue({ limit, now: Date.now(), leaseMs, except: left, finished: done }),
          );
          for (const { id } of taken) held.add(id);
          return taken;
        },
        nextAt: async () => store.nextDueAt(await except()),
        async tidy() {
          // While another process probes, `take` does not run, so the finished jobs are stored here.
          if (finished.length > 0) await recordingFinished((done) => store.finishJobs(done));
          await store.releaseLost([...held]);
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
    wake: (): void => pump?.wake(),
    async close(): Promise<void> {
      if (!pump) return;
      await pump.close();
      await recordingFinished((done) => store.finishJobs(done));
      await store.releaseLeases();
    },
  };
}
