import { setTimeout as wait } from 'node:timers/promises';
import type { PgBoss, SendOptions } from 'pg-boss';
import { unavailableError } from '../../../errors.ts';
import { runWithoutCallSignal } from '../../../lib/concurrency/call-signal.ts';
import type {
  JobCounts,
  JobKind,
  JobQueue,
  JobWorker,
  QueuedJob,
} from '../../../lib/concurrency/job-queue.ts';
import { makeOnce } from '../../../lib/concurrency/once.ts';
import { setWaitingJobShare } from '../../../lib/concurrency/waiting-job-share.ts';
import type { Logger } from '../../../log.ts';
import { NOTICES_NAME, type PostgresNotices } from '../notices.ts';
import type { PostgresDatabase } from '../open.ts';
import { connectionsOf, DEAD_AFTER_S, HEARTBEAT_S, JOBS_SCHEMA, startBoss } from './boss.ts';
import { createJobClaims, type JobData, MOST_RETRIES } from './job-claims.ts';
import { hashOwner, pgBossJobId } from './names.ts';

export interface SharedJobQueue extends JobQueue {
  /** Starts to run jobs of all registered kinds. Before this call, the process only adds jobs. */
  begin(): void;
}

const POLL_MS = 2000;
const MOST_TAKEN = 4;
const TROUBLE_MS = 2000;
const RETRY_DELAY_S = 1;
const [LONGEST_WAIT_S, KEPT_S] = [14 * 86_400, 600];
/** Seconds that a job may exceed its kind's limit, and maximum seconds that pg-boss allows for a job. */
const [SPARE_S, LONGEST_RUN_S] = [60, 86_400];
const [COME, ENDED] = ['jobs', 'jobs ended'];

/** SQL that counts jobs and computes `turn` for start-time fair queueing (Goyal, Vin and Cheng 1996). */
const COUNTS = `
  SELECT count(*) FILTER (WHERE state < 'active')::int AS waiting,
    count(*) FILTER (WHERE state < 'active' AND group_id = $2)::int AS "ownWaiting",
    count(*) FILTER (WHERE state = 'active' AND group_id = $2)::int AS "ownRunning",
    greatest(max(-priority) FILTER (WHERE group_id = $2) + 1, max(-priority) FILTER (WHERE state = 'active'),
      CASE WHEN count(*) FILTER (WHERE state = 'active') = 0 THEN min(-priority) END, 0)::int AS turn
  FROM ${JOBS_SCHEMA}.job WHERE name = $1 AND state <= 'active'`;
/** SQL for the number of waiting jobs per node. Each node has one connection with the name `NOTICES_NAME`. */
const WAITING = `
  SELECT (SELECT count(*) FROM ${JOBS_SCHEMA}.job WHERE state < 'active')::float8 / greatest(1, (
    SELECT count(*) FROM pg_stat_activity WHERE application_name = '${NOTICES_NAME}' AND datname = current_database()
  )) AS share`;
const COUNT_MS = 5000;

type HandledKind = Awaited<ReturnType<typeof startTaking>>;

export function createPostgresJobs(
  db: PostgresDatabase,
  notices: PostgresNotices,
  log: Logger,
): SharedJobQueue {
  const boss = makeOnce(() => startBoss(db, log));
  const closing = new AbortController();
  const workers = new Map<string, { readonly kind: JobKind; readonly worker: JobWorker }>();
  const handled = new Map<string, Promise<HandledKind>>();
  const known = new Map<string, Promise<void>>();
  const unheard: (() => void)[] = [];
  let begun = false;

  async function bossFor(kind: JobKind): Promise<PgBoss> {
    const one = await boss();
    const made = known.get(kind.name) ?? makeQueue(one, kind);
    known.set(kind.name, made);
    await made.catch((error: unknown) => {
      known.delete(kind.name);
      throw error;
    });
    return one;
  }

  async function take({ name }: JobKind): Promise<void> {
    const found = workers.get(name);
    if (!found || handled.has(name) || closing.signal.aborted) return;
    const work = startTaking({ ...found, log, closing: closing.signal, bossFor });
    handled.set(name, work);
    await work.catch((err: unknown) => {
      handled.delete(name);
      if (!closing.signal.aborted) log.warn({ err, kind: name }, 'jobs cannot be taken; it is tried again');
      setTimeout(() => void take(found.kind), TROUBLE_MS).unref();
    });
  }

  async function each(work: (one: HandledKind) => unknown): Promise<void> {
    for (const one of await Promise.allSettled(handled.values())) {
      if (one.status === 'fulfilled') await work(one.value);
    }
  }

  async function countWaiting(): Promise<void> {
    await boss();
    setWaitingJobShare(Number((await db.ask(WAITING)).rows[0]?.share ?? 0));
  }

  async function isThere(kind: JobKind, id: string): Promise<boolean> {
    const job = await (await bossFor(kind)).findJobs<JobData>(kind.name, { id: pgBossJobId(kind, id) });
    return job.some(({ state }) => state === 'created' || state === 'retry' || state === 'active');
  }

  return {
    handle(kind, worker) {
      workers.set(kind.name, { kind, worker });
      if (begun) runWithoutCallSignal(() => void take(kind));
    },
    begin() {
      begun = true;
      unheard.push(
        notices.hear(COME, () => void each(({ wake }) => wake())),
        notices.hear(ENDED, () => void each(({ claims }) => claims.touch().catch(() => {}))),
      );
      const counting = setInterval(() => void countWaiting().catch(() => {}), COUNT_MS).unref();
      unheard.push(() => clearInterval(counting));
      runWithoutCallSignal(() => {
        for (const { kind } of workers.values()) void take(kind);
      });
    },
    async send(kind, job, store) {
      if (closing.signal.aborted) throw unavailableError('Magpie is shutting down');
      const one = await bossFor(kind);
      if (kind.onePerOwner) {
        await store();
        await one.send(kind.name, { id: job.id }, { ...optionsOf(kind), singletonKey: hashOwner(job.owner) });
        await db.ask('SELECT pg_notify($1, $2)', ['magpie', COME]);
        return;
      }
      await db.transaction(`jobs ${kind.name}`, (part) => sendInTurn(part, one, kind, job, store));
    },
    async cancel(kind, id) {
      const one = await bossFor(kind);
      const bossId = pgBossJobId(kind, id);
      await one.cancel(kind.name, bossId);
      await db.ask('SELECT pg_notify($1, $2)', ['magpie', ENDED]);
      await (await handled.get(kind.name))?.claims.end(bossId);
    },
    isPending: isThere,
    async close() {
      closing.abort();
      for (const stop of unheard) stop();
      const all = await Promise.allSettled(handled.values());
      const open = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      for (const { wake } of open) wake();
      const ended = await Promise.allSettled(
        open.map(async ({ taking, claims }) => {
          await taking;
          await claims.giveBack();
        }),
      );
      for (const one of ended) {
        if (one.status === 'rejected')
          log.warn({ err: one.reason }, 'jobs of this node could not be given back');
      }
      if (boss.made()) await (await boss().catch(() => undefined))?.stop({ graceful: false, close: false });
    },
  };
}

