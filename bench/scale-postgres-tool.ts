import { chunkEntry, normalizeEntry } from '../src/knowledge/entries/new-entry.ts';
import { createEntryStore } from '../src/knowledge/stores/entry-store.ts';
import { openPostgres } from '../src/storage/postgres/open.ts';
import { passageTexts, questionFrom, vectorsOf } from './kb-data.ts';
import { numbers } from './local-texts.ts';

/** One node as scale-postgres.ts asks it: the store in a process of its own, with some callers at once. */
export interface NodeWork {
  readonly what: 'insert' | 'question';
  readonly callers: number;
  readonly ms: number;
}

const [url = '', prefix = '', users = '1', seed = '1'] = process.argv.slice(2);
const db = await openPostgres({ url });
const store = createEntryStore(db);
const random = numbers(Number(seed) * 7919);
const [next, vector] = [passageTexts(), vectorsOf(Number(seed))];
// Each node has other texts.
for (let skipped = 0; skipped < Number(seed) * 501; skipped++) next();
let made = 0;

const user = () => `${prefix}-${Math.floor(random() * Number(users))}`;

const WORK = {
  async insert() {
    const text = `${next()} ${process.pid} ${made++}`;
    await store.insertEntries([{ owner: user(), entry: await chunkEntry(normalizeEntry({ text }), 256) }]);
  },
  async question() {
    const near = { model: 'stand-in', vector: vector() };
    await store.findCandidates?.(user(), {
      text: questionFrom(next(), random),
      most: 100,
      within: undefined,
      near,
    });
  },
} as const;

process.on('message', async ({ what, callers, ms }: NodeWork) => {
  const times: number[] = [];
  const end = performance.now() + ms;
  const call = async () => {
    while (performance.now() < end) {
      const began = performance.now();
      await WORK[what]();
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  process.send?.(times);
});
process.on('disconnect', () => db.close());
process.send?.([]);
