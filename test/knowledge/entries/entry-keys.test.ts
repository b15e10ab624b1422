import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openGrowingIndex } from '../../../src/knowledge/indexes/growing.ts';
import { createKnowledge, type KnowledgeOptions } from '../../../src/knowledge/knowledge.ts';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import type { Knowledge, NewEntry } from '../../../src/knowledge/types.ts';
import { createLog } from '../../../src/log.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';
import { createWordEmbedder } from '../../helpers/word-embedder.ts';

/** Collections, and keys of one's own. */

const signal = AbortSignal.timeout(300_000);
const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-names-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function open({ folder = newFolder(), ...more }: Partial<KnowledgeOptions> & { folder?: string } = {}) {
  const db = await openTestDatabase({ folder });
  const store = createEntryStore(db);
  const knowledge = createKnowledge({
    store,
    embedder: createWordEmbedder(),
    openIndex: openGrowingIndex,
    log: createLog('silent'),
    ...more,
  });
  const close = async () => {
    await knowledge.close();
    db.close();
  };
  closers.push(close);
  return { knowledge, store };
}

const add = (knowledge: Knowledge, entry: NewEntry) => knowledge.insertEntry('ann', entry, signal);
const texts = async (knowledge: Knowledge, query: string, collection?: string) =>
  (await knowledge.findPassages('ann', query, { filter: { collection } }, signal)).map(
    ({ passage }) => passage.text,
  );

test('a question covers all collections unless it names one, in any case', async () => {
  const { knowledge } = await open();
  await add(knowledge, { text: 'the magpie at home' });
  await add(knowledge, { text: 'the magpie in the garden', collection: '  My  Garden ' });
  await knowledge.putDocument('ann', { name: 'a.pdf' }, ['the magpie of the file'], signal);
  expect((await texts(knowledge, 'magpie')).sort()).toEqual([
    'the magpie at home',
    'the magpie in the garden',
    'the magpie of the file',
  ]);
  expect(await texts(knowledge, 'magpie', 'MY GARDEN')).toEqual(['the magpie in the garden']);
  expect((await texts(knowledge, 'magpie', 'default')).sort()).toEqual([
    'the magpie at home',
    'the magpie of the file',
  ]);
  const [match] = await knowledge.findPassages('ann', 'garden', { topK: 1 }, signal);
  expect(match).toMatchObject({ collection: 'my garden' });
  expect((await knowledge.listCollections('ann')).map(({ name }) => name)).toEqual(['default', 'my garden']);
  expect(await knowledge.readStats('ann', 'my garden')).toMatchObject({ records: 1, passages: 1 });
  const exported = [];
  for await (const { text } of knowledge.exportEntries('ann', 'my garden')) exported.push(text);
  expect(exported).toEqual(['the magpie in the garden']);
});

test.each(['', ' ', 'a/b', '-x', 'x'.repeat(61), 'a\u0007b', '🐦'])(
  'the collection %j is refused with the same message wherever it is named',
  async (collection) => {
    const { knowledge } = await open();
    const refusals = [
      add(knowledge, { text: 'x', collection }),
      knowledge.findPassages('ann', 'x', { filter: { collection } }, signal),
      knowledge.readStats('ann', collection),
      knowledge.findNewestEntry('ann', collection),
      knowledge.findEntryByKey('ann', 'k', collection),
      knowledge.removeAllEntries('ann', { collection }),
      knowledge.removeEntry('ann', 'ann-1', { collection }),
      knowledge.restoreEntries('ann', 'all', collection),
      knowledge.listTrash('ann', 5, collection),
      knowledge.emptyTrash('ann', signal, collection),
      knowledge.exportEntries('ann', collection)[Symbol.asyncIterator]().next(),
    ];
    const said = (await Promise.allSettled(refusals)).map((one) =>
      one.status === 'rejected' ? String(one.reason.message) : 'accepted',
    );
    expect(new Set(said).size).toBe(1);
    expect(said[0]).toMatch(/^collection is ".*": it takes a name of 1 to 60 letters/);
  },
);

test.each([' ', '\0', 'x'.repeat(501)])('the key %j is refused', async (key) => {
  const { knowledge } = await open();
  await expect(add(knowledge, { text: 'x', key })).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringMatching(/^key is ".*it takes a name of 1 to 500 characters/),
  });
});

