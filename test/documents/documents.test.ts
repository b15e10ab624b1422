import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createFileReader, DEFAULT_FILE_BOUNDS } from '../../src/browse/reading/file-reader.ts';
import { createReaderPool } from '../../src/browse/reading/reader-pool.ts';
import { createFolderBlobs } from '../../src/documents/blobs/folder.ts';
import { createDocuments, type DocumentOptions } from '../../src/documents/documents.ts';
import { createDocumentStore } from '../../src/documents/stores/documents.ts';
import { openGrowingIndex } from '../../src/knowledge/indexes/growing.ts';
import { createKnowledge } from '../../src/knowledge/knowledge.ts';
import { createEntryStore } from '../../src/knowledge/stores/entry-store.ts';
import { createLog } from '../../src/log.ts';
import { createPassageIndex } from '../../src/wiring/bridges.ts';
import { temporaryFolder } from '../helpers/magpie.ts';
import { makePdf } from '../helpers/pdf.ts';
import { openTestDatabase } from '../helpers/test-database.ts';
import { createWordEmbedder } from '../helpers/word-embedder.ts';

const folder = temporaryFolder();
const desk = createReaderPool();
const reader = createFileReader(desk);
const never = new AbortController().signal;
let number = 0;

afterAll(async () => {
  await desk.close();
  folder.remove();
});

/** A new room in a new data folder. */
async function room(options: Partial<DocumentOptions> = {}) {
  const data = join(folder.path, String(++number));
  const db = await openTestDatabase({ folder: data });
  const knowledge = createKnowledge({
    store: createEntryStore(db),
    embedder: createWordEmbedder(),
    openIndex: openGrowingIndex,
    log: createLog('silent'),
  });
  const troubles: unknown[] = [];
  const all = {
    store: createDocumentStore(db),
    blobs: createFolderBlobs(join(data, 'files')),
    readPages: reader.read,
    index: createPassageIndex(async () => knowledge),
    trouble: (error: unknown) => troubles.push(error),
    maxBytes: 1_000_000,
    quota: 3_000_000,
    ...options,
  };
  return { ...all, data, db, knowledge, troubles, documents: createDocuments(all) };
}
let { documents, data, db, store, blobs, knowledge, troubles, index } = await room();
beforeEach(async () => {
  ({ documents, data, db, store, blobs, knowledge, troubles, index } = await room());
});

