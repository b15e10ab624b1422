import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EntryStore } from '../../../src/knowledge/store.ts';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import type { Database, Statements } from '../../../src/storage/sqlite.ts';
import { prepared } from '../../helpers/entry-stores.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';

/** An owner with much in the trash: no step of the database reads or walks all of it, since everything else waits for each. */

const REMOVED = 6_000;
const signal = AbortSignal.timeout(300_000);
const folder = temporaryFolder();
let raw: Database;
let store: EntryStore;
/** Rows that each step since `measured` began has given, and of what statement most were. */
let steps: number[] = [];
const announced: number[] = [];
let first = '';
let last = '';

beforeAll(async () => {
  raw = await openTestDatabase({ folder: folder.path });
  const read: Database['read'] = (work) =>
    raw.read((sql) => {
      let rows = 0;
      const all: Statements['all'] = <Row>(text: string, ...values: never[]) => {
        const found = sql.all<Row>(text, ...values);
        rows += found.length;
        return found;
      };
      const result = work({ ...sql, all });
      steps.push(rows);
      return result;
    });
  store = createEntryStore({ ...raw, read });
  const add = async (from: number, to: number, tags: string[] = []) => {
    const texts = Array.from({ length: to - from }, (_, at) => `note ${from + at}`);
    const entries = await Promise.all(texts.map((text) => prepared({ text, tags })));
    return store.insertEntries(entries.map((entry) => ({ owner: 'ann', entry })));
  };
  for (let at = 0; at < REMOVED; at += 3000) await add(at, at + 3000);
  await store.moveToTrash('ann', undefined, (ids) => announced.push(ids.length));
  const kept = await add(REMOVED, REMOVED + 2, ['rare']);
  [first = '', last = ''] = kept.map(({ id }) => id);
});
afterAll(() => {
  raw.close();
  folder.remove();
});

/** Rows that one step gave at most, and how many steps there were. */
async function measured<T>(work: () => Promise<T>): Promise<{ result: T; most: number; count: number }> {
  steps = [];
  const result = await work();
  return { result, most: Math.max(...steps), count: steps.length };
}

test('removals are announced step by step', () => {
  expect(announced).toHaveLength(REMOVED / 1000);
  expect(new Set(announced)).toEqual(new Set([1000]));
});

test('words are found beside the trash, which is read in steps and cached', async () => {
  const find = () => store.findByWords('ann', 'note', 50);
  const { result, most, count } = await measured(find);
  expect(result.scored.map(({ place }) => place).sort()).toEqual([REMOVED + 1, REMOVED + 2]);
  expect(most).toBeLessThanOrEqual(5000);
  expect((await measured(find)).count).toBeLessThanOrEqual(count - REMOVED / 5000);
});

test('counts, lists and the trash itself are read in steps', async () => {
  const counts = await measured(() => store.readCounts('ann'));
  expect(counts.result.records).toBe(2);
  expect(`ann-${counts.result.oldest}`).toBe(first);
  expect(`ann-${counts.result.newest}`).toBe(last);
  expect(counts.count).toBeGreaterThan(REMOVED / 5000);

  const list = await measured(() => store.listEntries('ann', 1, 'oldest', undefined, { tags: ['rare'] }));
  expect(list.result.entries.map(({ id }) => id)).toEqual([first]);
  const rest = await store.listEntries('ann', 1, 'oldest', list.result.next, { tags: ['rare'] });
  expect(rest.entries.map(({ id }) => id)).toEqual([last]);
  expect(rest.next).toBeUndefined();
  expect(list.count).toBeGreaterThan(REMOVED / 5000);

  const trash = await measured(() => store.listTrash('ann', 10));
  expect(trash.result).toMatchObject({ records: REMOVED, batches: [{ records: REMOVED, text: 'note 0' }] });
  expect(trash.count).toBeGreaterThanOrEqual(REMOVED / 10_000);
  // One batch that is larger than the bound stays until newer ones fill it.
  expect(await store.trimTrash('ann', { records: 10, bytes: 10 }, signal)).toBe(0);
});

test('waiting passages are found beside those in the trash', async () => {
  await store.readCounts('ann');
  const { result, most } = await measured(() => store.listUnembedded('ann', 'm', 10));
  expect(result.map(({ text }) => text)).toEqual([`note ${REMOVED}`, `note ${REMOVED + 1}`]);
  expect(most).toBeLessThanOrEqual(10);
  expect(await store.countPending('ann', 'm')).toBe(2);
  expect(await store.listPlaces('ann', 1, 10)).toEqual([REMOVED + 1, REMOVED + 2]);
});

test('passages in the trash do not count as waiting, even above the number that is counted exactly', async () => {
  const add = async (text: string, collection: string) => {
    const entry = await prepared({ text, collection });
    const [passage] = entry.passages;
    const passages = Array.from({ length: 6000 }, () => passage ?? expect.unreachable());
    await store.insertEntries([{ owner: 'bob', entry: { ...entry, passages } }]);
  };
  await add('one', 'embedded');
  await store.putVectors('bob', 'm', (await store.readStanding('bob', 'm')).next, []);
  for (const text of ['two', 'three']) await add(text, 'removed');
  for (const text of ['four', 'five']) await add(text, 'waiting');
  await store.moveToTrash('bob', { collection: 'removed' });
  expect(await store.countPending('bob', 'm', 100)).toBe(100);
  expect(await store.countPending('bob', 'm')).toBe(12_000);
});

test('the whole trash is restored and found', async () => {
  const back: number[] = [];
  const restored = await store.restoreFromTrash('ann', 'all', (ids) => void back.push(ids.length));
  expect(restored).toEqual({ records: REMOVED, known: 0, unkeyed: 0 });
  expect(Math.max(...back)).toBeLessThanOrEqual(500);
  expect(back.reduce((sum, one) => sum + one, 0)).toBe(REMOVED);
  expect((await store.readCounts('ann')).records).toBe(REMOVED + 2);
  expect((await store.findByWords('ann', 'note 7', 5)).scored).toHaveLength(1);
  expect((await store.listPlaces('ann', 1, 3)).length).toBe(3);
});

test('permanent removals are counted and announced step by step', async () => {
  const gone: number[] = [];
  expect(await store.removeAllEntries('ann', undefined, (ids) => void gone.push(ids.length))).toBe(
    REMOVED + 2,
  );
  expect(Math.max(...gone)).toBeLessThanOrEqual(500);
  expect(gone.reduce((sum, one) => sum + one, 0)).toBe(REMOVED + 2);
});
