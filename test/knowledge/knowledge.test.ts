import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openGrowingIndex } from '../../src/knowledge/indexes/growing.ts';
import { createKnowledge, type KnowledgeOptions } from '../../src/knowledge/knowledge.ts';
import { createEntryStore } from '../../src/knowledge/stores/entry-store.ts';
import type { Knowledge } from '../../src/knowledge/types.ts';
import { longText } from '../helpers/entry-stores.ts';
import { openTestDatabase } from '../helpers/test-database.ts';
import { createWordEmbedder } from '../helpers/word-embedder.ts';

const signal = AbortSignal.timeout(300_000);
const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-knowledge-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function open({
  folder = newFolder(),
  embedder = createWordEmbedder(),
  ...more
}: Partial<KnowledgeOptions> & { folder?: string; embedder?: ReturnType<typeof createWordEmbedder> } = {}) {
  const db = await openTestDatabase({ folder });
  const logged: string[] = [];
  const log = {
    warn: (_: object, words: string) => logged.push(words),
    info: (words: string) => logged.push(words),
  };
  const store = createEntryStore(db);
  const knowledge = createKnowledge({
    store,
    embedder,
    openIndex: openGrowingIndex,
    log: log as unknown as KnowledgeOptions['log'],
    pauseMs: 20,
    ...more,
  });
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await knowledge.close();
    db.close();
  };
  closers.push(close);
  return { knowledge, store, db, folder, embedder, logged, close };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
const embedded = (knowledge: Knowledge, owner: string) =>
  until(async () => (await knowledge.readStats(owner)).pending === 0);
const texts = async (knowledge: Knowledge, owner: string, query: string, options = {}) =>
  (await knowledge.findPassages(owner, query, options, signal)).map(({ passage }) => passage.text);

describe('a new entry', () => {
  test('is found by its words at once, while the embedder never answers', async () => {
    const embedder = createWordEmbedder();
    embedder.embed = (_texts, _kind, asked) =>
      new Promise((_, reject) => asked.addEventListener('abort', () => reject(asked.reason)));
    const { knowledge } = await open({ embedder, awaitedMs: 100 });
    const { id, known, passages } = await knowledge.insertEntry('ann', { text: 'Magpies hoard.' }, signal);
    expect([known, passages]).toEqual([false, 1]);
    const [match] = await knowledge.findPassages('ann', 'hoarding', {}, signal);
    expect(match).toMatchObject({ passage: { of: id, ordinal: 0, text: 'Magpies hoard.' } });
    expect((await knowledge.readStats('ann')).pending).toBe(1);
  });

  test('is found by its meaning once its vector is stored', async () => {
    const { knowledge } = await open({ embedder: createWordEmbedder({ synonyms: { bird: 'magpi' } }) });
    await knowledge.insertEntry('ann', { text: 'Magpies hoard.' }, signal);
    await knowledge.insertEntry('ann', { text: 'The kettle boils.' }, signal);
    await embedded(knowledge, 'ann');
    expect((await texts(knowledge, 'ann', 'bird'))[0]).toBe('Magpies hoard.');
    expect(await knowledge.readEmbeddingProgress()).toEqual({ model: 'words', done: 2, total: 2 });
  });

  test('gets its own id among concurrent inserts, and a known text gets the known id', async () => {
    const { knowledge } = await open();
    const inserted = await Promise.all(
      Array.from({ length: 300 }, (_, i) =>
        knowledge.insertEntry(`user${i % 3}`, { text: `text ${i % 150}` }, signal),
      ),
    );
    expect(new Set(inserted.map(({ id }) => id)).size).toBe(150);
    expect(inserted.filter(({ known }) => known)).toHaveLength(150);
    for (const [i, { id }] of inserted.entries()) {
      expect((await knowledge.findEntry(`user${i % 3}`, id))?.text).toBe(`text ${i % 150}`);
    }
  });

  test.each([
    [{ text: ' \n' }, 'bad_request', 'text'],
    [{ text: '\0' }, 'bad_request', 'text'],
    [{ text: 'x'.repeat(1_000_001) }, 'too_large', '1000001'],
    [{ text: '鵲'.repeat(333_334) }, 'too_large', '1000002'],
    [{ text: 'x', title: 'x'.repeat(501) }, 'bad_request', 'title'],
    [{ text: 'x', source: 'x'.repeat(2001) }, 'bad_request', 'source'],
    [{ text: 'x', tags: ['x'.repeat(101)] }, 'bad_request', 'tag'],
    [{ text: 'x', tags: Array.from({ length: 51 }, (_, i) => `${i}`) }, 'bad_request', 'tags'],
  ])('is refused by name when it is too large or empty', async (entry, code, word) => {
    const { knowledge } = await open();
    await expect(knowledge.insertEntry('ann', entry, signal)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(word),
    });
    expect((await knowledge.readStats('ann')).records).toBe(0);
  });

  test('is the same text in any notation of its accents', async () => {
    const { knowledge } = await open();
    const first = await knowledge.insertEntry('ann', { text: 'Café crème' }, signal);
    const text = 'Cafe\u0301 cre\u0300me';
    expect(await knowledge.insertEntry('ann', { text }, signal)).toMatchObject({ id: first.id, known: true });
  });

  test('notifies the listeners of its owner alone', async () => {
    const { knowledge } = await open();
    const notified: [string, readonly string[]][] = [];
    const stop = knowledge.onChange((owner, { ids }) => notified.push([owner, ids]));
    const { id } = await knowledge.insertEntry('ann', { text: 'one' }, signal);
    await knowledge.updateEntry('ann', id, { text: 'two' }, signal);
    await knowledge.removeEntry('ann', id);
    await knowledge.removeEntry('ann', id);
    await knowledge.putDocument('bob', { name: 'a.pdf' }, ['x'], signal);
    stop();
    await knowledge.insertEntry('ann', { text: 'three' }, signal);
    expect(notified).toEqual([
      ['ann', [id]],
      ['ann', [id]],
      ['ann', [id]],
      ['bob', ['doc://a.pdf']],
    ]);
  });
});

