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
import { describeLanguages } from './entry-languages.ts';

async function* groups<T>(...items: T[]) {
  yield* items;
}

const HOUR_US = 3_600_000_000;

/** What every driver of EntryStore keeps to; `makeEmpty` gives what opens one store that is empty at first. */
export function describeEntryStore(name: string, makeEmpty: EmptyStoreMaker): void {
  describe(`${name} as EntryStore`, () => {
    let store: EntryStore;
    let clock: StoreClock;
    const open = openEachTime(makeEmpty, (opened, time) => {
      [store, clock] = [opened, time];
    });

    const add = (owner: string, entry: NewEntry | string, into = store) => addEntry(into, owner, entry);
    const found = async (owner: string, text: string, of = store) => {
      const { scored } = await of.findByWords(owner, text, 10);
      const read = await of.readPassages(
        owner,
        scored.map(({ place }) => place),
      );
      return read.map(({ passage }) => passage.text);
    };
    const texts = async (owner: string) =>
      (await store.listEntries(owner, 100, 'newest')).entries.map(({ text }) => text);

    test('finds entries with shared words of one owner and collection, indexed or not yet', async () => {
      const one = await add('ann', { text: 'a magpie and a heron by the mill', title: 'Birds' });
      await add('ann', { text: longText(30, 'egret') });
      await add('ann', { text: 'a magpie and a heron by the mill', collection: 'work' });
      await add('bob', 'a magpie and a heron by the mill');
      const bounds = { collection: 'default', limit: 5, chars: 10 };
      const sharing = () => store.findSharing('ann', ['magpi', 'heron', 'mill', 'nothing'], bounds);
      const expected = [{ id: one.id, title: 'Birds', text: 'a magpie a' }];
      expect(await sharing()).toEqual(expected);
      await found('ann', 'magpie');
      expect(await sharing()).toEqual(expected);
      expect(await store.findSharing('carl', ['magpi'], bounds)).toEqual([]);
      expect(await store.listFirstPlaces('ann', [one.id, 'bob-1', 'ann-5'])).toEqual(new Map([[one.id, 1]]));
      await store.removeEntry('ann', one.id);
      expect(await sharing()).toEqual([]);
    });

    test('returns an entry as it was inserted', async () => {
      const text = '  # Heading\r\n\n"quotes", emoji 🐦,\ttabs and 鵲\n\n';
      const { id, known } = await add('ann', { text, title: 'T', source: 'https://x/', tags: ['b', 'a'] });
      expect(known).toBe(false);
      expect(await store.findEntry('ann', id)).toEqual({
        id: 'ann-1000000',
        text,
        title: 'T',
        source: 'https://x/',
        tags: ['b', 'a'],
        collection: 'default',
        key: '',
        createdAt: 1_000_000,
        updatedAt: 1_000_000,
      });
      expect(await store.findEntry('ann', 'ann-1')).toBeUndefined();
      expect(await store.findEntry('ann', '1000000')).toBeUndefined();
      expect(await store.findEntry('bob', id)).toBeUndefined();
    });

    test('long texts are returned whole, and in passages', async () => {
      const text = longText(30);
      const { id, passages } = await add('ann', text);
      expect(passages).toBeGreaterThan(20);
      expect((await store.findEntry('ann', id))?.text).toBe(text);
      expect(await store.readCounts('ann')).toEqual({
        records: 1,
        passages,
        bytes: Buffer.byteLength(text),
        oldest: 1_000_000,
        newest: 1_000_000,
      });
    });

    test('a passage has its position in its entry or on its page', async () => {
      const text = `\n\n ${longText(12, '🐦 magpie')}`;
      await add('ann', 'another one');
      await add('ann', text);
      const pages = groups(
        [{ title: 'A', text: 'gull 🐦 one', page: 1 }],
        [
          { title: 'A', text: ' gull 🐦 two, ', page: 2 },
          { title: 'A', text: '\ngull three', page: 2 },
        ],
      );
      await store.putFile('ann', { name: 'a.pdf', title: 'A' }, pages);
      const places = await store.listPlaces('ann', 1, 100);
      const starts = await store.readStarts('ann', places);
      const characters = [...text];
      const onPages: unknown[] = [];
      for (const { place, passage } of await store.readPassages('ann', places)) {
        const start = starts.get(place) ?? -1;
        if (passage.page !== undefined) onPages.push([passage.page, start]);
        else if (passage.text !== 'another one') {
          const found = [...passage.text];
          expect(characters.slice(start, start + found.length).join('')).toBe(passage.text);
        } else expect(start).toBe(0);
      }
      expect(places.length).toBeGreaterThan(12);
      expect(onPages).toEqual([
        [1, 0],
        [2, 1],
        [2, 14],
      ]);
      expect(await store.readStarts('bob', places)).toEqual(new Map());
      await store.removeAllEntries('ann');
      expect((await store.readStarts('ann', places)).size).toBe(3);
    });

    test('ids increase even when the clock stops or is set back', async () => {
      const ids = [];
      for (const [now, text] of [
        [5000, 'one'],
        [5000, 'two'],
        [100, 'three'],
        [9000, 'four'],
      ] as const) {
        clock.now = now;
        ids.push((await add('ann', text)).id);
      }
      expect(ids).toEqual(['ann-5000', 'ann-5001', 'ann-5002', 'ann-9000']);
      expect(await texts('ann')).toEqual(['four', 'three', 'two', 'one']);
    });

    test('an id is not reused after its entry was removed', async () => {
      const { id } = await add('ann', 'one');
      await store.removeEntry('ann', id);
      expect((await add('ann', 'two')).id).not.toBe(id);
      const { id: second } = await add('ann', 'three');
      await store.removeAllEntries('ann');
      clock.now = 5;
      expect((await add('ann', 'four')).id > second).toBe(true);
    });

    test('the same text stays one entry, which gains tags, source and title', async () => {
      const { id } = await add('ann', { text: 'Magpies hoard.', tags: ['birds'] });
      clock.now += 50;
      expect(
        await add('ann', { text: '\n Magpies hoard.  ', tags: ['shiny', 'birds'], source: 's' }),
      ).toEqual({
        id,
        known: true,
        passages: 1,
      });
      expect(await store.findEntry('ann', id)).toMatchObject({
        text: 'Magpies hoard.',
        tags: ['birds', 'shiny'],
        source: 's',
        updatedAt: 1_000_050,
      });
      expect((await store.readCounts('ann')).records).toBe(1);
      expect((await add('bob', 'Magpies hoard.')).known).toBe(false);
      // Within one batch too.
      const entry = await prepared({ text: 'twice' });
      const both = await store.insertEntries([
        { owner: 'ann', entry },
        { owner: 'ann', entry },
      ]);
      expect(both.map(({ known }) => known)).toEqual([false, true]);
    });

    test('a restored entry keeps its times, and gets a free one where its own is taken', async () => {
      await add('ann', 'there already');
      const entry = await prepared({ text: 'old' });
      const times = { createdAt: 1_000_000, updatedAt: 1_000_007 };
      const [one] = await store.insertEntries([{ owner: 'ann', entry, times }]);
      expect(await store.findEntry('ann', one?.id ?? '')).toMatchObject({
        id: 'ann-1000001',
        createdAt: 1_000_001,
        updatedAt: 1_000_007,
      });
      const [two] = await store.insertEntries([{ owner: 'bob', entry, times }]);
      expect(two?.id).toBe('bob-1000000');
    });

    test('a change keeps id and time; the old words are no longer found, and the new ones are', async () => {
      const { id } = await add('ann', { text: 'heron', tags: ['x'] });
      await add('ann', 'egret');
      clock.now += 10;
      const changed = await store.updateEntry(
        'ann',
        id,
        await prepared({ text: longText(5, 'wagtail'), tags: ['y'] }),
      );
      expect(changed).toMatchObject({ id, createdAt: 1_000_000, updatedAt: 1_000_010, tags: ['y'] });
      const place = (await store.listFirstPlaces('ann', [id])).get(id) ?? 0;
      const times = { createdAt: 1_000_000, updatedAt: 1_000_010 };
      expect(await store.readPassages('ann', [place])).toMatchObject([{ place, ...times }]);
      expect(await store.findEntry('ann', id)).toEqual(changed);
      expect(await found('ann', 'heron')).toEqual([]);
      expect((await found('ann', 'wagtail')).length).toBeGreaterThan(1);
      expect((await store.readCounts('ann')).records).toBe(2);
      await expect(store.updateEntry('ann', id, await prepared({ text: 'egret' }))).rejects.toMatchObject({
        code: 'bad_request',
      });
      expect((await store.findEntry('ann', id))?.text).toContain('wagtail');
      await expect(store.updateEntry('bob', id, await prepared({ text: 'x' }))).rejects.toMatchObject({
        code: 'not_found',
      });
    });

    test('a removed entry is neither found, counted nor listed', async () => {
      const { id } = await add('ann', longText(4));
      await add('ann', 'heron');
      expect(await store.removeEntry('bob', id)).toBe(false);
      expect(await store.removeEntry('ann', id)).toBe(true);
      expect(await store.removeEntry('ann', id)).toBe(false);
      expect(await found('ann', 'magpie')).toEqual([]);
      expect(await texts('ann')).toEqual(['heron']);
      expect(await store.readCounts('ann')).toMatchObject({ records: 1, passages: 1, bytes: 5 });
      expect([await store.countBytes('ann'), await store.countBytes('nobody')]).toEqual([5, 0]);
    });

    test('lists each entry once, in pages and in both orders', async () => {
      for (let i = 0; i < 7; i++) await add('ann', `entry ${i}`);
      for (const order of ['newest', 'oldest'] as const) {
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await store.listEntries('ann', 3, order, cursor);
          seen.push(...page.entries.map(({ text }) => text));
          cursor = page.next;
        } while (cursor !== undefined);
        const rising = Array.from({ length: 7 }, (_, i) => `entry ${i}`);
        expect(seen).toEqual(order === 'oldest' ? rising : rising.reverse());
      }
      await expect(store.listEntries('ann', 3, 'newest', 'no cursor')).rejects.toMatchObject({
        code: 'bad_request',
      });
      expect(await store.listEntries('stranger', 3, 'newest')).toEqual({ entries: [] });
    });

    test('finds words by their stems, without accents and in other scripts, and finds nothing for absent words', async () => {
      await add('ann', 'The farmers were hoarding café chairs');
      await add('ann', '東京の鵲は賢い');
      await add('ann', 'to be or not to be');
      expect(await found('ann', 'hoards a farmer')).toHaveLength(1);
      expect(await found('ann', 'CAFE')).toHaveLength(1);
      expect(await found('ann', '鵲は')).toEqual(['東京の鵲は賢い']);
      expect(await found('ann', 'to be or not')).toEqual(['to be or not to be']);
      expect(await found('ann', 'zebra')).toEqual([]);
      expect(await found('ann', '')).toEqual([]);
    });

    test('rarer words and shorter passages weigh more', async () => {
      for (let i = 0; i < 10; i++) await add('ann', `the crow number ${i} sits on a wire`);
      await add(
        'ann',
        'a crow with a wagtail on a very long wire beside many other old wires of the old town',
      );
      await add('ann', 'a wagtail with a crow');
      const [first, second] = await found('ann', 'crow wagtail');
      expect(first).toBe('a wagtail with a crow');
      expect(second).toContain('long wire');
    });

    test.each([
      ['quotes', `o'hara "the" user`],
      ['signs of query languages', `a:b AND NOT * ^ {c} (d) -- ; NEAR(x)`],
      ['half a pair of surrogates', 'left\ud83dright'],
      ['a megabyte', 'magpie heron '.repeat(80_000)],
      ['signs only', '!!! ??? --'],
    ])('%s are legal in texts and queries', async (_, text) => {
      await add('ann', text.slice(0, 100_000));
      expect((await store.findByWords('ann', text, 10)).scored).toBeInstanceOf(Array);
    });

    test('filters by tags, source and time, alone and together', async () => {
      await add('ann', { text: 'one magpie', tags: ['a', 'b'], source: 'https://x.example/1' });
      clock.now = 2_000_000;
      await add('ann', { text: 'two magpie', tags: ['a'], source: 'https://x.example/2' });
      clock.now = 3_000_000;
      await add('ann', { text: 'three magpie', tags: ['a b'], source: 'file' });
      const kept = async (filter: Parameters<EntryStore['filterPlaces']>[1]) => {
        const within = await store.filterPlaces('ann', filter);
        const places = (await store.findByWords('ann', 'magpie', 10, within)).scored;
        const read = await store.readPassages(
          'ann',
          places.map(({ place }) => place),
        );
        return read.map(({ passage }) => passage.text.split(' ')[0]).sort();
      };
      expect(await store.filterPlaces('ann', {})).toBeUndefined();
      expect(await kept({ tags: ['a'] })).toEqual(['one', 'two']);
      expect(await kept({ tags: ['a', 'b'] })).toEqual(['one']);
      expect(await kept({ tags: ['%'] })).toEqual([]);
      expect(await kept({ source: 'file' })).toEqual(['three']);
      expect(await kept({ source: 'https://x.example/*' })).toEqual(['one', 'two']);
      expect(await kept({ source: 'https://x.example/' })).toEqual([]);
      expect(await kept({ source: ['file', 'https://x.example/1', 'nowhere'] })).toEqual(['one', 'three']);
      expect(await kept({ source: ['nowhere', 'https://x.example/*'], tags: ['b'] })).toEqual(['one']);
      expect(await kept({ source: [] })).toEqual([]);
      expect(await kept({ since: 2_000_000 })).toEqual(['three', 'two']);
      expect(await kept({ until: 2_000_000 })).toEqual(['one']);
      expect(await kept({ tags: ['a'], since: 1_000_001, source: '*' })).toEqual(['two']);
    });

    test('says which words of a question no searched passage of the owner has', async () => {
      const { id } = await add('ann', { text: 'Paul sees herons.', collection: 'birds' });
      await add('ann', 'Die Gärten blühen im Frühling und die Vögel singen.');
      await add('bob', 'Lisbon');
      const missing = async (text: string, within?: Awaited<ReturnType<EntryStore['filterPlaces']>>) =>
        (await store.findByWords('ann', text, 10, within)).missing;
      const question = 'Did Paul see a heron and an egret in the garten of Lisbon?';
      expect(await missing(question)).toEqual(['egret', 'lisbon']);
      const birds = await store.filterPlaces('ann', { collection: 'birds' });
      expect(await missing(question, birds)).toEqual(['egret', 'garten', 'lisbon']);
      expect(await missing('???')).toEqual([]);
      // What is found before it is indexed counts, and what lies in the trash does not.
      await add('ann', 'An egret.');
      expect(await missing(question)).toEqual(['lisbon']);
      await store.moveToTrash('ann', id);
      expect(await missing(question)).toEqual(['paul', 'see', 'heron', 'lisbon']);
    });

    test('passages have neighbours of the same text only', async () => {
      await add('ann', 'before');
      const { passages } = await add('ann', longText(5, 'wagtail'));
      await add('ann', 'after');
      const places = (await store.findByWords('ann', 'wagtail', 10)).scored
        .map(({ place }) => place)
        .sort((a, b) => a - b);
      const ordinals = async (place: number | undefined, count: number) =>
        (await store.readNeighbours('ann', place ?? 0, count)).map(({ ordinal }) => ordinal);
      expect(await ordinals(places[0], 1)).toEqual([1]);
      expect(await ordinals(places[2], 1)).toEqual([1, 3]);
      expect(await ordinals(places[2], 10)).toEqual(
        Array.from({ length: passages }, (_, i) => i).filter((ordinal) => ordinal !== 2),
      );
      expect(await store.readNeighbours('bob', places[2] ?? 0, 2)).toEqual([]);
    });

    test('a reset removes the entries of one owner, and keeps files and entries of other owners', async () => {
      await add('ann', longText(10));
      for (let i = 0; i < 20; i++) await add('ann', `entry ${i}`);
      await add('bob', 'magpie of bob');
      await store.putFile(
        'ann',
        { name: 'a.pdf', title: 'A' },
        groups([{ title: 'A', text: 'heron', page: 1 }]),
      );
      expect(await store.removeAllEntries('ann')).toBe(21);
      expect(await store.removeAllEntries('ann')).toBe(0);
      expect(await store.readCounts('ann')).toEqual({ records: 0, passages: 0, bytes: 0 });
      expect(await found('ann', 'magpie entry')).toEqual([]);
      expect(await found('ann', 'heron')).toEqual(['heron']);
      expect(await found('bob', 'magpie')).toEqual(['magpie of bob']);
    });

    test('a file is found with its pages, and is not an entry', async () => {
      const pages = (word: string) =>
        groups(
          [{ title: 'A', text: `${word} one`, page: 1 }],
          [
            { title: 'A', text: `${word} two`, page: 2 },
            { title: 'A', text: `${word} three`, page: 3 },
          ],
        );
      expect(await store.putFile('ann', { name: 'a.pdf', title: 'A' }, pages('heron'))).toBe(3);
      expect(await store.readCounts('ann')).toEqual({ records: 0, passages: 0, bytes: 0 });
      expect(await texts('ann')).toEqual([]);
      const within = await store.listFilePlaces('ann', 'a.pdf', { fromPage: 2, toPage: 3 });
      const some = (await store.findByWords('ann', 'heron one', 10, within)).scored;
      const read = await store.readPassages(
        'ann',
        some.map(({ place }) => place),
      );
      expect(read.map(({ passage }) => [passage.of, passage.page, passage.ordinal]).sort()).toEqual([
        ['doc://a.pdf', 2, 1],
        ['doc://a.pdf', 3, 2],
      ]);
      expect(read[0]?.source).toBe('doc://a.pdf');
      // Another of the same name replaces it.
      expect(await store.putFile('ann', { name: 'a.pdf', title: 'A' }, pages('egret'))).toBe(3);
      expect(await found('ann', 'heron')).toEqual([]);
      expect(await found('ann', 'egret')).toHaveLength(3);
      expect(await store.listFilePlaces('bob', 'a.pdf', { fromPage: 1, toPage: 3 })).toBeUndefined();
      expect(await store.removeFile('bob', 'a.pdf')).toBe(0);
      expect(await store.removeFile('ann', 'a.pdf')).toBe(3);
      expect(await found('ann', 'egret')).toEqual([]);
    });

    test('a file is found within its collection, whose count covers its entries alone', async () => {
      const page = (text: string) => groups([{ title: 'A', text, page: 1 }]);
      await store.putFile('ann', { name: 'a.pdf', title: 'A', collection: 'garden' }, page('heron one'));
      await store.putFile('ann', { name: 'b.pdf', title: 'B' }, page('heron two'));
      const foundIn = async (collection: string) => {
        const within = await store.filterPlaces('ann', { collection });
        const { scored } = await store.findByWords('ann', 'heron', 10, within);
        const read = await store.readPassages(
          'ann',
          scored.map(({ place }) => place),
        );
        return read.map(({ passage, collection: of }) => [passage.of, of]);
      };
      expect(await foundIn('garden')).toEqual([['doc://a.pdf', 'garden']]);
      expect(await foundIn('default')).toEqual([['doc://b.pdf', undefined]]);
      expect(await store.listCollections('ann')).toEqual([]);
      await add('ann', { text: 'an egret', collection: 'garden' });
      expect(await store.listCollections('ann')).toMatchObject([{ name: 'garden', records: 1 }]);
      expect(await store.removeAllEntries('ann', 'garden')).toBe(1);
      expect(await foundIn('garden')).toEqual([['doc://a.pdf', 'garden']]);
    });

    test('an interrupted file leaves nothing, and the earlier file stays', async () => {
      const file = { name: 'a.pdf', title: 'A' };
      await store.putFile('ann', file, groups([{ title: 'A', text: 'heron', page: 1 }]));
      async function* broken() {
        yield [{ title: 'A', text: 'egret', page: 1 }];
        expect(await found('ann', 'egret')).toEqual([]);
        throw new Error('page 2 cannot be read');
      }
      await expect(store.putFile('ann', file, broken())).rejects.toThrow('page 2');
      expect(await found('ann', 'egret')).toEqual([]);
      expect(await found('ann', 'heron')).toEqual(['heron']);
      expect(await store.listPlaces('ann', 1, 100)).toHaveLength(1);
    });

    test('vectors belong to their passages, separately for each model', async () => {
      await add('ann', 'one');
      await add('ann', 'two');
      await add('bob', 'three');
      expect((await store.listWaitingOwners('m')).sort()).toEqual(['ann', 'bob']);
      const waiting = await store.listUnembedded('ann', 'm', 10);
      expect(waiting.map(({ text }) => text)).toEqual(['one', 'two']);
      const [first, second] = waiting.map(({ place }) => place);
      if (first === undefined || second === undefined) throw new Error('two were added');
      const vector = Float32Array.of(0.5, -0.25, 0.125);
      await store.putVectors('ann', 'm', first + 1, [{ place: first, vector }]);
      expect(await store.listUnembedded('ann', 'm', 10)).toHaveLength(1);
      expect(await store.countPending('ann', 'm')).toBe(1);
      expect(await store.readProgress('m')).toEqual({ done: 1, total: 3 });
      expect(await store.readStanding('ann', 'm')).toMatchObject({
        searched: 2,
        embedded: second,
        next: second + 1,
      });
      await store.putVectors('ann', 'm', second + 1, []);
      expect(await store.listWaitingOwners('m')).toEqual(['bob']);
      expect(await store.listVectors('ann', 'm', 0, 10)).toEqual([{ place: first, vector }]);
      expect(await store.readVectors('ann', 'm', [first, second])).toEqual(new Map([[first, vector]]));
      expect(await store.listVectors('ann', 'other', 0, 10)).toEqual([]);
      expect(await store.listVectors('bob', 'm', 0, 10)).toEqual([]);
      expect(await store.countPending('ann', 'other')).toBe(2);
      // A passage that was removed gets no vector, and its vector is removed with it.
      await store.removeAllEntries('ann');
      await store.putVectors('ann', 'm', second + 1, [{ place: second, vector }]);
      expect(await store.listVectors('ann', 'm', 0, 10)).toEqual([]);
    });

    test('passages in the trash do not wait for a vector, wherever the next passage without one is', async () => {
      const ids: string[] = [];
      for (const text of ['one', 'two', 'three', 'four', 'five', 'six'])
        ids.push((await add('ann', text)).id);
      const places = (await store.listUnembedded('ann', 'm', 10)).map(({ place }) => place);
      await store.moveToTrash('ann', ids[1]);
      await store.moveToTrash('ann', ids[4]);
      expect(await store.countPending('ann', 'm')).toBe(4);
      expect(await store.countPending('ann', 'm', 3)).toBe(3);
      for (const [at, place] of places.entries()) {
        await store.putVectors('ann', 'm', place + 1, []);
        const waiting = await store.listUnembedded('ann', 'm', 10);
        expect([at, await store.countPending('ann', 'm')]).toEqual([at, waiting.length]);
      }
      await store.restoreFromTrash('ann', 'all');
      expect(await store.countPending('ann', 'm')).toBe((await store.listUnembedded('ann', 'm', 10)).length);
    });

    test('vectors whose length differs from that of the model are set aside, and their passages wait', async () => {
      await add('ann', 'one');
      const [waiting] = await store.listUnembedded('ann', 'm', 1);
      const place = waiting?.place ?? 0;
      expect(await store.setAsideVectors('m', 3)).toBe(false);
      await store.putVectors('ann', 'm', place + 1, [{ place, vector: Float32Array.of(1, 0, 0) }]);
      await store.putVectors('ann', 'other', place + 1, [{ place, vector: Float32Array.of(1, 0) }]);
      expect(await store.setAsideVectors('m', 3)).toBe(false);
      expect(await store.listUnembedded('ann', 'm', 1)).toEqual([]);
      expect(await store.setAsideVectors('m', 2)).toBe(true);
      expect(await store.setAsideVectors('m', 2)).toBe(false);
      expect(await store.listUnembedded('ann', 'm', 1)).toEqual([waiting]);
      expect(await store.listVectors('ann', 'm', 0, 10)).toEqual([]);
      expect(await store.listVectors('ann', 'other', 0, 10)).toHaveLength(1);
    });

    const wait = (microseconds: number) => {
      clock.now += microseconds;
    };
    describeLanguages(() => ({ store, wait }));

    test('removals are counted, and numbers are not reused', async () => {
      const { id } = await add('ann', 'one');
      const before = await store.readStanding('ann', 'm');
      await store.removeEntry('ann', id);
      await add('ann', 'two');
      const after = await store.readStanding('ann', 'm');
      expect(after.removals).toBeGreaterThan(before.removals);
      expect(after.next).toBe(before.next + 1);
      expect(await store.listPlaces('ann', 1, 10)).toEqual([before.next]);
    });

    test('the scores of an owner do not depend on other owners', async () => {
      const scores = () => store.findByWords('ann', 'crow raven jackdaw', 10);
      await add('ann', 'crow crow raven');
      await add('ann', 'raven jackdaw owl');
      await add('ann', 'crow owl finch');
      const alone = await scores();
      expect(alone.scored).toHaveLength(3);
      for (let i = 0; i < 30; i++) await add('bob', `jackdaw jackdaw raven ${i} ${'long '.repeat(i)}`);
      expect(await scores()).toEqual(alone);
    });

    test.each(['', ' ', 'ann\0', '1_x', "o'hara", '../etc', 'ann-1', 'Ännchen 🐦', 'x'.repeat(300)])(
      'an owner can have the name %j',
      async (owner) => {
        await add('ann', 'magpie of ann');
        const { id } = await add(owner, 'magpie');
        expect((await store.findEntry(owner, id))?.text).toBe('magpie');
        expect(await found(owner, 'magpie')).toEqual(['magpie']);
        expect(await store.removeAllEntries(owner)).toBe(1);
        expect(await texts('ann')).toEqual(['magpie of ann']);
      },
    );

    test('half a character is refused as a name', async () => {
      await expect(add('a\ud800', 'x')).rejects.toMatchObject({ code: 'bad_request' });
    });

    const file = { name: 'a.pdf', title: 'A' };
    /** A file of this many passages, in groups of 100. */
    const filePassages = (count: number, word = 'heron') =>
      groups(
        ...Array.from({ length: count / 100 }, (_, group) =>
          Array.from({ length: 100 }, (_, i) => ({
            title: '',
            text: `${word} ${group} ${i}`,
            page: group + 1,
          })),
        ),
      );

    test('an owner cannot reach entries of another by ids, positions, file names or models', async () => {
      const { id } = await add('ann', 'magpie');
      await store.putFile('ann', file, filePassages(100));
      const vector = Float32Array.of(1, 0);
      const [place = 0] = await store.listPlaces('ann', 1, 1);
      await store.putVectors('ann', 'm', place + 1, [{ place, vector }]);
      await add('bob', 'wagtail');
      await expect(store.updateEntry('bob', id, await prepared({ text: 'x' }))).rejects.toThrow();
      expect(await store.removeEntry('bob', id)).toBe(false);
      expect(await store.removeFile('bob', 'a.pdf')).toBe(0);
      expect(await found('bob', 'magpie heron')).toEqual([]);
      expect((await store.readPassages('bob', [place])).map(({ passage }) => passage.text)).toEqual([
        'wagtail',
      ]);
      expect(await store.readVectors('bob', 'm', [place])).toEqual(new Map());
      expect(await store.listModels('bob')).toEqual([]);
      expect(await store.listHiddenPassages('bob')).toEqual([]);
      await store.removeAllEntries('bob');
      expect(await found('ann', 'magpie')).toEqual(['magpie']);
      expect(await store.listVectors('ann', 'm', 0, 10)).toEqual([{ place, vector }]);
    });

    test('two openers that insert at once return different ids, and one entry for one text', async () => {
      const { store: other } = await open();
      const text = (n: number) => `text ${n}`;
      const inserted = await Promise.all(
        Array.from({ length: 40 }, (_, at) => add('ann', text(Math.floor(at / 2)), at % 2 ? other : store)),
      );
      expect(new Set(inserted.map(({ id }) => id)).size).toBe(20);
      expect(inserted.filter(({ known }) => !known)).toHaveLength(20);
      expect((await other.readCounts('ann')).records).toBe(20);
      expect(await found('ann', text(7), other)).toContain(text(7));
      expect(await store.listPlaces('ann', 1, 100)).toHaveLength(20);
    });

    test('when two openers change and remove one entry at once, the counts stay right', async () => {
      const { store: other } = await open();
      const { id } = await add('ann', 'heron');
      const [changed, removed] = await Promise.allSettled([
        store.updateEntry('ann', id, await prepared({ text: longText(3) })),
        other.removeEntry('ann', id),
      ]);
      const left = await store.findEntry('ann', id);
      if (left) expect(changed.status).toBe('fulfilled');
      else expect(removed).toMatchObject({ status: 'fulfilled', value: true });
      expect((await store.readCounts('ann')).records).toBe(left ? 1 : 0);
      expect(await store.listPlaces('ann', 1, 100)).toHaveLength((await store.readCounts('ann')).passages);
    });

    test('when two openers put one file at once, one is stored as a whole', async () => {
      const { store: other } = await open();
      await Promise.all([
        store.putFile('ann', file, filePassages(300, 'heron')),
        other.putFile('ann', file, filePassages(300, 'egret')),
      ]);
      const words = new Set((await found('ann', 'heron egret')).map((text) => text.split(' ')[0]));
      expect(words.size).toBe(1);
      expect(await store.listPlaces('ann', 1, 1000)).toHaveLength(300);
      expect((await store.readStanding('ann', 'm')).searched).toBe(300);
    });

    test('each opener reads the changes of the other once, and never its own', async () => {
      const { store: other } = await open();
      const { id: mine } = await add('ann', 'one');
      const { id: theirs } = await add('bob-1', 'two', other);
      await other.putFile('ann', file, filePassages(100));
      expect(await store.readChanges()).toEqual([
        { owner: 'bob-1', ids: [theirs] },
        { owner: 'ann', ids: ['doc://a.pdf'] },
      ]);
      expect(await store.readChanges()).toEqual([]);
      expect(await other.readChanges()).toEqual([{ owner: 'ann', ids: [mine] }]);
      // One that opens now has nothing to catch up with.
      expect(await (await open()).store.readChanges()).toEqual([]);
    });

    test('an entry that was inserted before a crash is kept and found by its words', async () => {
      const killed = await open();
      const { id } = await add('ann', 'a rare wagtail', killed.store);
      await killed.drop();
      const { store: next } = await open();
      expect((await next.findEntry('ann', id))?.text).toBe('a rare wagtail');
      expect(await found('ann', 'wagtail', next)).toEqual(['a rare wagtail']);
    });

    test('after a crash during an upload, nothing of the file is found, the earlier file stays, and the rest is removed later', async () => {
      await store.putFile('ann', file, filePassages(100, 'egret'));
      const killed = await open();
      const begun = Promise.withResolvers<void>();
      async function* broken() {
        yield* filePassages(200);
        begun.resolve();
        await new Promise(() => {});
      }
      void killed.store.putFile('ann', file, broken());
      await begun.promise;
      await killed.drop();
      const { store: next } = await open();
      expect(await found('ann', 'heron', next)).toEqual([]);
      expect((await found('ann', 'egret', next)).length).toBeGreaterThan(0);
      const { signal } = new AbortController();
      await next.cleanUp(signal);
      // Another process may still be filling it.
      expect(await next.listPlaces('ann', 1, 1000)).toHaveLength(300);
      clock.now += 2 * HOUR_US;
      await next.cleanUp(signal);
      expect(await next.listPlaces('ann', 1, 1000)).toHaveLength(100);
      expect(await next.listHiddenPassages('ann')).toEqual([]);
    });

    test('after a crash during the removal of a file, nothing is found, and the next opener removes the rest', async () => {
      const killed = await open();
      await killed.store.putFile('ann', file, filePassages(500));
      const { store: next } = await open();
      const removing = killed.store.removeFile('ann', 'a.pdf').catch(() => {});
      // Of a network database the first step is under way for a time.
      await expect.poll(() => found('ann', 'heron', next)).toEqual([]);
      await killed.drop();
      await removing;
      expect((await next.readStanding('ann', 'm')).searched).toBe(0);
      await next.cleanUp(new AbortController().signal);
      expect(await next.listPlaces('ann', 1, 1000)).toEqual([]);
    });
  });
}
