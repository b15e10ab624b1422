import { expect, test } from 'vitest';
import { createEmbeddingQueue } from '../../src/knowledge/embedding-queue.ts';
import { createModelChoice } from '../../src/knowledge/model-choice.ts';
import { prepareEntry } from '../../src/knowledge/new-entry.ts';
import { createEntryStore } from '../../src/knowledge/stores/sqlite.ts';
import { processorMeter, withProcessorMeter } from '../../src/lib/processor-meter.ts';
import { createLog } from '../../src/log.ts';
import { openDatabase } from '../../src/storage/sqlite.ts';
import { temporaryFolder } from '../helpers/magpie.ts';
import { createWordEmbedder } from '../helpers/word-embedder.ts';

test('an owner who comes at the moment at which the queue ends is served at once', async () => {
  const folder = temporaryFolder();
  const db = await openDatabase({ folder: folder.path });
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
    const entry = await prepareEntry(
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
  const db = await openDatabase({ folder: folder.path });
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
      const entry = await prepareEntry(
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
