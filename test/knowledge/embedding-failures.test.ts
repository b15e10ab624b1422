import { expect, test } from 'vitest';
import { openGrowingIndex } from '../../src/knowledge/indexes/growing.ts';
import { createKnowledge } from '../../src/knowledge/knowledge.ts';
import { createEntryStore } from '../../src/knowledge/stores/sqlite.ts';
import { createLog } from '../../src/log.ts';
import { openDatabase } from '../../src/storage/sqlite.ts';
import { temporaryFolder } from '../helpers/magpie.ts';
import { createWordEmbedder } from '../helpers/word-embedder.ts';

/** A connection that breaks once, or a database that is locked once, costs no text its vector. */
test.each(['embedder', 'database'])('one passing failure of the %s', async (failing) => {
  const folder = temporaryFolder();
  const db = await openDatabase({ folder: folder.path });
  const words = createWordEmbedder();
  const kept = createEntryStore(db);
  let failures = 1;
  const failOnce = (what: string) => {
    if (what === failing && failures-- > 0) throw new Error(`the ${what} fails once`);
  };
  const embedder: typeof words = {
    ...words,
    async embed(texts, kind, signal) {
      if (kind === 'passage') failOnce('embedder');
      return words.embed(texts, kind, signal);
    },
  };
  const store: typeof kept = {
    ...kept,
    async putVectors(...given) {
      failOnce('database');
      return kept.putVectors(...given);
    },
  };
  const knowledge = createKnowledge({
    store,
    embedder,
    openIndex: openGrowingIndex,
    pauseMs: 10,
    log: createLog('silent', () => {}),
  });
  const signal = AbortSignal.timeout(60_000);
  await knowledge.insertEntry('ann', { text: 'magpie on the wire' }, signal);
  await expect.poll(async () => (await knowledge.readStats('ann')).pending).toBe(0);
  const [match] = await knowledge.findPassages('ann', 'magpie', { includeValues: true }, signal);
  expect(match?.values?.length).toBe(words.dimensions);
  await knowledge.close();
  db.close();
  folder.remove();
});
