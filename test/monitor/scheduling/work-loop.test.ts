import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../../../src/log.ts';
import {
  createWorkLoop,
  type WorkLoop,
  type WorkLoopOptions,
} from '../../../src/monitor/scheduling/work-loop.ts';

/** When work is looked for, how much of it is taken, and what becomes of it at the end; by a clock of the test's own. */

const START = 1_800_000_000_000;
let logged: { level: string; msg: string }[];
let pump: WorkLoop | undefined;
/** How many pieces each look asked for. */
let limits: number[];
/** Times of the tidyings, in milliseconds since the start. */
let tidied: number[];
/** What is due. */
let due: string[];
let begun: string[];
/** Ends a piece that is under way. */
let ends: Map<string, PromiseWithResolvers<void>>;
const since = () => Date.now() - START;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  [logged, limits, tidied, due, begun] = [[], [], [], [], []];
  ends = new Map();
});
afterEach(async () => {
  for (const end of ends.values()) end.resolve();
  await pump?.close();
  pump = undefined;
  vi.useRealTimers();
});

function start(more: Partial<WorkLoopOptions<string>> = {}): WorkLoop {
  pump = createWorkLoop<string>({
    async take(limit) {
      limits.push(limit);
      return due.splice(0, limit);
    },
    nextAt: async () => undefined,
    async run(name) {
      begun.push(name);
      const end = Promise.withResolvers<void>();
      ends.set(name, end);
      await end.promise;
    },
    async tidy() {
      tidied.push(since());
    },
    concurrency: 2,
    log: createLog('info', (line) => logged.push(JSON.parse(line))),
    ...more,
  });
  return pump;
}

test('the loop polls at once and then every second, and tidies at once and then every five', async () => {
  start();
  expect(limits).toEqual([]);
  await pass(0);
  expect([limits.length, tidied]).toEqual([1, [0]]);
  await pass(999);
  expect(limits).toHaveLength(1);
  await pass(1);
  expect(limits).toHaveLength(2);
  await pass(3999);
  expect(tidied).toEqual([0]);
  await pass(5001);
  expect([limits.length, tidied]).toEqual([11, [0, 5000, 10_000]]);
});

test.each([
  ['in 300 ms', 300, 300],
  ['in a minute', 60_000, 1000],
  ['a minute ago', -60_000, 0],
])('with the next job due %s the loop polls again after %s', async (_when, next, wait) => {
  let asked = 0;
  start({ nextAt: async () => (asked++ === 0 ? Date.now() + next : undefined) });
  await pass(0);
  if (wait > 0) {
    await pass(wait - 1);
    expect(limits).toHaveLength(1);
  }
  await pass(1);
  expect(limits).toHaveLength(2);
});

test('jobs are taken up to the number of slots, and each free slot takes the next job at once', async () => {
  due = ['a', 'b', 'c', 'd'];
  start();
  await pass(0);
  expect([begun, limits]).toEqual([['a', 'b'], [2]]);
  // All places are taken: nothing is looked for, not even when something comes.
  pump?.wake();
  await pass(10_000);
  expect(limits).toEqual([2]);
  ends.get('a')?.resolve();
  await pass(0);
  expect([begun, limits]).toEqual([
    ['a', 'b', 'c'],
    [2, 1],
  ]);
});

test('a wake polls at once, and a wake during a poll polls again right after it', async () => {
  const gate = Promise.withResolvers<void>();
  let isShut = false;
  start({
    async take(limit) {
      limits.push(limit);
      if (isShut) await gate.promise;
      return [];
    },
  });
  await pass(0);
  pump?.wake();
  pump?.wake();
  await pass(0);
  expect(limits).toHaveLength(2);
  isShut = true;
  pump?.wake();
  await pass(0);
  pump?.wake();
  await pass(5000);
  // One look at a time.
  expect(limits).toHaveLength(3);
  isShut = false;
  gate.resolve();
  await pass(0);
  expect(limits).toHaveLength(4);
  await pass(999);
  expect(limits).toHaveLength(4);
});

test('while another process is in charge, the loop takes nothing and only tidies', async () => {
  let left = true;
  start({ isLeft: async () => left });
  await pass(5000);
  expect([limits, tidied]).toEqual([[], [0, 5000]]);
  left = false;
  await pass(1000);
  expect(limits).toHaveLength(1);
});

test('a failed poll is logged, and repeated after a second', async () => {
  let fails = true;
  start({
    async take(limit) {
      limits.push(limit);
      if (fails) throw new Error('locked');
      return [];
    },
  });
  await pass(0);
  expect(logged).toMatchObject([
    { level: 'warn', msg: 'monitoring cannot read what is due', err: { message: 'locked' } },
  ]);
  fails = false;
  await pass(999);
  expect(limits).toHaveLength(1);
  await pass(1);
  expect([limits.length, logged.length]).toEqual([2, 1]);
});

test('a failed job is logged, and its slot is free again', async () => {
  due = ['a', 'b'];
  start();
  await pass(0);
  ends.get('a')?.reject(new Error('broken'));
  await pass(0);
  expect(logged).toMatchObject([
    { level: 'error', msg: 'monitoring could not finish a piece of work', err: { message: 'broken' } },
  ]);
  expect(limits).toEqual([2, 1]);
});

test('a close aborts the running jobs, waits for them, takes no other, and logs no failure of them', async () => {
  due = ['a', 'b'];
  const aborted: string[] = [];
  start({
    run: (name, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted.push(name);
          setTimeout(() => reject(signal.reason), 50);
        });
      }),
  });
  await pass(0);
  let closed = false;
  const closing = pump?.close().then(() => {
    closed = true;
  });
  await pass(49);
  expect([aborted, closed]).toEqual([['a', 'b'], false]);
  await pass(1);
  await closing;
  pump?.wake();
  await pass(5000);
  expect([limits, logged]).toEqual([[2], []]);
});

test.each(['work', 'an error'])(
  'a poll that gives %s after the close starts nothing and logs nothing',
  async (what) => {
    const gate = Promise.withResolvers<void>();
    start({
      async take() {
        await gate.promise;
        if (what === 'an error') throw new Error('closed');
        return ['a'];
      },
    });
    await pass(0);
    let closed = false;
    const closing = pump?.close().then(() => {
      closed = true;
    });
    await pass(5000);
    expect(closed).toBe(false);
    gate.resolve();
    await closing;
    await pass(5000);
    expect([begun, logged]).toEqual([[], []]);
  },
);

test('a loop that is closed before its first poll never polls', async () => {
  await start().close();
  await pass(5000);
  expect([limits, tidied]).toEqual([[], []]);
});
