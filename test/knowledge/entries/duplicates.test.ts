import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { listDuplicateGroups } from '../../../src/knowledge/entries/duplicates.ts';
import { computeTextSketch, estimateTextSimilarity } from '../../../src/knowledge/entries/text-sketch.ts';
import { openGrowingIndex } from '../../../src/knowledge/indexes/growing.ts';
import { createKnowledge } from '../../../src/knowledge/knowledge.ts';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import type { DuplicateGroup, Knowledge, NewEntry } from '../../../src/knowledge/types.ts';
import { createLog } from '../../../src/log.ts';
import { prepared } from '../../helpers/entry-stores.ts';
import { processorSecondsOf } from '../../helpers/processor-time.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';
import { createWordEmbedder } from '../../helpers/word-embedder.ts';

/** Entries that are nearly the same: found, named with an insert, and merged. */

const signal = AbortSignal.timeout(300_000);
const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open({ failing = false, trashDays = 7 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-duplicates-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  const db = await openTestDatabase({ folder });
  const store = createEntryStore(db);
  const embedder = createWordEmbedder();
  if (failing) embedder.failure = () => new Error('no model');
  const log = createLog('silent');
  const knowledge = createKnowledge({ store, embedder, openIndex: openGrowingIndex, log, trashDays });
  closers.push(async () => {
    await knowledge.close();
    db.close();
  });
  return { knowledge, store };
}

async function add(
  knowledge: Knowledge,
  owner: string,
  ...entries: readonly (string | NewEntry)[]
): Promise<string[]> {
  const ids: string[] = [];
  for (const one of entries) {
    const entry = typeof one === 'string' ? { text: one } : one;
    ids.push((await knowledge.insertEntry(owner, entry, signal)).id);
  }
  return ids;
}

async function groupsOf(knowledge: Knowledge, owner: string, collection?: string) {
  const { groups } = await knowledge.findDuplicates(owner, { collection, signal, progress() {} });
  return groups.map(({ entries }: DuplicateGroup) => entries.map(({ id }) => id));
}

const GATE =
  'The code of the garden gate is 4711, and the spare key lies under the third pot on the left of the door.';
const GATE_AGAIN = `${GATE.replace('the third pot', 'the third big pot')} Ask Anna.`;
const OTHER = 'A magpie builds a domed nest of thorny twigs with an entrance at its side, high up in a tree.';

test('similarity is computed from words and pairs of words, in any script', () => {
  const alike = (a: string, b: string) => estimateTextSimilarity(computeTextSketch(a), computeTextSketch(b));
  expect(alike(GATE, GATE)).toBe(1);
  expect(alike(GATE, GATE.toUpperCase().replaceAll(',', ' -'))).toBe(1);
  expect(alike(GATE, GATE_AGAIN)).toBeGreaterThan(0.8);
  expect(alike(GATE, OTHER)).toBeLessThan(0.2);
  expect(alike('', GATE)).toBe(0);
  for (const [one, other] of [
    ['🇩🇪', '🇫🇷'],
    ['C++', 'C#'],
    ['C++', 'C'],
    ['€', '$'],
  ])
    expect(alike(`${one} desk: room four`, `${other} desk: room four`)).toBeLessThan(0.8);
  expect(
    alike('庭の門の暗証番号は4711です。鍵は鉢の下', '庭の門の暗証番号は4711です。鍵は鉢の下にある'),
  ).toBeGreaterThan(0.8);
  const long = Array.from({ length: 20_000 }, (_, n) => `word${(n * 7919) % 20_011}`);
  const half = long.map((word, n) => (n % 10 === 0 ? `${word}x` : word));
  // One word in ten is another one: 0.9 / 1.1 of the words and 0.8 / 1.2 of the pairs are shared, 0.74 of both.
  expect(Math.abs(alike(long.join(' '), half.join(' ')) - 0.74)).toBeLessThan(0.15);
});

test('groups have entries of one collection and one owner only', async () => {
  const { knowledge } = await open();
  const [gate = '', , again = '', keyed = ''] = await add(
    knowledge,
    'ann',
    GATE,
    OTHER,
    GATE_AGAIN,
    { text: `${GATE} Really.`, key: 'gate' },
    { text: GATE_AGAIN, collection: 'work' },
  );
  await add(knowledge, 'bob', GATE, OTHER);
  expect(await groupsOf(knowledge, 'ann')).toEqual([[keyed, gate, again]]);
  expect(await groupsOf(knowledge, 'ann', 'work')).toEqual([]);
  expect(await groupsOf(knowledge, 'bob')).toEqual([]);
  await knowledge.removeEntry('ann', again);
  expect(await groupsOf(knowledge, 'ann')).toEqual([[keyed, gate]]);
});

test('vectors decide where words leave the similarity open', async () => {
  const parts = [
    'Anna plants tomatoes carrots beans and onions behind the old barn in spring before the rain comes',
    'In spring before the rain comes Anna plants onions beans carrots and tomatoes behind the old barn',
    'Kim sells tomatoes carrots beans and onions behind a new shop in winter before the snow comes',
  ];
  const { knowledge } = await open();
  const [first = '', second = ''] = await add(knowledge, 'ann', ...parts);
  await knowledge.waitForVectors(10, signal);
  expect(await groupsOf(knowledge, 'ann')).toEqual([[first, second]]);
  const { knowledge: without } = await open({ failing: true });
  await add(without, 'ann', ...parts);
  expect(await groupsOf(without, 'ann')).toEqual([]);
});

test('many equal entries make one group, in little processor time', async () => {
  const { knowledge, store } = await open({ failing: true });
  const count = 6000;
  for (let at = 0; at < count; at += 250) {
    const some = Array.from({ length: 250 }, (_, n) =>
      (at + n) % 2 === 0
        ? `${GATE} Note ${at + n}.`
        : `Entry ${at + n} on a matter ${n * 31} of its own, number ${at * 7 + n}`,
    );
    await store.insertEntries(
      await Promise.all(some.map(async (text) => ({ owner: 'ann', entry: await prepared({ text }) }))),
    );
  }
  let found: string[][] = [];
  const seconds = await processorSecondsOf(async () => {
    found = await groupsOf(knowledge, 'ann');
  });
  expect(found.some((group) => group.length === count / 2)).toBe(true);
  // It takes 0.4 s, and where each entry is compared with each other some 5 s.
  expect(seconds).toBeLessThan(2.5);
});

test('an insert reports near duplicates at once, within its collection and owner', async () => {
  const { knowledge } = await open();
  const similar = async (owner: string, id: string, text: string, collection = 'default') =>
    (await knowledge.findRelated(owner, { id, text, collection }, signal)).similar;
  const [gate = ''] = await add(knowledge, 'ann', GATE, OTHER);
  const [again = ''] = await add(knowledge, 'ann', GATE_AGAIN);
  expect(await similar('ann', again, GATE_AGAIN)).toEqual([{ id: gate, score: expect.closeTo(0.84, 1) }]);
  // The index of words has it by now.
  await knowledge.findPassages('ann', 'gate', {}, signal);
  expect((await similar('ann', again, GATE_AGAIN)).map(({ id }) => id)).toEqual([gate]);
  expect(await similar('ann', 'x', GATE, 'work')).toEqual([]);
  expect(await similar('bob', 'x', GATE)).toEqual([]);
  expect(await similar('ann', 'x', 'quite something else about ferries')).toEqual([]);
  await knowledge.removeEntry('ann', gate);
  expect(await similar('ann', again, GATE_AGAIN)).toEqual([]);
  const blue = await add(knowledge, 'ann', 'My favourite colour is blue');
  expect((await similar('ann', 'x', 'My favourite colour is green')).map(({ id }) => id)).toEqual(blue);
});

test('that report takes little processor time, however many entries the owner has', async () => {
  const { knowledge, store } = await open({ failing: true });
  for (let at = 0; at < 3000; at += 300) {
    const some = Array.from(
      { length: 300 },
      (_, n) => `${OTHER} The note of day ${at + n} says what the gate was like.`,
    );
    await store.insertEntries(
      await Promise.all(some.map(async (text) => ({ owner: 'ann', entry: await prepared({ text }) }))),
    );
  }
  const ask = () =>
    knowledge.findRelated('ann', { id: 'x', text: `${OTHER} day 77`, collection: 'default' }, signal);
  await ask();
  const seconds = await processorSecondsOf(async () => {
    for (let n = 0; n < 60; n++) await ask();
  });
  // It takes 0.2 s, and where all entries are read 2 s.
  expect(seconds).toBeLessThan(1);
});

test('a merge keeps the first entry, joins the metadata of the others, and can be undone', async () => {
  const { knowledge } = await open();
  const [first = '', second = '', third = ''] = await add(
    knowledge,
    'ann',
    { text: GATE, tags: ['home'] },
    { text: GATE_AGAIN, tags: ['garden', 'home'], title: 'Gate', source: 'https://x.example/' },
    { text: `${GATE} Really.`, key: 'gate' },
  );
  const [foreign = ''] = await add(knowledge, 'bob', GATE);
  const merge = (...ids: string[]) => knowledge.mergeEntries('ann', ids, signal);
  await expect(merge(first)).rejects.toThrow('two entries or more');
  await expect(merge(first, first)).rejects.toThrow('two entries or more');
  await expect(merge(first, foreign)).rejects.toThrow('there is no entry');
  const { entry, removed } = await merge(first, second, third);
  expect(entry).toMatchObject({
    ...{
      id: first,
      text: GATE,
      tags: ['home', 'garden'],
      title: 'Gate',
      source: 'https://x.example/',
      key: '',
    },
  });
  expect(removed).toMatchObject({ records: 2, trash: { id: expect.stringMatching(/^\d+$/) } });
  expect((await knowledge.listEntries('ann', 10)).entries.map(({ id }) => id)).toEqual([first]);
  expect(await knowledge.restoreEntries('ann', { batch: removed.trash?.id ?? '' })).toEqual({
    records: 2,
    known: 0,
  });
  expect((await knowledge.listEntries('ann', 10)).entries.map(({ id }) => id)).toEqual([
    third,
    second,
    first,
  ]);

  const { knowledge: without } = await open({ trashDays: 0 });
  const ids = await add(without, 'ann', GATE, GATE_AGAIN);
  expect((await without.mergeEntries('ann', ids, signal)).removed).toEqual({ records: 1, dropped: 0 });
});

test('the same text from two addresses is found, and a merge keeps both addresses', async () => {
  const { knowledge } = await open();
  const from = async (key: string, source: string) =>
    (await knowledge.insertEntry('ann', { text: 'How herons fish at night', key, source }, signal)).id;
  const long = `https://c.example/${'x'.repeat(100)}`;
  const ids = [
    await from('a', 'https://a.example/heron'),
    await from('b', 'https://b.example/heron'),
    await from('c', long),
  ];
  const { groups } = await knowledge.findDuplicates('ann', { signal, progress() {} });
  expect(groups.map(({ score, entries }) => [score, entries.map(({ id }) => id)])).toEqual([[1, ids]]);
  const { entry, left } = await knowledge.mergeEntries('ann', ids, signal);
  expect(entry).toMatchObject({ source: 'https://a.example/heron', tags: ['https://b.example/heron'] });
  expect(left).toEqual([long]);
});

test('groups are made in steps, the most similar first, and entries with keys before the others', () => {
  const shown = (at: number) => ({
    ...{ id: `ann-${at}`, title: '', text: '', collection: 'default', createdAt: at },
    key: at === 3 ? 'mine' : '',
  });
  const entries = Array.from({ length: 8 }, (_, at) => ({ shown: shown(at) }));
  const roots = [0, 1, 0, 0, 1, 5, 6, 6];
  const scores = new Map([
    [0, 0.8],
    [1, 0.9],
    [6, 0.904],
  ]);
  const steps = listDuplicateGroups(entries, {
    rootOf: (at) => roots[at] ?? at,
    scoreOf: (root) => scores.get(root) ?? 1,
  });
  let count = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) count++;
  expect(count).toBeGreaterThanOrEqual(entries.length);
  expect(step.value.map(({ score, entries: of }) => [score, of.map(({ id }) => id)])).toEqual([
    [0.9, ['ann-1', 'ann-4']],
    [0.9, ['ann-6', 'ann-7']],
    [0.8, ['ann-3', 'ann-0', 'ann-2']],
  ]);
});
