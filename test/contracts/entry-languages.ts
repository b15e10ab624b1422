import { describe, expect, test } from 'vitest';
import type { EntryStore } from '../../src/knowledge/store.ts';
import type { NewEntry } from '../../src/knowledge/types.ts';
import { prepared } from '../helpers/entry-stores.ts';
import { formPairs, WORD_FORMS } from '../helpers/word-forms.ts';

const CHINESE = ['星期二上午十点去看牙医', '晚上买牛奶和面包', '汽车下周需要年检'];
const ENGLISH = (n: number) => `Note ${n}: the meeting about the budget is on the second day of the week.`;
const never = new AbortController().signal;

/** What every driver of EntryStore keeps of the languages of owners; part of describeEntryStore. */
export function describeLanguages(
  of: () => { readonly store: EntryStore; wait(microseconds: number): void },
): void {
  const add = async (owner: string, entry: NewEntry | string) => {
    const given = typeof entry === 'string' ? { text: entry } : entry;
    const [one] = await of().store.insertEntries([{ owner, entry: await prepared(given) }]);
    return one?.id ?? '';
  };
  const languages = (owner: string) => of().store.readLanguages(owner);
  const addEnglish = async (owner: string, count: number) => {
    for (let n = 0; n < count; n++) await add(owner, ENGLISH(n));
  };

  describe('languages', () => {
    test.each(Object.entries(WORD_FORMS))(
      'forms of a word find each other in %s',
      async (language, forms) => {
        const [one, other] = [0, 1].map((at) => formPairs(forms.pairs).map((pair) => pair[at] ?? ''));
        for (const owner of ['ann', 'bob']) await add(owner, ENGLISH(1));
        await add('ann', `${forms.frame} ${one?.join(' ')}.`);
        await add('bob', `${forms.frame} ${other?.join(' ')}.`);
        const count = async (owner: string, text: string) =>
          (await of().store.findByWords(owner, text, 10)).scored.length;
        for (const word of other ?? [])
          expect([language, word, await count('ann', word)]).toEqual([language, word, 1]);
        for (const word of one ?? [])
          expect([language, word, await count('bob', word)]).toEqual([language, word, 1]);
      },
    );

    test('a word has one rarity in all languages, and a question of all words has the whole score', async () => {
      for (let n = 0; n < 20; n++)
        await add('ann', `The docker of the town number ${n} has a crane and a bridge.`);
      await add('ann', 'Der Docker der Stadt ist nicht hier, und wir haben auch keine Häuser mehr.');
      await add('ann', 'The docker of the town has a lighthouse.');
      const find = (text: string) => of().store.findByWords('ann', text, 50);
      const { scored, allWords, rare } = await find('docker Haus');
      expect(scored).toHaveLength(22);
      expect(scored[0]?.place).toBe(21);
      expect(rare.get('haus')).toEqual([21]);
      expect(scored[0]?.score).toBeGreaterThan(allWords / 2);
      const docker = await find('docker');
      const scores = docker.scored.map(({ score }) => score);
      expect(Math.max(...scores) / Math.min(...scores)).toBeLessThan(1.5);
      expect((await find('docker lighthouse')).scored[0]?.place).toBe(22);
    });

    test('an owner without texts has no languages, and no question counts', async () => {
      await of().store.countQuestion('ann', 2);
      expect(await languages('ann')).toEqual({ passages: 0, nonenglish: 0, asked: 0, multilingual: false });
    });

    test('one Chinese note in three makes the model multilingual, for that owner alone', async () => {
      await addEnglish('ann', 2);
      await addEnglish('bob', 2);
      expect(await languages('ann')).toMatchObject({ passages: 2, nonenglish: 0, multilingual: false });
      await add('ann', CHINESE[0] ?? '');
      expect(await languages('ann')).toMatchObject({ passages: 3, nonenglish: 1, multilingual: true });
      expect(await languages('bob')).toMatchObject({ passages: 2, nonenglish: 0, multilingual: false });
      expect(await of().store.countLanguages()).toEqual({ owners: 2, multilingual: 1 });
    });

    test('files count for the choice of the model, and not among the passages of entries', async () => {
      const { store } = of();
      await add('ann', CHINESE[0] ?? '');
      await store.putFile(
        'ann',
        { name: 'a.pdf', title: 'A' },
        (async function* () {
          yield [{ title: 'A', text: CHINESE[1] ?? '', page: 1 }];
        })(),
      );
      expect(await languages('ann')).toMatchObject({ passages: 2, nonenglish: 2 });
      expect(await store.countNonEnglish('ann')).toBe(1);
      expect(await store.countNonEnglish('bob')).toBe(0);
    });

    test('one Chinese note among very many does not change the model, nor does one foreign word', async () => {
      await addEnglish('ann', 30);
      await add('ann', CHINESE[0] ?? '');
      await add('bob', 'The kindergarten near 北京 is open on Sunday for the children of the town.');
      expect(await languages('ann')).toMatchObject({ nonenglish: 1, multilingual: false });
      expect(await languages('bob')).toMatchObject({ nonenglish: 0, multilingual: false });
    });

    test('the same text inserted again counts once; a change of text, a removal and a restore are counted', async () => {
      const { store } = of();
      const id = await add('ann', CHINESE[0] ?? '');
      await add('ann', CHINESE[0] ?? '');
      expect(await languages('ann')).toMatchObject({ passages: 1, nonenglish: 1, multilingual: true });
      await store.updateEntry('ann', id, await prepared({ text: ENGLISH(1) }));
      expect(await languages('ann')).toMatchObject({ passages: 1, nonenglish: 0, multilingual: false });
      await store.updateEntry('ann', id, await prepared({ text: CHINESE[1] ?? '' }));
      expect(await languages('ann')).toMatchObject({ nonenglish: 1, multilingual: true });
      await store.moveToTrash('ann', id);
      expect(await languages('ann')).toMatchObject({ passages: 0, nonenglish: 0, multilingual: false });
      await store.restoreFromTrash('ann', 'latest');
      expect(await languages('ann')).toMatchObject({ passages: 1, nonenglish: 1, multilingual: true });
      await store.removeEntry('ann', id);
      expect(await languages('ann')).toMatchObject({ passages: 0, nonenglish: 0, multilingual: false });
      for (const text of CHINESE) await add('ann', text);
      await store.moveToTrash('ann');
      await add('ann', CHINESE[2] ?? '');
      // One comes back as what is there already.
      await store.restoreFromTrash('ann', 'all');
      expect(await languages('ann')).toMatchObject({ passages: 3, nonenglish: 3, multilingual: true });
      await store.removeAllEntries('ann');
      expect(await languages('ann')).toMatchObject({ passages: 0, nonenglish: 0, multilingual: false });
    });

    test('files count with their pages from their publication until their removal', async () => {
      const { store } = of();
      const pages = async function* () {
        yield [{ title: '', text: CHINESE[0] ?? '', page: 1 }];
        expect(await languages('ann')).toMatchObject({ passages: 0, nonenglish: 0 });
        yield [{ title: '', text: ENGLISH(1), page: 2 }];
      };
      await store.putFile('ann', { name: 'a.pdf', title: '' }, pages());
      expect(await languages('ann')).toMatchObject({ passages: 2, nonenglish: 1, multilingual: true });
      await store.removeFile('ann', 'a.pdf');
      expect(await languages('ann')).toMatchObject({ passages: 0, nonenglish: 0, multilingual: false });
    });

    test('the model stays until few texts need it, and then changes back', async () => {
      const { store } = of();
      const id = await add('ann', CHINESE[0] ?? '');
      await addEnglish('ann', 30);
      expect(await languages('ann')).toMatchObject({ nonenglish: 1, multilingual: true });
      await addEnglish('ann', 30);
      await store.removeEntry('ann', id);
      expect(await languages('ann')).toMatchObject({ nonenglish: 0, multilingual: false });
    });

    test('questions count for the choice of the model, and their weight fades in time', async () => {
      const { store, wait } = of();
      await addEnglish('ann', 3);
      await addEnglish('bob', 3);
      await store.countQuestion('ann', 1);
      expect(await languages('ann')).toMatchObject({ asked: 1, multilingual: false });
      await store.countQuestion('ann', 1);
      expect(await languages('ann')).toMatchObject({ asked: 2, multilingual: true });
      for (let n = 0; n < 9; n++) await store.countQuestion('ann', 2);
      expect((await languages('ann')).asked).toBe(8);
      expect(await languages('bob')).toMatchObject({ asked: 0, multilingual: false });
      wait(30 * 86_400_000_000);
      await store.settleLanguages(never);
      expect((await languages('ann')).asked).toBeCloseTo(4);
      expect((await languages('ann')).multilingual).toBe(true);
      wait(120 * 86_400_000_000);
      await store.settleLanguages(never);
      expect((await languages('ann')).multilingual).toBe(false);
    });

    test('waiting owners and progress are counted per model, over the owners who use it', async () => {
      const { store } = of();
      await addEnglish('ann', 2);
      for (const text of CHINESE) await add('bob', text);
      expect((await store.listWaitingOwners('m')).sort()).toEqual(['ann', 'bob']);
      expect(await store.listWaitingOwners('m', false)).toEqual(['ann']);
      expect(await store.listWaitingOwners('m', true)).toEqual(['bob']);
      await store.putVectors('bob', 'm', 4, []);
      expect(await store.listWaitingOwners('m', true)).toEqual([]);
      expect(await store.readProgress('m', true)).toEqual({ done: 3, total: 3 });
      expect(await store.readProgress('m', false)).toEqual({ done: 0, total: 2 });
    });

    test('vectors of the other model are removed once the owner has vectors of the current one, and only then', async () => {
      const { store } = of();
      const models = { common: 'english', multilingual: 'all' };
      const vector = Float32Array.of(0.5, 0.5);
      const embed = async (owner: string, model: string) => {
        const waiting = await store.listUnembedded(owner, model, 100);
        const below = (waiting.at(-1)?.place ?? 0) + 1;
        await store.putVectors(
          owner,
          model,
          below,
          waiting.map(({ place }) => ({ place, vector })),
        );
      };
      const held = async (owner: string, model: string) =>
        (await store.listVectors(owner, model, 0, 100)).length;
      await addEnglish('ann', 2);
      await addEnglish('bob', 2);
      await embed('ann', 'english');
      await embed('bob', 'english');
      await add('ann', CHINESE[0] ?? '');
      await store.tendModels(models);
      expect(await store.dropUnused(models)).toBeUndefined();
      expect(await held('ann', 'english')).toBe(2);
      await embed('ann', 'all');
      expect(await store.dropUnused(models)).toEqual({ owner: 'ann', model: 'english' });
      while (await store.dropUnused(models));
      expect([await held('ann', 'english'), await held('ann', 'all')]).toEqual([0, 3]);
      expect(await held('bob', 'english')).toBe(2);
      expect((await store.listModels('ann')).map(({ name }) => name)).toEqual(['all']);
      expect(await store.countPending('ann', 'english')).toBe(3);
      // Another process has the English one for all owners.
      await embed('ann', 'english');
      await store.tendModels({ common: 'english' });
      expect(await store.dropUnused(models)).toBeUndefined();
      expect(await held('ann', 'english')).toBe(3);
    });
  });
}
