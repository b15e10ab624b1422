import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { createWorkerPool, type PoolOptions } from '../../src/lib/workers/worker-pool.ts';

/** Jobs of a pool whose workers are started by need. */

const folder = mkdtempSync(join(tmpdir(), 'magpie-patience-'));
const file = join(folder, 'worker.mjs');
writeFileSync(
  file,
  `export async function handleJob(job, report) {
  report('begun');
  if (job === 'hang') await new Promise(() => {});
  if (job === 'throw') throw new Error('broken');
  return process.pid;
}`,
);
afterAll(() => rmSync(folder, { recursive: true }));

const signal = new AbortController().signal;
const LONG_MS = 600_000;
const processes = (mostMs: number, more: Partial<PoolOptions> = {}) =>
  createWorkerPool<string, number>({
    file: pathToFileURL(file),
    workers: 3,
    queue: 10,
    idleMs: 60_000,
    stopOnAbort: true,
    memoryBytes: 400_000_000,
    patience: { starts: mostMs, mostMs },
    ...more,
  });
const idOf = (outcome: object) => ('answer' in outcome ? outcome.answer : undefined);

test('short jobs that arrive at once are done by one worker', async () => {
  const pool = processes(LONG_MS);
  const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((job) => pool.run(job, 20_000, signal)));
  const ids = outcomes.map(idOf);
  expect(ids[0]).toEqual(expect.any(Number));
  expect(new Set(ids).size).toBe(1);
  expect(idOf(await pool.run('later', 20_000, signal))).toBe(ids[0]);
  await pool.close();
});

test('a job starts another worker if the existing workers stay busy', async () => {
  const pool = processes(1);
  const stop = new AbortController();
  const { promise: begun, resolve: begin } = Promise.withResolvers<unknown>();
  const long = pool.run('hang', LONG_MS, stop.signal, { onNews: begin });
  await begun;
  const first = idOf(await pool.run('short', 20_000, signal));
  expect(first).toEqual(expect.any(Number));
  // The second one is free now.
  expect(idOf(await pool.run('next', 20_000, signal))).toBe(first);
  stop.abort(new Error('enough'));
  await expect(long).rejects.toThrow('enough');
  await pool.close();
});

test('a job of another owner does not wait', async () => {
  const pool = processes(LONG_MS);
  const { promise: begun, resolve: begin } = Promise.withResolvers<unknown>();
  const stop = new AbortController();
  const long = pool.run('hang', LONG_MS, stop.signal, { onNews: begin, owner: 'ada' });
  await begun;
  expect(idOf(await pool.run('short', 20_000, signal, { owner: 'bob' }))).toEqual(expect.any(Number));
  stop.abort(new Error('enough'));
  await expect(long).rejects.toThrow('enough');
  await pool.close();
});

test('a job that waits for a worker gets another one if the worker is lost or its job is cancelled', async () => {
  const pool = processes(LONG_MS);
  const stop = new AbortController();
  const cancelled = pool.run('hang', LONG_MS, stop.signal);
  const waits = pool.run('waits', 20_000, signal);
  stop.abort(new Error('enough'));
  await expect(cancelled).rejects.toThrow('enough');
  expect(idOf(await waits)).toEqual(expect.any(Number));
  const lost = pool.run('throw', 20_000, signal);
  const after = pool.run('after', 20_000, signal);
  expect(await lost).toEqual({ failed: 'broken' });
  expect(idOf(await after)).toEqual(expect.any(Number));
  await pool.close();
});

test('a job cancelled while it waits for a busy worker leaves its place, and a closed pool has no places', async () => {
  const pool = processes(LONG_MS, { queue: 0 });
  const { promise: begun, resolve: begin } = Promise.withResolvers<unknown>();
  const busy = pool.run('hang', LONG_MS, signal, { onNews: begin });
  await begun;
  const stop = new AbortController();
  const given = [pool.run('a', 20_000, stop.signal), pool.run('b', 20_000, stop.signal)];
  const ended = Promise.all(given.map((one) => one.catch((error: unknown) => error)));
  stop.abort(new Error('enough'));
  expect(await ended).toEqual([new Error('enough'), new Error('enough')]);
  await setImmediate();
  const waits = pool.run('waits', 20_000, signal).catch((error: unknown) => error);
  const held = busy.catch((error: unknown) => error);
  await pool.close();
  const shut = { code: 'unavailable', message: expect.stringMatching(/shutting down/) };
  expect(await Promise.all([held, waits])).toMatchObject([shut, shut]);
});