async function* chunks(bytes: Uint8Array, size = 1000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
/** The room as it is after a start of the process. */
const start = () =>
  createDocuments({
    store,
    blobs,
    index,
    readPages: reader.read,
    maxBytes: 1000,
    quota: 1000,
    trouble: (error) => troubles.push(error),
  });
const search = async (owner: string, text: string) =>
  (await knowledge.findPassages(owner, text, {}, never)).map(({ passage }) => passage.text);
const add = (owner: string, name: string, bytes: Uint8Array, into = documents) =>
  into.addDocument(owner, name, chunks(bytes), never);
const files = (where = data) =>
  readdirSync(join(where, 'files'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
const words = (count: number, about: string) =>
  Array.from({ length: count }, (_, i) => (i % 10 === 9 ? `${about}\n` : `word${i % 7}`)).join(' ');

const FACTS = { kind: 'pdf', title: '', author: '', bytes: 1, collection: undefined } as const;
const BOUNDS = { maxFiles: 10, maxBytes: 1_000_000 };

describe('a file', () => {
  test('is found by the words of its name as well as of its title, and by its title in place of its name', async () => {
    await add('ada', '3M_2018_10K.pdf', makePdf(['Revenue fell.'], '<< /Title (Annual report) >>'));
    await add('ada', 'tides.pdf', makePdf(['Revenue rose.'], '<< /Title (Another report) >>'));
    expect((await search('ada', '3M 2018 revenue'))[0]).toContain('fell');
    expect((await search('ada', 'annual report revenue'))[0]).toContain('fell');
    expect((await search('ada', 'tides revenue'))[0]).toContain('rose');
    expect((await documents.getDocument('ada', 'annual REPORT')).name).toBe('3M_2018_10K.pdf');
  });

  test('has no title if its title has digits alone', async () => {
    const { title } = await add('ada', 'lease.pdf', makePdf(['Of rent.'], '<< /Title (0001193125) >>'));
    expect(title).toBe('');
    const [found] = await knowledge.findPassages('ada', 'rent', {}, never);
    expect(found?.passage.title).toBe('lease.pdf');
  });

  test('is stored unchanged, with its metadata, text and parts', async () => {
    const pdf = makePdf(['Of mills.', 'Of tides.'], '<< /Title (Water) /Author (Ada) >>');
    const info = await add('ada', 'water.pdf', pdf);
    expect(info).toEqual({
      id: expect.stringMatching(/^ada-\d{16}$/),
      name: 'water.pdf',
      collection: 'default',
      kind: 'pdf',
      title: 'Water',
      author: 'Ada',
      pages: 2,
      parts: 1,
      bytes: pdf.length,
      addedAt: expect.any(Number),
    });
    expect(Math.abs(info.addedAt - Date.now())).toBeLessThan(60_000);
    expect(await documents.listDocuments('ada')).toEqual([info]);
    expect(await documents.readPage('ada', 'water.pdf', 2)).toBe('Of tides.');
    const { bytes } = await documents.openFile('ada', 'water.pdf');
    expect(Buffer.from(await new Response(bytes).arrayBuffer()).equals(pdf)).toBe(true);
    const [path = ''] = files();
    expect(readFileSync(path).equals(pdf)).toBe(true);
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  test('is found within its collection, whose name is checked before a byte is read', async () => {
    const pdf = chunks(makePdf(['Of mills.']));
    await documents.addDocument('ada', 'a.pdf', pdf, never, { collection: ' Garden ' });
    await add('ada', 'b.pdf', makePdf(['Of other mills.']));
    const found = async (collection: string) =>
      (await knowledge.findPassages('ada', 'mills', { filter: { collection } }, never)).map(
        ({ passage }) => passage.of,
      );
    expect(await found('garden')).toEqual(['doc://a.pdf']);
    expect(await found('default')).toEqual(['doc://b.pdf']);
    let read = false;
    const watched = async function* () {
      read = true;
      yield* chunks(makePdf(['Of tides.']));
    };
    await expect(
      documents.addDocument('ada', 'c.pdf', watched(), never, { collection: '/x' }),
    ).rejects.toMatchObject({ code: 'bad_request', message: expect.stringContaining('collection is "/x"') });
    expect(read).toBe(false);
  });

  test('that is a picture is returned unchanged, in pieces', async () => {
    const own = await room({ readScans: async () => ['Of mills.'] });
    const picture = Buffer.concat([
      readFileSync(new URL('../fixtures/scans/page-1.jpg', import.meta.url)),
      Buffer.alloc(800_000, 7),
    ]);
    await own.documents.addDocument('ada', 'mills.jpg', chunks(picture), never);
    const drawn = await own.documents.drawPage('ada', 'mills.jpg', 1, '', never);
    expect(drawn).toMatchObject({ type: 'image/jpeg', length: picture.length });
    expect(drawn?.bytes).toBeInstanceOf(ReadableStream);
    expect(Buffer.from(await new Response(drawn?.bytes as BodyInit).arrayBuffer()).equals(picture)).toBe(
      true,
    );
  });

  test('of the same name replaces the old file only when the upload is complete', async () => {
    await add('ada', 'a.pdf', makePdf(['old text']));
    await expect(add('ada', 'a.pdf', Buffer.from('no pdf'))).rejects.toMatchObject({ code: 'unsupported' });
    expect(await documents.readPage('ada', 'a.pdf', 1)).toBe('old text');
    const second = await add('ada', 'a.pdf', makePdf(['new text', 'more']));
    expect(await documents.listDocuments('ada')).toEqual([second]);
    expect(await documents.readPage('ada', 'a.pdf', 1)).toBe('new text');
    expect(files()).toHaveLength(1);
    expect(await db.read((sql) => sql.get('SELECT count(*) AS pages FROM document_pages'))).toEqual({
      pages: 2,
    });
  });

  test('of the same name at the same time is stored once, whole', async () => {
    await Promise.all(
      ['one', 'two', 'three'].map((text) => add('ada', 'a.pdf', makePdf([text, `${text} again`]))),
    );
    const [info] = await documents.listDocuments('ada');
    expect(info?.pages).toBe(2);
    const first = await documents.readPage('ada', 'a.pdf', 1);
    expect(await documents.readPage('ada', 'a.pdf', 2)).toBe(`${first} again`);
    expect(files()).toHaveLength(1);
  });

  test('that is deleted leaves nothing, and can be uploaded again', async () => {
    await add('ada', 'a.pdf', makePdf(['text']));
    await documents.removeDocument('ada', 'a.pdf');
    expect(await documents.listDocuments('ada')).toEqual([]);
    expect(files()).toEqual([]);
    expect(await db.read((sql) => sql.get('SELECT count(*) AS pages FROM document_pages'))).toEqual({
      pages: 0,
    });
    await expect(documents.removeDocument('ada', 'a.pdf')).rejects.toMatchObject({ code: 'not_found' });
    await add('ada', 'a.pdf', makePdf(['text']));
  });

  test.each([
    ['draft.pdf', 'final.pdf', 'draft.pdf'],
    ['draft.pdf', 'final.pdf', 'draft'],
    ['draft.pdf', 'Draft.PDF', 'Other'],
    ['draft', 'draft.docx', 'Other'],
    ['caf\u00e9.pdf', 'cafe\u0301\u0301.pdf', 'caf\u00e9.pdf'],
  ])(
    '%s is deleted and replaced by its exact name only, not by the file %s of the title %s',
    async (name, other, title) => {
      await add('ada', other, makePdf(['Kept.'], `<< /Title (${title}) >>`));
      await expect(documents.removeDocument('ada', name)).rejects.toMatchObject({ code: 'not_found' });
      await store.publishDraft('ada', await store.beginDraft('ada', name.normalize('NFC')), FACTS, BOUNDS);
      const names = async () => (await documents.listDocuments('ada')).map((one) => one.name).sort();
      expect(await names()).toHaveLength(2);
      await documents.removeDocument('ada', name.normalize('NFD'));
      await expect(documents.removeDocument('ada', name)).rejects.toMatchObject({ code: 'not_found' });
      expect(await names()).toEqual([other.normalize('NFC')]);
    },
  );

  test('that is deleted is invisible at once, even if its pages can only be removed later', async () => {
    const { documents: room_, data: where, db: base, troubles: reported } = await room({ againMs: 10 });
    await add('ada', 'a.pdf', makePdf(['text']), room_);
    await base.write((sql) =>
      sql.run(`CREATE TRIGGER full BEFORE DELETE ON document_pages BEGIN SELECT RAISE(ABORT, 'full'); END`),
    );
    await room_.removeDocument('ada', 'a.pdf');
    expect(await room_.listDocuments('ada')).toEqual([]);
    await expect.poll(() => reported.length).toBeGreaterThan(1);
    await base.write((sql) => sql.run('DROP TRIGGER full'));
    const rows = () => base.read((sql) => sql.get('SELECT count(*) AS rows FROM documents'));
    await expect.poll(rows).toEqual({ rows: 0 });
    expect(files(where)).toEqual([]);
    await room_.close();
  });

  test('whose upload breaks off leaves nothing', async () => {
    async function* broken() {
      yield Buffer.from('%PDF-1.4');
      throw new Error('the line is dead');
    }
    await expect(documents.addDocument('ada', 'a.pdf', broken(), never)).rejects.toThrow('the line is dead');
    const stop = new AbortController();
    async function* left() {
      yield Buffer.from('%PDF-1.4');
      stop.abort();
      yield Buffer.from('more');
    }
    await expect(documents.addDocument('ada', 'a.pdf', left(), stop.signal)).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(files()).toEqual([]);
    expect(await db.read((sql) => sql.get('SELECT count(*) AS rows FROM documents'))).toEqual({ rows: 0 });
  });

  test('is refused with a message where the database is read-only', async () => {
    await db.read((sql) => sql.get('PRAGMA query_only = ON'));
    await expect(
      documents.addDocument('ada', 'a.pdf', chunks(makePdf(['Words.'])), never),
    ).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('may not be written'),
    });
  });

  test('of a crashed upload is removed at the next start, and a running upload is not', async () => {
    await add('ada', 'kept.pdf', makePdf(['kept']));
    const [crashed, running] = [
      await store.beginDraft('ada', 'crashed.pdf'),
      await store.beginDraft('ada', 'running.pdf'),
    ];
    for (const draft of [crashed, running]) await blobs.put('ada', draft.blob, chunks(Buffer.from('%PDF')));
    await db.write((sql) => sql.run('UPDATE documents SET added_at = 1 WHERE id = ?', crashed.row));
    const [deleted] = [await add('ada', 'deleted.pdf', makePdf(['gone']))];
    await store.hideDocument('ada', deleted?.name ?? '');
    start();
    await expect
      .poll(() =>
        db.read((sql) =>
          sql.all<{ name: string }>('SELECT name FROM documents ORDER BY name').map(({ name }) => name),
        ),
      )
      .toEqual(['kept.pdf', 'running.pdf']);
    expect(files()).toHaveLength(2);
  });
});

describe('parts', () => {
  test('are runs of whole pages near 3,000 words, the same each time', async () => {
    const pages = Array.from({ length: 12 }, (_, i) => words(500, `about${i + 1}`));
    const { parts } = await add('ada', 'book.pdf', makePdf(pages));
    expect(parts).toBe(2);
    const all = await Promise.all([1, 2].map((part) => documents.readPart('ada', 'book.pdf', part)));
    expect(all.map(({ pages: run }) => run.map(({ page }) => page))).toEqual([
      [1, 2, 3, 4, 5, 6],
      [7, 8, 9, 10, 11, 12],
    ]);
    expect(all[1]?.pages[0]?.text).toContain('about7');
    await add('ada', 'copy.pdf', makePdf(pages));
    expect((await documents.readPart('ada', 'copy.pdf', 2)).pages).toEqual(all[1]?.pages);
  });

  test('a question finds the passages of its part, with their pages', async () => {
    const pages = Array.from({ length: 12 }, (_, i) => words(500, `about${i + 1}`));
    pages[8] = `${words(200, 'filler')}\n\nThe engineers measured turbines in the harbour at night.\n\n${words(200, 'filler')}`;
    await add('ada', 'book.pdf', makePdf(pages));
    await expect.poll(async () => (await knowledge.readStats('ada')).pending).toBe(0);
    const { matches } = await documents.findInFile(
      'ada',
      'book.pdf',
      [{ from: 2, to: 2 }],
      'who measured a turbine?',
      3,
      never,
    );
    expect(matches).toHaveLength(3);
    expect(matches[0]).toMatchObject({ page: 9, text: expect.stringContaining('harbour') });
    const scores = matches.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores[0]).toBeGreaterThan(scores[2] ?? 1);
    expect(Math.max(...scores)).toBeLessThanOrEqual(1);
    expect(matches.every(({ page }) => page >= 7)).toBe(true);
    const elsewhere = await documents.findInFile(
      'ada',
      'book.pdf',
      [{ from: 1, to: 1 }],
      'who measured a turbine?',
      3,
      never,
    );
    expect(elsewhere.matches.every(({ page, part }) => page <= 6 && part === 1)).toBe(true);
    expect(matches.every(({ part }) => part === 2)).toBe(true);
    const whole = await documents.findInFile('ada', 'book.pdf', 'all', 'who measured a turbine?', 3, never);
    expect(whole.matches[0]).toEqual(matches[0]);
    expect(whole.matches.every(({ page, part }) => part === (page <= 6 ? 1 : 2))).toBe(true);
    const any = await documents.findInFile('ada', 'book.pdf', 'all', 'about3 about10', 10, never);
    expect(new Set(any.matches.map(({ part }) => part))).toEqual(new Set([1, 2]));
    expect(await documents.listPartsOfPages('ada', 'book.pdf', [7, 6, 99])).toEqual(
      new Map([
        [6, 1],
        [7, 2],
      ]),
    );
  });

  test('a question that is unrelated to a part gets its beginning', async () => {
    await add('ada', 'a.pdf', makePdf(['Herons fish.', 'Otters swim.']));
    const { matches } = await documents.findInFile('ada', 'a.pdf', [{ from: 1, to: 1 }], '***', 1, never);
    expect(matches).toEqual([
      { page: 1, passage: 1, start: 0, title: expect.any(String), text: 'Herons fish.', score: 0, part: 1 },
    ]);
  });

  test('a file is found by its name in any case and Unicode form, exact names first', async () => {
    await add('ada', 'Café Menu.pdf', makePdf(['Soup.']));
    for (const name of ['café menu.pdf', 'CAFE\u0301 MENU.PDF', 'Café menu', 'cafe\u0301\u00a0Menu.pdf']) {
      expect((await documents.getDocument('ada', name)).name).toBe('Café Menu.pdf');
      expect((await documents.findFile('ada', name))?.name).toBe('Café Menu.pdf');
    }
    await add('ada', 'café menu.pdf', makePdf(['Bread.']));
    expect((await documents.getDocument('ada', 'Café Menu.pdf')).name).toBe('Café Menu.pdf');
    expect((await documents.getDocument('ada', 'café menu')).name).toBe('café menu.pdf');
    expect(await documents.findFile('ada', 'cafe menu.pdf')).toBeUndefined();
    expect(await documents.findFile('bob', 'café menu.pdf')).toBeUndefined();
    await expect(documents.getDocument('ada', 'cafe menu.pdf')).rejects.toThrow('the nearest names are');
  });

  test('a part past the end is answered with the number of parts', async () => {
    await add('ada', 'a.pdf', makePdf(['text']));
    await expect(documents.readPart('ada', 'a.pdf', 2)).rejects.toMatchObject({
      code: 'not_found',
      message: 'partId is 2, and "a.pdf" has 1 part: it takes 1 to 1',
    });
    await expect(documents.readPage('ada', 'a.pdf', 3)).rejects.toThrow('page is 3, and "a.pdf" has 1 page');
  });
});

describe('the knowledge base', () => {
  test('has the passages of the latest text of a file until the file is deleted', async () => {
    await add('ada', 'a.pdf', makePdf(['Herons fish.', 'Otters swim.']));
    expect(await search('ada', 'otters')).toContain('Otters swim.');
    expect(await search('bob', 'otters')).toEqual([]);
    await add('ada', 'a.pdf', makePdf(['Badgers dig.']));
    expect(await search('ada', 'otters')).toEqual(['Badgers dig.']);
    await documents.removeDocument('ada', 'a.pdf');
    expect(await search('ada', 'badgers')).toEqual([]);
    expect(troubles).toEqual([]);
  });

  test('is synchronised with the files at the next start after a crash', async () => {
    await add('ada', 'kept.pdf', makePdf(['Herons fish.']));
    await add('ada', 'gone.pdf', makePdf(['Otters swim.']));
    await knowledge.removeDocument('ada', 'kept.pdf');
    await db.write((sql) => sql.run("UPDATE documents SET indexed = 0 WHERE name = 'kept.pdf'"));
    await store.hideDocument('ada', 'gone.pdf');
    start();
    await expect.poll(() => search('ada', 'herons otters')).toEqual(['Herons fish.']);
  });

  test('that fails leaves the file in place, and a question tries again', async () => {
    let failing = true;
    const { documents: room_, troubles: reported } = await room({
      index: {
        ...index,
        putFile: async (...given) => {
          if (failing) throw new Error('no room');
          return index.putFile(...given);
        },
      },
    });
    await add('ada', 'a.pdf', makePdf(['Herons fish.']), room_);
    expect(reported).toHaveLength(1);
    await expect(room_.findInFile('ada', 'a.pdf', [{ from: 1, to: 1 }], 'herons', 3, never)).rejects.toThrow(
      'no room',
    );
    failing = false;
    expect(
      (await room_.findInFile('ada', 'a.pdf', [{ from: 1, to: 1 }], 'herons', 3, never)).matches,
    ).toHaveLength(1);
  });
});

describe('names', () => {
  const odd = [
    '../../etc/passwd',
    '..',
    'a/b\\c.pdf',
    '🐦 nest 🪺.pdf',
    `${'x'.repeat(300)}.pdf`,
    'nul\0byte.pdf',
    'half\ud800pair.pdf',
    'COM1.pdf',
    '%2e%2e%2f.pdf',
    "';DROP TABLE documents;--.pdf",
    '<script>alert(1)</script>.pdf',
    'שלום.pdf',
  ];
  test.each(odd)('%j is harmless, stored and found again', async (name) => {
    const info = await add('ada', name, makePdf(['text']));
    expect(info.name).toMatch(/\.pdf$/);
    expect(await documents.getDocument('ada', name)).toEqual(info);
    expect(await documents.readPage('ada', info.name, 1)).toBe('text');
    expect(files()[0]?.slice(join(data, 'files').length)).toMatch(/^\/[0-9a-f]{40}\/[0-9a-f-]{36}$/);
  });

  test.each([
    ['', 'the file has no name'],
    ['.pdf', 'the file has no name'],
    ['\u200b\u202e.pdf', 'the file has no name'],
    ['x'.repeat(500), "the file's name has 500 characters, and at most 400 are possible"],
    ['y'.repeat(100_000), "the file's name has 100000 characters"],
  ])('%j is refused', async (name, why) => {
    await expect(add('ada', name, makePdf(['text']))).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining(why),
    });
  });

  test('characters that reverse text or are invisible do not make a second name', async () => {
    await add('ada', 'in\u202evoice\u200b.pdf', makePdf(['one']));
    await add('ada', 'invoice.pdf', makePdf(['two']));
    expect((await documents.listDocuments('ada')).map(({ name }) => name)).toEqual(['invoice.pdf']);
  });

  test('an unknown name is answered with the nearest names', async () => {
    for (const name of ['annual report 2025.pdf', 'recipes.pdf', 'reports.pdf', 'zoo.pdf']) {
      await add('ada', name, makePdf(['text']));
    }
    await expect(documents.getDocument('ada', 'anual_report_2025')).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(
        /^there is no uploaded file "anual_report_2025": the nearest names are "annual report 2025.pdf", "reports.pdf"/,
      ),
    });
    await expect(documents.getDocument('bob', 'a.pdf')).rejects.toThrow('no file is uploaded yet');
  });
});

