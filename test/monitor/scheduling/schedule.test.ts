import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../../../src/log.ts';
import { planFirstRuns } from '../../../src/monitor/scheduling/due-times.ts';
import { createProbeSchedule, type ProbeSchedule } from '../../../src/monitor/scheduling/schedule.ts';
import type { MonitorStores, ProbeJob } from '../../../src/monitor/store.ts';
import { createMonitorStores } from '../../../src/monitor/stores/stores.ts';
import type { Database } from '../../../src/storage/sqlite.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';

let folder: ReturnType<typeof temporaryFolder>;
let opened: { db: Database; schedule: ProbeSchedule }[];

beforeEach(() => {
  folder = temporaryFolder();
  opened = [];
});
afterEach(async () => {
  for (const { db, schedule } of opened) {
    await schedule.close();
    db.close();
  }
  folder.remove();
});

/** A node of its own on the shared database. */
async function node(runner: string, atOnce = 4) {
  const db = await openTestDatabase({ folder: folder.path });
  const limits = { watch: 20_000, survey: 20_000, scan: 20_000 };
  const stores = createMonitorStores(db, runner);
  const schedule = createProbeSchedule({
    store: stores.schedule,
    log: createLog('silent'),
    concurrency: atOnce,
    limits,
    pollMs: 100,
  });
  opened.push({ db, schedule });
  async function plan(monitor: number, jobs: ReturnType<typeof plans>): Promise<void> {
    await stores.schedule.planJobs(monitor, planFirstRuns(monitor, jobs, Date.now()));
    schedule.wake();
  }
  const upcoming = (monitor: number) => stores.schedule.listUpcoming(monitor);
  return { db, stores, schedule, plan, upcoming };
}

const plans = (count: number, everyMs: number) =>
  Array.from({ length: count }, (_, at) => ({ target: `t${at}`, sort: 'watch' as const, everyMs }));

async function monitorIn({ monitors }: MonitorStores, id = 'shop'): Promise<number> {
  return (await monitors.putMonitor('ada', id, { threshold: 7, intervalMs: 1000 }, Date.now())).key;
}

test('processes that share a database run each job once per interval, and never run one job twice at once', async () => {
  const nodes = await Promise.all(['a 1 x', 'b 2 y', 'c 3 z'].map((name) => node(name)));
  const [first] = nodes;
  if (!first) throw new Error('no node');
  const runs: string[] = [];
  const under = new Set<string>();
  let together = 0;
  for (const { schedule } of nodes) {
    schedule.startWorking({
      async run({ target, dueAt }) {
        if (under.has(target)) together++;
        under.add(target);
        runs.push(`${target} ${dueAt}`);
        await new Promise((resolve) => setTimeout(resolve, 30));
        under.delete(target);
      },
    });
  }
  await first.plan(await monitorIn(first.stores), plans(10, 200));
  await vi.waitUntil(() => runs.length >= 60, { timeout: 60_000, interval: 20 });
  expect(new Set(runs).size).toBe(runs.length);
  expect(together).toBe(0);
  expect(new Set(runs.map((run) => run.split(' ')[0])).size).toBe(10);
});

test('the jobs of a dead process go to another process', async () => {
  // It does one thing at once, so that it takes nothing more.
  const gone = await node('elsewhere 1 x', 1);
  const key = await monitorIn(gone.stores);
  gone.schedule.startWorking({
    run: (_, signal) => new Promise((done) => signal.addEventListener('abort', () => done())),
  });
  await gone.plan(key, plans(1, 1000));
  const held = async () => (await gone.stores.schedule.listHolders())[0]?.runner === 'elsewhere 1 x';
  await vi.waitUntil(held, { timeout: 60_000, interval: 10 });
  // Its lease expires; the process itself is on another machine, where its id says nothing.
  await gone.db.write((sql) => sql.run('UPDATE monitor_jobs SET leased_until = ?', Date.now() - 1));
  const runs: string[] = [];
  const other = await node('here 2 y');
  other.schedule.startWorking({ run: async ({ target }) => void runs.push(target) });
  await vi.waitUntil(() => runs.length > 0, { timeout: 60_000, interval: 10 });
  expect(runs[0]).toBe('t0');
});

