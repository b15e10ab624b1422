import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { createWorkerPool } from '../../src/lib/worker-pool.ts';

const folder = mkdtempSync(join(tmpdir(), 'magpie-pool-'));
const path = join(folder, 'worker.mjs');
writeFileSync(
  path,
  `import { parentPort, threadId } from 'node:worker_threads';
parentPort.on('message', async (job) => {
  if (job === 'loop') for (;;) {}
  if (job === 'throw') throw new Error('broken');
  if (job === 'exit') process.exit(3);
  if (job === 'hang') return;
  parentPort.postMessage({ job, threadId });
});`,
);
interface Answer {
  readonly job: string;
  readonly threadId: number;
}
const make = (options: { workers?: number; queue?: number; stopOnAbort?: boolean } = {}) =>
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
  ['hang', 'time'],
  ['throw', 'broken'],
  ['exit', 'broken'],
])('a worker lost by %s is replaced', async (job, failed) => {
  expect(await pool.run(job, failed === 'time' ? 300 : 10_000, signal)).toEqual({ failed });
  expect(await pool.run('next', 10_000, signal)).toMatchObject({ answer: { job: 'next' } });
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