describe('two users', () => {
  test('with files of one name neither see, count nor remove the file of the other', async () => {
    await add('ada', 'a.pdf', makePdf(['of ada']));
    await add('bob', 'a.pdf', makePdf(['of bob', 'and more']));
    expect(await documents.readPage('ada', 'a.pdf', 1)).toBe('of ada');
    expect((await documents.readUsage('ada')).files).toBe(1);
    expect(await documents.searchDocuments('ada', 'bob', never)).toEqual([]);
    await documents.removeDocument('ada', 'a.pdf');
    expect(await documents.listDocuments('ada')).toEqual([]);
    expect((await documents.listDocuments('bob')).map(({ pages }) => pages)).toEqual([2]);
    await expect(documents.openFile('ada', 'a.pdf')).rejects.toThrow('no file is uploaded yet');
    await expect(documents.listDocuments('\ud800')).rejects.toMatchObject({ code: 'bad_request' });
    await expect(add('\ud800', 'a.pdf', makePdf(['x']))).rejects.toMatchObject({ code: 'bad_request' });
    await expect(documents.getDocument('../bob', 'a.pdf')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('bounds', () => {
  test('limit one file and all files of a user', async () => {
    const pdf = makePdf([words(400, 'text')]);
    const { documents: small } = await room({ maxBytes: pdf.length, quota: 2 * pdf.length + 10 });
    await add('ada', 'a.pdf', pdf, small);
    await expect(add('ada', 'b.pdf', Buffer.concat([pdf, Buffer.alloc(1)]), small)).rejects.toMatchObject({
      code: 'too_large',
      message: '"b.pdf" is over 0.0 MB, the maximum for one file',
    });
    await add('ada', 'b.pdf', pdf, small);
    await expect(add('ada', 'c.pdf', pdf, small)).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('"c.pdf" does not fit'),
    });
    // What it replaces makes room, and others have their own share.
    await add('ada', 'b.pdf', pdf, small);
    await add('bob', 'c.pdf', pdf, small);
  });

  test('apply to concurrent uploads together', async () => {
    const pdf = makePdf([words(400, 'text')]);
    const { documents: small } = await room({ quota: 2 * pdf.length + 10 });
    const names = ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf'];
    const added = await Promise.allSettled(names.map((name) => add('ada', name, pdf, small)));
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(added.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: {
        code: 'too_large',
        message: expect.stringContaining('does not fit: 0.0 MB of your storage quota are left'),
      },
    });
    expect((await small.readUsage('ada')).files).toBe(2);
  });

  test('stop an endless file', async () => {
    let given = 0;
    async function* endless() {
      for (;;) {
        given += 100_000;
        yield new Uint8Array(100_000);
      }
    }
    await expect(documents.addDocument('ada', 'a.pdf', endless(), never)).rejects.toMatchObject({
      code: 'too_large',
    });
    expect(given).toBe(1_100_000);
    expect(files()).toEqual([]);
  });

  test('limit pages, time and text', async () => {
    const read = (bounds: Partial<typeof DEFAULT_FILE_BOUNDS>, pages: string[]) => {
      const strict = createFileReader(desk, { ...DEFAULT_FILE_BOUNDS, ...bounds });
      return strict.read({ file: makePdf(pages), name: 'a.pdf', signal: never });
    };
    await expect(read({ pages: 2 }, ['a', 'b', 'c'])).rejects.toThrow(
      '"a.pdf" has 3 pages, and at most 2 are read: split it',
    );
    await expect(read({ time: -1 }, ['a', 'b'])).rejects.toMatchObject({ code: 'timeout' });
    await expect(read({ page: 10 }, ['short', 'a long text'])).rejects.toThrow('page 2 of "a.pdf" has 11');
    await expect(read({ characters: 10 }, ['a long text'])).rejects.toThrow(
      '11 characters of text, and at most 10',
    );
  });
});

test('a search finds names and text, and names the page', async () => {
  await add('ada', 'mills.pdf', makePdf(['Nothing here.', 'The Tide turned the great wheel.']));
  await add('ada', 'tide tables.pdf', makePdf(['Hours and heights.']));
  const found = await documents.searchDocuments('ada', ' tide ', never);
  expect(found.map(({ document, place }) => [document.name, place])).toEqual([
    ['tide tables.pdf', undefined],
    ['mills.pdf', { page: 2, excerpt: 'The Tide turned the great wheel.' }],
  ]);
});