async function makeQueue(boss: PgBoss, { name, onePerOwner }: JobKind): Promise<void> {
  if (!(await boss.getQueue(name)))
    await boss.createQueue(name, { policy: onePerOwner ? 'stately' : 'standard' });
}

function optionsOf({ longestMs }: JobKind): SendOptions {
  return {
    expireInSeconds: Math.min(Math.ceil(longestMs / 1000) + SPARE_S, LONGEST_RUN_S),
    heartbeatSeconds: DEAD_AFTER_S,
    retryLimit: MOST_RETRIES,
    retryDelay: RETRY_DELAY_S,
    retentionSeconds: LONGEST_WAIT_S,
    deleteAfterSeconds: KEPT_S,
  };
}

async function sendInTurn(
  part: PostgresDatabase,
  boss: PgBoss,
  kind: JobKind,
  { id, owner }: QueuedJob,
  store: () => Promise<void>,
): Promise<void> {
  const group = hashOwner(owner);
  const [row] = (await part.ask(COUNTS, [kind.name, group])).rows;
  const { turn, ...counts } = row as unknown as JobCounts & { readonly turn: number };
  const refusal = kind.refuse?.(counts);
  if (refusal) throw refusal;
  await store();
  const data: JobData = { id };
  await boss.send(kind.name, data, {
    ...optionsOf(kind),
    id: pgBossJobId(kind, id),
    group: { id: group },
    priority: -turn,
    db: connectionsOf(part),
  });
  await part.ask('SELECT pg_notify($1, $2)', ['magpie', COME]);
}

interface TakingOptions {
  readonly kind: JobKind;
  readonly worker: JobWorker;
  readonly log: Logger;
  readonly closing: AbortSignal;
  bossFor(kind: JobKind): Promise<PgBoss>;
}

async function startTaking({ kind, worker, log, closing, bossFor }: TakingOptions) {
  const boss = await bossFor(kind);
  const claims = createJobClaims(boss, kind, worker, log);
  let woken = Promise.withResolvers<void>();
  const wake = () => woken.resolve();

  async function takeSome(): Promise<boolean> {
    if (worker.isReady?.() === false) return false;
    const free = worker.atOnce - Math.max(worker.places.running(), claims.count());
    if (free <= 0 || worker.places.waiting() > 0) return false;
    const jobs = await boss.fetch<JobData>(kind.name, {
      // Long jobs are taken one by one, so that each node gets some.
      batchSize: kind.onePerOwner ? Math.min(free, MOST_TAKEN) : 1,
      ...(kind.atOncePerOwner !== undefined && { groupConcurrency: kind.atOncePerOwner }),
    });
    for (const job of jobs) claims.begin(job, wake);
    return jobs.length > 0;
  }

  async function takeAll(): Promise<void> {
    let logged = false;
    while (!closing.aborted) {
      woken = Promise.withResolvers();
      try {
        if (await takeSome()) continue;
        logged = false;
      } catch (err) {
        if (!logged && !closing.aborted)
          log.warn({ err, kind: kind.name }, 'jobs cannot be taken at present');
        logged = true;
      }
      const waited = new AbortController();
      await Promise.race([woken.promise, wait(POLL_MS, undefined, { signal: waited.signal, ref: false })]);
      waited.abort();
    }
  }

  const heartbeats = setInterval(() => {
    claims
      .touch()
      .catch((err: unknown) => log.warn({ err, kind: kind.name }, 'heartbeats of jobs could not be sent'));
  }, HEARTBEAT_S * 1000).unref();
  closing.addEventListener('abort', () => clearInterval(heartbeats), { once: true });
  return { kind, worker, claims, wake, taking: takeAll() };
}
