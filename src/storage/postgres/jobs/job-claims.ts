import { setTimeout as wait } from 'node:timers/promises';
import type { Job, PgBoss } from 'pg-boss';
import { DatabaseFailure } from '../../../errors.ts';
import {
  type JobKind,
  JobNotPossibleHere,
  type JobWorker,
  LostJob,
} from '../../../lib/concurrency/job-queue.ts';
import { PROCESS_RUNNER_ID } from '../../../lib/concurrency/runner.ts';
import { runInSpan } from '../../../lib/tracing.ts';
import type { Logger } from '../../../log.ts';

export interface JobData {
  readonly id: string;
}

export const MOST_RETRIES = 10;
/** Maximum retries after database timeouts, because a job that is too slow may time out each time. */
const MOST_SLOW = 2;
const [FAILED_MS, LONGEST_FAILED_MS] = [500, 8000];

interface Claim {
  readonly job: Job<JobData>;
  readonly stop: AbortController;
  ended: Promise<void>;
}

export function createJobClaims(boss: PgBoss, kind: JobKind, worker: JobWorker, log: Logger) {
  const claims = new Map<string, Claim>();

  async function settle({ job, stop }: Claim): Promise<void> {
    try {
      await runInPlace(worker, job, stop.signal);
    } catch (err) {
      if (stop.signal.reason instanceof LostJob) return;
      if (!(err instanceof JobNotPossibleHere)) {
        log.warn({ err, job: job.data.id, kind: kind.name }, 'a job could not be done, and is tried again');
        const pauseMs = Math.min(FAILED_MS * 2 ** job.retryCount, LONGEST_FAILED_MS);
        await wait(pauseMs, undefined, { signal: stop.signal, ref: false }).catch(() => {});
      }
      await boss.fail(kind.name, job, {});
      return;
    }
    if (!(stop.signal.reason instanceof LostJob)) await boss.complete(kind.name, job);
  }

  return {
    count: () => claims.size,
    begin(job: Job<JobData>, onEnd: () => void): void {
      const claim: Claim = { job, stop: new AbortController(), ended: Promise.resolve() };
      claims.set(job.id, claim);
      claim.ended = settle(claim)
        // If the completion is not recorded, the job runs again and finds its stored result.
        .catch((err: unknown) =>
          log.warn({ err, job: job.data.id, kind: kind.name }, 'the end of a job could not be recorded'),
        )
        .finally(() => {
          claims.delete(job.id);
          onEnd();
        });
    },
    /** Sends heartbeats for all running jobs. Aborts the work on a job that another process runs now. */
    async touch(): Promise<void> {
      const asked = [...claims.values()];
      if (asked.length === 0) return;
      const jobs = asked.map(({ job }) => job);
      const touched = (await boss.touch(kind.name, jobs)) as { readonly settled?: readonly string[] };
      const own = new Set(touched.settled);
      for (const { job, stop } of asked) if (!own.has(job.id)) stop.abort(new LostJob());
    },
    async end(bossId: string): Promise<void> {
      const claim = claims.get(bossId);
      claim?.stop.abort(new LostJob());
      await claim?.ended;
    },
    async giveBack(): Promise<void> {
      const all = [...claims.values()];
      const jobs = all.map(({ job }) => job);
      try {
        if (jobs.length > 0) await boss.fail(kind.name, jobs, {});
      } finally {
        // Stops the work on all jobs. Their heartbeats end, so other nodes take over the jobs.
        for (const { stop } of all)
          stop.abort(new LostJob('this node is ending, and another one goes on with it'));
        await Promise.all(all.map(({ ended }) => ended));
      }
    },
  };
}

async function runInPlace(worker: JobWorker, job: Job<JobData>, signal: AbortSignal): Promise<void> {
  const { data, groupId, retryCount } = job;
  // Jobs from the queue get priority, because they have already waited.
  const leave = await worker.places.enter({ owner: groupId ?? '', signal, priority: 1 });
  try {
    await runInSpan(
      () => ({ name: `job ${job.name}`, kind: 'internal', facts: { 'magpie.job': job.name } }),
      () =>
        worker.run({
          id: data.id,
          runner: `${PROCESS_RUNNER_ID} ${retryCount}`,
          signal,
          isDoneAgain: (error) =>
            error instanceof DatabaseFailure &&
            retryCount < (error.code === 'timeout' ? MOST_SLOW : MOST_RETRIES),
        }),
    );
  } finally {
    leave();
  }
}
