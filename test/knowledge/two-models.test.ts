import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openGrowingIndex } from '../../src/knowledge/indexes/growing.ts';
import { createKnowledge, type KnowledgeOptions } from '../../src/knowledge/knowledge.ts';
import { createIndexFiles } from '../../src/knowledge/ranking/index-files.ts';
import type { EntryStore } from '../../src/knowledge/store.ts';
import { createEntryStore } from '../../src/knowledge/stores/entry-store.ts';
import type { Knowledge } from '../../src/knowledge/types.ts';
import type { Database } from '../../src/storage/sqlite.ts';
import { temporaryFolder } from '../helpers/magpie.ts';
import { openTestDatabase } from '../helpers/test-database.ts';
import { createWordEmbedder, type WordEmbedder } from '../helpers/word-embedder.ts';

/** Two models at once: an English one of 64 dimensions, and one of 32 that knows some Chinese. */

const DENTIST = '星期二上午十点去看牙医';
const BREAD = '晚上买牛奶和面包';
const signal = new AbortController().signal;

let folder: ReturnType<typeof temporaryFolder>;
let english: WordEmbedder;
let multilingual: WordEmbedder;
const rooms: { db: Database; knowledge: Knowledge }[] = [];
const warnings: string[] = [];

beforeEach(() => {
  folder = temporaryFolder();
  english = createWordEmbedder({ name: 'english' });
  multilingual = createWordEmbedder({ name: 'multilingual', dimensions: 32 });
  warnings.length = 0;
});

afterEach(async () => {
  for (const { knowledge, db } of rooms.splice(0)) {
    await knowledge.close();
    db.close();
  }
  folder.remove();
});

async function open(
  options: Partial<KnowledgeOptions> = {},
): Promise<{ knowledge: Knowledge; store: EntryStore; db: Database }> {
  const db = await openTestDatabase({ folder: folder.path });
  const store = createEntryStore(db);
  const warn = (_facts: unknown, message?: string) => void warnings.push(message ?? '');
  const knowledge = createKnowledge({
    ...{ store, embedder: english, multilingual, openIndex: openGrowingIndex },
    log: { warn, info() {} } as KnowledgeOptions['log'],
    indexFolder: join(folder.path, 'indexes'),
    changesIntervalMs: 20,
    searchIntervalMs: 50,
    ...options,
  });
  rooms.push({ db, knowledge });
  return { knowledge, store, db };
}

const note = (n: number) => `Note ${n}: the meeting about the budget is on the second day of the week.`;
const settled = (knowledge: Knowledge) => knowledge.waitForVectors(Number.POSITIVE_INFINITY, signal);
const kinds = (embedder: WordEmbedder, kind: string) =>
  embedder.asked.filter((one) => one.kind === kind).map(({ text }) => text);

async function addEnglish(knowledge: Knowledge, owner: string, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, n) => knowledge.insertEntry(owner, { text: note(n) }, signal)),
  );
}

test('English texts use the English model alone; the other model is never called', async () => {
  const { knowledge } = await open();
  await addEnglish(knowledge, 'ann', 3);
  await settled(knowledge);
  await knowledge.findPassages('ann', 'when is the meeting', {}, signal);
  expect(await knowledge.readStats('ann')).toMatchObject({ model: 'english', pending: 0 });
  expect(kinds(english, 'query')).toEqual(['when is the meeting']);
  expect(multilingual.asked).toEqual([]);
});