test('jobs whose lease was stored while the answer of the database was lost are run soon', async () => {
  const { stores, schedule, plan } = await node('a 1 x');
  const key = await monitorIn(stores);
  const { takeDue } = stores.schedule;
  let lost = 0;
  stores.schedule.takeDue = async (options) => {
    const taken = await takeDue(options);
    if (taken.length === 0 || lost > 0) return taken;
    lost = taken.length;
    throw new Error('the connection broke');
  };
  const runs: string[] = [];
  schedule.startWorking({ run: async ({ target }) => void runs.push(target) });
  await plan(key, plans(3, 3_600_000));
  await vi.waitUntil(() => runs.length >= 3, { timeout: 60_000, interval: 10 });
  expect(lost).toBeGreaterThan(0);
  expect(runs.toSorted()).toEqual(['t0', 't1', 't2']);
});

test('a job planned before the clock was set back is run', async () => {
  const { stores, schedule } = await node('a 1 x');
  const key = await monitorIn(stores);
  const [later] = plans(1, 200);
  if (!later) throw new Error('no plan');
  const firstAt = Date.now() + 7_200_000;
  await stores.schedule.planJobs(key, [{ ...later, origin: firstAt, firstAt }]);
  const runs: string[] = [];
  schedule.startWorking({ run: async ({ target }) => void runs.push(target) });
  await vi.waitUntil(() => runs.length >= 2, { timeout: 60_000, interval: 10 });
  expect(runs.slice(0, 2)).toEqual(['t0', 't0']);
});

test('unchanged plans keep their time, and removed plans are no longer run', async () => {
  const { stores, plan, upcoming } = await node('a 1 x');
  const key = await monitorIn(stores);
  await plan(key, plans(3, 60_000));
  const before = await upcoming(key);
  await plan(key, plans(2, 60_000));
  expect(await upcoming(key)).toEqual(before.filter(({ target }) => target !== 't2'));
  await plan(key, []);
  expect(await upcoming(key)).toEqual([]);
});

test('a process never takes a job that it leaves to others, however long it is due', async () => {
  const [one, other] = await Promise.all(['a 1 x', 'b 2 y'].map((name) => node(name)));
  if (!one || !other) throw new Error('no node');
  const left = await monitorIn(one.stores);
  const shared = await monitorIn(one.stores, 'b');
  const ran: number[] = [];
  one.schedule.startWorking({
    run: async ({ monitor }) => void ran.push(monitor),
    except: async () => [left],
  });
  await one.plan(left, plans(4, 100));
  await one.plan(shared, plans(1, 100));
  await vi.waitUntil(() => ran.length >= 5, { timeout: 60_000, interval: 20 });
  expect(new Set(ran)).toEqual(new Set([shared]));
  const others: number[] = [];
  other.schedule.startWorking({ run: async ({ monitor }) => void others.push(monitor) });
  await vi.waitUntil(() => others.includes(left), { timeout: 60_000, interval: 20 });
  expect(ran).not.toContain(left);
});

