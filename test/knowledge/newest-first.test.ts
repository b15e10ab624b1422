import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openGrowingIndex } from '../../src/knowledge/indexes/growing.ts';
import { createKnowledge } from '../../src/knowledge/knowledge.ts';
import { createEntryStore } from '../../src/knowledge/stores/entry-store.ts';
import type { BackedUpEntry, NewEntry, QueryOptions } from '../../src/knowledge/types.ts';
import { openTestDatabase } from '../helpers/test-database.ts';
import { createWordEmbedder } from '../helpers/word-embedder.ts';

/** Of entries that say different things of one subject, the newest comes first, and an insert names the older ones. */

const { signal } = new AbortController();
const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-newest-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  const db = await openTestDatabase({ folder });
  const log = { warn() {}, info() {} };
  let now = Date.now() * 1000;
  const knowledge = createKnowledge({
    // Each change comes a millisecond later, however fast the machine is.
    store: createEntryStore(db, { now: () => (now += 1000) }),
    embedder: createWordEmbedder(),
    openIndex: openGrowingIndex,
    log,
  });
  closers.push(async () => {
    await knowledge.close();
    db.close();
  });
  const keep = async (text: string, facts: Partial<NewEntry> = {}) =>
    (await knowledge.insertEntry('ann', { text, ...facts }, signal)).id;
  const ask = async (q: string, options: QueryOptions = {}) =>
    (await knowledge.findPassages('ann', q, options, signal)).map(
      ({ passage: { of, text }, score, weak = false, replaces, supersededBy }) => ({
        ...{ id: of, text, score, weak, replaces, supersededBy },
      }),
    );
  const conflicts = async (
    id: string,
    text: string,
    { collection = 'default', ...facts }: Partial<NewEntry> = {},
  ) => (await knowledge.findRelated('ann', { id, text, collection, ...facts }, signal)).conflicts;
  return { knowledge, keep, ask, conflicts };
}

const OLD = 'The gate code is 4821.';
const NEW = 'Update: the gate code is 7730 now, so learn it by heart and forget the one of last year.';
const CODE = 'gate code 4821';

describe('of two values of one subject', () => {
  test('the newer comes first, with scores in order, and both are marked', async () => {
    const { keep, ask } = await open();
    const old = await keep(OLD);
    await keep('The gate squeaks, and its code is a secret.');
    const young = await keep(NEW);
    const matches = await ask(CODE);
    expect(matches[0]).toMatchObject({ id: young, replaces: [old], supersededBy: undefined });
    const place = matches.findIndex(({ id }) => id === old);
    expect(matches[place]).toMatchObject({ replaces: undefined, supersededBy: young });
    expect(place).toBeGreaterThan(0);
    const scores = matches.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    const weak = matches.map((match) => match.weak);
    expect(weak).toEqual([...weak].sort());
    const [only, ...more] = await ask(CODE, { topK: 1 });
    expect([only?.id, more]).toEqual([young, []]);
  });

  test('the newest of three replaces both others', async () => {
    const { keep, ask } = await open();
    const first = await keep('The gate code is 1111.');
    const second = await keep('The gate code is 2222.');
    const third = await keep('The gate code is 3333.');
    const matches = await ask('gate code 1111');
    expect(matches[0]).toMatchObject({ id: third, replaces: expect.arrayContaining([first, second]) });
    expect(matches.slice(1).map(({ supersededBy }) => supersededBy)).toEqual([third, third]);
  });

  test.each([
    ['collections', { collection: 'work' }],
    ['titles', { title: 'The office' }],
  ])('both stay as they are in two %s', async (_, facts) => {
    const { keep, ask, conflicts } = await open();
    await keep(OLD);
    const id = await keep(NEW, facts);
    const matches = await ask(CODE);
    expect(matches).toHaveLength(2);
    expect(matches[0]?.text).toBe(OLD);
    for (const match of matches)
      expect(match).toMatchObject({ replaces: undefined, supersededBy: undefined });
    expect(await conflicts(id, NEW, facts)).toEqual([]);
  });

  test('a text that replaced another by its key is as new as the replacement', async () => {
    const { keep, ask } = await open();
    const keyed = await keep('The gate code is 1111.', { key: 'gate' });
    const old = await keep(OLD);
    await keep('The gate code is 7730.', { key: 'gate' });
    expect((await ask(CODE))[0]).toMatchObject({ id: keyed, replaces: [old] });
  });

  test('an older text that is imported later stays the older one', async () => {
    const { knowledge, keep, ask } = await open();
    const young = await keep(NEW);
    const [createdAt, updatedAt] = [1_600_000_000_000_000, 1_600_000_000_000_000];
    const facts = { title: '', source: '', tags: [], collection: 'default', key: '' };
    const old = (
      await knowledge.restoreEntry('ann', { id: 'x', text: OLD, createdAt, updatedAt, ...facts }, signal)
    ).id;
    expect((await ask(CODE))[0]).toMatchObject({ id: young, replaces: [old] });
  });

  test('a text that is gone replaces nothing, and one that is restored does again', async () => {
    const { knowledge, keep, ask } = await open();
    const old = await keep(OLD);
    const young = await keep(NEW);
    await knowledge.removeEntry('ann', young);
    expect(await ask(CODE)).toMatchObject([{ id: old, supersededBy: undefined }]);
    await knowledge.restoreEntries('ann', 'latest');
    expect((await ask(CODE))[0]).toMatchObject({ id: young, replaces: [old] });
  });
});

