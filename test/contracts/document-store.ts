import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DocumentStore, DraftFacts } from '../../src/documents/document-store.ts';

/** An opener of the same data; `drop` is the end of a process that was killed. */
export interface DocumentStoreOpener {
  readonly store: DocumentStore;
  drop(): Promise<void>;
}

const WIDE = { maxFiles: 100, maxBytes: 1_000_000 };
const facts = (more: Partial<DraftFacts> = {}): DraftFacts => ({
  kind: 'pdf',
  title: '',
  author: '',
  bytes: 10,
  ...more,
});
const LATER = Date.now() + 86_400_000;

/** What every driver of DocumentStore keeps to; `makeEmpty` gives what opens one store that is empty at first. */
export function describeDocumentStore(
  name: string,
  makeEmpty: () => Promise<{ open(): Promise<DocumentStoreOpener>; remove(): Promise<void> }>,
): void {
  describe(`${name} as DocumentStore`, () => {
    let empty: Awaited<ReturnType<typeof makeEmpty>>;
    let store: DocumentStore;
    const openers: DocumentStoreOpener[] = [];
    const open = async () => {
      const opener = await empty.open();
      openers.push(opener);
      return opener;
    };
    beforeEach(async () => {
      empty = await makeEmpty();
      ({ store } = await open());
    });
    afterEach(async () => {
      for (const opener of openers.splice(0)) await opener.drop();
      await empty.remove();
    });

    const upload = async (
      owner: string,
      file: string,
      {
        pages = ['text'],
        parts = pages.map(() => 1),
        into = store,
        ...more
      }: Partial<DraftFacts> & {
        readonly pages?: readonly string[];
        readonly parts?: readonly number[];
        readonly into?: DocumentStore;
      } = {},
    ) => {
      const draft = await into.beginDraft(owner, file);
      await into.insertPages(draft, pages, parts);
      return { draft, published: await into.publishDraft(owner, draft, facts(more), WIDE) };
    };
    const names = async (owner: string, of = store) =>
      (await of.listDocuments(owner)).map(({ name: file }) => file);

    test('a published file has the content that was put, and its pages by part and number', async () => {
      await upload('ada', 'a.pdf', {
        title: 'Title',
        author: 'Author',
        bytes: 7,
        pages: ['one', '', 'three'],
        parts: [1, 1, 2],
      });
      const document = await store.findDocument('ada', 'a.pdf');
      expect(document).toMatchObject({ name: 'a.pdf', title: 'Title', author: 'Author', bytes: 7 });
      expect(document).toMatchObject({ pages: 3, parts: 2 });
      expect(document?.id).toMatch(/^ada-\d{16}$/);
      expect(await store.listDocuments('ada')).toEqual([document]);
      expect(await store.findPart('ada', 'a.pdf', 1)).toEqual({
        document,
        pages: [
          { page: 1, text: 'one' },
          { page: 2, text: '' },
        ],
      });
      expect(await store.findPart('ada', 'a.pdf', 3)).toEqual({ document, pages: [] });
      expect(await store.listPartsOfPages('ada', 'a.pdf', [3, 1, 1, 9])).toEqual([
        { page: 1, part: 1 },
        { page: 3, part: 2 },
      ]);
      expect(await store.listPartsOfPages('ada', 'a.pdf', [])).toEqual([]);
      expect(await store.listPartsOfPages('bob', 'a.pdf', [1])).toEqual([]);
      expect(await store.findPage('ada', 'a.pdf', 3)).toEqual({ document, text: 'three' });
      expect(await store.findPage('ada', 'a.pdf', 4)).toEqual({ document, text: undefined });
      expect(await store.listPages('ada', 'a.pdf', 2, 1)).toEqual([{ page: 2, text: '' }]);
    });

    test('a file belongs to the named collection, to that of the file it replaces, or to the default one', async () => {
      const collection = async () => (await store.findDocument('ada', 'a.pdf'))?.collection;
      await upload('ada', 'a.pdf');
      expect(await collection()).toBe('default');
      await upload('ada', 'a.pdf', { collection: 'garden' });
      expect((await store.findUnindexed('ada', 'a.pdf'))?.collection).toBe('garden');
      await upload('ada', 'a.pdf');
      expect(await collection()).toBe('garden');
      await upload('bob', 'a.pdf');
      expect((await store.findDocument('bob', 'a.pdf'))?.collection).toBe('default');
    });

    test('texts lose only the characters that no database accepts', async () => {
      await upload('ada', 'a.pdf', { pages: ['a\0b', `quote ' " 🐦 \r\n`, 'half \ud83d'] });
      const pages = await store.listPages('ada', 'a.pdf', 1, 10);
      expect(pages.map(({ text }) => text)).toEqual(['ab', `quote ' " 🐦 \r\n`, 'half \ufffd']);
    });

    test('files are listed newest first, also files of one moment', async () => {
      const all = Array.from({ length: 5 }, (_, at) => `${at}.pdf`);
      for (const file of all) await upload('ada', file);
      expect(await names('ada')).toEqual(all.toReversed());
      const ids = (await store.listDocuments('ada')).map(({ id }) => id);
      expect(new Set(ids).size).toBe(5);
    });

    test('a draft is not visible, not counted and not indexed', async () => {
      const draft = await store.beginDraft('ada', 'a.pdf');
      await store.insertPages(draft, ['text'], [1]);
      expect(await names('ada')).toEqual([]);
      expect(await store.findDocument('ada', 'a.pdf')).toBeUndefined();
      expect(await store.findPage('ada', 'a.pdf', 1)).toBeUndefined();
      expect(await store.readUsage('ada')).toEqual({ files: 0, bytes: 0 });
      expect(await store.findUnindexed('ada', 'a.pdf')).toBeUndefined();
      expect(await store.listUnindexed()).toEqual([]);
    });

    test('a file replaces an earlier file of the same name, which is returned', async () => {
      const first = await upload('ada', 'a.pdf', { pages: ['old'], bytes: 3 });
      expect(first.published).toEqual({ replaced: undefined });
      const second = await upload('ada', 'a.pdf', { pages: ['new'], bytes: 4 });
      expect(second.published).toEqual({ replaced: first.draft });
      expect((await store.findPage('ada', 'a.pdf', 1))?.text).toBe('new');
      expect((await store.findBlob('ada', 'a.pdf'))?.blob).toBe(second.draft.blob);
      expect(await store.readUsage('ada')).toEqual({ files: 1, bytes: 4 });
      expect(await store.listLeftovers(0)).toEqual([{ ...first.draft, owner: 'ada', name: 'a.pdf' }]);
      await store.deleteDraft(first.draft);
      expect(await store.listLeftovers(LATER)).toEqual([]);
      expect((await store.findPage('ada', 'a.pdf', 1))?.text).toBe('new');
    });

    test('a file beyond the limits stays a draft; the file that it replaces does not count', async () => {
      await upload('ada', 'a.pdf', { bytes: 60 });
      const other = await store.beginDraft('ada', 'b.pdf');
      const bounds = { maxFiles: 10, maxBytes: 100 };
      const used = { used: { files: 1, bytes: 60 } };
      expect(await store.publishDraft('ada', other, facts({ bytes: 41 }), bounds)).toEqual(used);
      const few = { maxFiles: 1, maxBytes: 100 };
      expect(await store.publishDraft('ada', other, facts({ bytes: 1 }), few)).toEqual(used);
      expect(await names('ada')).toEqual(['a.pdf']);
      const same = await store.beginDraft('ada', 'a.pdf');
      const published = await store.publishDraft('ada', same, facts({ bytes: 100 }), few);
      expect(published).toMatchObject({ replaced: { row: expect.any(Number) } });
      expect(await store.readUsage('ada', 'a.pdf')).toEqual({ files: 0, bytes: 0 });
    });

    test('a hidden file is a leftover until it is deleted, and can be hidden once', async () => {
      const { draft } = await upload('ada', 'a.pdf');
      expect(await store.hideDocument('bob', 'a.pdf')).toBeUndefined();
      expect(await store.hideDocument('ada', 'a.pdf')).toEqual(draft);
      expect(await store.hideDocument('ada', 'a.pdf')).toBeUndefined();
      expect(await names('ada')).toEqual([]);
      expect(await store.listLeftovers(0)).toEqual([{ ...draft, owner: 'ada', name: 'a.pdf' }]);
      await store.deleteDraft(draft);
      expect(await store.listLeftovers(LATER)).toEqual([]);
    });

    test('a file waits for its index until it is marked as indexed', async () => {
      const { draft } = await upload('ada', 'a.pdf', { title: 'T' });
      expect(await store.listUnindexed()).toEqual([{ owner: 'ada', name: 'a.pdf' }]);
      expect(await store.findUnindexed('ada', 'a.pdf')).toEqual({
        row: draft.row,
        title: 'T',
        collection: 'default',
      });
      await store.markIndexed(draft.row);
      expect(await store.findUnindexed('ada', 'a.pdf')).toBeUndefined();
      expect(await store.listUnindexed()).toEqual([]);
    });

    test('each of many pages is stored once, and all are deleted', async () => {
      const pages = Array.from({ length: 450 }, (_, at) => `page ${at + 1}`);
      const { draft } = await upload('ada', 'a.pdf', { pages });
      expect((await store.listPages('ada', 'a.pdf', 1, 1000)).map(({ text }) => text)).toEqual(pages);
      await store.hideDocument('ada', 'a.pdf');
      await store.deleteDraft(draft);
      await upload('ada', 'a.pdf', { pages: ['another'] });
      expect(await store.listPages('ada', 'a.pdf', 1, 1000)).toEqual([{ page: 1, text: 'another' }]);
    });

    test.each(['', ' ', 'ada\0', "o'hara", '../etc', 'ADA', 'Ännchen 🐦', 'x'.repeat(300)])(
      'the files of the owner %j are apart from those of ada',
      async (owner) => {
        await upload('ada', 'a.pdf', { pages: ['of ada'] });
        expect(await names(owner)).toEqual([]);
        expect(await store.findBlob(owner, 'a.pdf')).toBeUndefined();
        expect(await store.findPart(owner, 'a.pdf', 1)).toBeUndefined();
        expect(await store.listPages(owner, 'a.pdf', 1, 10)).toEqual([]);
        await upload(owner, 'a.pdf', { pages: ['own'], bytes: 1 });
        expect((await store.findPage(owner, 'a.pdf', 1))?.text).toBe('own');
        expect((await store.findPage('ada', 'a.pdf', 1))?.text).toBe('of ada');
        expect(await store.readUsage(owner)).toEqual({ files: 1, bytes: 1 });
      },
    );

    test('half a character is refused as an owner', async () => {
      await expect(store.beginDraft('a\ud800', 'a.pdf')).rejects.toMatchObject({ code: 'bad_request' });
      await expect(store.listDocuments('a\ud800')).rejects.toMatchObject({ code: 'bad_request' });
    });

    test('two openers see each other, and the last to publish a name wins', async () => {
      const { store: other } = await open();
      const drafts = await Promise.all(
        [store, other].map(async (into) => ({ into, draft: await into.beginDraft('ada', 'a.pdf') })),
      );
      for (const { into, draft } of drafts) await into.insertPages(draft, ['text'], [1]);
      const published = await Promise.all(
        drafts.map(({ into, draft }) => into.publishDraft('ada', draft, facts(), WIDE)),
      );
      const replaced = published.flatMap((one) => ('replaced' in one && one.replaced ? [one.replaced] : []));
      expect(replaced).toHaveLength(1);
      expect(await names('ada')).toEqual(['a.pdf']);
      expect(await names('ada', other)).toEqual(['a.pdf']);
      expect((await other.findBlob('ada', 'a.pdf'))?.blob).not.toBe(replaced[0]?.blob);
    });

    test('when two openers fill the last of a quota, one is refused', async () => {
      const { store: other } = await open();
      const bounds = { maxFiles: 10, maxBytes: 100 };
      const published = await Promise.all(
        [store, other].map(async (into, at) => {
          const draft = await into.beginDraft('ada', `${at}.pdf`);
          return into.publishDraft('ada', draft, facts({ bytes: 60 }), bounds);
        }),
      );
      expect(published.filter((one) => 'used' in one)).toEqual([{ used: { files: 1, bytes: 60 } }]);
      expect(await store.readUsage('ada')).toEqual({ files: 1, bytes: 60 });
    });

    test('after a crash between draft and publishing, the next opener finds the draft and nothing visible', async () => {
      const killed = await open();
      const draft = await killed.store.beginDraft('ada', 'a.pdf');
      await killed.store.insertPages(draft, ['half'], [1]);
      await killed.drop();
      const { store: next } = await open();
      expect(await names('ada', next)).toEqual([]);
      expect(await next.listLeftovers(LATER)).toEqual([{ ...draft, owner: 'ada', name: 'a.pdf' }]);
      // One that another process may still be filling is not a leftover yet.
      expect(await next.listLeftovers(0)).toEqual([]);
      await next.deleteDraft(draft);
      expect(await next.listLeftovers(LATER)).toEqual([]);
    });

    test('after a crash that follows publishing, the file is whole and waits for its index', async () => {
      const killed = await open();
      await upload('ada', 'a.pdf', { pages: ['one', 'two'], into: killed.store });
      await killed.drop();
      const { store: next } = await open();
      expect(await next.listPages('ada', 'a.pdf', 1, 10)).toHaveLength(2);
      expect(await next.listUnindexed()).toEqual([{ owner: 'ada', name: 'a.pdf' }]);
    });
  });
}
