import { AppError, asAppError, unavailableError } from '../../errors.ts';
import { withDeadline } from '../../lib/concurrency/deadline.ts';
import {
  JOB_GIVEN_UP_MESSAGE,
  type JobKind,
  type JobQueue,
  type JobRun,
  type JobWorker,
  LostJob,
} from '../../lib/concurrency/job-queue.ts';
import { createLimiter } from '../../lib/concurrency/limiter.ts';
import { HEARTBEAT_MS, isRunnerDead, PROCESS_RUNNER_ID } from '../../lib/concurrency/runner.ts';
import { redactSecrets } from '../../lib/secrets/redact.ts';
import type { Logger } from '../../log.ts';
import type {
  AssessmentLimits,
  ComplianceJob,
  ComplianceJobStore,
  JobInsertion,
  SharedJob,
  StoredJob,
} from './job.ts';

const LIMITS: AssessmentLimits = { ownRunning: 5, allRunning: 20, kept: 50 };
const SHARED_LIMITS: AssessmentLimits = { ...LIMITS, allRunning: 200 };
const SHARED_AT_ONCE = 4;
const LONGEST_MS = 4 * 3_600_000;
/** Maximum milliseconds between two lease renewals. After that, a job fails unless it is in the queue. */
const HANDING_MS = 60_000;
const CHECKS: JobKind = { name: 'compliance', longestMs: LONGEST_MS };
const RETRY_AFTER_S = 30;
const RUNNER_GONE = 'the process that ran the check was stopped before the check was finished';
const NODE_GONE =
  'the node that ran the check was stopped before the check was finished, and no other node can read its folders: start the check again';
const END_LOST = 'its end could not be recorded; the log has the details';

export type JobFunction = (
  signal: AbortSignal,
  progress: (message: string) => void,
  runner: string,
) => Promise<void>;
export type SharedJobFunction = (job: SharedJob, ...work: Parameters<JobFunction>) => Promise<void>;

export type BackgroundJobs = ReturnType<typeof createBackgroundJobs>;