describe('queries', () => {
  test('without text return the newest entries, at score 0', async () => {
    const { knowledge } = await open();
    expect(await knowledge.findPassages('ann', '', {}, signal)).toEqual([]);
    for (let i = 0; i < 5; i++)
      await knowledge.insertEntry('ann', { text: `text ${i}`, tags: [`t${i % 2}`] }, signal);
    const found = await knowledge.findPassages('ann', ' \n', { topK: 2 }, signal);
    expect(found.map(({ passage, score }) => [passage.text, score])).toEqual([
      ['text 4', 0],
      ['text 3', 0],
    ]);
    expect(await texts(knowledge, 'ann', '', { filter: { tags: ['t1'] } })).toEqual(['text 3', 'text 1']);
  });

  test('an empty knowledge base answers without loading the model', async () => {
    const { knowledge, embedder } = await open();
    expect(await knowledge.findPassages('ann', 'magpie', {}, signal)).toEqual([]);
    expect(await knowledge.readStats('ann')).toEqual({
      records: 0,
      passages: 0,
      bytes: 0,
      model: 'words',
      pending: 0,
    });
    expect(await knowledge.findNewestEntry('ann')).toBeUndefined();
    expect(embedder.asked).toEqual([]);
  });

  test('scores fall from at most 1 to at least 0; at most two first matches are from one entry', async () => {
    const { knowledge } = await open();
    await knowledge.insertEntry('ann', { text: longText(12) }, signal);
    for (let i = 0; i < 12; i++)
      await knowledge.insertEntry('ann', { text: `A magpie ${i} and words` }, signal);
    await embedded(knowledge, 'ann');
    const found = await knowledge.findPassages('ann', 'magpie', { topK: 8 }, signal);
    expect(found).toHaveLength(8);
    const scores = found.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(Math.max(...scores)).toBeLessThanOrEqual(1);
    expect(Math.min(...scores)).toBeGreaterThanOrEqual(0);
    const counts = Map.groupBy(found, ({ passage }) => passage.of);
    for (const [, some] of counts) expect(some.length).toBeLessThanOrEqual(2);
    // Where nothing else is left, more of one come.
    const { knowledge: other } = await open();
    await other.insertEntry('ann', { text: longText(12) }, signal);
    expect(await other.findPassages('ann', 'magpie', { topK: 8 }, signal)).toHaveLength(8);
  });

  test('return vectors, word weights and neighbours on request', async () => {
    const { knowledge } = await open();
    await knowledge.insertEntry('ann', { text: longText(6, 'wagtail') }, signal);
    await embedded(knowledge, 'ann');
    const [plain] = await knowledge.findPassages('ann', 'wagtail 3', {}, signal);
    expect(plain).not.toHaveProperty('values');
    expect(plain).not.toHaveProperty('neighbours');
    const [full] = await knowledge.findPassages(
      'ann',
      'wagtail 3',
      { includeValues: true, neighbours: 1 },
      signal,
    );
    expect(full?.values).toHaveLength(64);
    expect(Math.hypot(...(full?.values ?? []))).toBeCloseTo(1, 2);
    expect(full?.sparseValues?.wagtail).toBeGreaterThan(1);
    const at = full?.passage.ordinal ?? 0;
    expect(full?.neighbours?.map(({ ordinal }) => ordinal)).toEqual(
      [at - 1, at + 1].filter((one) => one >= 0),
    );
  });

  test.each([
    ['operators', 'a AND NOT "b" NEAR(c) * ^'],
    ['a megabyte', 'magpie '.repeat(150_000)],
    ['emoji and half of one', '🐦 \ud83d'],
    ['NUL', 'mag\0pie'],
  ])('accept %s', async (_, text) => {
    const { knowledge } = await open();
    await knowledge.insertEntry('ann', { text: 'a magpie' }, signal);
    await embedded(knowledge, 'ann');
    expect(await knowledge.findPassages('ann', text, {}, signal)).toBeInstanceOf(Array);
  });

  test.each([
    [{ topK: 0 }, 'topK'],
    [{ topK: 101 }, 'topK'],
    [{ topK: 1.5 }, 'topK'],
    [{ neighbours: 11 }, 'neighbours'],
    [{ recency: 0 }, 'recency'],
    [{ filter: { since: Number.NaN } }, 'since'],
    [{ filter: { since: 7, until: 7 } }, 'since must be before until'],
  ])('refuse %j by name', async (options, word) => {
    const { knowledge } = await open();
    await knowledge.insertEntry('ann', { text: 'a magpie' }, signal);
    await expect(knowledge.findPassages('ann', 'magpie', options, signal)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining(word),
    });
  });

  test('words that are too common to search for still distinguish matches of the other words', async () => {
    const { knowledge, embedder } = await open();
    embedder.failure = () => new Error('away');
    // A series that stands in some thousand places, and numbers that both have.
    const series = (name: string) => Array.from({ length: 6000 }, (_, i) => `${name}-${i}`).join(' ');
    const ids: Record<string, string> = {};
    for (const name of ['w1', 'w2'])
      ids[name] = (await knowledge.insertEntry('ann', { text: series(name) }, signal)).id;
    for (const name of ['w1', 'w2']) {
      const [best] = await knowledge.findPassages('ann', `${name}-5321`, { topK: 1 }, signal);
      expect(best?.passage.of).toBe(ids[name]);
      expect(best?.passage.text).toContain(`${name}-5321`);
    }
  });

  test('a failing embedder is skipped: words find entries, the log reports it once, and vectors follow later', async () => {
    const { knowledge, embedder, logged } = await open();
    await knowledge.insertEntry('ann', { text: 'a magpie' }, signal);
    await embedded(knowledge, 'ann');
    embedder.failure = () => new Error('down');
    await knowledge.insertEntry('ann', { text: 'a heron' }, signal);
    for (let i = 0; i < 3; i++) expect(await texts(knowledge, 'ann', 'heron')).toEqual(['a heron']);
    await until(() => logged.length >= 2);
    expect(logged.filter((line) => line.includes('queries'))).toHaveLength(1);
    expect(logged.filter((line) => line.includes('wait for their vectors'))).toHaveLength(1);
    embedder.failure = undefined;
    await embedded(knowledge, 'ann');
  });

  test('a text that the embedder refuses does not keep others from their vectors', async () => {
    const { knowledge, embedder, store } = await open();
    embedder.failure = (asked) =>
      asked.some((text) => text.includes('poison')) ? new Error('no') : undefined;
    await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        knowledge.insertEntry('ann', { text: i === 7 ? 'poison' : `magpie ${i}` }, signal),
      ),
    );
    await embedded(knowledge, 'ann');
    expect(await store.listVectors('ann', 'words', 0, 100)).toHaveLength(29);
    expect(await texts(knowledge, 'ann', 'poison')).toContain('poison');
  });
});

