import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../src/errors.ts';
import type { PageStore, StoredPage } from '../../src/search/page-store.ts';

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

/**
 * What every driver of PageStore keeps to; `open` gives an empty store bound to CONTRACT_PAGES
 * pages and CONTRACT_BYTES bytes.
 */
export function pageStoreContract(
  name: string,
  open: () => Promise<{ store: PageStore; close(): Promise<void> }>,
): void {
  describe(`${name} as PageStore`, () => {
    let store: PageStore;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ store, close } = await open());
    });
    afterEach(() => close());

    const urls = async (owner: string, query: string, limit = 10) =>
      (await store.search(owner, query, limit)).map(({ url }) => url);

    test('gives a page back as it was put', async () => {
      const put = page('https://a.example/x', '# Heading\n\nText with "quotes", emoji 🐦 and\ttabs.', {
        readAt: 17,
      });
      await store.put('ann', put);
      expect(await store.get('ann', put.url)).toEqual(put);
      expect(await store.get('ann', 'https://a.example/y')).toBeUndefined();
    });

    test('an owner sees, counts and clears own pages only', async () => {
      await store.put('ann', page('https://shared.example/', 'magpie of ann'));
      await store.put('bob', page('https://shared.example/', 'magpie of bob'));
      await store.put('bob', page('https://bob.example/', 'only bob knows the heron'));
      expect((await store.get('ann', 'https://shared.example/'))?.text).toBe('magpie of ann');
      expect(await urls('ann', 'heron')).toEqual([]);
      expect(await urls('ann', 'magpie')).toEqual(['https://shared.example/']);
      expect((await store.list('ann', 10)).pages).toHaveLength(1);
      expect(await store.clear('ann')).toBe(1);
      expect(await store.clear('ann')).toBe(0);
      expect(await urls('ann', 'magpie')).toEqual([]);
      expect((await store.list('bob', 10)).pages).toHaveLength(2);
      expect(await urls('bob', 'heron')).toEqual(['https://bob.example/']);
    });

    test('which words others keep does not change the order of results', async () => {
      const order = async (words: string) => {
        for (let i = 0; i < 30; i++) {
          await store.put('bob', page(`https://b.example/${i}`, words, { title: '' }));
        }
        return urls('ann', 'crow raven jackdaw');
      };
      await store.put('ann', page('https://1.example/', 'crow crow raven', { title: '' }));
      await store.put('ann', page('https://2.example/', 'raven jackdaw owl', { title: '' }));
      await store.put('ann', page('https://3.example/', 'crow owl finch', { title: '' }));
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
    ])('takes an owner with %s', async (_, owner) => {
      await store.put(owner, page('https://a.example/', 'the magpie'));
      await store.put(`${owner}!`, page('https://b.example/', 'the magpie'));
      expect(await urls(owner, 'magpie')).toEqual(['https://a.example/']);
      expect((await store.list(owner, 10)).pages.map(({ url }) => url)).toEqual(['https://a.example/']);
      expect(await store.clear(owner)).toBe(1);
      expect(await urls(`${owner}!`, 'magpie')).toEqual(['https://b.example/']);
    });

    test('owners that differ after NUL are two', async () => {
      await store.put('a\0b', page('https://b.example/', 'magpie'));
      expect(await store.get('a\0c', 'https://b.example/')).toBeUndefined();
      expect(await urls('a', 'magpie')).toEqual([]);
    });

    test('an owner that is no text is refused, since it could be taken for another', async () => {
      await expect(store.put('a\ud800', page('https://b.example/', 'magpie'))).rejects.toMatchObject({
        code: 'bad_request',
      });
      await expect(store.search('a\ud801', 'magpie', 10)).rejects.toBeInstanceOf(AppError);
    });

    test('takes titles, addresses and texts with odd characters', async () => {
      const odd = `'"\\ <b> 🐦 \u202e %00 ; DROP TABLE pages; --`;
      const url = `https://a.example/?q=${odd}`;
      await store.put('ann', page(url, `${odd} magpie`, { title: odd }));
      expect(await store.get('ann', url)).toMatchObject({ url, title: odd, text: `${odd} magpie` });
      await store.put(
        'ann',
        page('https://nul.example/', 'before\0after\ud800 heron', { title: 'nul\0title' }),
      );
      expect((await store.get('ann', 'https://nul.example/'))?.title).toBe('nultitle');
      expect(await urls('ann', 'heron')).toEqual(['https://nul.example/']);
    });

    test('the same address again replaces the page', async () => {
      await store.put('ann', page('https://a.example/', 'about herons'));
      await store.put('ann', page('https://a.example/', 'about magpies', { readAt: 2000 }));
      expect((await store.list('ann', 10)).pages).toEqual([
        { url: 'https://a.example/', title: 'Title of https://a.example/', readAt: 2000 },
      ]);
      expect(await urls('ann', 'heron')).toEqual([]);
      expect(await urls('ann', 'magpie')).toEqual(['https://a.example/']);
    });

    test('beyond the bound the oldest of that owner goes, from the index too', async () => {
      await store.put('bob', page('https://bob.example/', 'magpie', { readAt: 1 }));
      for (let i = 0; i < CONTRACT_PAGES + 3; i++) {
        await store.put('ann', page(`https://a.example/${i}`, `magpie number${i}`, { readAt: 1000 + i }));
      }
      const { pages } = await store.list('ann', 1000);
      expect(pages).toHaveLength(CONTRACT_PAGES);
      expect(pages.at(-1)?.url).toBe('https://a.example/3');
      expect(await urls('ann', 'number2')).toEqual([]);
      expect(await urls('ann', 'number3')).toEqual(['https://a.example/3']);
      expect(await urls('bob', 'magpie')).toEqual(['https://bob.example/']);
    });

    test('beyond the bound on bytes the oldest go, and the newest stays whatever its size', async () => {
      const text = 'magpie and heron '.repeat(50_000);
      for (let i = 0; i < 5; i++) {
        await store.put('ann', page(`https://a.example/${i}`, text, { readAt: 1000 + i, title: '' }));
      }
      const { pages } = await store.list('ann', 100);
      expect(pages.map(({ url }) => url)).toEqual([4, 3, 2].map((i) => `https://a.example/${i}`));
      expect(await store.usage('ann')).toEqual({ pages: 3, bytes: 3 * text.length });
      expect(await urls('ann', 'magpie')).toHaveLength(3);
    });

    test('many at once are all there, the last of one address, under the same bounds', async () => {
      await store.put('ann', page('https://old.example/', 'the oldest magpie', { readAt: 1 }));
      const many = Array.from({ length: CONTRACT_PAGES }, (_, i) =>
        page(`https://a.example/${i % (CONTRACT_PAGES - 1)}`, `magpie number${i}`, { readAt: 1000 + i }),
      );
      await store.putAll('ann', [
        ...many,
        page('https://new.example/', 'the newest magpie', { readAt: 9999 }),
      ]);
      expect((await store.usage('ann')).pages).toBe(CONTRACT_PAGES);
      expect(await urls('ann', 'oldest')).toEqual([]);
      expect(await urls('ann', 'newest')).toEqual(['https://new.example/']);
      expect(await urls('ann', 'number0')).toEqual([]);
      expect(await urls('ann', `number${CONTRACT_PAGES - 1}`)).toEqual(['https://a.example/0']);
      await store.putAll('ann', []);
      await store.putAll('bob', []);
      expect(await store.usage('bob')).toEqual({ pages: 0, bytes: 0 });
    });

    test('pages are forgotten by address, and by what lies under one, of that owner alone', async () => {
      const all = ['/docs', '/docs/', '/docs/a', '/docs/a/b', '/docs?q=1', '/docs2', '/d', '/docs%_/x'];
      for (const owner of ['ann', 'bob']) {
        await store.putAll(
          owner,
          all.map((path) => page(`https://a.example${path}`, 'magpie')),
        );
      }
      const left = async (owner = 'ann') =>
        (await store.list(owner, 100)).pages.map(({ url }) => url.replace('https://a.example', '')).sort();
      expect(await store.remove('ann', ['https://a.example/docs/a', 'https://a.example/none'])).toBe(1);
      expect(await left()).not.toContain('/docs/a');
      expect(await left()).toContain('/docs/a/b');
      expect(await store.forget('ann', 'https://a.example/docs')).toBe(4);
      expect(await left()).toEqual(['/d', '/docs%_/x', '/docs2']);
      expect(await store.forget('ann', 'https://a.example/docs%_')).toBe(1);
      expect(await store.forget('ann', '')).toBe(0);
      expect(await urls('ann', 'magpie')).toHaveLength(2);
      expect(await left('bob')).toEqual([...all].sort());
      expect(await store.forget('bob', 'https://a.example/')).toBe(all.length);
      expect(await store.usage('bob')).toEqual({ pages: 0, bytes: 0 });
    });

    test('says when a page was read, how much is kept, and where it is from', async () => {
      await store.putAll('ann', [
        page('https://a.example/1', 'x', { title: '', readAt: 7 }),
        page('https://a.example/2', '鵲', { title: 'T' }),
        page('http://b.example:8080/x/y', 'x', { title: '' }),
        page('file:///home/ann/x.md', 'x', { title: '' }),
      ]);
      expect(await store.readAt('ann', 'https://a.example/1')).toBe(7);
      expect(await store.readAt('ann', 'https://a.example/3')).toBeUndefined();
      expect(await store.readAt('bob', 'https://a.example/1')).toBeUndefined();
      expect(await store.usage('ann')).toEqual({ pages: 4, bytes: 7 });
      expect(await store.hosts('ann')).toEqual([
        { host: 'https://a.example/', pages: 2 },
        { host: 'files of this machine', pages: 1 },
        { host: 'http://b.example:8080/', pages: 1 },
      ]);
      expect(await store.hosts('bob')).toEqual([]);
    });

    test('the text is kept up to 1 MB, cut between characters', async () => {
      await store.put('ann', page('https://a.example/', '鵲'.repeat(400_000)));
      const text = (await store.get('ann', 'https://a.example/'))?.text ?? '';
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_000_000);
      expect(Buffer.byteLength(text)).toBeGreaterThan(999_990);
      expect(text).toBe('鵲'.repeat(text.length));
    });

    test('the title weighs more than the text, and rarer words more than common ones', async () => {
      await store.put(
        'ann',
        page('https://text.example/', 'a magpie is a bird with a tail', { title: 'Other' }),
      );
      await store.put('ann', page('https://title.example/', 'it is a bird with a tail', { title: 'Magpie' }));
      for (let i = 0; i < 5; i++)
        await store.put('ann', page(`https://b.example/${i}`, 'a bird with a tail'));
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
      await store.put('ann', page('https://a.example/', text, { title: '' }));
      await store.put('ann', page('https://b.example/', 'nothing of the kind 無関係', { title: '' }));
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
    ])('any text is a legal query: %j', async (query) => {
      await store.put('ann', page('https://a.example/', 'the magpie'));
      const found = await urls('ann', query.slice(0, 40_000));
      expect(found).toEqual(query.includes('magpie') ? ['https://a.example/'] : []);
    });

    test("a query cannot name another owner's terms", async () => {
      await store.put('ann', page('https://a.example/', 'magpie'));
      await store.put('bob', page('https://b.example/', 'heron'));
      for (const query of ['1_magpie', '2_heron', 'obob heron', '"2_heron"', 'o616e6eo']) {
        expect((await urls('ann', query)).filter((url) => url !== 'https://a.example/')).toEqual([]);
      }
    });

    test('the snippet is plain text round the words that were asked for', async () => {
      const text = `# Birds\n\n${'Filler words stand here. '.repeat(100)}\n\n* The **magpie** [builds](https://x.example/) a \`nest\` of mud.\n\n${'More filler follows. '.repeat(100)}`;
      await store.put('ann', page('https://a.example/', text));
      const [hit] = await store.search('ann', 'magpie nest', 10);
      expect(hit?.snippet).toContain('The magpie builds a nest of mud.');
      expect(hit?.snippet.split(/\s+/).length).toBeLessThan(50);
    });

    test('lists newest first, page by page, each once', async () => {
      for (let i = 0; i < 23; i++) {
        await store.put('ann', page(`https://a.example/${i}`, 'magpie', { readAt: 1000 + (i % 4) }));
      }
      const seen: string[] = [];
      let cursor: string | undefined;
      let readAt = Number.POSITIVE_INFINITY;
      do {
        const { pages, next } = await store.list('ann', 5, cursor);
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
      'a cursor that is not ours is refused: %j',
      async (cursor) => {
        await expect(store.list('ann', 5, cursor)).rejects.toMatchObject({
          code: 'bad_request',
          message: expect.stringContaining('cursor'),
        });
      },
    );
  });
}
