import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openGrowingIndex } from '../../../src/knowledge/indexes/growing.ts';
import { createKnowledge, type KnowledgeOptions } from '../../../src/knowledge/knowledge.ts';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import type { Knowledge } from '../../../src/knowledge/types.ts';
import { createLog } from '../../../src/log.ts';
import { prepared } from '../../helpers/entry-stores.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';
import { createWordEmbedder } from '../../helpers/word-embedder.ts';

/** Entries that are removed from the room and come back. */

const signal = AbortSignal.timeout(300_000);
const DAY_US = 86_400_000_000;
const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-trash-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

type Options = Partial<KnowledgeOptions> & { readonly folder?: string; readonly now?: () => number };

async function open({ folder = newFolder(), now, ...more }: Options = {}) {
  const db = await openTestDatabase({ folder });
  const store = createEntryStore(db, { now });
  const knowledge = createKnowledge({
    store,
    embedder: createWordEmbedder(),
    openIndex: openGrowingIndex,
    log: createLog('silent'),
    changesIntervalMs: 5,
    ...more,
  });
  closers.push(async () => {
    await knowledge.close();
    db.close();
  });
  return { knowledge, store, db };
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
const embedded = (knowledge: Knowledge, owner: string) =>
  until(async () => (await knowledge.readStats(owner)).pending === 0);
const texts = async (knowledge: Knowledge, owner: string, query: string) =>
  (await knowledge.findPassages(owner, query, {}, signal)).map(({ passage }) => passage.text);
const add = (knowledge: Knowledge, owner: string, ...words: string[]) =>
  Promise.all(words.map((text) => knowledge.insertEntry(owner, { text }, signal)));

test('a removed entry can be restored for seven days, and listeners are notified of both', async () => {
  const { knowledge } = await open();
  const [one] = await add(knowledge, 'ann', 'a magpie', 'a heron');
  const heard: string[][] = [];
  knowledge.onChange((_owner, { ids }) => heard.push([...ids]));
  const removed = await knowledge.removeEntry('ann', one?.id ?? '');
  expect(removed).toMatchObject({ records: 1, dropped: 0 });
  const { id = '', until: end = 0 } = removed.trash ?? {};
  expect(end - Number(id)).toBe(7 * DAY_US);
  expect(await knowledge.listTrash('ann', 10)).toMatchObject({
    days: 7,
    records: 1,
    bytes: 8,
    batches: [{ id, until: end, entry: one?.id, text: 'a magpie' }],
  });
  expect(await texts(knowledge, 'ann', 'magpie')).not.toContain('a magpie');
  expect(await knowledge.restoreEntries('ann', { entry: one?.id ?? '' })).toEqual({ records: 1, known: 0 });
  expect((await texts(knowledge, 'ann', 'magpie'))[0]).toBe('a magpie');
  expect(await knowledge.restoreEntries('ann', 'latest')).toEqual({ records: 0, known: 0 });
  expect(heard).toEqual([[one?.id], [one?.id]]);
});

test('with a retention of no days, removed entries and the trash are purged at once', async () => {
  const folder = newFolder();
  const earlier = await open({ folder });
  await add(earlier.knowledge, 'ann', 'one', 'two', 'three');
  const [two] = (await earlier.knowledge.listEntries('ann', 1)).entries;
  await earlier.knowledge.removeEntry('ann', two?.id ?? '');
  const { knowledge, store } = await open({ folder, trashDays: 0 });
  await until(async () => (await store.listTrash('ann', 1)).records === 0);
  const [next] = (await knowledge.listEntries('ann', 1)).entries;
  expect(await knowledge.removeEntry('ann', next?.id ?? '')).toEqual({ records: 1, dropped: 0 });
  expect(await knowledge.removeAllEntries('ann')).toEqual({ records: 1, dropped: 0 });
  expect(await knowledge.restoreEntries('ann', 'all')).toEqual({ records: 0, known: 0 });
  expect((await knowledge.listTrash('ann', 1)).days).toBe(0);
});

test('an entry is purged after its days in the trash, and not before', async () => {
  const folder = newFolder();
  const now = Date.now() * 1000;
  const clock = { now: now - 7 * DAY_US - 60_000_000 };
  const first = await open({ folder, now: () => clock.now });
  const [old, young] = await add(first.knowledge, 'ann', 'old', 'young');
  await first.store.moveToTrash('ann', old?.id);
  clock.now = now - 7 * DAY_US + 3_600_000_000;
  await first.store.moveToTrash('ann', young?.id);
  // At the start, and in a process that was there before.
  await open({ folder });
  await until(async () => (await first.store.listTrash('ann', 5)).records === 1);
  expect((await first.store.listTrash('ann', 5)).batches[0]?.text).toBe('young');
});

test('a running process purges at intervals', async () => {
  const clock = { now: 1_000_000 };
  const { knowledge, store } = await open({ now: () => clock.now, purgeIntervalMs: 5 });
  for (const text of ['one', 'two']) {
    const [added] = await add(knowledge, 'ann', text);
    await store.moveToTrash('ann', added?.id);
    await until(async () => (await store.listTrash('ann', 5)).records === 0);
  }
  expect(await knowledge.restoreEntries('ann', 'all')).toEqual({ records: 0, known: 0 });
});

test('a full trash purges the oldest entries and reports it; a permanent removal also purges the trash', async () => {
  const { knowledge } = await open({ trashBound: { records: 3, bytes: 1000 } });
  const added = await add(knowledge, 'ann', 'one', 'two', 'three', 'four', 'five', 'six');
  const dropped: number[] = [];
  for (const { id } of added.slice(0, 4)) dropped.push((await knowledge.removeEntry('ann', id)).dropped);
  expect(dropped).toEqual([0, 0, 0, 1]);
  expect(await knowledge.removeEntry('ann', added[4]?.id ?? '', { permanent: true })).toEqual({
    records: 1,
    dropped: 0,
  });
  expect((await knowledge.listTrash('ann', 10)).batches.map(({ text }) => text)).toEqual([
    'four',
    'three',
    'two',
  ]);
  expect(await knowledge.removeAllEntries('ann', { permanent: true })).toEqual({ records: 1, dropped: 3 });
  expect((await knowledge.listTrash('ann', 10)).records).toBe(0);
  await add(knowledge, 'ann', 'seven');
  await knowledge.removeAllEntries('ann');
  expect(await knowledge.emptyTrash('ann', signal)).toBe(1);
  expect(await knowledge.restoreEntries('ann', 'all')).toEqual({ records: 0, known: 0 });
});

test('a loaded index follows a removal and a restore, also of another process', async () => {
  const folder = newFolder();
  const indexFolder = join(folder, 'indexes');
  const openIndex: KnowledgeOptions['openIndex'] = (options, path) =>
    openGrowingIndex({ ...options, threshold: 450 }, path);
  const { knowledge } = await open({ folder, indexFolder, openIndex });
  // Its own folder of indexes: what it may still be saving there is no matter of this test.
  const { knowledge: other } = await open({ folder, indexFolder: join(folder, 'other'), openIndex });
  const words = Array.from({ length: 500 }, (_, i) => `word${i} magpie`);
  const added = await add(knowledge, 'ann', ...words);
  await embedded(knowledge, 'ann');
  const nearest = async (room: Knowledge, word: string) => (await texts(room, 'ann', word))[0];
  expect(await nearest(knowledge, 'word7 magpie')).toBe('word7 magpie');
  expect(await nearest(other, 'word7 magpie')).toBe('word7 magpie');

  await knowledge.removeEntry('ann', added[7]?.id ?? '');
  expect(await texts(other, 'ann', 'word7 magpie')).not.toContain('word7 magpie');
  await knowledge.restoreEntries('ann', 'latest');
  expect(await nearest(knowledge, 'word7 magpie')).toBe('word7 magpie');
  expect(await nearest(other, 'word7 magpie')).toBe('word7 magpie');

  await knowledge.removeAllEntries('ann');
  expect(existsSync(indexFolder) ? readdirSync(indexFolder) : []).toEqual([]);
  expect(await texts(knowledge, 'ann', 'word9 magpie')).toEqual([]);
  expect(await texts(other, 'ann', 'word9 magpie')).toEqual([]);
  await other.restoreEntries('ann', 'latest');
  expect(await knowledge.readStats('ann')).toMatchObject({ records: 500, pending: 0 });
  for (const room of [knowledge, other]) {
    const [first] = await room.findPassages('ann', 'word9 magpie', { includeValues: true }, signal);
    expect(first).toMatchObject({ passage: { text: 'word9 magpie' } });
    expect(first?.values?.length).toBeGreaterThan(0);
  }
});

test('an entry that was restored without a vector gets one', async () => {
  const embedder = createWordEmbedder();
  const { knowledge, store } = await open({ embedder });
  const [added] = await add(knowledge, 'ann', 'a magpie');
  await knowledge.removeAllEntries('ann');
  await add(knowledge, 'ann', 'later');
  await embedded(knowledge, 'ann');
  await knowledge.restoreEntries('ann', 'all');
  await embedded(knowledge, 'ann');
  await until(async () => (await store.listVectors('ann', embedder.name, 0, 10)).length === 2);
  expect((await knowledge.findEntry('ann', added?.id ?? ''))?.text).toBe('a magpie');
});

test('a reset beyond the limit outlives later deletions and is restored whole', async () => {
  const { knowledge } = await open({ trashBound: { records: 3, bytes: 1000 } });
  await add(knowledge, 'ann', 'one', 'two', 'three', 'four', 'five');
  const { trash } = await knowledge.removeAllEntries('ann');
  const [later] = await add(knowledge, 'ann', 'later');
  expect((await knowledge.removeEntry('ann', later?.id ?? '')).dropped).toBe(0);
  expect(await knowledge.restoreEntries('ann', { batch: trash?.id ?? '' })).toEqual({ records: 5, known: 0 });
  expect(await knowledge.restoreEntries('ann', 'latest')).toEqual({ records: 1, known: 0 });
});

test('a restore of the latest deletion uses the newest deletion that is still in the trash', async () => {
  const { knowledge } = await open();
  const [a, b] = await add(knowledge, 'ann', 'a', 'b');
  await knowledge.removeEntry('ann', a?.id ?? '');
  await knowledge.removeEntry('ann', b?.id ?? '');
  await knowledge.restoreEntries('ann', { entry: b?.id ?? '' });
  expect(await knowledge.restoreEntries('ann', 'latest')).toEqual({ records: 1, known: 0 });
  expect((await knowledge.findEntry('ann', a?.id ?? ''))?.text).toBe('a');
});

test('an import restores an entry that was deleted before it had a vector, and the entry gets one', async () => {
  const embedder = createWordEmbedder();
  const { knowledge, store } = await open({ embedder });
  const [lost] = await store.insertEntries([{ owner: 'ann', entry: await prepared({ text: 'a magpie' }) }]);
  const id = lost?.id ?? '';
  const at = Number(id.slice('ann-'.length));
  await store.moveToTrash('ann', id);
  await add(knowledge, 'ann', 'later');
  await embedded(knowledge, 'ann');
  const entry = { id, text: 'a magpie', title: '', source: '', tags: [], createdAt: at, updatedAt: at };
  expect((await knowledge.restoreEntry('ann', entry, signal)).id).toBe(id);
  await knowledge.waitForVectors(Number.POSITIVE_INFINITY, signal);
  expect(await store.listVectors('ann', embedder.name, 0, 10)).toHaveLength(2);
  expect((await knowledge.readStats('ann')).pending).toBe(0);
});

test('a restore that a killed process left unfinished is completed at the next start, and embedded', async () => {
  const folder = newFolder();
  const embedder = createWordEmbedder();
  const killed = await open({ folder, embedder });
  await killed.store.insertEntries([{ owner: 'ann', entry: await prepared({ text: 'a magpie' }) }]);
  await killed.store.moveToTrash('ann');
  await add(killed.knowledge, 'ann', 'later');
  await embedded(killed.knowledge, 'ann');
  await killed.db.write((sql) => {
    sql.run('UPDATE kb_entries SET trash = -1 WHERE trash > 1');
    sql.run(
      'UPDATE kb_owners SET records = records + 1, passages = passages + 1, searched = searched + 1, words = words + 2, bytes = bytes + 8',
    );
  });
  const { knowledge, store } = await open({ folder, embedder });
  await knowledge.waitForVectors(Number.POSITIVE_INFINITY, signal);
  expect(await store.listVectors('ann', embedder.name, 0, 10)).toHaveLength(2);
});

test('entries that were moved before a step failed are announced, and an unfinished restore is not a failure', async () => {
  const warned: unknown[] = [];
  const log = { ...createLog('silent'), warn: (...words: unknown[]) => warned.push(words) };
  const { knowledge, store, db } = await open({ log: log as never });
  /** From here on, entries get that number in their row up to so many. */
  const fail = (number: string, most: number) =>
    db.write((sql) => {
      sql.run('DROP TRIGGER IF EXISTS disk_full');
      sql.run(
        `CREATE TEMP TRIGGER disk_full BEFORE UPDATE OF trash ON main.kb_entries WHEN NEW.trash ${number}
           AND (SELECT count(*) FROM main.kb_entries WHERE trash <> 0 AND trash ${number}) >= ${most}
         BEGIN SELECT raise(ABORT, 'disk full'); END`,
      );
    });
  const additions = await Promise.all(
    Array.from({ length: 1200 }, async (_, n) => ({
      owner: 'ann',
      entry: await prepared({ text: `text ${n}` }),
    })),
  );
  await store.insertEntries(additions);
  const heard: number[] = [];
  knowledge.onChange((_owner, { ids }) => heard.push(ids.length));
  await fail('> 1', 1000);
  await expect(knowledge.removeAllEntries('ann')).rejects.toThrow('disk full');
  expect(heard).toEqual([1000]);
  await fail('= -1', 500);
  await expect(knowledge.restoreEntries('ann', 'all')).rejects.toThrow('disk full');
  expect(heard).toEqual([1000, 500]);
  // The check of the vectors fails.
  await fail('= 0', 0);
  expect(await knowledge.restoreEntries('ann', 'latest')).toEqual({ records: 500, known: 0 });
  expect(heard).toEqual([1000, 500, 500]);
  expect(JSON.stringify(warned)).toContain('entries are restored');
  expect((await store.readCounts('ann')).records).toBe(1200);
  // What is removed for good is announced as well, though not all of it could be.
  heard.length = 0;
  await db.write((sql) => {
    sql.run('DROP TRIGGER IF EXISTS disk_full');
    sql.run(
      `CREATE TEMP TRIGGER disk_full BEFORE DELETE ON main.kb_entries
         WHEN (SELECT count(*) FROM main.kb_entries) <= 300 BEGIN SELECT raise(ABORT, 'disk full'); END`,
    );
  });
  await expect(knowledge.removeAllEntries('ann', { permanent: true })).rejects.toThrow('disk full');
  const left = (await store.readCounts('ann')).records;
  expect(left).toBeGreaterThanOrEqual(300);
  expect(heard.reduce((sum, one) => sum + one, 0)).toBe(1200 - left);
  expect(left).toBeLessThan(1200);
});