test('one Chinese note in three changes the model of its owner, and of no other', async () => {
  const { knowledge, store } = await open();
  await addEnglish(knowledge, 'ann', 2);
  await addEnglish(knowledge, 'bob', 2);
  await settled(knowledge);
  await knowledge.insertEntry('ann', { text: DENTIST }, signal);
  await settled(knowledge);
  expect(await knowledge.readStats('ann')).toMatchObject({
    model: 'multilingual',
    pending: 0,
    nonenglish: 1,
  });
  expect(await knowledge.readStats('bob')).toMatchObject({ model: 'english', pending: 0 });
  expect(await store.listVectors('bob', 'multilingual', 0, 10)).toEqual([]);
  expect(await store.listVectors('ann', 'multilingual', 0, 10)).toHaveLength(3);
  await knowledge.findPassages('ann', 'meeting', { includeValues: true }, signal);
  const [match] = await knowledge.findPassages('bob', 'meeting', { includeValues: true }, signal);
  expect(kinds(multilingual, 'query')).toEqual(['meeting']);
  expect(match?.values).toHaveLength(64);
  expect(await knowledge.readEmbeddingProgress()).toEqual({
    ...{ model: 'english', multilingual: 'multilingual', done: 5, total: 5 },
  });
  expect(await knowledge.readLanguages('ann')).toEqual({
    ...{ passages: 3, nonenglish: 1, suits: 'multilingual', model: 'multilingual' },
  });
});

test('the vectors of the previous model are searched until those of the new model are complete', async () => {
  const { knowledge } = await open({ pauseMs: 5 });
  await addEnglish(knowledge, 'ann', 80);
  await settled(knowledge);
  let held = true;
  multilingual.failure = () => (held ? new Error('not yet') : undefined);
  for (let n = 0; n < 10; n++) await knowledge.insertEntry('ann', { text: `${DENTIST}${n}` }, signal);
  await expect.poll(async () => (await knowledge.readStats('ann')).model).toBe('multilingual');
  const [match] = await knowledge.findPassages('ann', 'meeting', { includeValues: true }, signal);
  expect(match?.values).toHaveLength(64);
  expect((await knowledge.readStats('ann')).pending).toBe(90);
  held = false;
  await expect.poll(async () => (await knowledge.readStats('ann')).pending, { timeout: 60_000 }).toBe(0);
  const [after] = await knowledge.findPassages('ann', 'meeting', { includeValues: true }, signal);
  expect(after?.values).toHaveLength(32);
});

test('a question in Chinese about English texts counts too', async () => {
  const { knowledge } = await open();
  await addEnglish(knowledge, 'ann', 3);
  await settled(knowledge);
  await knowledge.findPassages('ann', 'what is a Kindergarten', {}, signal);
  expect((await knowledge.readStats('ann')).model).toBe('english');
  expect(await knowledge.findPassages('ann', '会议是什么时候', {}, signal)).not.toEqual([]);
  await settled(knowledge);
  expect(await knowledge.readStats('ann')).toMatchObject({ model: 'multilingual', pending: 0 });
});

test('after the Chinese notes are removed the model changes back; vectors and index files of the other model are removed', async () => {
  const { knowledge, store, db } = await open();
  await addEnglish(knowledge, 'ann', 5);
  const { id } = await knowledge.insertEntry('ann', { text: DENTIST }, signal);
  await settled(knowledge);
  await knowledge.removeEntry('ann', id);
  expect((await knowledge.readStats('ann')).model).toBe('english');
  await settled(knowledge);
  expect(await knowledge.readStats('ann')).toMatchObject({ pending: 0 });
  await expect.poll(async () => (await store.listVectors('ann', 'multilingual', 0, 10)).length).toBe(0);
  expect(await store.listVectors('ann', 'english', 0, 10)).toHaveLength(5);
  // The note comes back from the trash, without a vector of either model.
  await knowledge.restoreEntries('ann', 'latest');
  await settled(knowledge);
  expect(await knowledge.readStats('ann')).toMatchObject({ model: 'multilingual', pending: 0, records: 6 });
  await expect.poll(async () => (await store.listVectors('ann', 'english', 0, 10)).length).toBe(0);
  expect(await store.listVectors('ann', 'multilingual', 0, 10)).toHaveLength(6);
  expect(await db.read((sql) => sql.all('SELECT name FROM kb_models ORDER BY name'))).toEqual([
    { name: 'english' },
    { name: 'multilingual' },
  ]);
});

