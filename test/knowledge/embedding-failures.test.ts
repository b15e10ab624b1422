import { expect, test } from 'vitest';
import { openGrowingIndex } from '../../src/knowledge/indexes/growing.ts';
import { createKnowledge } from '../../src/knowledge/knowledge.ts';
import { createEntryStore } from '../../src/knowledge/stores/entry-store.ts';
import { createLog } from '../../src/log.ts';
import { addEntry } from '../helpers/entry-stores.ts';
import { temporaryFolder } from '../helpers/magpie.ts';
import { openTestDatabase } from '../helpers/test-database.ts';
import { createWordEmbedder } from '../helpers/word-embedder.ts';

/** A connection that breaks once, or a database that is locked once, costs no text its vector. */
test.each(['embedder', 'database'])(
  'everything is embedded after one temporary failure of the %s',
  async (failing) => {
    const folder = temporaryFolder();
    const db = await openTestDatabase({ folder: folder.path });
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
  },
);

test('texts of two owners that crash the model are soon sent alone and stored without a vector; all others get vectors', async () => {
  const folder = temporaryFolder();
  const db = await openTestDatabase({ folder: folder.path });
  const store = createEntryStore(db);
  for (const owner of ['ann', 'bob']) await addEntry(store, owner, 'poison');
  for (const owner of ['ann', 'bob', 'eve'])
    for (let n = 0; n < 40; n++) await addEntry(store, owner, `heron ${n} of ${owner}`);
  const words = createWordEmbedder();
  /** Calls that fail before the model works again, that with one word included. */
  let down = 0;
  const poisoned: number[] = [];
  words.failure = (texts) => {
    if (down-- > 0) return new Error('the model is down');
    if (!texts.some((text) => text.includes('poison'))) return undefined;
    poisoned.push(texts.length);
    down = 2;
    return new Error('the model goes down');
  };
  const lines: string[] = [];
  const knowledge = createKnowledge({
    store,
    embedder: words,
    openIndex: () => Promise.reject(new Error('no index')),
    searchIntervalMs: 500,
    pauseMs: 1,
    log: createLog('warn', (line) => lines.push(line)),
  });
  const pending = () => Promise.all(['ann', 'bob', 'eve'].map((owner) => store.countPending(owner, 'words')));
  await expect.poll(pending).toEqual([0, 0, 0]);
  const vectors = await store.listVectors('ann', 'words', 1, 100);
  expect(vectors.map(({ place }) => place)).toEqual(Array.from({ length: 40 }, (_, at) => at + 2));
  expect(poisoned).toEqual([122, 8, 2, 1, 1, 1, 1, 1, 1]);
  expect(lines.filter((line) => line.includes('the embedder does not take it')).length).toBe(2);
  await knowledge.close();
  db.close();
  folder.remove();
});
