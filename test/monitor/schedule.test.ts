import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../../src/log.ts';
import type { Schedule } from '../../src/monitor/schedule.ts';
import { createSqliteMonitorStore } from '../../src/monitor/stores/monitors.ts';
import { createSqliteSchedule } from '../../src/monitor/stores/schedule.ts';
import { type Database, openDatabase } from '../../src/storage/sqlite.ts';
import { temporaryFolder } from '../helpers/magpie.ts';

let folder: ReturnType<typeof temporaryFolder>;
let opened: { db: Database; schedule: Schedule }[];

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
  const db = await openDatabase({ folder: folder.path });
  const limits = { watch: 20_000, survey: 20_000, scan: 20_000 };
  const schedule = createSqliteSchedule({ db, log: createLog('silent'), atOnce, limits, runner });
  opened.push({ db, schedule });
  return { db, schedule };
}

const plans = (count: number, everyMs: number) =>
  Array.from({ length: count }, (_, at) => ({ target: `t${at}`, sort: 'watch' as const, everyMs }));

function monitorIn(db: Database, id = 'shop'): number {
  return createSqliteMonitorStore(db).put('ada', id, { threshold: 7, intervalMs: 1000 }, Date.now()).key;
}

test('nodes that share a database run each job once each time, and never two of one at once', async () => {
  const nodes = await Promise.all(['a 1 x', 'b 2 y', 'c 3 z'].map((name) => node(name)));
  const [first] = nodes;
  if (!first) throw new Error('no node');
  const runs: string[] = [];
  const under = new Set<string>();
  let together = 0;
  for (const { schedule } of nodes) {
    schedule.work(async ({ target, dueAt }) => {
      if (under.has(target)) together++;
      under.add(target);
      runs.push(`${target} ${dueAt}`);
      await new Promise((resolve) => setTimeout(resolve, 30));
      under.delete(target);
    });
  }
  first.schedule.plan(monitorIn(first.db), plans(10, 200));
  await vi.waitUntil(() => runs.length >= 60, { timeout: 30_000, interval: 20 });
  expect(new Set(runs).size).toBe(runs.length);
  expect(together).toBe(0);
  expect(new Set(runs.map((run) => run.split(' ')[0])).size).toBe(10);
});

test('what a process that is gone had in hand falls to another', async () => {
  // It does one thing at once, so that it takes nothing more.
  const gone = await node('elsewhere 1 x', 1);
  const key = monitorIn(gone.db);
  gone.schedule.work((_, signal) => new Promise((done) => signal.addEventListener('abort', () => done())));
  gone.schedule.plan(key, plans(1, 1000));
  const held = () =>
    gone.db.get<{ runner: string | null }>('SELECT runner FROM monitor_jobs')?.runner === 'elsewhere 1 x';
  await vi.waitUntil(held, { timeout: 20_000, interval: 10 });
  // Its lease is over; the process itself is on a machine that nobody can ask.
  gone.db.run('UPDATE monitor_jobs SET leased_until = ?', Date.now() - 1);
  const runs: string[] = [];
  const other = await node('here 2 y');
  other.schedule.work(async ({ target }) => void runs.push(target));
  await vi.waitUntil(() => runs.length > 0, { timeout: 20_000, interval: 10 });
  expect(runs[0]).toBe('t0');
});

test('plans that stay keep their time, and what is taken out is run no more', async () => {
  const { db, schedule } = await node('a 1 x');
  const key = monitorIn(db);
  schedule.plan(key, plans(3, 60_000));
  const before = schedule.upcoming(key);
  schedule.plan(key, plans(2, 60_000));
  expect(schedule.upcoming(key)).toEqual(before.filter(({ target }) => target !== 't2'));
  schedule.plan(key, []);
  expect(schedule.upcoming(key)).toEqual([]);
});

test('what a node leaves to others it never takes, however long it is due', async () => {
  const [one, other] = await Promise.all(['a 1 x', 'b 2 y'].map((name) => node(name)));
  if (!one || !other) throw new Error('no node');
  const left = monitorIn(one.db);
  const shared = createSqliteMonitorStore(one.db).put('ada', 'b', { threshold: 7, intervalMs: 1000 }, 0).key;
  const ran: number[] = [];
  one.schedule.work(
    async ({ monitor }) => void ran.push(monitor),
    () => [left],
  );
  one.schedule.plan(left, plans(4, 100));
  one.schedule.plan(shared, plans(1, 100));
  await vi.waitUntil(() => ran.length >= 5, { timeout: 30_000, interval: 20 });
  expect(new Set(ran)).toEqual(new Set([shared]));
  const others: number[] = [];
  other.schedule.work(async ({ monitor }) => void others.push(monitor));
  await vi.waitUntil(() => others.includes(left), { timeout: 30_000, interval: 20 });
  expect(ran).not.toContain(left);
});

test('what is planned again while it is under way waits for its end', async () => {
  const { db, schedule } = await node('a 1 x');
  const key = monitorIn(db);
  let [begun, under, together] = [0, 0, 0];
  let end = () => {};
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  schedule.work(async (_, signal) => {
    begun++;
    under++;
    together = Math.max(together, under);
    signal.addEventListener('abort', end);
    await held;
    under--;
  });
  schedule.plan(key, plans(1, 60_000));
  await vi.waitUntil(() => begun === 1, { timeout: 20_000, interval: 10 });
  schedule.plan(key, []);
  expect(schedule.upcoming(key)).toEqual([]);
  schedule.plan(key, plans(1, 60_000));
  expect(schedule.upcoming(key)).toHaveLength(1);
  // Another place in the line is free, so that it would be taken if it might.
  schedule.plan(monitorIn(db, 'other'), plans(1, 60_000));
  await vi.waitUntil(() => begun === 2, { timeout: 20_000, interval: 10 });
  expect(under).toBe(2);
  end();
  await vi.waitUntil(() => begun === 3, { timeout: 20_000, interval: 10 });
  expect(together).toBe(2);
  schedule.plan(key, []);
  await vi.waitUntil(() => db.all('SELECT 1 FROM monitor_jobs WHERE monitor = ?', key).length === 0, {
    timeout: 20_000,
    interval: 10,
  });
});

test('what has ended while others do the work is given back', async () => {
  const { db, schedule } = await node('a 1 x');
  let isLeft = false;
  schedule.work(
    async () => {
      isLeft = true;
    },
    () => [],
    () => isLeft,
  );
  schedule.plan(monitorIn(db), plans(1, 60_000));
  await vi.waitUntil(() => isLeft, { timeout: 20_000, interval: 10 });
  const held = () => db.all('SELECT 1 FROM monitor_jobs WHERE runner IS NOT NULL').length;
  await vi.waitUntil(() => held() === 0, { timeout: 15_000, interval: 50 });
});
