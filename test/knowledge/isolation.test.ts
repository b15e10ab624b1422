import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { openGrowingIndex } from '../../src/knowledge/indexes/growing.ts';
import { createKnowledge } from '../../src/knowledge/knowledge.ts';
import { createEntryStore } from '../../src/knowledge/stores/entry-store.ts';
import type { Knowledge } from '../../src/knowledge/types.ts';
import { createLog } from '../../src/log.ts';
import { openTestDatabase } from '../helpers/test-database.ts';
import { createWordEmbedder } from '../helpers/word-embedder.ts';

const signal = AbortSignal.timeout(120_000);
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

async function world() {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-isolation-'));
  folders.push(folder);
  const db = await openTestDatabase({ folder });
  const clock = { now: 0 };
  const knowledge = createKnowledge({
    store: createEntryStore(db, { now: () => clock.now }),
    embedder: createWordEmbedder(),
    openIndex: openGrowingIndex,
    log: createLog('silent'),
  });
  return {
    knowledge,
    clock,
    async close() {
      await knowledge.close();
      db.close();
    },
  };
}

interface Step {
  readonly who: 'ann' | 'bob';
  readonly what:
    | 'insert'
    | 'query'
    | 'update'
    | 'remove'
    | 'reset'
    | 'list'
    | 'stats'
    | 'get'
    | 'put'
    | 'drop'
    | 'restore'
    | 'trash'
    | 'empty'
    | 'names';
  readonly words: readonly string[];
  readonly place: number;
}

const word = fc.constantFrom('magpie', 'heron', 'crow', 'kettle', 'wire', 'and', '鵲', 'shared secret');
const step: fc.Arbitrary<Step> = fc.record({
  who: fc.constantFrom('ann', 'bob'),
  what: fc.constantFrom(
    ...(['insert', 'insert', 'insert', 'query', 'query', 'update', 'remove', 'reset'] as const),
    ...(['list', 'stats', 'get', 'put', 'drop', 'restore', 'trash', 'empty', 'names'] as const),
  ),
  words: fc.array(word, { minLength: 1, maxLength: 8 }),
  place: fc.nat({ max: 8 }),
});

async function embedded(knowledge: Knowledge, owner: string) {
  while ((await knowledge.readStats(owner)).pending > 0) {
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** What the one who takes the step sees. */
async function take(knowledge: Knowledge, { who, what, words, place }: Step): Promise<unknown> {
  const text = words.join(' ');
  const collection = place % 3 === 0 ? words[0]?.replace('鵲', 'bird') : undefined;
  const key = place % 2 === 0 ? words.at(-1) : undefined;
  const id = (await knowledge.listEntries(who, 100)).entries[place]?.id ?? `${who}-5`;
  await embedded(knowledge, who);
  switch (what) {
    case 'insert':
      return knowledge.insertEntry(who, { text, tags: words.slice(0, 2), collection, key }, signal);
    case 'query': {
      const options = { includeValues: place > 4, topK: 5, filter: place > 6 ? { collection } : {} };
      return knowledge.findPassages(who, text, options, signal);
    }
    case 'update':
      return knowledge.updateEntry(who, id, { text, ...(place > 5 && { collection, key }) }, signal);
    case 'remove':
      return knowledge.removeEntry(who, id);
    case 'reset':
      return place < 2 ? knowledge.removeAllEntries(who, place < 1 ? { collection } : undefined) : undefined;
    case 'restore':
      return knowledge.restoreEntries(who, place < 4 ? 'latest' : place < 6 ? 'all' : { entry: id });
    case 'trash':
      return knowledge.listTrash(who, 5, place < 4 ? undefined : collection);
    case 'names':
      return [await knowledge.listCollections(who), await knowledge.findEntryByKey(who, words[0] ?? '')];
    case 'empty':
      return place < 2 ? knowledge.emptyTrash(who, signal) : undefined;
    case 'list':
      return knowledge.listEntries(who, 3);
    case 'stats':
      return knowledge.readStats(who);
    case 'get':
      return knowledge.findEntry(who, id);
    case 'put':
      return knowledge.putDocument(who, { name: `${place}.pdf` }, words, signal);
    case 'drop':
      return knowledge.removeDocument(who, `${place}.pdf`);
  }
}

test('actions of other owners do not change the ids, order, scores, counts and errors of an owner', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const [alone, together] = [await world(), await world()];
      const seen = async ({ knowledge, clock }: typeof alone, one: Step, at: number) => {
        if (one.who === 'ann') clock.now = at * 1000;
        return take(knowledge, one).catch((error: unknown) => String(error));
      };
      let others: Promise<unknown>[] = [];
      for (const [at, one] of steps.entries()) {
        // Bob's steps are under way while Ann's are taken.
        if (one.who === 'bob') others.push(seen(together, one, at));
        else expect(await seen(together, one, at)).toEqual(await seen(alone, one, at));
        if (others.length > 3) {
          await Promise.all(others);
          others = [];
        }
      }
      await Promise.all(others);
      await alone.close();
      await together.close();
    }),
    { numRuns: 15 },
  );
});
