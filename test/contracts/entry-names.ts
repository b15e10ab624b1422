import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EntryStore } from '../../src/knowledge/store.ts';
import type { NewEntry } from '../../src/knowledge/types.ts';
import {
  addEntry,
  type EmptyStoreMaker,
  longText,
  openEachTime,
  prepared,
  type StoreClock,
} from '../helpers/entry-stores.ts';
import { restored } from './restored.ts';

const { signal } = new AbortController();
const FOREVER = Number.MAX_SAFE_INTEGER;

/** What every driver of EntryStore keeps to where entries have a collection and a key of their own. */
export function describeEntryNames(name: string, makeEmpty: EmptyStoreMaker): void {
  describe(`collections and keys of ${name}`, () => {
    let store: EntryStore;
    let clock: StoreClock;
    const open = openEachTime(makeEmpty, (opened, time) => {
      [store, clock] = [opened, time];
    });

    const add = async (owner: string, entry: NewEntry, into = store) => {
      clock.now += 10;
      return addEntry(into, owner, entry);
    };
    const found = async (owner: string, text: string, collection?: string) => {
      const within = await store.filterPlaces(owner, { collection });
      const { scored } = await store.findByWords(owner, text, 10, within);
      const read = await store.readPassages(
        owner,
        scored.map(({ place }) => place),
      );
      return read.map(({ passage }) => passage.text).sort();
    };
    const texts = async (owner: string, collection?: string) =>
      (await store.listEntries(owner, 100, 'oldest', undefined, { collection })).entries.map(
        ({ text }) => text,
      );
    const colour = (text: string, more: Partial<NewEntry> = {}) => ({
      text,
      key: 'favourite-colour',
      ...more,
    });
    const value = async (owner = 'ann', key = 'favourite-colour', collection = 'default') =>
      (await store.findEntryByKey(owner, collection, key))?.text;
    /** That counters, lists and passages say the same. */
    const expectSound = async (owner: string) => {
      const { entries } = await store.listEntries(owner, 100, 'oldest');
      const counts = await store.readCounts(owner);
      expect(counts.records).toBe(entries.length);
      expect(counts.bytes).toBe(entries.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0));
      expect(await store.listPlaces(owner, 1, 1000)).toHaveLength(counts.passages);
      expect((await store.readStanding(owner, 'm')).searched).toBe(counts.passages);
    };

    test('the same text is a separate entry in each collection and under each key', async () => {
      const one = await add('ann', { text: 'blue' });
      const two = await add('ann', { text: 'blue', collection: 'work' });
      const three = await add('ann', { text: 'blue', key: 'sky' });
      const four = await add('ann', { text: 'blue', key: 'sea' });
      // The first text had no key: it gets that of the sky.
      expect([two.known, three.known, four.known]).toEqual([false, true, false]);
      expect(three.id).toBe(one.id);
      expect(await store.findEntry('ann', one.id)).toMatchObject({ collection: 'default', key: 'sky' });
      expect(await store.findEntry('ann', two.id)).toMatchObject({ collection: 'work', key: '' });
      expect((await add('ann', { text: 'blue' })).id).toBe(one.id);
      expect((await add('ann', { text: 'blue', key: 'sky' })).id).toBe(one.id);
      expect(await texts('ann')).toEqual(['blue', 'blue', 'blue']);
      await expectSound('ann');
    });

    test('a text under an existing key keeps the id, and the earlier text is moved to the trash', async () => {
      const { id } = await add('ann', colour('a heron', { tags: ['x'] }));
      const created = clock.now;
      await add('ann', { text: 'something else' });
      const next = await add('ann', colour(longText(4, 'wagtail'), { source: 's' }));
      expect(next).toMatchObject({ id, known: false, replaced: 'trash' });
      const entry = await store.findEntry('ann', id);
      expect(entry).toMatchObject({ id, createdAt: created, key: 'favourite-colour', source: 's', tags: [] });
      expect(entry?.updatedAt).toBeGreaterThan(created);
      expect(await store.findEntryByKey('ann', 'default', 'favourite-colour')).toEqual(entry);
      expect(await found('ann', 'heron')).toEqual([]);
      expect((await found('ann', 'wagtail')).length).toBeGreaterThan(1);
      expect(await store.listTrash('ann', 10)).toMatchObject({ records: 1, batches: [{ text: 'a heron' }] });
      await expectSound('ann');
      // The same text again changes what is said of it, and replaces nothing.
      expect(await add('ann', colour(longText(4, 'wagtail'), { tags: ['y'] }))).toEqual({
        id,
        known: true,
        passages: next.passages,
      });
      expect(await store.findEntry('ann', id)).toMatchObject({ tags: ['y'], source: '' });
      expect((await store.listTrash('ann', 10)).records).toBe(1);
    });

    test('keys belong to their collection and owner, and differ by case', async () => {
      await add('ann', colour('blue'));
      await add('ann', colour('green', { collection: 'work' }));
      await add('ann', { text: 'grey', key: 'Favourite-Colour' });
      await add('bob', colour('red'));
      await add('bob', colour('black', { collection: 'work' }));
      expect(await value()).toBe('blue');
      expect(await value('ann', 'favourite-colour', 'work')).toBe('green');
      expect(await value('ann', 'Favourite-Colour')).toBe('grey');
      expect(await value('bob')).toBe('red');
      expect(await value('cid')).toBeUndefined();
      expect(await value('ann', '')).toBeUndefined();
      expect((await store.listTrash('ann', 10)).records + (await store.listTrash('bob', 10)).records).toBe(0);
    });

    test('in one batch the last text of a key stays, and the others are moved to the trash', async () => {
      const additions = await Promise.all(
        ['one', 'two', 'three'].map(async (text) => ({ owner: 'ann', entry: await prepared(colour(text)) })),
      );
      const inserted = await store.insertEntries(additions);
      expect(new Set(inserted.map(({ id }) => id)).size).toBe(1);
      expect(await texts('ann')).toEqual(['three']);
      expect((await store.listTrash('ann', 10)).batches.map(({ text }) => text)).toEqual(['two', 'one']);
      await expectSound('ann');
    });

    test('a replaced text is restored by its entry, its own id or its batch, repeatedly, and never by a restore of everything', async () => {
      const { id } = await add('ann', colour('one'));
      await add('ann', colour('two'));
      await add('ann', colour('three'));
      const { batches } = await store.listTrash('ann', 10);
      const [two, one] = batches;
      expect(await restored(store, 'ann', 'latest')).toEqual({ ids: [], known: 0 });
      expect(await restored(store, 'ann', 'all')).toEqual({ ids: [], known: 0 });
      expect(await restored(store, 'ann', { entry: id })).toEqual({ ids: [id], known: 0 });
      expect(await value()).toBe('two');
      expect((await store.listTrash('ann', 10)).batches.map(({ text }) => text)).toEqual(['three', 'one']);
      // It was the last change that was undone: undoing it again brings the newer text back.
      await store.restoreFromTrash('ann', { entry: id });
      expect(await value()).toBe('three');
      expect((await restored(store, 'ann', { batch: one?.id ?? '' })).ids).toEqual([id]);
      expect(await value()).toBe('one');
      expect((await restored(store, 'ann', { entry: two?.entry ?? '' })).ids).toEqual([]);
      const lying = (await store.listTrash('ann', 10)).batches.find(({ text }) => text === 'two');
      expect((await restored(store, 'ann', { entry: lying?.entry ?? '' })).ids).toEqual([id]);
      expect(await store.findEntry('ann', id)).toMatchObject({ text: 'two', createdAt: 1_000_010 });
      expect((await store.listTrash('ann', 10)).records).toBe(2);
      expect(await found('ann', 'one two three')).toEqual(['two']);
      await expectSound('ann');
      expect(await restored(store, 'bob', { entry: id })).toEqual({ ids: [], known: 0 });
      expect(await restored(store, 'bob', { batch: one?.id ?? '' })).toEqual({ ids: [], known: 0 });
    });

    test('a replaced text keeps its vectors, and waits for them after a restore if it had none', async () => {
      const { id } = await add('ann', colour('one'));
      const [place = 0] = await store.listPlaces('ann', 1, 5);
      const vector = Float32Array.of(1, 0);
      await store.putVectors('ann', 'm', place + 1, [{ place, vector }]);
      await add('ann', colour('two'));
      expect(await store.listVectors('ann', 'm', 0, 10)).toEqual([]);
      await store.restoreFromTrash('ann', { entry: id });
      expect(await store.listVectors('ann', 'm', 0, 10)).toEqual([{ place, vector }]);
      expect(await store.countPending('ann', 'm')).toBe(0);
      await store.restoreFromTrash('ann', { entry: id });
      expect((await store.listUnembedded('ann', 'm', 10)).map(({ text }) => text)).toEqual(['two']);
    });

    test('a deleted entry whose key is taken comes back beside the other, without the key, and is counted', async () => {
      const old = await add('ann', colour('one'));
      const other = await add('ann', { text: 'beside' });
      await store.moveToTrash('ann');
      const young = await add('ann', colour('two'));
      expect(young.id).not.toBe(old.id);
      const all = { ids: [other.id, old.id], known: 0, unkeyed: 1 };
      expect(await restored(store, 'ann', 'latest')).toEqual(all);
      expect(await store.findEntry('ann', old.id)).toMatchObject({
        text: 'one',
        key: '',
        createdAt: 1_000_010,
      });
      expect(await value()).toBe('two');
      expect(await found('ann', 'one two')).toEqual(expect.arrayContaining(['one', 'two']));
      expect(await restored(store, 'ann', 'all')).toEqual({ ids: [], known: 0 });
      await expectSound('ann');

      await store.moveToTrash('ann', young.id);
      await add('ann', colour('three'));
      expect(await restored(store, 'ann', { entry: young.id })).toEqual({
        ids: [young.id],
        known: 0,
        unkeyed: 1,
      });
      expect(await value()).toBe('three');
      await store.moveToTrash('ann', young.id);
      await add('ann', { text: 'two' });
      expect(await restored(store, 'ann', { entry: young.id })).toEqual({ ids: [], known: 1 });
      expect((await texts('ann')).sort()).toEqual(['beside', 'one', 'three', 'two']);
      await expectSound('ann');
    });

    test('no restore of deleted entries takes a text away that can be seen', async () => {
      const steps = fc.array(
        fc.record({ what: fc.nat(5), key: fc.constantFrom('', 'k', 'l'), one: fc.nat(9) }),
        {
          minLength: 3,
          maxLength: 14,
        },
      );
      let run = 0;
      await fc.assert(
        fc.asyncProperty(steps, async (list) => {
          const owner = `owner${++run}`;
          const ids: string[] = [];
          for (const [at, { what, key, one }] of list.entries()) {
            const before = await texts(owner);
            const id = ids[one % Math.max(ids.length, 1)] ?? `${owner}-1`;
            const isLive = await store.hasEntry(owner, id);
            if (what < 2 && (await value(owner, key)) === undefined)
              ids.push((await add(owner, { text: `t${one % 4} ${what === 0 ? at : ''}`, key })).id);
            else if (what === 2) await store.moveToTrash(owner, id);
            else if (what > 2 && !(what === 3 && isLive)) {
              const which = what === 3 ? { entry: id } : what === 4 ? 'all' : 'latest';
              const { ids: back, unkeyed = 0 } = await restored(store, owner, which);
              const after = await texts(owner);
              expect(after).toEqual(expect.arrayContaining(before));
              expect(after).toHaveLength(before.length + back.length);
              expect(unkeyed).toBeLessThanOrEqual(back.length);
            }
          }
          await expectSound(owner);
        }),
        { seed: 3, numRuns: 25 },
      );
    });

    test('a text whose entry is deleted or gone is restored under the id of its entry', async () => {
      const { id } = await add('ann', colour('one'));
      await add('ann', colour('two'));
      const version = (await store.listTrash('ann', 10)).batches[0]?.entry ?? '';
      await store.moveToTrash('ann', id);
      expect((await restored(store, 'ann', { entry: version })).ids).toEqual([id]);
      expect(await texts('ann')).toEqual(['one']);
      expect(await store.listTrash('ann', 10)).toMatchObject({ records: 1, batches: [{ text: 'two' }] });
      await expectSound('ann');
      // With the entry, its earlier texts are removed for good.
      expect(await store.removeEntry('ann', id)).toBe(true);
      expect(await store.listTrash('ann', 10)).toMatchObject({ records: 0 });
      expect(await store.listPlaces('ann', 1, 10)).toEqual([]);
    });

    test('a change by id keeps the earlier text in the trash; a change of metadata alone keeps nothing', async () => {
      const { id } = await add('ann', { text: 'one' });
      await store.updateEntry('ann', id, await prepared({ text: 'one', tags: ['t'], collection: 'work' }));
      expect(await store.findEntry('ann', id)).toMatchObject({ tags: ['t'], collection: 'work' });
      expect((await store.listTrash('ann', 10)).records).toBe(0);
      await store.updateEntry('ann', id, await prepared({ text: 'two', key: 'k' }));
      expect(await value('ann', 'k')).toBe('two');
      await add('ann', { text: 'three' });
      await expect(
        store.updateEntry(
          'ann',
          (await add('ann', { text: 'four' })).id,
          await prepared({ text: 'x', key: 'k' }),
        ),
      ).rejects.toMatchObject({
        code: 'bad_request',
        message: `the entry ${id} has this key already: choose another key`,
      });
      await store.restoreFromTrash('ann', { entry: id });
      expect(await store.findEntry('ann', id)).toMatchObject({ text: 'one', key: '', collection: 'work' });
      await store.updateEntry('ann', id, await prepared({ text: 'gone before' }), 'gone');
      expect((await store.listTrash('ann', 10)).batches.map(({ text }) => text)).toEqual(['two']);
      await expectSound('ann');
    });

    test('a backup never takes a key from a newer text, and replaces an older one and another of the same time', async () => {
      const back = async (text: string, updatedAt: number) => {
        const entry = await prepared(colour(text));
        return (
          await store.insertEntries([{ owner: 'ann', entry, times: { createdAt: 500, updatedAt } }])
        )[0];
      };
      await back('one', 500);
      expect(await back('one', 500)).toMatchObject({ known: true });
      expect(await back('older', 400)).toMatchObject({ known: true });
      expect(await value()).toBe('one');
      expect(await back('newer', 600)).toMatchObject({ id: 'ann-500', replaced: 'trash' });
      expect(await value()).toBe('newer');
      // A program may keep the time of what it changes.
      expect(await back('changed', 600)).toMatchObject({ id: 'ann-500', replaced: 'trash' });
      expect(await back('changed', 600)).toMatchObject({ known: true });
      expect(await value()).toBe('changed');
      // Its time is that of the text, and not of its coming: what was written in between is newer.
      expect(await store.findEntry('ann', 'ann-500')).toMatchObject({ updatedAt: 600 });
      expect(await back('newest', 700)).toMatchObject({ id: 'ann-500', known: false });
      expect(await value()).toBe('newest');
    });

    test('tags are listed by name in pages with their entries, and entries are listed without their texts', async () => {
      const ids: string[] = [];
      for (let n = 0; n < 90; n++) {
        ids.push(
          (
            await add('ann', {
              text: `text ${n}`,
              tags: [`t${String(n).padStart(2, '0')}`, 'all', `odd${n % 2}`],
            })
          ).id,
        );
      }
      expect(await store.listTags('ann', 3)).toEqual([
        { name: 'all', records: 90 },
        { name: 'odd0', records: 45 },
        { name: 'odd1', records: 45 },
      ]);
      expect(await store.listTags('ann', 2, 'odd1')).toEqual([
        { name: 't00', records: 1 },
        { name: 't01', records: 1 },
      ]);
      expect(await store.listTags('ann', 500)).toHaveLength(93);
      expect(await store.listTags('ann', 1, 't89')).toEqual([]);
      expect(await store.listTags('bob', 10)).toEqual([]);
      const id = ids[0] ?? '';
      expect(await store.hasEntry('ann', id)).toBe(true);
      expect(await store.hasEntry('bob', id)).toBe(false);
      await store.moveToTrash('ann', id);
      expect(await store.hasEntry('ann', id)).toBe(false);
      expect(await store.listTags('ann', 1)).toEqual([{ name: 'all', records: 89 }]);
      for (const one of ids.slice(1, 4)) await store.moveToTrash('ann', one);
      const { batches } = await store.listTrash('ann', 10);
      expect(batches).toHaveLength(4);
      const rest = await store.listTrash('ann', 2, undefined, batches[1]?.id);
      expect(rest).toEqual({ batches: batches.slice(2), records: 4, bytes: expect.any(Number) });
      expect((await store.listTrash('ann', 2, undefined, 'nonsense')).batches).toEqual([]);
    });

    test('collections are listed, counted, searched, exported and reset apart', async () => {
      await add('ann', { text: 'a magpie at home' });
      const garden = await add('ann', { text: 'a magpie in the garden', collection: 'garden' });
      await add('ann', { text: longText(3), collection: 'garden' });
      const work = await add('ann', { text: 'a magpie at work', collection: 'work' });
      await add('bob', { text: 'a magpie of bob', collection: 'garden' });
      const all = await store.listCollections('ann');
      expect(all.map(({ name: of, records }) => [of, records])).toEqual([
        ['default', 1],
        ['garden', 2],
        ['work', 1],
      ]);
      const { name: _name, ...counts } = all[1] ?? { name: '' };
      expect(await store.readCounts('ann', 'garden')).toEqual(counts);
      expect(await store.readCounts('ann', 'default')).toMatchObject({ records: 1, bytes: 16 });
      expect(await store.readCounts('ann', 'nowhere')).toEqual({ records: 0, passages: 0, bytes: 0 });
      expect(await store.listCollections('stranger')).toEqual([]);
      expect(await found('ann', 'home garden work', 'default')).toEqual(['a magpie at home']);
      expect(await found('ann', 'home garden work', 'work')).toEqual(['a magpie at work']);
      expect(await found('ann', 'home garden work')).toHaveLength(3);
      expect(await found('ann', 'magpie', 'nowhere')).toEqual([]);
      const page = await store.listEntries('ann', 1, 'newest', undefined, { collection: 'garden' });
      const rest = await store.listEntries('ann', 1, 'newest', page.next, { collection: 'garden' });
      expect([...page.entries, ...rest.entries].map(({ id }) => id).at(-1)).toBe(garden.id);
      expect(rest.next).toBeUndefined();

      const ids: string[] = [];
      const { batch = '' } = await store.moveToTrash('ann', { collection: 'garden' }, (some) =>
        ids.push(...some),
      );
      expect(ids).toHaveLength(2);
      expect(await texts('ann')).toEqual(['a magpie at home', 'a magpie at work']);
      expect(await store.listTrash('ann', 5, 'work')).toEqual({ batches: [], records: 0, bytes: 0 });
      expect((await store.listTrash('ann', 5, 'garden')).records).toBe(2);
      expect(await restored(store, 'ann', 'all', 'work')).toEqual({ ids: [], known: 0 });
      await store.moveToTrash('ann', work.id);
      expect((await restored(store, 'ann', 'latest', 'garden')).ids).toEqual(ids);
      expect(await store.purgeTrash(FOREVER, signal, 'ann', 'garden')).toBe(0);
      expect((await store.listTrash('ann', 5)).batches).toHaveLength(1);
      expect(await restored(store, 'ann', { batch })).toEqual({ ids: [], known: 0 });
      expect(await store.removeAllEntries('ann', 'garden')).toBe(2);
      expect(await texts('ann')).toEqual(['a magpie at home']);
      expect(await store.purgeTrash(FOREVER, signal, 'ann', 'work')).toBe(1);
      expect(await found('bob', 'magpie', 'garden')).toEqual(['a magpie of bob']);
      await expectSound('ann');
    });

    test('a restore brings each entry back to its collection', async () => {
      await add('ann', { text: 'blue' });
      await add('ann', { text: 'blue', collection: 'work', key: 'k' });
      await store.moveToTrash('ann');
      await add('ann', { text: 'blue', collection: 'work' });
      expect((await restored(store, 'ann', 'all')).ids).toHaveLength(2);
      expect(await value('ann', 'k', 'work')).toBe('blue');
      expect(await texts('ann', 'work')).toEqual(['blue', 'blue']);
      await expectSound('ann');
    });

    test('when two openers use one key at once, one text has it and the other is in the trash', async () => {
      const { store: other } = await open();
      await Promise.all(
        Array.from({ length: 20 }, (_, at) => add('ann', colour(`text ${at}`), at % 2 ? other : store)),
      );
      expect(await texts('ann')).toEqual([await value()]);
      expect((await other.listTrash('ann', 100)).records).toBe(19);
      await expectSound('ann');
    });

    test('after a crash during replacements the old or the new text is there, never none or both', async () => {
      await add('ann', colour('the first of all'));
      for (let at = 0; at < 12; at++) {
        const killed = await open();
        const entries = await Promise.all(
          [1, 2, 3].map((n) => prepared(colour(longText(6, `wagtail${at}${n}`)))),
        );
        const running = entries.map((entry) => killed.store.insertEntries([{ owner: 'ann', entry }]));
        for (const one of running) one.catch(() => {});
        for (let turn = 0; turn < at; turn++) await new Promise(setImmediate);
        await killed.drop();
        await Promise.allSettled(running);
        const { store: next } = await open();
        const { entries: there } = await next.listEntries('ann', 10, 'newest');
        expect(there).toHaveLength(1);
        const lying = await next.listTrash('ann', 100);
        const texts = new Set([
          ...there.map(({ text }) => text.slice(0, 100).trim()),
          ...lying.batches.map(({ text }) => text),
        ]);
        expect(texts.size).toBe(there.length + lying.records);
        store = next;
        await expectSound('ann');
      }
    });
  });
}