interface RunningJob {
  readonly owner: string;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

export function createBackgroundJobs(store: ComplianceJobStore, log: Logger, shared?: JobQueue) {
  const runs = new Map<string, RunningJob>();
  const unrecorded = new Set<string>();

  /** Marks a job as failed if its process has died. Returns the reason, or undefined if it was not marked. */
  async function failIfAbandoned(lease: Lease): Promise<string | undefined> {
    const { id, beatAt } = lease;
    const reason = unrecorded.has(id) ? END_LOST : await endOf(lease);
    if (reason === undefined) return undefined;
    const isFailed = await store.failJob(id, reason, { beatAt });
    unrecorded.delete(id);
    return isFailed ? reason : undefined;
  }

  async function endOf({ id, runner, beatAt, isShared }: Lease): Promise<string | undefined> {
    const silentMs = Date.now() - beatAt;
    if (isShared)
      return silentMs > HANDING_MS && (await shared?.isPending(CHECKS, id)) !== true
        ? JOB_GIVEN_UP_MESSAGE
        : undefined;
    if (runs.has(id) || !isRunnerDead(runner, silentMs)) return undefined;
    return shared ? NODE_GONE : RUNNER_GONE;
  }

  const settled = async (job: StoredJob): Promise<ComplianceJob> =>
    endedBy(shown(job), job.state === 'running' ? await failIfAbandoned(job) : undefined);

  async function insertJob(owner: string, id: string, scope: string, createdAt: number, terms?: string) {
    const job = { id, scope, createdAt, runner: PROCESS_RUNNER_ID, terms };
    const insert = () => store.insertJob(owner, job, shared ? SHARED_LIMITS : LIMITS);
    let insertion = await insert();
    if (!insertion.inserted) {
      const failed = await Promise.all((await store.listRunning()).map(failIfAbandoned));
      if (failed.some((reason) => reason !== undefined)) insertion = await insert();
    }
    if (!insertion.inserted) throw tooMany(insertion);
  }

  return {
    /** Throws AppError `rate_limited` if too many jobs run in the processes that share the data folder. */
    async startJob(owner: string, id: string, scope: string, work: JobFunction): Promise<ComplianceJob> {
      const stop = new AbortController();
      const createdAt = Date.now();
      const ended = Promise.withResolvers<void>();
      // Registers the job before it is stored. A stored job without an entry here would count as abandoned.
      runs.set(id, { owner, stop, ended: ended.promise });
      const end = () => {
        runs.delete(id);
        ended.resolve();
      };
      try {
        await insertJob(owner, id, scope, createdAt);
      } catch (error) {
        end();
        throw error;
      }
      runJob(
        { store, log, owner, id, runner: PROCESS_RUNNER_ID, signal: stop.signal, isDoneAgain: () => false },
        work,
      )
        .catch((err: unknown) => {
          log.error({ err, check: id }, 'the end of a check could not be recorded');
          unrecorded.add(id);
        })
        .finally(end);
      return { id, scope, createdAt, state: 'running', progress: '' };
    },
    /** Sends a job to a queue, from which any process may run the job. `terms` is the job's input. */
    sendJob:
      shared &&
      (async (owner: string, id: string, scope: string, terms: string): Promise<ComplianceJob> => {
        const createdAt = Date.now();
        await shared.send(CHECKS, { id, owner }, () => insertJob(owner, id, scope, createdAt, terms));
        return { id, scope, createdAt, state: 'running', progress: '' };
      }),
    handleJobs(work: SharedJobFunction) {
      shared?.handle(CHECKS, {
        places: createLimiter({ concurrency: SHARED_AT_ONCE }),
        atOnce: SHARED_AT_ONCE,
        run: createSharedRun(store, log, work),
      });
    },
    async readJob(owner: string, id: string) {
      const job = await store.readJob(owner, id);
      return job && settled(job);
    },
    listJobs: async (owner: string) => Promise.all((await store.listJobs(owner)).map(settled)),
    async removeJob(owner: string, id: string) {
      const run = runs.get(id);
      if (run?.owner === owner) run.stop.abort(removed());
      else if ((await store.readJob(owner, id))?.isShared) await shared?.cancel(CHECKS, id);
      const isRemoved = await store.removeJob(owner, id);
      if (isRemoved) unrecorded.delete(id);
      return isRemoved;
    },
    async close() {
      const open = [...runs.values()];
      for (const { stop } of open) stop.abort(unavailableError('Magpie was stopped while it ran'));
      await Promise.all(open.map(({ ended }) => ended));
    },
  };
}

function createSharedRun(store: ComplianceJobStore, log: Logger, work: SharedJobFunction): JobWorker['run'] {
  return async ({ id, runner, signal, isDoneAgain }) => {
    const job = await store.readTerms(id);
    if (!job || !(await store.takeJob(id, runner, Date.now()))) return;
    const how = { store, log, owner: job.owner, id, runner, signal, isDoneAgain };
    await runJob(how, (...given) => work(job, ...given));
  };
}

const endedBy = (job: ComplianceJob, reason: string | undefined): ComplianceJob =>
  reason === undefined ? job : { ...job, state: 'failed', reason };

type Lease = Pick<StoredJob, 'id' | 'runner' | 'beatAt' | 'isShared'>;

interface JobRunOptions extends JobRun {
  readonly store: ComplianceJobStore;
  readonly log: Logger;
  readonly owner: string;
}

async function runJob(
  { store, log, owner, id, runner, signal: given, isDoneAgain }: JobRunOptions,
  work: JobFunction,
): Promise<void> {
  const stop = new AbortController();
  const ends = AbortSignal.any([given, stop.signal]);
  let message = '';
  const renewLease = async () => {
    try {
      const running = await store.recordProgress(id, runner, redactSecrets(message), Date.now());
      if (!running && (await store.readJob(owner, id))?.runner !== runner) stop.abort(removed());
    } catch (err) {
      log.warn({ err, check: id }, 'the progress of a check could not be recorded');
    }
  };
  const timer = setInterval(renewLease, HEARTBEAT_MS);
  try {
    await withDeadline(ends, Number.POSITIVE_INFINITY, (signal) =>
      work(
        signal,
        (said) => {
          const isFirst = message === '';
          message = said;
          if (isFirst) void renewLease();
        },
        runner,
      ),
    );
    await store.removeJob(owner, id);
  } catch (thrown) {
    const { reason = thrown } = given;
    if (reason instanceof LostJob || isDoneAgain(reason)) throw reason;
    const error = asAppError(thrown);
    if (error.code === 'internal') log.error({ err: thrown, check: id }, error.message);
    await store.failJob(id, error.message, { runner });
  } finally {
    clearInterval(timer);
  }
}

const shown = ({ runner: _, beatAt: __, isShared: ___, ...job }: StoredJob): ComplianceJob => job;

const removed = (): AppError => new AppError('cancelled', 'the check was removed');

function tooMany({ ownRunning, allRunning }: JobInsertion): AppError {
  const why =
    ownRunning >= LIMITS.ownRunning
      ? `${ownRunning} of your checks are under way`
      : `${allRunning} checks are under way`;
  return new AppError('rate_limited', `${why}: try again when one has ended`, { retryAfter: RETRY_AFTER_S });
}