describe('vectors', () => {
  test('of many passages are searched by an index, which follows additions and removals of any process', async () => {
    const folder = newFolder();
    const { knowledge } = await open({ folder });
    const add = (base: Knowledge, i: number) => base.insertEntry('ann', { text: `word${i} magpie` }, signal);
    const inserted = await Promise.all(Array.from({ length: 600 }, (_, i) => add(knowledge, i)));
    await embedded(knowledge, 'ann');
    const nearest = async (base: Knowledge, i: number) => (await texts(base, 'ann', `word${i} magpie`))[0];
    expect(await nearest(knowledge, 77)).toBe('word77 magpie');
    const { knowledge: other } = await open({ folder });
    expect(await nearest(other, 78)).toBe('word78 magpie');
    await add(other, 1000);
    await embedded(other, 'ann');
    expect(await nearest(knowledge, 1000)).toBe('word1000 magpie');
    await other.removeEntry('ann', inserted[77]?.id ?? '');
    expect(await texts(knowledge, 'ann', 'word77 magpie', { topK: 100 })).not.toContain('word77 magpie');
    await other.removeAllEntries('ann');
    expect(await texts(knowledge, 'ann', 'magpie')).toEqual([]);
    await add(other, 5);
    expect(await texts(knowledge, 'ann', 'magpie')).toEqual(['word5 magpie']);
  });

  test('that were missing when the process ended are made by the next process', async () => {
    const folder = newFolder();
    const failing = createWordEmbedder();
    failing.failure = () => new Error('down');
    const first = await open({ folder, embedder: failing });
    for (const owner of ['ann', 'bob'])
      await first.knowledge.insertEntry(owner, { text: 'a magpie' }, signal);
    await first.close();
    const { knowledge } = await open({ folder });
    await embedded(knowledge, 'ann');
    await embedded(knowledge, 'bob');
  });

  test('of one owner with many passages do not keep other owners waiting', async () => {
    const { knowledge, embedder } = await open();
    const { promise: both, resolve: bothAreIn } = Promise.withResolvers<void>();
    const { embed } = embedder;
    embedder.embed = async (...asked) => {
      await both;
      return embed.apply(embedder, asked);
    };
    await Promise.all(
      Array.from({ length: 1500 }, (_, i) => knowledge.insertEntry('ann', { text: `burst ${i}` }, signal)),
    );
    await knowledge.insertEntry('bob', { text: 'patience' }, signal);
    bothAreIn();
    await embedded(knowledge, 'bob');
    const asked = embedder.asked.filter(({ kind }) => kind === 'passage');
    expect(asked.findIndex(({ text }) => text === 'patience')).toBeLessThan(asked.length);
    await embedded(knowledge, 'ann');
    const all = embedder.asked.filter(({ kind }) => kind === 'passage').map(({ text }) => text);
    const came = all.indexOf('patience');
    expect(all.length - came).toBeGreaterThan(300);
  });

  test('of another model are computed again; until then the earlier model answers, where it is available', async () => {
    const folder = newFolder();
    const old = createWordEmbedder({ name: 'old', synonyms: { bird: 'magpi' } });
    const first = await open({ folder, embedder: old });
    await first.knowledge.insertEntry('ann', { text: 'a magpie' }, signal);
    await first.knowledge.insertEntry('ann', { text: 'a kettle' }, signal);
    await embedded(first.knowledge, 'ann');
    await first.close();
    const fresh = createWordEmbedder({ name: 'new', dimensions: 32, synonyms: { bird: 'kettl' } });
    fresh.failure = () => new Error('not yet');
    const { knowledge, db, store } = await open({
      folder,
      embedder: fresh,
      earlier: async (name) => (name === 'old' ? old : undefined),
      searchIntervalMs: 20,
    });
    expect((await texts(knowledge, 'ann', 'bird'))[0]).toBe('a magpie');
    expect(await knowledge.readEmbeddingProgress()).toEqual({ model: 'new', done: 0, total: 2 });
    await db.write((sql) => sql.run("UPDATE kb_models SET used_at = 0 WHERE name = 'old'"));
    fresh.failure = undefined;
    await embedded(knowledge, 'ann');
    expect((await texts(knowledge, 'ann', 'bird'))[0]).toBe('a kettle');
    expect(await knowledge.readEmbeddingProgress()).toEqual({ model: 'new', done: 2, total: 2 });
    await until(async () => (await store.listModels('ann')).length === 1);
    expect(await store.listVectors('ann', 'old', 0, 10)).toEqual([]);
  });

  test('of wrong length are refused, and words answer', async () => {
    const embedder = createWordEmbedder();
    embedder.embed = async (asked) => asked.map(() => Float32Array.of(1, 0));
    const { knowledge, logged } = await open({ embedder });
    await knowledge.insertEntry('ann', { text: 'a magpie' }, signal);
    await until(() => logged.length > 0);
    expect(await texts(knowledge, 'ann', 'magpie')).toEqual(['a magpie']);
    expect((await knowledge.readStats('ann')).pending).toBe(1);
  });
});

