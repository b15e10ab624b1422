import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { keepSpareWorkers } from '../../../src/lib/workers/spare-workers.ts';
import { createWorkerPool, type PoolOptions } from '../../../src/lib/workers/worker-pool.ts';

const folder = mkdtempSync(join(tmpdir(), 'magpie-spares-'));
const path = join(folder, 'worker.mjs');
writeFileSync(
  path,
  `import { threadId } from 'node:worker_threads';
export function handleJob(job) {
  if (job === 'throw') throw new Error('broken');
  return threadId || process.pid;
}`,
);
const { signal } = new AbortController();

describe.each([
  ['threads', {}],
  ['processes', { memoryBytes: 200_000_000 }],
])('%s', (_, kind) => {
  /** The worker that did a job of a pool which was made for it alone. */
  const workerOf = async (job: string, options: Partial<PoolOptions> = {}) => {
    const pool = createWorkerPool<string, number>({
      file: pathToFileURL(path),
      workers: 1,
      queue: 1,
      idleMs: 60_000,
      stopOnAbort: true,
      sparesWorkers: true,
      ...kind,
      ...options,
    });
    const outcome = await pool.run(job, 10_000, signal);
    await pool.close();
    return 'answer' in outcome ? outcome.answer : outcome.failed;
  };
  let end: () => Promise<void>;
  beforeAll(() => {
    end = keepSpareWorkers();
  });
  afterAll(() => end());

  test('an idle worker of a closed pool serves the next one of its module', async () => {
    const first = await workerOf('a');
    expect(first).toEqual(expect.any(Number));
    expect(await workerOf('b')).toBe(first);
    // Pools that do not share theirs start their own.
    expect(await workerOf('c', { sparesWorkers: false })).not.toBe(first);
    expect(await workerOf('d')).toBe(first);
  });

  test('a worker that a job broke is not reused', async () => {
    const first = await workerOf('a');
    expect(await workerOf('throw')).toBe('broken');
    expect(await workerOf('b')).not.toBe(first);
  });

  test('a spare worker without a job ends after its time', async () => {
    const first = await workerOf('a', { idleMs: 1 });
    await vi.waitFor(async () => expect(await workerOf('b', { idleMs: 1 })).not.toBe(first), 30_000);
  });
});

test('spare workers end with the last owner that requests them', async () => {
  // A module of its own: other tests of this process keep workers too.
  const own = new URL('../../../src/lib/workers/spare-workers.ts?own', import.meta.url).href;
  const spares: typeof import('../../../src/lib/workers/spare-workers.ts') = await import(own);
  const ended: string[] = [];
  const worker = (name: string, isUsable = true) => ({
    usable: () => isUsable,
    async end() {
      ended.push(name);
    },
  });
  expect(spares.keepSpare('x', worker('early'), 60_000)).toBe(false);
  const [first, second] = [spares.keepSpareWorkers(), spares.keepSpareWorkers()];
  const kept = worker('kept');
  for (const one of [worker('left'), kept, worker('gone', false)])
    expect(spares.keepSpare('x', one, 60_000)).toBe(true);
  expect(spares.takeSpare('y')).toBeUndefined();
  expect(spares.takeSpare('x')).toBe(kept);
  await first();
  await first();
  expect(ended).toEqual([]);
  await second();
  expect(ended).toEqual(['left']);
  expect(spares.takeSpare('x')).toBeUndefined();
  expect(spares.keepSpare('x', worker('late'), 60_000)).toBe(false);
});

afterAll(() => rmSync(folder, { recursive: true }));
