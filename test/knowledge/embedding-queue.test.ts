import { expect, test } from 'vitest';
import { createEmbeddingQueue } from '../../src/knowledge/embedding-queue.ts';
import { createModelChoice } from '../../src/knowledge/model-choice.ts';
import { prepareEntry } from '../../src/knowledge/new-entry.ts';
import { createSqliteEntryStore } from '../../src/knowledge/stores/sqlite.ts';
import { createLog } from '../../src/log.ts';
import { openDatabase } from '../../src/storage/sqlite.ts';
import { temporaryFolder } from '../helpers/magpie.ts';
import { createWordEmbedder } from '../helpers/word-embedder.ts';

test('an owner who comes at the moment at which the queue ends is served at once', async () => {
  const folder = temporaryFolder();
  const db = await openDatabase({ folder: folder.path });
  const embedder = createWordEmbedder();
  const kept = createSqliteEntryStore(db);
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