test('an index file is removed with its vectors', async () => {
  const { knowledge } = await open();
  await addEnglish(knowledge, 'ann', 3);
  await settled(knowledge);
  const indexes = join(folder.path, 'indexes');
  mkdirSync(indexes, { recursive: true });
  const fileOf = (owner: string, model: string) => `${createIndexFiles(indexes, model).pathOf(owner)}.graph`;
  const files = [fileOf('ann', 'english'), fileOf('ann', 'multilingual'), fileOf('bob', 'english')];
  for (const file of files) writeFileSync(file, '');
  await knowledge.insertEntry('ann', { text: DENTIST }, signal);
  await expect.poll(() => files.map((file) => existsSync(file))).toEqual([false, true, true]);
});

test('a process that is killed during the change of model loses nothing, and the change continues', async () => {
  const first = await open();
  await addEnglish(first.knowledge, 'ann', 300);
  await Promise.all(
    Array.from({ length: 15 }, (_, n) =>
      first.knowledge.insertEntry('ann', { text: `${BREAD}${n}` }, signal),
    ),
  );
  await settled(first.knowledge);
  expect(await first.knowledge.readStats('ann')).toMatchObject({ model: 'english', pending: 0 });
  for (const { knowledge, db } of rooms.splice(0)) {
    await knowledge.close();
    db.close();
  }
  const program = fileURLToPath(new URL('../helpers/changing-process.ts', import.meta.url));
  const left: number[] = [];
  for (const [text, below] of [
    [DENTIST, 250],
    ['', 1],
  ] as const) {
    const child = spawn(process.execPath, [program, folder.path, text], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let begun: number | undefined;
    for await (const line of createInterface({ input: child.stdout })) {
      const [model, pending = ''] = line.split(' ');
      expect(model).toBe('multilingual');
      begun ??= Number(pending);
      if (Number(pending) < below) child.kill('SIGKILL');
    }
    left.push(begun ?? 0);
  }
  // Each began where the one before it was killed, or further.
  expect(left.toSorted((a, b) => b - a)).toEqual(left);
  expect(left[1]).toBeLessThan(316);
  const { knowledge, db, store } = await open();
  expect(await db.read((sql) => sql.all('PRAGMA integrity_check'))).toEqual([{ integrity_check: 'ok' }]);
  await settled(knowledge);
  expect(await knowledge.readStats('ann')).toMatchObject({ model: 'multilingual', pending: 0, records: 316 });
  expect(await store.listVectors('ann', 'multilingual', 0, 1000)).toHaveLength(316);
  await expect.poll(async () => (await store.listVectors('ann', 'english', 0, 1000)).length).toBe(0);
  const [match] = await knowledge.findPassages('ann', DENTIST, {}, signal);
  expect(match?.passage.text).toBe(DENTIST);
});

test('processes that share the folder agree on the model, and each finds the vectors of the other', async () => {
  const one = await open();
  const other = await open();
  await addEnglish(one.knowledge, 'ann', 3);
  await settled(one.knowledge);
  await other.knowledge.insertEntry('ann', { text: BREAD }, signal);
  expect((await one.knowledge.readStats('ann')).model).toBe('multilingual');
  await expect.poll(async () => (await one.knowledge.readStats('ann')).pending).toBe(0);
  const before = kinds(multilingual, 'query').length;
  const [match] = await one.knowledge.findPassages('ann', '面包', { includeValues: true }, signal);
  expect(match?.passage.text).toBe(BREAD);
  expect(match?.values).toHaveLength(32);
  expect(kinds(multilingual, 'query').length).toBe(before + 1);
});

test('a process with the English model alone and one with both models do not remove the vectors of each other', async () => {
  const alone = await open({ multilingual: undefined });
  const both = await open();
  await addEnglish(alone.knowledge, 'ann', 2);
  await both.knowledge.insertEntry('ann', { text: DENTIST }, signal);
  await settled(both.knowledge);
  await expect.poll(async () => (await alone.knowledge.readStats('ann')).pending).toBe(0);
  // Some searches for what is to be dropped.
  for (let n = 0; n < 5; n++) {
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await both.store.listVectors('ann', 'english', 0, 10)).toHaveLength(3);
    expect(await both.store.listVectors('ann', 'multilingual', 0, 10)).toHaveLength(3);
  }
});

