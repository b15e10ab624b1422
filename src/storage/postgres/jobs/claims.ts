import { setTimeout as wait } from 'node:timers/promises';
import type { Job, PgBoss } from 'pg-boss';
import { DatabaseFailure } from '../../../errors.ts';
import { type JobKind, type JobWorker, LostJob, NotHere } from '../../../lib/concurrency/job-queue.ts';
import { RUNNER } from '../../../lib/concurrency/runner.ts';
import { traced } from '../../../lib/tracing.ts';
import type { Logger } from '../../../log.ts';

/** What pg-boss keeps of a job: nothing that a user wrote. */
export interface JobData {
  readonly id: string;
}

/** Runs of a job that may end with their node, or fail, before it is given up. */
export const MOST_RETRIES = 10;
/** The same where the database takes too long: what takes long once may always do so. */
const MOST_SLOW = 2;
/**
 * Milliseconds before a job that could not be done for the first time, as where its store cannot be written, is given to the next:
 * twice as many after each further run, and the most of them. All runs together outlast a minute in which the database is away.
 */
const [FAILED_MS, LONGEST_FAILED_MS] = [500, 8000];

interface Claim {
  readonly job: Job<JobData>;
  readonly stop: AbortController;
  ended: Promise<void>;
}

/** The jobs of one kind that this process has taken, until their effects are stored. */
export interface Claims {
  /** How many there are. */
  count(): number;
  /** Runs a job that was taken; `onEnd` is called when its place is free again. */
  begin(job: Job<JobData>, onEnd: () => void): void;
  /** Says that this process still runs them. A run whose job is no longer its own is ended. */
  touch(): Promise<void>;
  /** Ends the run of a job, if there is one, and resolves when it has ended. */
  end(bossId: string): Promise<void>;
  /** Gives all back, for other processes to take at once, and ends the runs. */
  giveBack(): Promise<void>;
}

export function createClaims(boss: PgBoss, kind: JobKind, worker: JobWorker, log: Logger): Claims {
  const claims = new Map<string, Claim>();

  async function settle({ job, stop }: Claim): Promise<void> {
    try {
      await runInPlace(worker, job, stop.signal);
    } catch (err) {
      if (stop.signal.reason instanceof LostJob) return;
      if (!(err instanceof NotHere)) {
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
    begin(job, onEnd) {
      const claim: Claim = { job, stop: new AbortController(), ended: Promise.resolve() };
      claims.set(job.id, claim);
      claim.ended = settle(claim)
        // The job is done again when its heartbeats stop, and finds its effect.
        .catch((err: unknown) =>
          log.warn({ err, job: job.data.id, kind: kind.name }, 'the end of a job could not be recorded'),
        )
        .finally(() => {
          claims.delete(job.id);
          onEnd();
        });
    },
    async touch() {
      const asked = [...claims.values()];
      if (asked.length === 0) return;
      const jobs = asked.map(({ job }) => job);
      // Bound to the run that was taken: it touches nothing that another process runs by now.
      const touched = (await boss.touch(kind.name, jobs)) as { readonly settled?: readonly string[] };
      const own = new Set(touched.settled);
      for (const { job, stop } of asked) if (!own.has(job.id)) stop.abort(new LostJob());
    },
    async end(bossId) {
      const claim = claims.get(bossId);
      claim?.stop.abort(new LostJob());
      await claim?.ended;
    },
    async giveBack() {
      const all = [...claims.values()];
      const jobs = all.map(({ job }) => job);
      try {
        if (jobs.length > 0) await boss.fail(kind.name, jobs, {});
      } finally {
        // Where the database is away, other nodes take them when the heartbeats have stopped.
        for (const { stop } of all)
          stop.abort(new LostJob('this node is ending, and another one goes on with it'));
        await Promise.all(all.map(({ ended }) => ended));
      }
    },
  };
}

async function runInPlace(worker: JobWorker, job: Job<JobData>, signal: AbortSignal): Promise<void> {
  const { data, groupId, retryCount } = job;
  // Jobs that were taken go before those of this process: they have waited already.
  const leave = await worker.places.enter({ owner: groupId ?? '', signal, priority: 1 });
  try {
    await traced(
      () => ({ name: `job ${job.name}`, kind: 'internal', facts: { 'magpie.job': job.name } }),
      () =>
        worker.run({
          id: data.id,
          runner: `${RUNNER} ${retryCount}`,
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