describe('entries', () => {
  test('are exported exactly, under another name too', async () => {
    const { knowledge } = await open();
    for (let i = 0; i < 130; i++) {
      void knowledge.insertEntry(
        'ann',
        { text: ` text ${i}\r\n`, tags: [`t${i}`], source: `s${i}`, title: 'T' },
        signal,
      );
    }
    const { id } = await knowledge.insertEntry('ann', { text: longText(20) }, signal);
    await knowledge.updateEntry('ann', id, { tags: ['long'] }, signal);
    const kept = await all(knowledge.exportEntries('ann'));
    expect(kept).toHaveLength(131);
    const { knowledge: other } = await open();
    await Promise.all(kept.map((entry) => other.restoreEntry('ann', entry, signal)));
    expect(await all(other.exportEntries('ann'))).toEqual(kept);
    const again = await Promise.all(kept.map((entry) => other.restoreEntry('ann', entry, signal)));
    expect(again.every(({ known }) => known)).toBe(true);
    expect(await all(other.exportEntries('ann'))).toEqual(kept);
    await Promise.all(kept.map((entry) => other.restoreEntry('bob', entry, signal)));
    expect(await all(other.exportEntries('bob'))).toEqual(
      kept.map((entry) => ({ ...entry, id: entry.id.replace('ann-', 'bob-') })),
    );
    // What is inserted afterwards is newer than all that came back.
    const later = await other.insertEntry('ann', { text: 'later' }, signal);
    expect((await other.findNewestEntry('ann'))?.id).toBe(later.id);
  });

  test.each([{ createdAt: -1 }, { createdAt: 1.5 }, { createdAt: 9e15 }, { updatedAt: Number.NaN }])(
    'are not found by %j',
    async (times) => {
      const { knowledge } = await open();
      const entry = {
        id: 'ann-5',
        text: 'x',
        title: '',
        source: '',
        tags: [],
        createdAt: 5,
        updatedAt: 5,
        ...times,
      };
      await expect(knowledge.restoreEntry('ann', entry, signal)).rejects.toMatchObject({
        code: 'bad_request',
      });
    },
  );

  test('are updated only in the named fields', async () => {
    const { knowledge } = await open();
    const { id } = await knowledge.insertEntry('ann', { text: 'a heron', tags: ['x'], source: 's' }, signal);
    const changed = await knowledge.updateEntry('ann', id, { text: 'an egret' }, signal);
    expect(changed).toMatchObject({ id, text: 'an egret', tags: ['x'], source: 's' });
    expect(await knowledge.findPassages('ann', 'heron', {}, signal)).toMatchObject([{ weak: true }]);
    await expect(knowledge.updateEntry('bob', id, { text: 'x' }, signal)).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(knowledge.updateEntry('ann', id, { text: '' }, signal)).rejects.toMatchObject({
      code: 'bad_request',
    });
  });

  test('list limits are checked', async () => {
    const { knowledge } = await open();
    await expect(knowledge.listEntries('ann', 0)).rejects.toMatchObject({ code: 'bad_request' });
    await expect(knowledge.listEntries('ann', 1001)).rejects.toMatchObject({ code: 'bad_request' });
  });
});

