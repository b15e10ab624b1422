import { setTimeout as sleep } from 'node:timers/promises';
import { openGrowingIndex } from '../../src/knowledge/indexes/growing.ts';
import { createKnowledge } from '../../src/knowledge/knowledge.ts';
import { createEntryStore } from '../../src/knowledge/stores/entry-store.ts';
import { createLog } from '../../src/log.ts';
import { openDatabase } from '../../src/storage/sqlite.ts';
import { createWordEmbedder, type WordEmbedder } from './word-embedder.ts';

/**
 * Has an English and a slow multilingual model on the folder that is its argument, inserts the Chinese text that is its second
 * one, prints how many passages of `ann` wait for their vectors, line by line, and goes on until it is killed.
 */
const [, , folder = '', text = ''] = process.argv;

function slow(embedder: WordEmbedder): WordEmbedder {
  const embed = embedder.embed.bind(embedder);
  return {
    ...embedder,
    async embed(texts, kind, signal) {
      await sleep(20);
      return embed(texts, kind, signal);
    },
  };
}

const knowledge = createKnowledge({
  store: createEntryStore(await openDatabase({ folder })),
  embedder: createWordEmbedder({ name: 'english' }),
  multilingual: slow(createWordEmbedder({ name: 'multilingual', dimensions: 32 })),
  openIndex: openGrowingIndex,
  log: createLog('silent'),
  searchIntervalMs: 50,
});
const { signal } = new AbortController();
if (text !== '') await knowledge.insertEntry('ann', { text }, signal);
for (;;) {
  const { model, pending } = await knowledge.readStats('ann');
  process.stdout.write(`${model} ${pending}\n`);
  await sleep(5);
}
