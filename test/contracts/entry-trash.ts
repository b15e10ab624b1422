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
async function* onePage() {
  yield [{ title: 'A', text: 'a heron', page: 1 }];
}
const vectorOf = (place: number) => Float32Array.of(1, place);

/** What every driver of EntryStore keeps to where entries are moved to the trash, come back, and leave it for good. */
export function describeEntryTrash(name: string, makeEmpty: EmptyStoreMaker): void {
  describe(`the trash of ${name}`, () => {
    let store: EntryStore;
    let clock: StoreClock;
    const open = openEachTime(makeEmpty, (opened, time) => {
      [store, clock] = [opened, time];
    });

    const add = async (owner: string, entry: NewEntry | string, into = store) => {
      clock.now += 10;
      return addEntry(into, owner, entry);
    };
    /** Gives all that wait their vectors. */
    const embed = async (owner: string, model = 'm') => {
      const waiting = await store.listUnembedded(owner, model, 1000);
      const vectors = waiting.map(({ place }) => ({ place, vector: vectorOf(place) }));
      await store.putVectors(owner, model, (waiting.at(-1)?.place ?? 0) + 1, vectors);
      return waiting.length;
    };
    const found = async (owner: string, text: string, of = store) => {
      const { scored } = await of.findByWords(owner, text, 10);
      const places = scored.map(({ place }) => place);
      return (await of.readPassages(owner, places)).map(({ passage }) => passage.text);
    };
    /** All that is seen of an owner's entries. */
    const seen = async (owner: string, of = store) => ({
      list: await of.listEntries(owner, 100, 'newest'),
      counts: await of.readCounts(owner),
      newest: (await of.listNewestPlaces(owner, 100)).length,
      places: await of.listPlaces(owner, 1, 1000),
      vectors: await of.listVectors(owner, 'm', 0, 1000),
      tagged: [...((await of.filterPlaces(owner, { tags: ['birds'] })) ?? [])],
      searched: (await of.readStanding(owner, 'm')).searched,
      words: await of.findByWords(owner, 'magpie nest entry', 100),
      pending: await of.countPending(owner, 'other'),
      progress: await of.readProgress('m'),
    });

    test('named entries are deleted together, and those of other owners stay', async () => {
      const [one, two, three] = [await add('ann', 'one'), await add('ann', 'two'), await add('ann', 'three')];
      const other = await add('bob', 'one');
      const ids: string[] = [];
      const named = [three.id, one.id, other.id, 'ann-7'];
      const { batch = '' } = await store.moveToTrash('ann', named, (some) => ids.push(...some));
      expect(ids).toEqual([three.id, one.id]);
      expect((await store.listEntries('ann', 10, 'oldest')).entries.map(({ id }) => id)).toEqual([two.id]);
      expect((await store.readCounts('bob')).records).toBe(1);
      expect((await restored(store, 'ann', { batch })).ids.sort()).toEqual([one.id, three.id]);
      expect(await store.moveToTrash('ann', [])).toEqual({ records: 0, batch: undefined });
    });

    test('an entry in the trash is not found, listed or counted, and is restored as it was', async () => {
      const { id } = await add('ann', {
        text: 'the magpie in its nest',
        title: 'T',
        source: 's',
        tags: ['birds'],
      });
      await add('ann', longText(12, 'magpie'));
      await store.putFile('ann', { name: 'a.pdf', title: 'A' }, onePage());
      await add('ann', 'the last entry');
      await add('bob', { text: 'the magpie in its nest', tags: ['birds'] });
      await embed('ann');
      await embed('bob');
      const [before, others] = [await seen('ann'), await seen('bob')];

      const ids: string[] = [];
      const { records, batch = '' } = await store.moveToTrash('ann', undefined, (some) => ids.push(...some));
      expect(records).toBe(3);
      expect(ids).toEqual(before.list.entries.map((one) => one.id).reverse());
      expect(await store.findEntry('ann', id)).toBeUndefined();
      const gone = await seen('ann');
      expect(gone).toMatchObject({ list: { entries: [] }, newest: 0, searched: 1, pending: 1 });
      expect(gone.counts).toEqual({
        records: 0,
        passages: 0,
        bytes: 0,
        oldest: undefined,
        newest: undefined,
      });
      expect(gone.places).toHaveLength(1);
      expect(gone.vectors.map(({ place }) => place)).toEqual(gone.places);
      expect(gone.tagged).toEqual([]);
      expect(gone.words).toMatchObject({ scored: [], rare: new Map(), allWords: expect.any(Number) });
      expect(await store.readPassages('ann', before.places)).toHaveLength(1);
      expect(await store.readNeighbours('ann', before.places[2] ?? 0, 2)).toEqual([]);
      expect(await found('ann', 'heron')).toEqual(['a heron']);
      expect(await seen('bob')).toEqual({ ...others, progress: gone.progress });

      expect(await store.listTrash('ann', 10)).toEqual({
        batches: [
          {
            id: batch,
            removedAt: Number(batch),
            records: 3,
            bytes: before.counts.bytes,
            entry: id,
            text: 'the magpie in its nest',
          },
        ],
        records: 3,
        bytes: before.counts.bytes,
      });
      const standing = await store.readStanding('ann', 'm');
      const back = await restored(store, 'ann', { batch });
      expect(back).toEqual({ ids, known: 0 });
      expect(await seen('ann')).toEqual(before);
      expect((await store.readStanding('ann', 'm')).restores).toBe(standing.restores + 1);
      expect(await store.listWaitingOwners('m')).toEqual([]);
      expect(await store.listTrash('ann', 10)).toEqual({ batches: [], records: 0, bytes: 0 });
    });

    test('a second restore does nothing, nor does a restore of an unknown entry', async () => {
      const { id } = await add('ann', 'one');
      const { batch = '' } = await store.moveToTrash('ann', id);
      const nothing = { ids: [], known: 0 };
      for (const which of ['1', '0', '-1', 'x', '', `${batch}0`, '99999999999999999']) {
        expect(await restored(store, 'ann', { batch: which })).toEqual(nothing);
      }
      expect(await restored(store, 'ann', { entry: 'ann-5' })).toEqual(nothing);
      expect(await restored(store, 'cid', 'all')).toEqual(nothing);
      expect(await restored(store, 'ann', { batch })).toEqual({ ids: [id], known: 0 });
      const before = await seen('ann');
      for (const which of [{ batch }, { entry: id }, 'latest', 'all'] as const) {
        expect(await restored(store, 'ann', which)).toEqual(nothing);
      }
      expect(await seen('ann')).toEqual(before);
      expect(await store.moveToTrash('ann', 'ann-5')).toEqual({ records: 0, batch: undefined });
      expect(await store.moveToTrash('cid')).toEqual({ records: 0 });
    });

    test('a restore brings back the last deletion, a given deletion, one entry, or everything', async () => {
      const [one, two, three, four] = [
        await add('ann', 'one'),
        await add('ann', 'two'),
        await add('ann', 'three'),
        await add('ann', 'four'),
      ];
      const first = await store.moveToTrash('ann', one.id);
      clock.now += 100;
      await store.moveToTrash('ann', two.id);
      clock.now += 100;
      const last = await store.moveToTrash('ann');
      expect(last.records).toBe(2);
      const { batches } = await store.listTrash('ann', 2);
      expect(batches.map(({ records, text }) => [records, text])).toEqual([
        [2, 'three'],
        [1, 'two'],
      ]);
      expect((await store.listTrash('ann', 2)).records).toBe(4);
      expect((await restored(store, 'ann', { entry: four.id })).ids).toEqual([four.id]);
      expect((await restored(store, 'ann', 'latest')).ids).toEqual([three.id]);
      // Of the rest, the last deletion is now the one before.
      expect((await restored(store, 'ann', 'latest')).ids).toEqual([two.id]);
      await store.moveToTrash('ann', two.id);
      expect((await restored(store, 'ann', { batch: first.batch ?? '' })).ids).toEqual([one.id]);
      expect((await restored(store, 'ann', 'all')).ids).toEqual([two.id]);
      expect((await store.readCounts('ann')).records).toBe(4);
    });

    test('deletions stay apart when the clock stops or is set back', async () => {
      const batches: number[] = [];
      for (const text of ['one', 'two', 'three']) {
        const { id } = await add('ann', text);
        clock.now = 500;
        batches.push(Number((await store.moveToTrash('ann', id)).batch));
      }
      expect(batches[1]).toBeGreaterThan(batches[0] ?? 0);
      expect(batches[2]).toBeGreaterThan(batches[1] ?? 0);
    });

    test('an owner cannot reach the trash of another', async () => {
      const { id } = await add('ann', 'one');
      await add('bob', 'of bob');
      const { batch = '' } = await store.moveToTrash('ann');
      for (const which of [{ batch }, { entry: id }, 'latest', 'all'] as const) {
        expect(await restored(store, 'bob', which)).toEqual({ ids: [], known: 0 });
      }
      expect(await store.listTrash('bob', 10)).toEqual({ batches: [], records: 0, bytes: 0 });
      expect(await store.removeEntry('bob', id)).toBe(false);
      expect(await store.purgeTrash(FOREVER, signal, 'bob')).toBe(0);
      expect(await store.trimTrash('bob', { records: 0, bytes: 0 }, signal)).toBe(0);
      expect((await restored(store, 'ann', 'latest')).ids).toEqual([id]);
    });

    test('a restore of a text that was inserted again keeps one entry, which gains the data of the other', async () => {
      const { id } = await add('ann', {
        text: 'Magpies hoard.',
        tags: ['old', 'both'],
        title: 'T',
        source: 'book',
      });
      const { id: besides } = await add('ann', 'besides');
      await embed('ann');
      await store.moveToTrash('ann');
      const { id: later, known } = await add('ann', { text: ' Magpies hoard.\n', tags: ['both', 'new'] });
      expect([later === id, known]).toEqual([false, false]);
      expect(await restored(store, 'ann', 'all')).toEqual({ ids: [besides], known: 1 });
      const { entries } = await store.listEntries('ann', 10, 'newest');
      expect(entries).toMatchObject([
        { id: later, tags: ['both', 'new', 'old'], title: 'T', source: 'book' },
        { id: besides },
      ]);
      expect(await found('ann', 'magpies hoard')).toEqual(['Magpies hoard.']);
      expect(await store.listTrash('ann', 10)).toMatchObject({ records: 0 });
      expect((await store.readCounts('ann')).records).toBe(2);
      expect(await store.listPlaces('ann', 1, 10)).toHaveLength(2);
    });

    test('the entry that is kept keeps its source', async () => {
      await add('ann', { text: 'Magpies hoard.', source: 'book' });
      await store.moveToTrash('ann');
      await add('ann', { text: 'Magpies hoard.', source: 'site', title: 'Kept' });
      await store.restoreFromTrash('ann', 'all');
      const { entries } = await store.listEntries('ann', 10, 'newest');
      expect(entries).toMatchObject([{ source: 'site', title: 'Kept' }]);
    });

    test('a text that was deleted twice returns as the older entry, with the data of the newer one', async () => {
      const { id: older } = await add('ann', { text: 'one', tags: ['older'] });
      await store.moveToTrash('ann', older);
      const { id: newer } = await add('ann', { text: 'one', tags: ['newer'] });
      await store.moveToTrash('ann', newer);
      expect(await restored(store, 'ann', 'all')).toEqual({ ids: [older], known: 1 });
      expect(await restored(store, 'ann', { entry: newer })).toEqual({ ids: [], known: 0 });
      expect((await store.listEntries('ann', 10, 'newest')).entries).toMatchObject([
        { id: older, tags: ['older', 'newer'] },
      ]);
      expect(await store.readCounts('ann')).toMatchObject({ records: 1, passages: 1 });
    });

    test('an imported backup restores the entry of the same id, with its time', async () => {
      const entry = { text: 'one of the backup', tags: ['a'], title: 'T' };
      const { id } = await add('ann', entry);
      const before = await store.findEntry('ann', id);
      const times = { createdAt: before?.createdAt ?? 0, updatedAt: before?.updatedAt ?? 0 };
      await embed('ann');
      await store.moveToTrash('ann');
      const again = async (text: string) =>
        (await store.insertEntries([{ owner: 'ann', entry: await prepared({ ...entry, text }), times }]))[0];
      // Another text of that time is another entry.
      expect(await again('another text')).toMatchObject({ id: `ann-${times.createdAt + 1}`, known: false });
      expect(await again(entry.text)).toEqual({ id, known: false, passages: 1 });
      expect(await store.findEntry('ann', id)).toEqual(before);
      expect(await store.listTrash('ann', 10)).toMatchObject({ records: 0 });
      expect((await store.readCounts('ann')).records).toBe(2);
      expect(await again(entry.text)).toEqual({ id, known: true, passages: 1 });
    });

    test('an entry without a vector waits for one after its restore, and for nothing in the trash', async () => {
      const { id } = await add('ann', 'with a vector');
      await embed('ann');
      const { id: without } = await add('ann', longText(3));
      await store.moveToTrash('ann');
      expect(await store.listUnembedded('ann', 'm', 10)).toEqual([]);
      expect(await store.listWaitingOwners('m')).toEqual([]);
      expect(await store.countPending('ann', 'm')).toBe(0);
      expect(await store.readProgress('m')).toEqual({ done: 0, total: 0 });
      // The model goes on past what lies there.
      await add('ann', 'later');
      expect(await embed('ann')).toBe(1);
      await store.restoreFromTrash('ann', 'all');
      const { passages } = await store.readCounts('ann');
      const waiting = await store.listUnembedded('ann', 'm', 10);
      expect(waiting.map(({ text }) => text).join('')).toBe(longText(3));
      expect(await store.countPending('ann', 'm')).toBe(waiting.length);
      expect(await store.listWaitingOwners('m')).toEqual(['ann']);
      await embed('ann');
      expect(await store.listVectors('ann', 'm', 0, 100)).toHaveLength(passages);
      expect((await store.findEntry('ann', without))?.text).toBe(longText(3));
      expect(await found('ann', 'with a vector')).toContain('with a vector');
      expect((await store.findEntry('ann', id))?.text).toBe('with a vector');
      const neighbours = await store.readNeighbours('ann', waiting[1]?.place ?? 0, 1);
      expect(neighbours.map(({ ordinal }) => ordinal)).toEqual([0, 2]);
    });

    test('a model that was chosen meanwhile embeds restored entries', async () => {
      await add('ann', 'one');
      await embed('ann', 'm');
      await store.moveToTrash('ann');
      await store.tendModels({ common: 'new' });
      await add('ann', 'two');
      expect(await embed('ann', 'new')).toBe(1);
      await store.restoreFromTrash('ann', 'all');
      expect((await store.listUnembedded('ann', 'new', 10)).map(({ text }) => text)).toEqual(['one']);
    });

    test('only entries that were in the trash long enough are removed for good', async () => {
      const [old, young, kept] = [
        await add('ann', 'old one'),
        await add('ann', 'young one'),
        await add('ann', 'kept one'),
      ];
      const { batch = '' } = await store.moveToTrash('ann', old.id);
      clock.now += 1000;
      await store.moveToTrash('ann', young.id);
      const { id: ofBob } = await add('bob', 'of bob');
      const { batch: bobs = '' } = await store.moveToTrash('bob');
      expect(await store.purgeTrash(Number(batch) - 1, signal)).toBe(0);
      expect(await store.purgeTrash(Number(batch), signal)).toBe(1);
      expect((await restored(store, 'ann', { entry: old.id })).ids).toEqual([]);
      expect(await store.purgeTrash(Number(bobs), signal, 'ann')).toBe(1);
      expect((await restored(store, 'ann', 'all')).ids).toEqual([]);
      expect((await restored(store, 'bob', 'all')).ids).toEqual([ofBob]);
      expect(await store.readCounts('ann')).toMatchObject({ records: 1, passages: 1 });
      expect(await found('ann', 'one')).toEqual(['kept one']);
      expect((await store.findEntry('ann', kept.id))?.text).toBe('kept one');
      const stopped = await store
        .moveToTrash('ann')
        .then(() => store.purgeTrash(FOREVER, AbortSignal.abort()));
      expect(stopped).toBe(0);
      expect(await store.purgeTrash(FOREVER, signal)).toBe(1);
    });

    test('a trash beyond its limit removes the oldest deletions; the last deletion stays whole', async () => {
      const ids: string[] = [];
      for (let n = 0; n < 10; n++) {
        const { id } = await add('ann', `entry ${n}`);
        ids.push(id);
        await store.moveToTrash('ann', id);
      }
      expect(await store.trimTrash('ann', { records: 10, bytes: 1000 }, signal)).toBe(0);
      expect(await store.trimTrash('ann', { records: 9, bytes: 1000 }, signal)).toBe(1);
      expect((await restored(store, 'ann', { entry: ids[0] ?? '' })).ids).toEqual([]);
      expect(await store.trimTrash('ann', { records: 9, bytes: 7 * 5 }, signal)).toBe(4);
      expect((await restored(store, 'ann', 'all')).ids).toEqual(ids.slice(5));
      const { records } = await store.moveToTrash('ann');
      expect(await store.trimTrash('ann', { records: 1, bytes: 1 }, signal)).toBe(0);
      expect((await restored(store, 'ann', 'latest')).ids).toHaveLength(records);
    });

    test('a large deletion is removed only when newer ones fill the limit by themselves', async () => {
      const bound = { records: 5, bytes: 1000 };
      const remove = async (count: number, name: string) => {
        const ids: string[] = [];
        for (let n = 0; n < count; n++) ids.push((await add('ann', `${name} ${n}`)).id);
        await store.moveToTrash('ann');
        return ids;
      };
      const large = await remove(8, 'large');
      const dropped: number[] = [];
      for (let n = 0; n < 5; n++) {
        await remove(1, `small ${n}`);
        dropped.push(await store.trimTrash('ann', bound, signal));
      }
      expect(dropped).toEqual([0, 0, 0, 0, large.length]);
      expect((await store.listTrash('ann', 10)).records).toBe(5);
    });

    test('a permanent removal also covers entries in the trash', async () => {
      const { id } = await add('ann', 'one');
      await store.moveToTrash('ann', id);
      expect(await store.removeEntry('ann', id)).toBe(true);
      expect(await store.removeEntry('ann', id)).toBe(false);
      expect((await restored(store, 'ann', 'all')).ids).toEqual([]);
      expect(await store.readCounts('ann')).toMatchObject({ records: 0, passages: 0, bytes: 0 });
    });

    test('entries in the trash do not count in the scores of other entries', async () => {
      const texts = ['crow crow raven', 'raven jackdaw owl', 'crow owl finch'];
      for (let n = 0; n < 30; n++) await add('ann', `jackdaw raven ${n} ${'long '.repeat(n)}`);
      for (const text of texts) await add('bob', text);
      await store.moveToTrash('ann');
      for (const text of texts) await add('ann', text);
      const scores = async (owner: string) => {
        const { scored, allWords } = await store.findByWords(owner, 'crow raven jackdaw', 10);
        return { scores: scored.map(({ score }) => score), allWords };
      };
      expect(await scores('ann')).toEqual(await scores('bob'));
    });

    test('processes see what other processes delete and restore', async () => {
      const { store: other } = await open();
      const { id } = await add('ann', 'a magpie');
      await embed('ann');
      await other.readChanges();
      await store.moveToTrash('ann');
      expect(await other.readChanges()).toEqual([{ owner: 'ann', ids: [id] }]);
      expect(await found('ann', 'magpie', other)).toEqual([]);
      expect(await other.listVectors('ann', 'm', 0, 10)).toEqual([]);
      expect((await restored(other, 'ann', 'latest')).ids).toEqual([id]);
      expect(await store.readChanges()).toEqual([{ owner: 'ann', ids: [id] }]);
      expect(await found('ann', 'magpie')).toEqual(['a magpie']);
      expect(await store.listVectors('ann', 'm', 0, 10)).toHaveLength(1);
    });

    test('when two openers restore at once, one succeeds', async () => {
      const { store: other } = await open();
      for (let n = 0; n < 20; n++) await add('ann', `entry ${n}`);
      await store.moveToTrash('ann');
      const [one, two] = await Promise.all([
        store.restoreFromTrash('ann', 'latest'),
        other.restoreFromTrash('ann', 'latest'),
      ]);
      expect(one.records + two.records).toBe(20);
      expect(await store.readCounts('ann')).toMatchObject({ records: 20, passages: 20 });
    });

    test('a crash during a deletion or a restore of everything loses nothing', async () => {
      for (let n = 0; n < 1500; n++) await add('ann', `entry ${n}`);
      const killed = await open();
      // It ends once the first step is done.
      let dropped: Promise<void> | undefined;
      const dropOnce = (opener: typeof killed) => () => {
        dropped ??= opener.drop();
      };
      await killed.store.moveToTrash('ann', undefined, dropOnce(killed)).catch(() => {});
      await dropped;
      const { store: next } = await open();
      const kept = (await next.readCounts('ann')).records;
      const { records } = await next.listTrash('ann', 1);
      expect([kept, records]).toEqual([500, 1000]);
      dropped = undefined;
      // A database that is busy may refuse the first step, which then has changed nothing.
      for (let tries = 0; dropped === undefined && tries < 3; tries++) {
        const again = await open();
        await again.store.restoreFromTrash('ann', 'latest', dropOnce(again)).catch(() => {});
        await dropped;
      }
      expect((await next.readCounts('ann')).records).toBe(1000);
      expect((await next.listTrash('ann', 1)).records).toBe(500);
      // Nothing has given them a vector: they wait for it once the next process has cleaned up.
      await next.putVectors('ann', 'm', (await next.readStanding('ann', 'm')).next, []);
      await next.cleanUp(signal);
      expect(await next.countPending('ann', 'm')).toBe(500);
      // The same restore brings back the rest.
      const steps: number[] = [];
      const { records: rest } = await next.restoreFromTrash('ann', 'latest', (some) =>
        steps.push(some.length),
      );
      expect([rest, steps]).toEqual([500, [500]]);
      expect((await next.readCounts('ann')).records).toBe(1500);
      expect(await next.countPending('ann', 'm')).toBe(1000);
      expect((await next.listPlaces('ann', 1, 2000)).length).toBe(1500);
    });
  });
}