test('an update by key keeps fields that are not given, and a delete by key removes an entry of the named collection only', async () => {
  const { knowledge } = await open();
  const { id } = await add(knowledge, { text: 'blue', key: 'colour', title: 'Colour', tags: ['likes'] });
  const changed = await add(knowledge, { text: 'green', key: ' colour ', source: 'a talk' });
  expect(changed).toEqual({ id, known: false, passages: 1, replaced: 'trash' });
  expect(await knowledge.findEntry('ann', id)).toMatchObject({
    text: 'green',
    title: 'Colour',
    source: 'a talk',
    tags: ['likes'],
  });
  await add(knowledge, { text: 'green', key: 'colour', tags: [] });
  expect(await knowledge.findEntryByKey('ann', 'colour')).toMatchObject({ id, tags: [], source: 'a talk' });
  expect((await knowledge.removeEntry('ann', id, { collection: 'work' })).records).toBe(0);
  expect((await knowledge.removeEntry('ann', id, { collection: 'Default' })).records).toBe(1);
});

test('an edit by id reports that the earlier text is in the trash, and restores it', async () => {
  const { knowledge } = await open();
  const { id } = await add(knowledge, { text: 'a heron' });
  expect(await knowledge.updateEntry('ann', id, { tags: ['t'] }, signal)).not.toHaveProperty('replaced');
  const edited = await knowledge.updateEntry('ann', id, { text: 'an egret', key: 'bird' }, signal);
  expect(edited).toMatchObject({ id, text: 'an egret', key: 'bird', replaced: 'trash' });
  expect(await knowledge.restoreEntries('ann', { entry: id })).toEqual({ records: 1, known: 0 });
  expect(await texts(knowledge, 'heron egret')).toEqual(['a heron']);
});

test('with a retention of no days, the earlier text is removed at once', async () => {
  const { knowledge } = await open({ trashDays: 0 });
  const { id } = await add(knowledge, { text: 'a heron', key: 'bird' });
  expect((await add(knowledge, { text: 'an egret', key: 'bird' })).replaced).toBe('gone');
  expect((await knowledge.updateEntry('ann', id, { text: 'a stork' }, signal)).replaced).toBe('gone');
  expect((await knowledge.listTrash('ann', 5)).records).toBe(0);
});

test('many replacements keep the trash within its limit', async () => {
  const { knowledge } = await open({ trashBound: { records: 20, bytes: 1_000_000 } });
  for (let n = 0; n < 120; n++) await add(knowledge, { text: `reading ${n}`, key: 'thermometer' });
  const { records, batches } = await knowledge.listTrash('ann', 100);
  expect(records).toBeLessThanOrEqual(40);
  expect(batches[0]?.text).toBe('reading 118');
});

test('a process that is killed during replacements leaves the old or the new text of each key, never none or both', async () => {
  const folder = newFolder();
  const worker = join(import.meta.dirname, '../../helpers/replacing-process.ts');
  const answered = new Map<string, number>();
  for (let run = 0; run < 2; run++) {
    const child = spawn(process.execPath, [worker, folder, String(run)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk;
    });
    const enough = 10 + run * 17;
    while (printed.split('\n').length < enough) {
      signal.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    for (const line of printed.split('\n').slice(0, -1)) {
      const [key = '', n] = line.split(' ');
      answered.set(key, Math.max(answered.get(key) ?? -1, Number(n)));
    }
    const { knowledge } = await open({ folder });
    const { entries } = await knowledge.listEntries('ann', 100);
    expect(entries.map(({ key }) => key).sort()).toEqual([...answered.keys()].sort());
    for (const { key, text } of entries) {
      // What was answered last, or what was under way when the process ended.
      const n = Number(/number(\d+)/.exec(text)?.[1]);
      expect(n).toBeGreaterThanOrEqual(answered.get(key) ?? 0);
      expect((await texts(knowledge, `number${n} ${key}`))[0]).toBe(text);
      answered.set(key, n);
    }
    expect(await knowledge.readStats('ann')).toMatchObject({ records: 3, passages: 3 });
    await closers.pop()?.();
  }
});

test('an access key that is given as an entry key by mistake is refused, and not shown', async () => {
  const { knowledge } = await open();
  const key = `magpie_${'a1B2'.repeat(10).slice(0, 38)}`;
  const refused = await add(knowledge, { text: 'the magpie', key }).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining('header Authorization'),
  });
  expect(String(refused)).not.toContain(key.slice(7));
  await add(knowledge, { text: 'the magpie', key: 'magpie_food' });
});
