import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { openGrowingIndex } from '../../../src/knowledge/indexes/growing.ts';
import { createIndexThread } from '../../../src/knowledge/indexes/index-thread.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { processorSecondsElsewhere } from '../../helpers/processor-time.ts';
import { clustered, seeded } from '../../helpers/vectors.ts';

const { signal } = new AbortController();
const folder = temporaryFolder();
afterAll(() => folder.remove());
const threads: ReturnType<typeof createIndexThread>[] = [];
afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.close();
});
const newThread = () => {
  const thread = createIndexThread();
  threads.push(thread);
  return thread;
};

const DIMENSIONS = 64;
const options = { dimensions: DIMENSIONS, model: 'm', threshold: 500 };
const vectors = clustered(3000, DIMENSIONS, 30, seeded(11));
const vector = (at: number) => vectors[at] ?? new Float32Array(DIMENSIONS);

test('a threaded index finds the same as an index of the main thread, with and without a filter, also after removals', async () => {
  const thread = await newThread().open(options);
  const here = await openGrowingIndex({ ...options, threshold: 10_000 });
  for (const index of [thread, here]) await index.addMany(vectors.slice(0, 400).entries(), signal);
  for (const index of [thread, here]) for (let id = 0; id < 400; id += 3) index.remove(id);
  const even = new Set(Array.from({ length: 200 }, (_, i) => i * 2));
  const except = [{ first: 4, passages: 30 }];
  for (const allowed of [undefined, even]) {
    for (const at of [0, 7, 399]) {
      expect(await thread.findNearest(vector(at), 10, allowed)).toEqual(
        await here.findNearest(vector(at), 10, allowed),
      );
      const beside = await thread.findNearest(vector(at), 400, allowed, except);
      expect(beside).toEqual(await here.findNearest(vector(at), 400, allowed, except));
      expect(beside.every(({ id }) => id < 4 || id >= 34)).toBe(true);
    }
  }
  expect([thread.size, thread.has(3), thread.has(4)]).toEqual([266, false, true]);
  expect([...thread.ids()].sort()).toEqual([...here.ids()].sort());
  await expect(thread.findNearest(new Float32Array(3), 10)).rejects.toThrow(RangeError);
});

test('a saved graph is loaded by the thread, and not by its caller', async () => {
  const path = join(folder.path, 'kept');
  const made = await newThread().open(options);
  await made.addMany(vectors.slice(0, 1500).entries(), signal);
  await made.settled();
  expect([made.kind, await made.save(path)]).toEqual(['graph', true]);
  const thread = newThread();
  await (await thread.open(options)).settled();
  let there = made;
  const elsewhere = await processorSecondsElsewhere(async () => {
    for (let run = 0; run < 5; run++) there = await thread.open(options, path);
  });
  // Loading takes 10 ms or more each time.
  expect(elsewhere).toBeGreaterThan(0.02);
  expect([there.size, there.kind]).toEqual([1500, 'graph']);
  expect((await there.findNearest(vector(1234), 1))[0]?.id).toBe(1234);
  // Filters read the copies, which are kept with the graph.
  expect((await there.findNearest(vector(1234), 3, new Set([1, 1234])))[0]?.id).toBe(1234);
});

test('questions are answered during the build, and the end of the thread ends the build', async () => {
  const thread = newThread();
  const small = { ...options, threshold: 100 };
  const index = await thread.open(small);
  await index.addMany(vectors.entries(), signal);
  expect((await index.findNearest(vector(5), 1))[0]?.id).toBe(5);
  expect(index.kind).toBe('exact');
  const settled = index.settled();
  await thread.close();
  await expect(settled).rejects.toThrow('has ended');
  await expect(index.save(join(folder.path, 'none'))).rejects.toThrow('has ended');
  expect(existsSync(join(folder.path, 'none.graph'))).toBe(false);
  await expect(thread.open(options)).rejects.toThrow('closed');
});

test('a thread that crashes is started again with the next index', async () => {
  const workers: Worker[] = [];
  const post = Worker.prototype.postMessage;
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, ...args) {
    if (!workers.includes(this)) workers.push(this);
    return post.apply(this, args);
  });
  const thread = newThread();
  const index = await thread.open(options);
  await index.addMany(vectors.slice(0, 10).entries(), signal);
  await workers[0]?.terminate();
  expect(index.ended).toBe(true);
  await expect(index.findNearest(vector(1), 1)).rejects.toThrow('has ended');
  const next = await thread.open(options);
  await next.addMany(vectors.slice(0, 10).entries(), signal);
  expect((await next.findNearest(vector(1), 1))[0]?.id).toBe(1);
  vi.restoreAllMocks();
});