test('where no model reads the texts, stats and the log name the missing package, except to users of English texts', async () => {
  const { knowledge } = await open({ multilingual: undefined, remedy: 'Add it with one command.' });
  await addEnglish(knowledge, 'ann', 3);
  await settled(knowledge);
  expect((await knowledge.readStats('ann')).advice).toBeUndefined();
  expect(warnings).toEqual([]);
  for (const text of [DENTIST, BREAD]) await knowledge.insertEntry('bob', { text }, signal);
  const advice =
    '2 of 2 passages are not in English: the model in use reads English only, and finds them by their words and hardly ' +
    'by their meaning. Add it with one command.';
  expect(await knowledge.readStats('bob')).toMatchObject({ model: 'english', nonenglish: 2, advice });
  expect(await knowledge.readLanguages('bob')).toMatchObject({ suits: 'multilingual', advice });
  expect((await knowledge.readLanguages('ann')).advice).toBeUndefined();
  await expect.poll(() => warnings.filter((line) => line.includes('not in English'))).toHaveLength(1);
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(warnings).toHaveLength(1);
});

test('the advice belongs to the current question, and an English question after it has no advice', async () => {
  const { knowledge } = await open({ multilingual: undefined, remedy: 'Add it with one command.' });
  await addEnglish(knowledge, 'ann', 3);
  for (let n = 0; n < 3; n++) await knowledge.findPassages('ann', '牙医在哪里', {}, signal);
  expect((await knowledge.readStats('ann')).advice).toMatch(/^Questions were not in English/);
  expect((await knowledge.readLanguages('ann', 'where is the key')).advice).toBeUndefined();
  for (const question of ['牙医在哪里', 'Wo ist der Schlüssel?'])
    expect((await knowledge.readLanguages('ann', question)).advice).toMatch(
      /^The question is not in English: /,
    );
  await knowledge.insertEntry('bob', { text: DENTIST }, signal);
  expect((await knowledge.readLanguages('bob', 'where is the key')).advice).toMatch(/^1 of 1 passages/);
});

test('where the chosen model is missing, all answers and the log name the package to add, and texts are found by words', async () => {
  const missing = 'The model is not installed. Add it with one command.';
  english.failure = () => new Error('not there');
  const { knowledge } = await open({ multilingual: undefined, missing, pauseMs: 5 });
  await addEnglish(knowledge, 'ann', 3);
  await knowledge.insertEntry('bob', { text: DENTIST }, signal);
  const [found] = await knowledge.findPassages('bob', '牙医', {}, signal);
  expect(found?.passage.text).toBe(DENTIST);
  for (const owner of ['ann', 'bob']) {
    expect(await knowledge.readLanguages(owner)).toMatchObject({ advice: missing });
    expect(await knowledge.readStats(owner)).toMatchObject({ advice: missing });
  }
  await expect.poll(() => warnings).toContain(missing);
  expect(warnings.filter((line) => line === missing)).toHaveLength(1);
});

test('a failing model does not keep owners of the other model waiting', async () => {
  const { knowledge } = await open({ pauseMs: 5 });
  multilingual.failure = () => new Error('broken');
  await knowledge.insertEntry('ann', { text: DENTIST }, signal);
  await addEnglish(knowledge, 'bob', 3);
  await expect.poll(async () => (await knowledge.readStats('bob')).pending).toBe(0);
  expect((await knowledge.readStats('ann')).pending).toBe(1);
  expect(
    (await knowledge.findPassages('ann', '牙医', {}, signal)).map(({ passage }) => passage.text),
  ).toEqual([DENTIST]);
});
