import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EntryStore } from '../../../src/knowledge/store.ts';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import { describeEntryNames } from '../../contracts/entry-names.ts';
import { describeEntryStore } from '../../contracts/entry-store.ts';
import { describeEntryTrash } from '../../contracts/entry-trash.ts';
import { longText, prepared, type StoreClock } from '../../helpers/entry-stores.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';

async function open(clock: { now: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-entries-'));
  const db = await openTestDatabase({ folder });
  return {
    db,
    folder,
    store: createEntryStore(db, { now: () => clock.now }),
    async close() {
      db.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function makeEmpty(clock: StoreClock) {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-entries-'));
  return {
    async open() {
      const db = await openTestDatabase({ folder });
      return {
        store: createEntryStore(db, { now: () => clock.now }),
        drop: async () => db.close(),
      };
    },
    remove: async () => rmSync(folder, { recursive: true }),
  };
}

describeEntryStore('sqlite', makeEmpty);
describeEntryTrash('sqlite', makeEmpty);
describeEntryNames('sqlite', makeEmpty);

const vector = Float32Array.of(1, 0);

test('entries, words and vectors remain after the database is opened again', async () => {
  const { store, db, folder } = await open({ now: 5 });
  await store.insertEntries([{ owner: 'ann', entry: await prepared({ text: 'the magpie' }) }]);
  await store.putVectors('ann', 'm', 2, [{ place: 1, vector }]);
  db.close();
  const again = await openTestDatabase({ folder });
  const reopened = createEntryStore(again, { now: () => 1 });
  expect((await reopened.findEntry('ann', 'ann-5'))?.text).toBe('the magpie');
  expect((await reopened.findByWords('ann', 'magpies', 5)).scored).toHaveLength(1);
  expect(await reopened.listVectors('ann', 'm', 0, 5)).toEqual([{ place: 1, vector }]);
  const [added] = await reopened.insertEntries([{ owner: 'ann', entry: await prepared({ text: 'later' }) }]);
  expect(added?.id).toBe('ann-6');
  again.close();
  rmSync(folder, { recursive: true });
});

test('after a reset, no byte of the entries remains in the files', async () => {
  const { store, close, folder, db } = await open({ now: 5 });
  const inFiles = (word: string) =>
    readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(word));
  for (let i = 0; i < 5; i++) {
    const text = `${longText(30, 'zebrafinch')} ${i}`;
    await store.insertEntries([{ owner: 'ann', entry: await prepared({ text, tags: ['nightjar'] }) }]);
    await store.insertEntries([{ owner: 'bob', entry: await prepared({ text: `bobolink ${i}` }) }]);
  }
  expect(inFiles('zebrafinch')).toBe(true);
  await store.removeAllEntries('ann');
  expect(inFiles('zebrafinch')).toBe(false);
  expect(inFiles('nightjar')).toBe(false);
  expect(inFiles('bobolink')).toBe(true);
  expect(
    await db.read((sql) => sql.all('SELECT * FROM kb_passages WHERE text LIKE ?', '%bobolink%')),
  ).toHaveLength(5);
  expect((await store.findByWords('bob', 'bobolink', 10)).scored).toHaveLength(5);
  await close();
});

test('an entry in the trash takes no extra space, and no byte of it remains in the files after the purge', async () => {
  const { store, close, folder, db } = await open({ now: 5 });
  const sizes = () => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  const inFiles = (word: string) =>
    readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(word));
  for (let i = 0; i < 50; i++) {
    const text = `${longText(30, 'zebrafinch')} ${i}`;
    await store.insertEntries([{ owner: 'ann', entry: await prepared({ text, tags: ['nightjar'] }) }]);
  }
  await store.findByWords('ann', 'zebrafinch', 1);
  await db.read((sql) => sql.get('PRAGMA wal_checkpoint(TRUNCATE)'));
  const { bytes } = await store.readCounts('ann');
  const before = sizes();
  await store.moveToTrash('ann');
  expect(sizes() - before).toBeLessThan(bytes / 10);
  expect(inFiles('zebrafinch')).toBe(true);
  await store.purgeTrash(Number.MAX_SAFE_INTEGER, new AbortController().signal);
  expect(inFiles('zebrafinch')).toBe(false);
  expect(inFiles('nightjar')).toBe(false);
  await close();
});

test('two processes share the folder: ids stay apart, and each sees the changes of the other', async () => {
  const clock = { now: 100 };
  const { store, close, folder } = await open(clock);
  const other = await openTestDatabase({ folder });
  const second = createEntryStore(other, { now: () => 50 });
  const [one] = await store.insertEntries([{ owner: 'ann', entry: await prepared({ text: 'one' }) }]);
  const [two] = await second.insertEntries([{ owner: 'ann', entry: await prepared({ text: 'two' }) }]);
  const [again] = await second.insertEntries([{ owner: 'ann', entry: await prepared({ text: 'one' }) }]);
  expect([one?.id, two?.id, again?.id, again?.known]).toEqual(['ann-100', 'ann-101', 'ann-100', true]);
  expect((await store.findByWords('ann', 'two', 5)).scored).toHaveLength(1);
  await second.removeEntry('ann', 'ann-101');
  expect((await store.findByWords('ann', 'two', 5)).scored).toEqual([]);
  other.close();
  await close();
});

test('vectors of a model in use stay; vectors of an unused model are removed in steps', async () => {
  const { store, close, db } = await open({ now: 5 });
  await store.insertEntries([{ owner: 'ann', entry: await prepared({ text: 'one' }) }]);
  await store.putVectors('ann', 'old', 2, [{ place: 1, vector }]);
  await store.tendModels({ common: 'new' });
  expect(await store.listVectors('ann', 'old', 0, 5)).toHaveLength(1);
  await db.write((sql) => sql.run('UPDATE kb_models SET used_at = 0 WHERE name = ?', 'old'));
  expect(await store.tendModels({ common: 'new' })).toBe(false);
  await store.putVectors('ann', 'new', 2, [{ place: 1, vector }]);
  expect(await store.tendModels({ common: 'new' })).toBe(true);
  expect(await store.listVectors('ann', 'old', 0, 5)).toEqual([]);
  while (await store.tendModels({ common: 'new' }));
  expect(await db.read((sql) => sql.all('SELECT name FROM kb_models'))).toEqual([{ name: 'new' }]);
  await close();
});

test('texts stored before languages were counted are classified later, including texts in the trash', async () => {
  const { store, close, db } = await open({ now: 5 });
  await store.insertEntries([
    { owner: 'ann', entry: await prepared({ text: '星期二上午十点去看牙医' }) },
    { owner: 'ann', entry: await prepared({ text: '晚上买牛奶和面包' }) },
    { owner: 'bob', entry: await prepared({ text: 'the meeting is on the second day of the week' }) },
  ]);
  const [second] = (await store.listEntries('ann', 1, 'newest')).entries;
  await store.moveToTrash('ann', second?.id);
  await db.write((sql) => {
    sql.run('UPDATE kb_entries SET nonenglish = -1');
    sql.run('UPDATE kb_owners SET nonenglish = 0, multilingual = 0');
  });
  await store.settleLanguages(new AbortController().signal);
  expect(await store.readLanguages('ann')).toMatchObject({ passages: 1, nonenglish: 1, multilingual: true });
  expect(await store.readLanguages('bob')).toMatchObject({ nonenglish: 0, multilingual: false });
  await store.restoreFromTrash('ann', 'all');
  expect(await store.readLanguages('ann')).toMatchObject({ passages: 2, nonenglish: 2 });
  await close();
});

test('passages of an unfinished file are removed after an hour', async () => {
  const clock = { now: 5 };
  const { store, close, folder } = await open(clock);
  const other = await openTestDatabase({ folder });
  let begun = () => {};
  const half = new Promise<void>((resolve) => {
    begun = resolve;
  });
  async function* stuck() {
    yield [{ title: '', text: 'heron', page: 1 }];
    begun();
    await new Promise(() => {});
  }
  void createEntryStore(other, { now: () => 5 }).putFile('ann', { name: 'a', title: '' }, stuck());
  await half;
  other.close();
  const { signal } = new AbortController();
  await store.cleanUp(signal);
  expect(await store.listPlaces('ann', 1, 10)).toHaveLength(1);
  clock.now = 4_000_000_000;
  await store.cleanUp(signal);
  expect(await store.listPlaces('ann', 1, 10)).toEqual([]);
  await close();
});

/** A file of this many passages, in groups. */
async function* filePassages(count: number) {
  for (let at = 0; at < count; at += 100) {
    yield Array.from({ length: 100 }, (_, i) => ({ title: '', text: `heron ${at + i}`, page: at + i + 1 }));
  }
}

test('a large file is removed in steps that let the event loop run, and is found in none of them', async () => {
  const { store, db, close } = await open({ now: 5 });
  await store.putFile('ann', { name: 'a', title: '' }, filePassages(1000));
  await store.putFile('ann', { name: 'b', title: '' }, filePassages(100));
  const counted = () =>
    db.read((sql) => sql.get<{ n: number }>('SELECT count(*) AS n FROM kb_passages')?.n ?? 0);
  const seen: number[] = [];
  const removed = store.removeFile('ann', 'a');
  let over = false;
  void removed.finally(() => {
    over = true;
  });
  while (!over) {
    seen.push(await counted());
    const { scored } = await store.findByWords('ann', 'heron', 2000);
    expect(scored).toHaveLength(100);
    expect((await store.listHiddenPassages('ann')).reduce((sum, { passages }) => sum + passages, 0)).toBe(
      (await counted()) - 100,
    );
    expect(await store.listFilePlaces('ann', 'a', { fromPage: 1, toPage: 9 })).toBeUndefined();
    await new Promise(setImmediate);
  }
  expect(await removed).toBe(1000);
  expect(new Set(seen).size).toBeGreaterThan(5);
  expect(await counted()).toBe(100);
  expect(await store.listHiddenPassages('ann')).toEqual([]);
  await close();
});

test.each([
  ['removed', async (store: EntryStore) => store.removeFile('ann', 'a')],
  [
    'replaced',
    async (store: EntryStore) => store.putFile('ann', { name: 'a', title: '' }, filePassages(100)),
  ],
] as const)(
  'leftovers of a file that an ended process %s are removed at the next start',
  async (what, begin) => {
    const clock = { now: 5 };
    const { store, close, folder } = await open(clock);
    await store.putFile('ann', { name: 'a', title: '' }, filePassages(1000));
    const dying = await openTestDatabase({ folder });
    const other = createEntryStore(dying, { now: () => 50 });
    const ended = begin(other).then(
      () => 'done',
      () => 'ended',
    );
    const left = async () =>
      (await store.listHiddenPassages('ann')).reduce((sum, { passages }) => sum + passages, 0);
    const begun = async () => (await store.readStanding('ann', 'm')).searched !== 1000;
    while (!(await begun()) || (await left()) > 900) await new Promise(setImmediate);
    dying.close();
    expect(await ended).toBe('ended');
    expect(await left()).toBeGreaterThan(0);
    await store.cleanUp(new AbortController().signal);
    expect(await store.listHiddenPassages('ann')).toEqual([]);
    expect(await store.listPlaces('ann', 1, 2000)).toHaveLength(what === 'removed' ? 0 : 100);
    expect((await store.readStanding('ann', 'm')).searched).toBe(what === 'removed' ? 0 : 100);
    await close();
  },
);

test('a store reads the changes of other stores on the database once, and never its own [news]', async () => {
  const { store, close, folder } = await open({ now: 5 });
  const db = await openTestDatabase({ folder });
  const other = createEntryStore(db, { now: () => 50 });
  const [mine] = await store.insertEntries([{ owner: 'ann', entry: await prepared({ text: 'own' }) }]);
  expect(await store.readChanges()).toEqual([]);
  expect(await other.readChanges()).toEqual([{ owner: 'ann', ids: [mine?.id] }]);
  const added = await other.insertEntries([
    { owner: 'bob-1', entry: await prepared({ text: 'one' }) },
    { owner: 'ann', entry: await prepared({ text: 'two' }) },
    { owner: 'ann', entry: await prepared({ text: 'own', tags: ['more'] }) },
  ]);
  const [bob, two] = added.map(({ id }) => id);
  await other.putFile('ann', { name: 'f.pdf', title: '' }, filePassages(100));
  expect(await store.readChanges()).toEqual([
    { owner: 'bob-1', ids: [bob] },
    { owner: 'ann', ids: [two, mine?.id, 'doc://f.pdf'] },
  ]);
  expect(await store.readChanges()).toEqual([]);
  await other.updateEntry('ann', two ?? '', await prepared({ text: 'three' }));
  await other.removeEntry('bob-1', bob ?? '');
  await other.removeFile('ann', 'f.pdf');
  expect(await store.readChanges()).toEqual([
    { owner: 'ann', ids: [two, 'doc://f.pdf'] },
    { owner: 'bob-1', ids: [bob] },
  ]);
  await other.removeAllEntries('ann');
  expect(await store.readChanges()).toEqual([{ owner: 'ann', ids: expect.arrayContaining([two, mine?.id]) }]);
  // What all have had the time to read goes, and numbers still grow.
  const { signal } = new AbortController();
  const kept = () => db.read((sql) => sql.get<{ n: number }>('SELECT count(*) AS n FROM kb_changes')?.n);
  await other.cleanUp(signal);
  expect(await kept()).toBeGreaterThan(5);
  await other.cleanUp(signal);
  expect(await kept()).toBe(1);
  await other.insertEntries([{ owner: 'ann', entry: await prepared({ text: 'four' }) }]);
  expect(await store.readChanges()).toHaveLength(1);
  db.close();
  await close();
});

test('neighbours in a file are those of its text, even if it was written in groups with other writes between', async () => {
  const { store, close } = await open({ now: 5 });
  async function* parts() {
    yield ['heron', 'egret', 'crane'].map((text) => ({ title: '', text, page: 1 }));
    await store.insertEntries([{ owner: 'ann', entry: await prepared({ text: 'between' }) }]);
    yield ['stork', 'ibis'].map((text) => ({ title: '', text, page: 2 }));
  }
  await store.putFile('ann', { name: 'f', title: '' }, parts());
  const around = async (text: string, count: number) => {
    const [{ place } = { place: 0 }] = (await store.findByWords('ann', text, 1)).scored;
    return (await store.readNeighbours('ann', place, count)).map((one) => one.text);
  };
  expect(await around('crane', 2)).toEqual(['heron', 'egret', 'stork', 'ibis']);
  expect(await around('stork', 1)).toEqual(['crane', 'ibis']);
  expect(await around('between', 5)).toEqual([]);
  await close();
});
