import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { createWorkerPool, type PoolOptions } from '../../src/lib/worker-pool.ts';

const folder = mkdtempSync(join(tmpdir(), 'magpie-pool-'));
const path = join(folder, 'worker.mjs');
writeFileSync(
  path,
  `import { threadId } from 'node:worker_threads';
const used = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
export const burn = (ms) => {
  for (const from = used(); used() - from < ms; );
};
const wasm = new Uint8Array(${JSON.stringify(
    // (module (func (export "loop") (loop br 0)))
    [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 8, 1, 4, 108, 111, 111, 112].concat([
      0, 0, 10, 9, 1, 7, 0, 3, 64, 12, 0, 11, 11,
    ]),
  )});
export async function answer(job, report) {
  const [what, ms] = job.split(' ');
  if (what === 'loop') for (;;) {}
  if (what === 'expression') /^(a+)+$/.test('a'.repeat(60) + 'b');
  if (what === 'wasm') new WebAssembly.Instance(new WebAssembly.Module(wasm)).exports.loop();
  if (what === 'throw') throw new Error('broken');
  if (what === 'exit') process.exit(3);
  if (what === 'hang') await new Promise(() => {});
  if (what === 'burn') burn(Number(ms));
  if (what === 'wait') await new Promise((resolve) => setTimeout(resolve, Number(ms)));
  if (what === 'report') for (let at = 1; at <= 3; at++) report(at);
  return { job, threadId };
}`,
);
const slowStart = join(folder, 'slow-start.mjs');
writeFileSync(slowStart, `import { answer, burn } from './worker.mjs';\nburn(700);\nexport { answer };`);
interface Answer {
  readonly job: string;
  readonly threadId: number;
}
const make = (options: Partial<PoolOptions> = {}) =>
  createWorkerPool<string, Answer>({
    file: pathToFileURL(path),
    workers: 1,
    queue: 10,
    idleMs: 60_000,
    stopOnAbort: true,
    ...options,
  });
const pool = make();
afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});
const { signal } = new AbortController();

test('jobs are done in their order, by a worker that is kept', async () => {
  const answers = await Promise.all(['a', 'b', 'c'].map((job) => pool.run(job, 10_000, signal)));
  const threads = new Set(answers.map((one) => 'answer' in one && one.answer.threadId));
  expect(answers.map((one) => 'answer' in one && one.answer.job)).toEqual(['a', 'b', 'c']);
  expect(threads.size).toBe(1);
});

test.each([
  ['loop', 'time'],
  ['expression', 'time'],
  ['wasm', 'time'],
  ['throw', 'broken'],
  ['exit', 'broken'],
])('a worker lost by %s is replaced', async (job, failed) => {
  expect(await pool.run(job, failed === 'time' ? 300 : 10_000, signal)).toEqual({ failed });
  expect(await pool.run('next', 10_000, signal)).toMatchObject({ answer: { job: 'next' } });
});

test('a job that waits for ever ends by the clock', async () => {
  expect(await pool.run('hang', 1, signal)).toEqual({ failed: 'time' });
  expect(await pool.run('next', 10_000, signal)).toMatchObject({ answer: { job: 'next' } });
}, 30_000);

test("a job's time is its worker's processor time: neither the worker's start nor waiting counts", async () => {
  const slow = make({ file: pathToFileURL(slowStart) });
  expect(await slow.run('burn 50', 500, signal)).toMatchObject({ answer: { job: 'burn 50' } });
  expect(await slow.run('wait 1200', 500, signal)).toMatchObject({ answer: { job: 'wait 1200' } });
  // What earlier jobs took does not count either.
  for (const job of ['burn 300', 'burn 300', 'burn 300']) {
    expect(await slow.run(job, 500, signal)).toMatchObject({ answer: { job } });
  }
  expect(await slow.run('burn 60000', 500, signal)).toEqual({ failed: 'time' });
  await slow.close();
});

test('the same work has the same outcome on a quiet machine and beside busy loops', async () => {
  const outcomes = async () => {
    const jobs = ['burn 250', 'burn 60000'];
    return Promise.all(jobs.map(async (job) => 'answer' in (await pool.run(job, 500, signal))));
  };
  const quiet = await outcomes();
  const stop = new AbortController();
  const busy = make({ workers: 4 });
  const loops = [1, 2, 3, 4].map(() => busy.run('loop', 60_000, stop.signal).catch(() => {}));
  expect(await outcomes()).toEqual(quiet);
  expect(quiet).toEqual([true, false]);
  stop.abort();
  await Promise.all(loops);
  await busy.close();
}, 60_000);

test('a further bound is asked with the processor time of the worker, and may end the job', async () => {
  const seen: number[] = [];
  const isOver = (ms: number) => seen.push(ms) >= 3;
  expect(await pool.run('loop', 600_000, signal, { isOver })).toEqual({ failed: 'time' });
  expect(seen.length).toBe(3);
  expect([...seen].sort((a, b) => a - b)).toEqual(seen);
});

test('what a job reports comes before its answer', async () => {
  const news: unknown[] = [];
  const onNews = (one: unknown) => news.push(one);
  expect(await pool.run('report', 10_000, signal, { onNews })).toMatchObject({ answer: { job: 'report' } });
  expect(news).toEqual([1, 2, 3]);
});

test('a cancelled job frees its worker at once, one that waits its place; over the queue is refused', async () => {
  const small = make({ queue: 2 });
  const stop = new AbortController();
  const running = small.run('hang', 60_000, stop.signal);
  const waits = small.run('waits', 60_000, stop.signal);
  const stays = small.run('stays', 60_000, signal);
  await expect(small.run('more', 1000, signal)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 });
  stop.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
  await expect(waits).rejects.toThrow('enough');
  expect(await stays).toMatchObject({ answer: { job: 'stays' } });
  await expect(small.run('late', 1000, stop.signal)).rejects.toThrow('enough');
  await small.close();
});

test('a job that is cancelled while it gets its place holds no worker, at whatever moment that is', async () => {
  const small = make();
  for (let turns = 0; turns < 12; turns++) {
    const stop = new AbortController();
    const cancelled = small.run('hang', 60_000, stop.signal);
    for (let turn = 0; turn < turns; turn++) await undefined;
    stop.abort(new Error('enough'));
    await expect(cancelled).rejects.toThrow('enough');
    expect(await small.run('next', 10_000, AbortSignal.timeout(10_000))).toMatchObject({
      answer: { job: 'next' },
    });
  }
  await small.close();
});