describe('uploaded files', () => {
  test('are found among all entries, by page, and on their own', async () => {
    const { knowledge } = await open();
    async function* pages() {
      yield 'herons wade';
      yield '';
      yield longText(8, 'egret');
    }
    await knowledge.insertEntry('ann', { text: 'my herons' }, signal);
    const count = await knowledge.putDocument('ann', { name: 'birds.pdf', title: 'Birds' }, pages(), signal);
    expect(count).toBeGreaterThan(5);
    const close = (await knowledge.findPassages('ann', 'herons', {}, signal)).filter(({ weak }) => !weak);
    expect(close.map(({ passage }) => passage.text).sort()).toEqual(['herons wade', 'my herons']);
    const [match] = await knowledge.findPassages('ann', 'herons wade', {}, signal);
    expect(match).toMatchObject({
      source: 'doc://birds.pdf',
      passage: { of: 'doc://birds.pdf', page: 1, title: 'Birds' },
    });
    const inFile = async (fromPage: number, toPage: number, query: string) =>
      (await knowledge.findDocumentPassages('ann', 'birds.pdf', { fromPage, toPage }, query, 3, signal)).map(
        ({ passage }) => passage.page,
      );
    expect(await inFile(1, 3, 'herons')).toContain(1);
    expect(await inFile(2, 3, 'egret')).toEqual([3, 3, 3]);
    expect(await inFile(1, 3, '')).toEqual([1, 3, 3]);
    await expect(
      knowledge.findDocumentPassages('bob', 'birds.pdf', { fromPage: 1, toPage: 1 }, 'x', 3, signal),
    ).rejects.toMatchObject({ code: 'not_found' });
    expect((await knowledge.removeAllEntries('ann')).records).toBe(1);
    expect((await texts(knowledge, 'ann', 'herons'))[0]).toBe('herons wade');
    expect(await knowledge.removeDocument('ann', 'birds.pdf')).toBe(count);
    expect(await texts(knowledge, 'ann', 'herons egret')).toEqual([]);
  });

  test('a question that no searched page answers has weak matches and its missing words', async () => {
    const { knowledge } = await open();
    const pages = ['Herons wade in the Danube.', 'Ducks dive in a lake near Oslo.'];
    await knowledge.putDocument('ann', { name: 'a.pdf', title: '' }, pages, signal);
    const ask = (text: string, toPage = 2) =>
      knowledge.findDocumentPassages('ann', 'a.pdf', { fromPage: 1, toPage }, text, 9, signal);
    const judged = async (text: string, toPage?: number) =>
      (await ask(text, toPage)).map(({ weak, missing }) => [weak, missing]);
    const absent = [true, ['Lisbon']];
    expect(await judged('do herons wade near Lisbon')).toEqual([absent, absent]);
    expect((await judged('do ducks dive near Oslo'))[0]).toEqual([undefined, undefined]);
    expect(await judged('do ducks dive near Oslo', 1)).toEqual([[true, ['ducks dive near Oslo']]]);
    for (const whole of ['What is it about?', 'Summarize the document'])
      expect(await judged(whole)).toEqual([
        [undefined, undefined],
        [undefined, undefined],
      ]);
    const found = await knowledge.findPassages('ann', 'do herons wade near Lisbon', {}, signal);
    expect(found.map(({ weak, missing }) => [weak, missing])).toEqual([absent, absent]);
  });

  test('a date that is read from the name of a day is not named as missing', async () => {
    const { knowledge } = await open();
    await knowledge.insertEntry('ann', { text: 'On Halloween my costume is a ghost.' }, signal);
    const named = async (question: string) =>
      (await knowledge.findPassages('ann', question, {}, signal)).flatMap(({ missing = [] }) => missing);
    for (const day of ['Halloween', 'Christmas Eve', "New Year's Eve"]) {
      expect((await named(`Which costume do I wear on ${day}`)).join(' ')).not.toMatch(/[0-9]/);
      expect((await named(`Which zebra do I wash on ${day}`)).join(' ')).not.toMatch(/[0-9]/);
    }
  });

  test('a question without a word returns the beginning of a file, whatever its vector', async () => {
    const embedder = createWordEmbedder();
    const { knowledge } = await open({ embedder });
    // The embedder gives each of these questions a vector, and that of the second page comes near it.
    await knowledge.putDocument('ann', { name: 'a.pdf', title: '' }, ['Herons', 'Ducks'], signal);
    const question = (text: string) =>
      knowledge.findDocumentPassages('ann', 'a.pdf', { fromPage: 1, toPage: 2 }, text, 1, signal);
    expect(await question('ducks')).toMatchObject([{ passage: { page: 2 } }]);
    for (const text of ['***', '?!', ' \n'])
      expect(await question(text)).toMatchObject([{ passage: { page: 1 }, score: 0 }]);
    expect(embedder.asked.filter(({ kind }) => kind === 'query')).toHaveLength(1);
  });

  test('a cancelled upload leaves nothing', async () => {
    const { knowledge } = await open();
    const controller = new AbortController();
    function* pages() {
      yield 'heron';
      controller.abort(new Error('stopped'));
      yield 'egret';
    }
    await expect(knowledge.putDocument('ann', { name: 'a.pdf' }, pages(), controller.signal)).rejects.toThrow(
      'stopped',
    );
    expect(await texts(knowledge, 'ann', 'heron egret')).toEqual([]);
  });
});