describe('a text that says the opposite, or that names what it replaces', () => {
  test.each([
    ['I love Chinese food.', 'I hate Chinese food.', 'Do I like Chinese food?', 'the opposite'],
    ['Ich liebe Pilze.', 'Ich hasse Pilze.', 'Mag ich Pilze?', 'the opposite'],
    [
      'Our project uses PostgreSQL.',
      'Our project has moved from PostgreSQL to MySQL.',
      'Which database does the project use?',
      'PostgreSQL → MySQL',
    ],
    [
      '项目使用 PostgreSQL 数据库。',
      '项目现在使用 MySQL 数据库。',
      '项目用什么数据库？',
      'PostgreSQL数据库 → MySQL数据库',
    ],
  ])('%s %s', async (before, after, question, differs) => {
    const { keep, ask, conflicts } = await open();
    const old = await keep(before);
    await keep('The tram to work leaves at 7:40.');
    const young = await keep(after);
    expect(await conflicts(young, after)).toMatchObject([{ id: old, differs }]);
    const [first, second] = await ask(question);
    expect(first).toMatchObject({ id: young, replaces: [old] });
    expect(second).toMatchObject({ id: old, supersededBy: young });
  });
});

describe('a text that is said again', () => {
  const LYON = 'I live in Lyon.';
  const BERGEN = 'I live in Bergen.';
  const QUESTION = 'Where do I live in Lyon or Bergen?';

  test('is the newest, keeps its id, and names what it replaces', async () => {
    const { keep, ask, conflicts } = await open();
    const lyon = await keep(LYON);
    const bergen = await keep(BERGEN);
    await keep('The gym closes at ten.');
    expect((await ask(QUESTION))[0]).toMatchObject({ id: bergen, replaces: [lyon] });
    expect(await keep(LYON)).toBe(lyon);
    expect((await ask(QUESTION))[0]).toMatchObject({ id: lyon, replaces: [bergen] });
    expect(await conflicts(lyon, LYON)).toEqual([{ id: bergen, text: BERGEN, differs: 'Bergen → Lyon' }]);
    await keep(BERGEN);
    expect((await ask(QUESTION))[0]).toMatchObject({ id: bergen, replaces: [lyon] });
  });

  test('is the newest with a key of its own', async () => {
    const { keep, ask } = await open();
    const lyon = await keep(LYON, { key: 'home' });
    const bergen = await keep(BERGEN);
    expect(await keep(LYON, { key: 'home' })).toBe(lyon);
    expect((await ask(QUESTION))[0]).toMatchObject({ id: lyon, replaces: [bergen] });
  });

  test('is as new as its date if it is imported, and stays as old as it was without a date', async () => {
    const { knowledge, ask } = await open();
    const facts = { title: '', source: '', tags: [], collection: 'default', key: '' };
    const restore = (text: string, day: number) => {
      const createdAt = Date.UTC(2026, 0, day) * 1000;
      const entry = { ...facts, id: `x-${createdAt}`, text, createdAt, updatedAt: createdAt };
      return knowledge.restoreEntry('ann', entry, signal);
    };
    const { id: lyon } = await restore(LYON, 1);
    const { id: bergen } = await restore(BERGEN, 3);
    await restore(LYON, 2);
    expect((await ask(QUESTION))[0]).toMatchObject({ id: bergen, replaces: [lyon] });
    await knowledge.insertEntry('ann', { text: LYON }, signal, 'unknown');
    expect((await ask(QUESTION))[0]).toMatchObject({ id: bergen, replaces: [lyon] });
    await restore(LYON, 4);
    expect((await ask(QUESTION))[0]).toMatchObject({ id: lyon, replaces: [bergen] });
  });
});