test('a job that is planned again while it runs waits for its end', async () => {
  const { db, stores, schedule, plan, upcoming } = await node('a 1 x');
  const key = await monitorIn(stores);
  let [begun, under, together] = [0, 0, 0];
  let end = () => {};
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  schedule.startWorking({
    async run(_, signal) {
      begun++;
      under++;
      together = Math.max(together, under);
      signal.addEventListener('abort', end);
      await held;
      under--;
    },
  });
  await plan(key, plans(1, 60_000));
  await vi.waitUntil(() => begun === 1, { timeout: 60_000, interval: 10 });
  await plan(key, []);
  expect(await upcoming(key)).toEqual([]);
  await plan(key, plans(1, 60_000));
  expect(await upcoming(key)).toHaveLength(1);
  // There is a free place, so that it would be taken if it might.
  await plan(await monitorIn(stores, 'other'), plans(1, 60_000));
  await vi.waitUntil(() => begun === 2, { timeout: 60_000, interval: 10 });
  expect(under).toBe(2);
  end();
  await vi.waitUntil(() => begun === 3, { timeout: 60_000, interval: 10 });
  expect(together).toBe(2);
  await plan(key, []);
  const rows = () => db.read((sql) => sql.all('SELECT 1 FROM monitor_jobs WHERE monitor = ?', key));
  await vi.waitUntil(async () => (await rows()).length === 0, { timeout: 60_000, interval: 10 });
});

test('a finished job is freed while another process is in charge', async () => {
  const { stores, schedule, plan } = await node('a 1 x');
  let isLeft = false;
  schedule.startWorking({
    async run() {
      isLeft = true;
    },
    isLeft: () => isLeft,
  });
  await plan(await monitorIn(stores), plans(1, 60_000));
  await vi.waitUntil(() => isLeft, { timeout: 60_000, interval: 10 });
  const held = async () => (await stores.schedule.listHolders()).length;
  await vi.waitUntil(async () => (await held()) === 0, { timeout: 60_000, interval: 50 });
});

test('a job in progress at the close is due at once for the next process, and a finished job is not', async () => {
  const one = await node('a 1 x');
  const key = await monitorIn(one.stores);
  const begun: string[] = [];
  one.schedule.startWorking({
    run(job, signal) {
      begun.push(job.target);
      if (job.target === 't0') return Promise.resolve();
      return new Promise((done) => signal.addEventListener('abort', () => done()));
    },
  });
  await one.plan(key, plans(2, 60_000));
  await vi.waitUntil(() => begun.length === 2, { timeout: 60_000, interval: 10 });
  await one.schedule.close();
  expect(await one.stores.schedule.listHolders()).toEqual([]);
  const due = (await one.upcoming(key)).filter(({ dueAt }) => dueAt <= Date.now());
  expect(due.map(({ target }) => target)).toEqual(['t1']);
});

test('a close while jobs are taken leaves none of them leased or started', async () => {
  const { stores, schedule, plan } = await node('a 1 x');
  await plan(await monitorIn(stores), plans(3, 60_000));
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: open, resolve: release } = Promise.withResolvers<void>();
  const begun: string[] = [];
  schedule.startWorking({
    run: async ({ target }) => void begun.push(target),
    async except() {
      ask();
      await open;
      return [];
    },
  });
  await asked;
  const closed = schedule.close();
  release();
  await closed;
  expect(begun).toEqual([]);
  expect(await stores.schedule.listHolders()).toEqual([]);
});

test('a job that asks for an early run gets it, and then returns to its grid', async () => {
  const { stores, schedule, plan, upcoming } = await node('here 1 x');
  const key = await monitorIn(stores);
  const everyMs = 3_600_000;
  const runs: ProbeJob[] = [];
  schedule.startWorking({
    async run(job) {
      runs.push(job);
      return runs.length < 3 ? 50 : undefined;
    },
  });
  await plan(key, plans(1, everyMs));
  const next = async () => (await upcoming(key))[0]?.dueAt ?? 0;
  const isDone = async () => runs.length === 3 && (await next()) > (runs[2]?.dueAt ?? 0);
  await vi.waitUntil(isDone, { timeout: 60_000, interval: 20 });
  const [first, , third] = runs;
  expect((third?.dueAt ?? 0) - (first?.dueAt ?? 0)).toBeLessThan(everyMs / 2);
  expect(((await next()) - (first?.origin ?? 0)) % everyMs).toBe(0);
  expect((await next()) - (third?.dueAt ?? 0)).toBeGreaterThanOrEqual(everyMs / 2);
});
