import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EntryStore } from '../../../src/knowledge/store.ts';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import type { Database } from '../../../src/storage/sqlite.ts';
import { prepared } from '../../helpers/entry-stores.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';

/** An owner with much: what is counted over all of it is counted in steps, since everything else waits for each. */

const WORK = 6000;
const HOME = 3000;
const folder = temporaryFolder();
let raw: Database;
let store: EntryStore;
let steps = 0;

beforeAll(async () => {
  raw = await openTestDatabase({ folder: folder.path });
  const read: Database['read'] = (work) => {
    steps++;
    return raw.read(work);
  };
  store = createEntryStore({ ...raw, read });
  for (const [collection, count] of [['work', WORK] as const, ['home', HOME] as const]) {
    const texts = Array.from({ length: count }, (_, at) => `${collection} ${at}`);
    const entries = await Promise.all(texts.map((text) => prepared({ text, collection })));
    await store.insertEntries(entries.map((entry) => ({ owner: 'ann', entry })));
  }
  await store.insertEntries([{ owner: 'ann', entry: await prepared({ text: 'of neither' }) }]);
});
afterAll(() => {
  raw.close();
  folder.remove();
});

async function stepsOf(work: () => Promise<unknown>): Promise<number> {
  steps = 0;
  await work();
  return steps;
}

test('collections are counted in steps', async () => {
  const all = await store.listCollections('ann');
  expect(all.map(({ name, records, passages }) => [name, records, passages])).toEqual([
    ['default', 1, 1],
    ['home', HOME, HOME],
    ['work', WORK, WORK],
  ]);
  expect(all.reduce((sum, { bytes }) => sum + bytes, 0)).toBe((await store.readCounts('ann')).bytes);
  const [oldest, newest] = [
    await store.listEntries('ann', 1, 'oldest', undefined, { collection: 'work' }),
    await store.listEntries('ann', 1, 'newest', undefined, { collection: 'work' }),
  ];
  expect([all[2]?.oldest, all[2]?.newest]).toEqual([
    oldest.entries[0]?.createdAt,
    newest.entries[0]?.createdAt,
  ]);
  expect(await stepsOf(() => store.listCollections('ann'))).toBeGreaterThan(5);
  expect(await store.readCounts('ann', 'home')).toMatchObject({ records: HOME });
});

test('passages that wait for a vector are counted in steps', async () => {
  const all = WORK + HOME + 1;
  expect(await store.readProgress('m')).toEqual({ done: 0, total: all });
  expect(await stepsOf(() => store.readProgress('m'))).toBeGreaterThan(5);
  expect(await store.countPending('ann', 'm')).toBe(all);
  expect(await store.countPending('ann', 'm', 2500)).toBe(2500);
  expect(await stepsOf(() => store.countPending('ann', 'm'))).toBeGreaterThan(5);
});

test('waiting owners are found beside entries in the trash', async () => {
  await store.moveToTrash('ann', { collection: 'work' });
  expect(await store.listWaitingOwners('m')).toEqual(['ann']);
  expect(await store.readProgress('m')).toEqual({ done: 0, total: HOME + 1 });
  expect((await store.listCollections('ann')).map(({ name }) => name)).toEqual(['default', 'home']);
  await store.moveToTrash('ann');
  expect(await store.listWaitingOwners('m')).toEqual([]);
  expect(await store.listCollections('ann')).toEqual([]);
  expect(await store.readProgress('m')).toEqual({ done: 0, total: 0 });
});
