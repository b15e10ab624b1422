import { openGrowingIndex } from '../../src/knowledge/indexes/growing.ts';
import { createKnowledge } from '../../src/knowledge/knowledge.ts';
import { createEntryStore } from '../../src/knowledge/stores/entry-store.ts';
import { createLog } from '../../src/log.ts';
import { openDatabase } from '../../src/storage/sqlite.ts';
import { createWordEmbedder } from './word-embedder.ts';

/** Inserts without end, three at once, into the folder that is its argument, and prints each answer's id. */
const [, , folder = '', run = ''] = process.argv;
const knowledge = createKnowledge({
  store: createEntryStore(await openDatabase({ folder })),
  embedder: createWordEmbedder(),
  openIndex: openGrowingIndex,
  log: createLog('silent'),
});
const { signal } = new AbortController();
for (let i = 0; ; i += 3) {
  await Promise.all(
    [i, i + 1, i + 2].map(async (n) => {
      const { id } = await knowledge.insertEntry('ann', { text: `run${run} number${n} magpie` }, signal);
      process.stdout.write(`${id} ${n}\n`);
    }),
  );
}