test('a reset deletes saved indexes, and a damaged index is rebuilt', async () => {
  const folder = newFolder();
  const indexFolder = join(folder, 'indexes');
  const openIndex: KnowledgeOptions['openIndex'] = (options, path) =>
    openGrowingIndex({ ...options, threshold: 450 }, path);
  const first = await open({ folder, indexFolder, openIndex });
  await Promise.all(
    Array.from({ length: 500 }, (_, i) =>
      first.knowledge.insertEntry('ann', { text: `word${i} magpie` }, signal),
    ),
  );
  await embedded(first.knowledge, 'ann');
  expect((await texts(first.knowledge, 'ann', 'word7 magpie'))[0]).toBe('word7 magpie');
  const kept = () => (existsSync(indexFolder) ? readdirSync(indexFolder).sort() : []);
  await until(() => kept().length === 2 && kept().every((name) => /^[0-9a-f]+\.(graph|labels)$/.test(name)));
  await first.close();
  const second = await open({ folder, indexFolder, openIndex });
  expect((await texts(second.knowledge, 'ann', 'word9 magpie'))[0]).toBe('word9 magpie');
  await second.close();
  for (const name of kept()) truncateSync(join(indexFolder, name), 100);
  const { knowledge } = await open({ folder, indexFolder, openIndex });
  expect((await texts(knowledge, 'ann', 'word7 magpie'))[0]).toBe('word7 magpie');
  await until(() => kept().every((name) => statSync(join(indexFolder, name)).size > 100));
  await knowledge.removeAllEntries('ann');
  expect(await kept()).toEqual([]);
});
