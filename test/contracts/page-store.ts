import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../src/errors.ts';
import type { PageStore, StoredPage } from '../../src/search/page-store.ts';

import { formPairs, WORD_FORMS } from '../helpers/word-forms.ts';

/** Pages, and bytes of text, that the store under test keeps for one owner. */
export const CONTRACT_PAGES = 50;
export const CONTRACT_BYTES = 3_000_000;

const page = (url: string, text: string, more: Partial<StoredPage> = {}): StoredPage => ({
  url,
  title: `Title of ${url}`,
  text,
  readAt: 1000,
  ...more,
});

/** An empty store that is bound to CONTRACT_PAGES pages and CONTRACT_BYTES bytes, and further openers of its data. */
export interface OpenedPageStore {
  readonly store: PageStore;
  /** As another process opens it, while the first is open or after it was dropped without being closed. */
  openAnother(): Promise<PageStore>;
  close(): Promise<void>;
}

/** What every driver of PageStore does. */
export function describePageStore(name: string, makeEmpty: () => Promise<OpenedPageStore>): void {
  describe(`${name} as PageStore`, () => {
    let opened: OpenedPageStore;
    let store: PageStore;
    beforeEach(async () => {
      opened = await makeEmpty();
      ({ store } = opened);
    });
    afterEach(() => opened.close());

    const put = (owner: string, ...pages: StoredPage[]) => store.savePages(owner, pages);
    const urls = async (owner: string, query: string, limit = 10) =>
      (await store.searchPages(owner, query, limit)).map(({ url }) => url);

    test('returns a page as it was saved', async () => {
      const saved = page('https://a.example/x', '# Heading\n\nText with "quotes", emoji 🐦 and\ttabs.', {
        readAt: 17,
      });
      await put('ann', saved);
      expect(await store.getPage('ann', saved.url)).toEqual(saved);
      expect(await store.getPage('ann', 'https://a.example/y')).toBeUndefined();
    });

    test.each(Object.entries(WORD_FORMS))(
      'forms of a word find each other in %s',
      async (language, forms) => {
        const [one, other] = [0, 1].map((at) => formPairs(forms.pairs).map((pair) => pair[at] ?? ''));
        const beside = page('https://b.example/', 'The town has many houses, boats and keys.');
        await put('ann', beside, page('https://a.example/', `${forms.frame} ${one?.join(' ')}.`));
        await put('bob', beside, page('https://a.example/', `${forms.frame} ${other?.join(' ')}.`));
        for (const word of other ?? [])
          expect([language, word, ...(await urls('ann', word))]).toHaveLength(3);
        for (const word of one ?? []) expect([language, word, ...(await urls('bob', word))]).toHaveLength(3);
      },
    );

    test('forms whose stems differ find each other, also where every page has several of them', async () => {
      const frame = WORD_FORMS.es?.frame ?? '';
      const said = ['La ciudad y las ciudades.', 'Las ciudades de la ciudad.', 'Ciudades. Ciudad. Ciudades.'];
      await put('ann', ...said.map((text, at) => page(`https://a.example/${at}`, `${frame} ${text}`)));
      await put('bob', page('https://b.example/', `${frame} Las ciudades del norte.`));
      expect(await urls('ann', 'ciudad')).toHaveLength(3);
      expect(await urls('ann', 'ciudades')).toHaveLength(3);
      expect(await urls('bob', 'ciudad')).toEqual(['https://b.example/']);
    });

    test('a word is as rare in a language of few pages as in all pages together', async () => {
      const english = Array.from({ length: 20 }, (_, at) =>
        page(
          `https://en.example/${at}`,
          `The harbour of the town and its docker ${at % 2 ? 'crane' : 'bridge'}.`,
          {
            title: '',
          },
        ),
      );
      const german = page(
        'https://de.example/',
        'Der Hafen der Stadt und auch nicht nur Docker wie wir es sagen.',
        {
          title: '',
        },
      );
      const rare = page(
        'https://en.example/rare',
        'The docker of the town has a lighthouse with a lamp for ships.',
        {
          title: '',
        },
      );
      await put('ann', ...english, german, rare);
      expect((await urls('ann', 'docker lighthouse'))[0]).toBe(rare.url);
      expect(await urls('ann', 'docker', 40)).toContain(german.url);
      expect(await urls('ann', 'Hafen docker', 1)).toEqual([german.url]);
      expect(await urls('ann', 'harbour crane lighthouse', 1)).toEqual([rare.url]);
    });

    test('an owner sees, counts and clears only their own pages', async () => {
      await put('ann', page('https://shared.example/', 'magpie of ann'));
      await put('bob', page('https://shared.example/', 'magpie of bob'));
      await put('bob', page('https://bob.example/', 'only bob knows the heron'));
      expect((await store.getPage('ann', 'https://shared.example/'))?.text).toBe('magpie of ann');
      expect(await urls('ann', 'heron')).toEqual([]);
      expect(await urls('ann', 'magpie')).toEqual(['https://shared.example/']);
      expect((await store.listPages('ann', 10)).pages).toHaveLength(1);
      expect(await store.deleteAllPages('ann')).toBe(1);
      expect(await store.deleteAllPages('ann')).toBe(0);
      expect(await urls('ann', 'magpie')).toEqual([]);
      expect((await store.listPages('bob', 10)).pages).toHaveLength(2);
      expect(await urls('bob', 'heron')).toEqual(['https://bob.example/']);
    });

    test('words in the pages of other owners do not change the order of results', async () => {
      const order = async (words: string) => {
        for (let i = 0; i < 30; i++) {
          await put('bob', page(`https://b.example/${i}`, words, { title: '' }));
        }
        return urls('ann', 'crow raven jackdaw');
      };
      await put('ann', page('https://1.example/', 'crow crow raven', { title: '' }));
      await put('ann', page('https://2.example/', 'raven jackdaw owl', { title: '' }));
      await put('ann', page('https://3.example/', 'crow owl finch', { title: '' }));
      const unrelated = await order('sparrow sparrow thrush');
      expect(unrelated).toHaveLength(3);
      expect(await order('jackdaw jackdaw raven')).toEqual(unrelated);
      expect(await order('crow crow crow')).toEqual(unrelated);
    });

    test.each([
      ['quotes', `o'hara "the" user`],
      ['signs of query languages', `a:b AND NOT * ^ {c} (d) -- ;`],
      ['NUL', 'left\0right'],
      ['emoji and other scripts', '🐦 鵲 कौआ'],
      ['a long name', 'x'.repeat(5000)],
      ['nothing', ''],
      ['a wildcard', '%_'],
    ])('accepts an owner with %s', async (_, owner) => {
      await put(owner, page('https://a.example/', 'the magpie'));
      await put(`${owner}!`, page('https://b.example/', 'the magpie'));
      expect(await urls(owner, 'magpie')).toEqual(['https://a.example/']);
      expect((await store.listPages(owner, 10)).pages.map(({ url }) => url)).toEqual(['https://a.example/']);
      expect(await store.deleteAllPages(owner)).toBe(1);
      expect(await urls(`${owner}!`, 'magpie')).toEqual(['https://b.example/']);
    });

    test('owners that differ after a NUL are two owners', async () => {
      await put('a\0b', page('https://b.example/', 'magpie'));
      expect(await store.getPage('a\0c', 'https://b.example/')).toBeUndefined();
      expect(await urls('a', 'magpie')).toEqual([]);
    });

    test('an owner that is not valid text is refused, because it could match another', async () => {
      await expect(put('a\ud800', page('https://b.example/', 'magpie'))).rejects.toMatchObject({
        code: 'bad_request',
      });
      await expect(store.searchPages('a\ud801', 'magpie', 10)).rejects.toBeInstanceOf(AppError);
    });

    test('accepts titles, addresses and texts with odd characters', async () => {
      const odd = `'"\\ <b> 🐦 \u202e %00 ; DROP TABLE pages; --`;
      const url = `https://a.example/?q=${odd}`;
      await put('ann', page(url, `${odd} magpie`, { title: odd }));
      expect(await store.getPage('ann', url)).toMatchObject({ url, title: odd, text: `${odd} magpie` });
      await put('ann', page('https://nul.example/', 'before\0after\ud800 heron', { title: 'nul\0title' }));
      expect((await store.getPage('ann', 'https://nul.example/'))?.title).toBe('nultitle');
      expect(await urls('ann', 'heron')).toEqual(['https://nul.example/']);
    });

    test('a page with the same address replaces the earlier page', async () => {
      await put('ann', page('https://a.example/', 'about herons'));
      await put('ann', page('https://a.example/', 'about magpies', { readAt: 2000 }));
      expect((await store.listPages('ann', 10)).pages).toEqual([
        { url: 'https://a.example/', title: 'Title of https://a.example/', readAt: 2000 },
      ]);
      expect(await urls('ann', 'heron')).toEqual([]);
      expect(await urls('ann', 'magpie')).toEqual(['https://a.example/']);
    });

    describe('the earlier text of a page', () => {
      const url = 'https://a.example/';
      const at = async (time: number, owner = 'ann') => {
        const version = await store.getVersion(owner, url, time);
        return version && [version.text, version.firstReadAt, version.readAt];
      };

      test('is found by time, or as the oldest where no older one is kept, for its owner only', async () => {
        await put('ann', page(url, 'one', { readAt: 10 }));
        await put('ann', page(url, 'one', { readAt: 20 }), page(url, 'two', { readAt: 30 }));
        await put('bob', page(url, 'of bob', { readAt: 15 }));
        await put(
          'ann',
          page(url, 'three', { readAt: 40 }),
          page('https://b.example/', 'other', { readAt: 41 }),
        );
        expect(await at(5)).toEqual(['one', 10, 20]);
        expect(await at(10)).toEqual(['one', 10, 20]);
        expect(await at(29)).toEqual(['one', 10, 20]);
        expect(await at(30)).toEqual(['two', 30, 30]);
        expect(await at(Number.MAX_SAFE_INTEGER)).toEqual(['three', 40, 40]);
        expect(await at(30, 'bob')).toEqual(['of bob', 15, 15]);
        expect(await at(30, 'eve')).toBeUndefined();
        expect(await store.getVersion('ann', url, 5)).toMatchObject({
          url,
          cut: false,
          title: `Title of ${url}`,
        });
        expect((await (await opened.openAnother()).getVersion('ann', url, 30))?.text).toBe('two');
      });

      test('is kept for a limited number of versions, and neither found by words nor counted', async () => {
        for (let i = 1; i <= 9; i++)
          await put('ann', page(url, `magpie number${i}`, { readAt: i, title: '' }));
        expect(await at(1)).toEqual(['magpie number4', 4, 4]);
        expect(await urls('ann', 'number5')).toEqual([]);
        expect(await store.measureUsage('ann')).toEqual({ pages: 1, bytes: 'magpie number9'.length });
      });

      test('is limited by the total bytes', async () => {
        const text = 'magpie and heron '.repeat(20_000);
        for (let i = 1; i <= 5; i++) await put('ann', page(url, `${i} ${text}`, { readAt: i }));
        expect((await store.getVersion('ann', url, 1))?.text.slice(0, 2)).toBe('3 ');
        expect((await store.getVersion('ann', url, 5))?.text.slice(0, 2)).toBe('5 ');
      });

      test('is deleted with the page, however the page is deleted', async () => {
        const ways = [
          () => store.deletePages('ann', [url]),
          () => store.deletePagesUnder('ann', url),
          () => store.deleteAllPages('ann'),
        ];
        for (const away of ways) {
          await put('ann', page(url, 'one', { readAt: 1 }));
          await put('ann', page(url, 'two', { readAt: 2 }));
          expect(await at(1)).toEqual(['one', 1, 1]);
          expect(await away()).toBe(1);
          expect(await at(1)).toBeUndefined();
          await put('ann', page(url, 'three', { readAt: 3 }));
          expect(await at(1)).toEqual(['three', 3, 3]);
          await away();
        }
      });

      test('says when the page had more text', async () => {
        await put('ann', page(url, 'x'.repeat(1_100_000)));
        expect(await store.getVersion('ann', url, 1)).toMatchObject({ cut: true });
      });
    });

    test('beyond the limit the oldest page of that owner is removed, also from the index', async () => {
      await put('bob', page('https://bob.example/', 'magpie', { readAt: 1 }));
      for (let i = 0; i < CONTRACT_PAGES + 3; i++) {
        await put('ann', page(`https://a.example/${i}`, `magpie number${i}`, { readAt: 1000 + i }));
      }
      const { pages } = await store.listPages('ann', 1000);
      expect(pages).toHaveLength(CONTRACT_PAGES);
      expect(pages.at(-1)?.url).toBe('https://a.example/3');
      expect(await urls('ann', 'number2')).toEqual([]);
      expect(await urls('ann', 'number3')).toEqual(['https://a.example/3']);
      expect(await urls('bob', 'magpie')).toEqual(['https://bob.example/']);
    });

    test('beyond the limit on bytes the oldest pages are removed, and the newest stays whatever its size', async () => {
      const text = 'magpie and heron '.repeat(50_000);
      for (let i = 0; i < 5; i++) {
        await put('ann', page(`https://a.example/${i}`, text, { readAt: 1000 + i, title: '' }));
      }
      const { pages } = await store.listPages('ann', 100);
      expect(pages.map(({ url }) => url)).toEqual([4, 3, 2].map((i) => `https://a.example/${i}`));
      expect(await store.measureUsage('ann')).toEqual({ pages: 3, bytes: 3 * text.length });
      expect(await urls('ann', 'magpie')).toHaveLength(3);
    });

    test('many pages saved at once are all stored, the last of each address, within the same limits', async () => {
      await put('ann', page('https://old.example/', 'the oldest magpie', { readAt: 1 }));
      const many = Array.from({ length: CONTRACT_PAGES }, (_, i) =>
        page(`https://a.example/${i % (CONTRACT_PAGES - 1)}`, `magpie number${i}`, { readAt: 1000 + i }),
      );
      await store.savePages('ann', [
        ...many,
        page('https://new.example/', 'the newest magpie', { readAt: 9999 }),
      ]);
      expect((await store.measureUsage('ann')).pages).toBe(CONTRACT_PAGES);
      expect(await urls('ann', 'oldest')).toEqual([]);
      expect(await urls('ann', 'newest')).toEqual(['https://new.example/']);
      expect(await urls('ann', 'number0')).toEqual([]);
      expect(await urls('ann', `number${CONTRACT_PAGES - 1}`)).toEqual(['https://a.example/0']);
      await store.savePages('ann', []);
      await store.savePages('bob', []);
      expect(await store.measureUsage('bob')).toEqual({ pages: 0, bytes: 0 });
    });

    test('pages are forgotten by address, and by a common address prefix, for that owner alone', async () => {
      const all = ['/docs', '/docs/', '/docs/a', '/docs/a/b', '/docs?q=1', '/docs2', '/d', '/docs%_/x'];
      for (const owner of ['ann', 'bob']) {
        await store.savePages(
          owner,
          all.map((path) => page(`https://a.example${path}`, 'magpie')),
        );
      }
      const left = async (owner = 'ann') =>
        (await store.listPages(owner, 100)).pages
          .map(({ url }) => url.replace('https://a.example', ''))
          .sort();
      expect(await store.deletePages('ann', ['https://a.example/docs/a', 'https://a.example/none'])).toBe(1);
      expect(await left()).not.toContain('/docs/a');
      expect(await left()).toContain('/docs/a/b');
      expect(await store.deletePagesUnder('ann', 'https://a.example/docs')).toBe(4);
      expect(await left()).toEqual(['/d', '/docs%_/x', '/docs2']);
      expect(await store.deletePagesUnder('ann', 'https://a.example/docs%_')).toBe(1);
      expect(await store.deletePagesUnder('ann', '')).toBe(0);
      expect(await urls('ann', 'magpie')).toHaveLength(2);
      expect(await left('bob')).toEqual([...all].sort());
      expect(await store.deletePagesUnder('bob', 'https://a.example/')).toBe(all.length);
      expect(await store.measureUsage('bob')).toEqual({ pages: 0, bytes: 0 });
    });

    test('reports when a page was read, how much is stored, and where it is from', async () => {
      await store.savePages('ann', [
        page('https://a.example/1', 'x', { title: '', readAt: 7 }),
        page('https://a.example/2', '鵲', { title: 'T' }),
        page('http://b.example:8080/x/y', 'x', { title: '' }),
        page('file:///home/ann/x.md', 'x', { title: '' }),
      ]);
      expect(await store.getReadTime('ann', 'https://a.example/1')).toBe(7);
      expect(await store.getReadTime('ann', 'https://a.example/3')).toBeUndefined();
      expect(await store.getReadTime('bob', 'https://a.example/1')).toBeUndefined();
      expect(await store.measureUsage('ann')).toEqual({ pages: 4, bytes: 7 });
      expect(await store.countByHost('ann')).toEqual([
        { host: 'https://a.example/', pages: 2 },
        { host: 'files of this machine', pages: 1 },
        { host: 'http://b.example:8080/', pages: 1 },
      ]);
      expect(await store.countByHost('bob')).toEqual([]);
    });

    test('the text is stored up to 1 MB, cut between characters', async () => {
      await put('ann', page('https://a.example/', '鵲'.repeat(400_000)));
      const text = (await store.getPage('ann', 'https://a.example/'))?.text ?? '';
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_000_000);
      expect(Buffer.byteLength(text)).toBeGreaterThan(999_990);
      expect(text).toBe('鵲'.repeat(text.length));
    });

    test('the title weighs more than the text, and rarer words weigh more than common words', async () => {
      await put('ann', page('https://text.example/', 'a magpie is a bird with a tail', { title: 'Other' }));
      await put('ann', page('https://title.example/', 'it is a bird with a tail', { title: 'Magpie' }));
      for (let i = 0; i < 5; i++) await put('ann', page(`https://b.example/${i}`, 'a bird with a tail'));
      expect(await urls('ann', 'magpie')).toEqual(['https://title.example/', 'https://text.example/']);
      expect((await urls('ann', 'bird magpie')).slice(0, 2).sort()).toEqual([
        'https://text.example/',
        'https://title.example/',
      ]);
      expect(await urls('ann', 'bird magpie', 1)).toHaveLength(1);
    });

    test.each([
      ['another form of the word', 'nest', 'Magpies were nesting here'],
      ['capitals', 'MAGPIES', 'the magpies'],
      ['accents', 'cafe', 'le café'],
      ['Chinese', '喜鹊', '一只喜鹊在树上'],
      ['one Chinese character', '鹊', '树上的鹊巢'],
      ['the last Chinese character of a text', '巢', '树上的鹊巢'],
      ['a Chinese question', '喜鹊为什么筑巢？', '春天，喜鹊在树上筑巢。'],
      ['Chinese among Latin letters', 'Node入门', '这是Node入门教程'],
      ['Japanese in another form of a word', '鳥の巣', '木の上に鳥の巣がある'],
      ['one rare character beyond the first plane', '𠮷', 'これは𠮷野家'],
      ['Japanese', 'カササギ', 'これはカササギです'],
      ['Korean', '까치', '까치가 울면'],
      ['Thai', 'นก', 'ผมเห็นนกสาลิกา'],
      ['Hindi', 'हिन्दी', 'यह हिन्दी भाषा है'],
      ['Russian', 'сорока', 'Белая сорока.'],
      ['full-width letters', 'magpie', 'ＭＡＧＰＩＥ'],
    ])('finds %s', async (_, query, text) => {
      await put('ann', page('https://a.example/', text, { title: '' }));
      await put('ann', page('https://b.example/', 'nothing of the kind 無関係', { title: '' }));
      expect(await urls('ann', query)).toEqual(['https://a.example/']);
    });

    test.each([
      '"',
      `'; DROP TABLE pages; --`,
      'title:magpie OR *',
      'NEAR(magpie, 3) AND NOT ^x',
      '{url} : magpie',
      'magpie*',
      '-magpie + "unclosed',
      '\0magpie\ud800',
      '()',
      '🐦',
      '_1_2_',
      'magpie '.repeat(5000),
    ])('any text is a valid query: %j', async (query) => {
      await put('ann', page('https://a.example/', 'the magpie'));
      const found = await urls('ann', query.slice(0, 40_000));
      expect(found).toEqual(query.includes('magpie') ? ['https://a.example/'] : []);
    });

    test('a query cannot name the terms of another owner', async () => {
      await put('ann', page('https://a.example/', 'magpie'));
      await put('bob', page('https://b.example/', 'heron'));
      for (const query of ['1_magpie', '2_heron', 'obob heron', '"2_heron"', 'o616e6eo']) {
        expect((await urls('ann', query)).filter((url) => url !== 'https://a.example/')).toEqual([]);
      }
    });

    test('the snippet is plain text around the words of the query', async () => {
      const text = `# Birds\n\n${'Filler words stand here. '.repeat(100)}\n\n* The **magpie** [builds](https://x.example/) a \`nest\` of mud.\n\n${'More filler follows. '.repeat(100)}`;
      await put('ann', page('https://a.example/', text));
      const [hit] = await store.searchPages('ann', 'magpie nest', 10);
      expect(hit?.snippet).toContain('The magpie builds a nest of mud.');
      expect(hit?.snippet.split(/\s+/).length).toBeLessThan(50);
    });

    test('lists pages of results newest first, each saved page once', async () => {
      for (let i = 0; i < 23; i++) {
        await put('ann', page(`https://a.example/${i}`, 'magpie', { readAt: 1000 + (i % 4) }));
      }
      const seen: string[] = [];
      let cursor: string | undefined;
      let readAt = Number.POSITIVE_INFINITY;
      do {
        const { pages, next } = await store.listPages('ann', 5, cursor);
        expect(pages.length).toBeLessThanOrEqual(5);
        for (const one of pages) {
          expect(one.readAt).toBeLessThanOrEqual(readAt);
          ({ readAt } = one);
          seen.push(one.url);
        }
        cursor = next;
      } while (cursor !== undefined && seen.length < 100);
      expect(seen).toHaveLength(23);
      expect(new Set(seen).size).toBe(23);
    });

    test.each(['', 'x', '1.2', '../../etc', Buffer.from('1.2.3').toString('base64url'), "'; --"])(
      'a cursor of another origin is refused: %j',
      async (cursor) => {
        await expect(store.listPages('ann', 5, cursor)).rejects.toMatchObject({
          code: 'bad_request',
          message: expect.stringContaining('cursor'),
        });
      },
    );

    test('two openers see and replace the pages of each other at once', async () => {
      const other = await opened.openAnother();
      const both = [store, other];
      await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          both[i % 2]?.savePages('ann', [page(`https://a.example/${i}`, `magpie number${i}`)]),
        ),
      );
      for (const one of both) {
        expect((await one.measureUsage('ann')).pages).toBe(20);
        expect(await one.searchPages('ann', 'magpie', 50)).toHaveLength(20);
      }
      await Promise.all(both.map((one) => one.savePages('ann', [page('https://a.example/0', 'a heron')])));
      expect((await other.measureUsage('ann')).pages).toBe(20);
      expect(await urls('ann', 'number0')).toEqual([]);
      const deleted = await Promise.all(both.map((one) => one.deletePages('ann', ['https://a.example/0'])));
      expect(deleted.sort()).toEqual([0, 1]);
      expect(await other.getPage('ann', 'https://a.example/0')).toBeUndefined();
    });

    test('an opener that starts after the first was dropped finds all saved pages', async () => {
      await put('ann', page('https://a.example/', 'the magpie', { readAt: 5 }));
      const next = await opened.openAnother();
      expect((await next.searchPages('ann', 'magpies', 10)).map(({ url }) => url)).toEqual([
        'https://a.example/',
      ]);
      expect(await next.getReadTime('ann', 'https://a.example/')).toBe(5);
    });

    test('a batch that fails saves nothing', async () => {
      const bad = page('https://bad.example/', 'magpie', { readAt: Number.NaN });
      await expect(put('ann', page('https://a.example/', 'magpie'), bad)).rejects.toThrow();
      expect(await store.measureUsage('ann')).toEqual({ pages: 0, bytes: 0 });
      expect(await urls('ann', 'magpie')).toEqual([]);
    });
  });
}