describe('renewed entries', () => {
  const [LYON, BERGEN] = ['I live in Lyon.', 'I live in Bergen.'];
  const QUESTION = 'Where do I live in Lyon or Bergen?';
  const timesOf = async ({ knowledge }: Awaited<ReturnType<typeof open>>) => {
    const all = [];
    for await (const { text, createdAt, updatedAt } of knowledge.exportEntries('ann'))
      all.push({ text, createdAt, updatedAt });
    return all;
  };

  test('keep their order in the trash, and the time they were first kept in filters', async () => {
    const base = await open();
    const { knowledge, keep, ask } = base;
    const lyon = await keep(LYON);
    const bergen = await keep(BERGEN);
    const [first, second] = await timesOf(base);
    await keep(LYON);
    const renewed = await timesOf(base);
    expect(renewed.map(({ createdAt }) => createdAt)).toEqual([first?.createdAt, second?.createdAt]);
    expect(renewed[0]?.updatedAt).toBeGreaterThan(second?.updatedAt ?? 0);
    for (const id of [lyon, bergen]) {
      await knowledge.removeEntry('ann', id);
      await knowledge.restoreEntries('ann', 'latest');
      expect(await timesOf(base)).toEqual(renewed);
      expect((await ask(QUESTION))[0]).toMatchObject({ id: lyon, replaces: [bergen] });
    }
    const since = second?.createdAt ?? 0;
    expect((await ask(QUESTION, { filter: { since } })).map(({ id }) => id)).toEqual([bergen]);
    expect((await ask(QUESTION, { filter: { until: since } })).map(({ id }) => id)).toEqual([lyon]);
  });

  test('have the same times after an export into an empty base, and an older export changes no time', async () => {
    const [from, to] = [await open(), await open()];
    await from.keep(LYON);
    await from.keep(BERGEN);
    const old: BackedUpEntry[] = [];
    for await (const entry of from.knowledge.exportEntries('ann')) old.push(entry);
    await from.keep(LYON);
    const renewed = await timesOf(from);
    for await (const entry of from.knowledge.exportEntries('ann'))
      await to.knowledge.restoreEntry('ann', entry, signal);
    for (const base of [from, to]) {
      for (const entry of old) {
        const earlier = { ...entry, createdAt: entry.createdAt - 5, updatedAt: entry.updatedAt - 5 };
        for (const one of [entry, earlier]) await base.knowledge.restoreEntry('ann', one, signal);
      }
      expect(await timesOf(base)).toEqual(renewed);
    }
  });
});

test('texts that add to each other keep their order', async () => {
  const { keep, ask } = await open();
  for (const text of [
    'I like almonds.',
    'I like walnuts.',
    'On Monday I ate 5 almonds.',
    'On Tuesday I ate 7 almonds.',
  ])
    await keep(text);
  for (const match of await ask('almonds'))
    expect(match).toMatchObject({ replaces: undefined, supersededBy: undefined });
});

test('an insert names up to three older entries that say something else, the newest first', async () => {
  const { knowledge, keep, conflicts } = await open();
  const olds: string[] = [];
  for (const code of [1111, 2222, 3333, 4444]) olds.push(await keep(`The gate code is ${code}.`));
  await keep('The gate squeaks.');
  const id = await keep('The gate code is 5555.');
  const named = await conflicts(id, 'The gate code is 5555.');
  expect(named.map((one) => one.id)).toEqual(olds.slice(1).reverse());
  expect(named[0]).toEqual({ id: olds[3], text: 'The gate code is 4444.', differs: '4444 → 5555' });
  expect(
    (
      await knowledge.findRelated(
        'bob',
        { id: 'x', text: 'The gate code is 5555.', collection: 'default' },
        signal,
      )
    ).conflicts,
  ).toEqual([]);
});
