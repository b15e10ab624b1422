import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { withProcessorMeter } from '../../../src/lib/workers/processor-meter.ts';
import { createWorkerPool } from '../../../src/lib/workers/worker-pool.ts';

const folder = mkdtempSync(join(tmpdir(), 'magpie-meter-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'worker.mjs');
writeFileSync(
  file,
  `const used = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
export function handleJob(ms, report) {
  if (ms < 0) report('begun');
  if (ms === -1) process.exit(3);
  if (ms === -2) for (const all = []; ; ) all.push(Buffer.alloc(10_000_000, 1));
  if (ms === -3) for (;;);
  if (ms === -4) return Buffer.alloc(80_000_000, 1)[0];
  for (const from = used(); used() - from < ms; );
  return ms;
}`,
);
const { signal } = new AbortController();

/** Runs a job for a request of its own; returns what its meter counted. */
async function cost(pool: ReturnType<typeof poolOf>, ms: number, limitMs = 10_000) {
  const counted: number[] = [];
  await withProcessorMeter(
    (processorMs) => counted.push(processorMs),
    () => pool.run(ms, limitMs, signal),
  );
  return counted;
}
const poolOf = (memoryBytes?: number) =>
  createWorkerPool<number, number>({
    file: pathToFileURL(file),
    workers: 1,
    queue: 10,
    idleMs: 60_000,
    stopOnAbort: true,
    memoryBytes,
  });

test.each([
  ['thread', undefined],
  ['process', 300_000_000],
])(
  'each request is charged for the time of its own jobs in a %s, though the jobs wait for each other',
  async (_, memory) => {
    const pool = poolOf(memory);
    const [[small = 0, ...more], [large = 0]] = await Promise.all([cost(pool, 10), cost(pool, 120)]);
    expect(more).toEqual([]);
    expect(small).toBeGreaterThanOrEqual(9);
    expect(large).toBeGreaterThanOrEqual(119);
    // What starts and warms up a worker counts too, and is more on a busy machine.
    expect(large).toBeGreaterThan(small + 50);
    // A job that is ended for its time has used it up.
    expect(await cost(pool, 60_000, 50)).toEqual([50]);
    expect(await pool.run(1, 1000, signal)).toEqual({ answer: 1 });
    await pool.close();
  },
);

test('a process reports the memory of one job, without that of an earlier job or of this process', async () => {
  const pool = poolOf(280_000_000);
  const own = Buffer.alloc(100_000_000, 1);
  const held = async (job: number) => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const meter = (_: number, heldBytes = 0) => resolve(heldBytes);
    await withProcessorMeter(meter, () => pool.run(job, 10_000, signal));
    return promise;
  };
  await pool.run(1, 10_000, signal);
  expect(own.at(-1)).toBe(1);
  expect(await held(1)).toBeLessThan(40_000_000);
  expect(await held(-4)).toBeGreaterThan(60_000_000);
  // A job that ends for its memory had all of it.
  expect(await held(-2)).toBe(280_000_000);
  await pool.close();
});

test.each([
  ['thread', undefined],
  ['process', 120_000_000],
])(
  'a job in a %s that is cancelled, or that breaks, is charged for its possible use and not for its limit',
  async (_, memory) => {
    const pool = poolOf(memory);
    const LIMIT_MS = 100_000;
    const charged = async (job: number) => {
      const stop = new AbortController();
      const { promise, resolve } = Promise.withResolvers<number>();
      await withProcessorMeter(resolve, () =>
        pool.run(job, LIMIT_MS, stop.signal, { onNews: () => job === -3 && stop.abort() }),
      ).catch(() => {});
      return promise;
    };
    const jobs = memory === undefined ? [-1, -3] : [-1, -2, -3];
    for (const job of jobs) {
      const spent = await charged(job);
      expect(spent).toBeGreaterThan(0);
      expect(spent).toBeLessThan(LIMIT_MS / 2);
    }
    // What did not begin costs nothing.
    const counted: number[] = [];
    const stop = new AbortController();
    await Promise.all([
      withProcessorMeter(
        (processorMs) => counted.push(processorMs),
        () => pool.run(1, LIMIT_MS, stop.signal).catch(() => {}),
      ),
      stop.abort(),
    ]);
    expect(await pool.run(1, 1000, signal)).toEqual({ answer: 1 });
    expect(counted).toEqual([]);
    await pool.close();
  },
);
