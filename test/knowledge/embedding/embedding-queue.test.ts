import { expect, test } from 'vitest';
import { createEmbeddingQueue } from '../../../src/knowledge/embedding/embedding-queue.ts';
import { createModelChoice } from '../../../src/knowledge/embedding/model-choice.ts';
import { chunkEntry } from '../../../src/knowledge/entries/new-entry.ts';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import { type JobQueue, type JobWorker, LostJob } from '../../../src/lib/concurrency/job-queue.ts';
import { processorMeter, withProcessorMeter } from '../../../src/lib/workers/processor-meter.ts';
import { createLog } from '../../../src/log.ts';
import { addEntry } from '../../helpers/entry-stores.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';
import { createWordEmbedder } from '../../helpers/word-embedder.ts';

test('an owner who arrives while the queue ends is served at once', async () => {
  const folder = temporaryFolder();
  const db = await openTestDatabase({ folder: folder.path });
  const embedder = createWordEmbedder();
  const kept = createEntryStore(db);
  let afterNothing = () => {};
  const store: typeof kept = {
    ...kept,
    async listUnembedded(...given) {
      const found = await kept.listUnembedded(...given);
      if (found.length === 0) afterNothing();
      return found;
    },
  };
  const log = createLog('silent');
  const choice = createModelChoice({ store, common: embedder, log });
  const queue = createEmbeddingQueue({ store, choice, log });
  await queue.waitForVectors(1, AbortSignal.timeout(10_000));
  for (let turns = 0; turns < 12; turns++) {
    const owner = `owner ${turns}`;
    const entry = await chunkEntry(
      { text: 'magpie', title: '', source: '', tags: [], collection: 'default', key: '' },
      embedder.maxTokens,
    );
    await store.insertEntries([{ owner, entry }]);
    const { promise: added, resolve } = Promise.withResolvers<void>();
    afterNothing = async () => {
      afterNothing = () => {};
      for (let turn = 0; turn < turns; turn++) await undefined;
      queue.addOwner(owner);
      resolve();
    };
    queue.addOwner('nobody');
    await added;
    await expect.poll(() => store.countPending(owner, embedder.name)).toBe(0);
  }
  await queue.close();
  db.close();
  folder.remove();
});

test('each request is charged for the passages that it stored, and not for others in its batch', async () => {
  const folder = temporaryFolder();
  const db = await openTestDatabase({ folder: folder.path });
  const words = createWordEmbedder();
  /** Every text takes 10 ms. */
  const embedder: typeof words = {
    ...words,
    async embed(texts, kind, signal) {
      processorMeter()?.(10 * texts.length);
      return words.embed(texts, kind, signal);
    },
  };
  const store = createEntryStore(db);
  const log = createLog('silent');
  const choice = createModelChoice({ store, common: embedder, log });
  const queue = createEmbeddingQueue({ store, choice, log });
  await queue.waitForVectors(1, AbortSignal.timeout(10_000));
  const charged: Record<string, number> = {};
  const insert = async (owner: string, count: number, byOther?: 'process') => {
    for (let at = 0; at < count; at++) {
      const entry = await chunkEntry(
        { text: `magpie ${at}`, title: '', source: '', tags: [], collection: 'default', key: '' },
        embedder.maxTokens,
      );
      await store.insertEntries([{ owner, entry }]);
    }
    const meter = (ms: number) => {
      charged[owner] = (charged[owner] ?? 0) + ms;
    };
    withProcessorMeter(meter, () => queue.addOwner(owner, byOther));
  };
  await Promise.all([insert('ada', 3), insert('bob', 7), insert('eve', 2, 'process')]);
  for (const owner of ['ada', 'bob', 'eve'])
    await expect.poll(() => store.countPending(owner, embedder.name)).toBe(0);
  expect(charged).toEqual({ ada: expect.closeTo(30), bob: expect.closeTo(70) });
  await queue.close();
  db.close();
  folder.remove();
});

/** A queue that shares the work with other processes; calls of its embedder wait for `end`. */
async function openShared() {
  const folder = temporaryFolder();
  const db = await openTestDatabase({ folder: folder.path });
  const store = createEntryStore(db);
  const words = createWordEmbedder();
  const calls: { readonly texts: readonly string[]; end(error?: Error): void }[] = [];
  const embedder: typeof words = {
    ...words,
    async embed(texts, kind, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      calls.push({ texts, end: (error) => (error ? reject(error) : resolve()) });
      await promise;
      return words.embed(texts, kind, signal);
    },
  };
  const log = createLog('silent');
  const choice = createModelChoice({ store, common: embedder, log });
  const queue = createEmbeddingQueue({ store, choice, log, pauseMs: 1 });
  await queue.waitForVectors(1, AbortSignal.timeout(10_000));
  const workers: JobWorker[] = [];
  const jobs: Partial<JobQueue> = { handle: (_kind, worker) => void workers.push(worker), async send() {} };
  queue.share(jobs as JobQueue);
  const [worker] = workers as [JobWorker];
  return {
    queue,
    store,
    calls,
    run: async (owner: string, signal: AbortSignal) =>
      worker.run({
        id: String(await store.numberOf(owner)),
        runner: 'test',
        signal,
        isDoneAgain: () => false,
      }),
    async add(owner: string, count: number) {
      for (let n = 0; n < count; n++) await addEntry(store, owner, `heron ${n} of ${owner}`);
    },
    /** Resolves when the queue has nothing to do. */
    idle: () => queue.waitForVectors(1000, AbortSignal.timeout(10_000)),
    async close() {
      await queue.close();
      db.close();
      folder.remove();
    },
  };
}

test.each(['succeeds', 'fails'])(
  'an owner whose job is lost during a batch that %s is left to the other process',
  async (how) => {
    const { store, calls, run, add, close } = await openShared();
    await add('ann', 130);
    await add('bob', 1);
    const job = new AbortController();
    const ended = run('ann', job.signal);
    await expect.poll(() => calls.length).toBe(1);
    job.abort(new LostJob());
    await expect(ended).rejects.toBeInstanceOf(LostJob);
    const other = run('bob', new AbortController().signal);
    calls[0]?.end(how === 'fails' ? new Error('no') : undefined);
    if (how === 'fails') {
      await expect.poll(() => calls[1]?.texts).toEqual(['magpie']);
      calls[1]?.end();
    }
    await expect.poll(() => calls.at(-1)?.texts.at(-1)).toBe('heron 0 of bob');
    expect(calls.at(-1)?.texts).toEqual(['heron 0 of bob']);
    calls.at(-1)?.end();
    await other;
    expect(await store.countPending('ann', 'words')).toBe(how === 'fails' ? 130 : 2);
    await close();
  },
);

test('passages that arrive while a question embeds an owner are left to the process that has the job', async () => {
  const { queue, store, calls, add, idle, close } = await openShared();
  await add('ann', 3);
  const question = new AbortController();
  const asked = queue.embedNewest('ann', question.signal);
  await expect.poll(() => calls.length).toBe(1);
  await addEntry(store, 'ann', 'a wagtail');
  question.abort();
  await asked.catch(() => {});
  calls[0]?.end();
  await idle();
  expect(calls.map(({ texts }) => texts.length)).toEqual([3]);
  expect(await store.countPending('ann', 'words')).toBe(1);
  await close();
});
