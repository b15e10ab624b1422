import { openGrowingIndex } from '../../src/knowledge/indexes/growing.ts';
import { createKnowledge } from '../../src/knowledge/knowledge.ts';
import { createEntryStore } from '../../src/knowledge/stores/entry-store.ts';
import { createLog } from '../../src/log.ts';
import { openDatabase } from '../../src/storage/sqlite.ts';
import { createWordEmbedder } from './word-embedder.ts';

/** Replaces the texts of three keys without end, in the folder that is its argument, and prints each answer's key and number. */
const [, , folder = '', run = ''] = process.argv;
const knowledge = createKnowledge({
  store: createEntryStore(await openDatabase({ folder })),
  embedder: createWordEmbedder(),
  openIndex: openGrowingIndex,
  log: createLog('silent'),
});
const { signal } = new AbortController();
for (let n = Number(run) * 1_000_000; ; n++) {
  await Promise.all(
    ['one', 'two', 'three'].map(async (key) => {
      await knowledge.insertEntry('ann', { text: `number${n} of ${key}`, key }, signal);
      process.stdout.write(`${key} ${n}\n`);
    }),
  );
}
