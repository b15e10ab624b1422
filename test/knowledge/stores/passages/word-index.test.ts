import { afterEach, beforeEach, expect, test } from 'vitest';
import { chunkEntry, normalizeEntry } from '../../../../src/knowledge/entries/new-entry.ts';
import type { EntryAddition, EntryStore } from '../../../../src/knowledge/store.ts';
import { createEntryStore } from '../../../../src/knowledge/stores/entry-store.ts';
import type { Database } from '../../../../src/storage/sqlite.ts';
import { temporaryFolder } from '../../../helpers/magpie.ts';
import { openTestDatabase } from '../../../helpers/test-database.ts';

/** Words that follow their passages: a query finds them all the same. */

let folder: ReturnType<typeof temporaryFolder>;
let db: Database;
let store: EntryStore;

beforeEach(async () => {
  folder = temporaryFolder();
  db = await openTestDatabase({ folder: folder.path });
  store = createEntryStore(db);
});
afterEach(() => {
  db.close();
  folder.remove();
});

async function addition(text: string, times?: EntryAddition['times'], owner = 'ann'): Promise<EntryAddition> {
  return { owner, entry: await chunkEntry(normalizeEntry({ text }), 256), ...(times && { times }) };
}
async function add(...texts: string[]) {
  for (const text of texts) await store.insertEntries([await addition(text)]);
}
async function found(word: string, owner = 'ann', by = store) {
  const { scored } = await by.findByWords(owner, word, 10, undefined);
  const read = await by.readPassages(
    owner,
    scored.map(({ place }) => place),
  );
  return read.map(({ passage }) => passage.text);
}
const indexed = () =>
  db.read((sql) => sql.get<{ n: number }>('SELECT count(*) AS n FROM kb_words_docsize')?.n);

test('words are indexed later, and a search first indexes the pending passages of its owner', async () => {
  await add('first heron', 'second stork');
  await store.insertEntries([await addition('third heron', undefined, 'bob')]);
  expect(await indexed()).toBe(0);
  expect(await found('heron')).toEqual(['first heron']);
  // The other owner's still wait.
  expect(await indexed()).toBe(2);
  await add('fourth heron');
  expect(await found('heron')).toEqual(['fourth heron', 'first heron']);
  expect(await found('heron', 'bob')).toEqual(['third heron']);
});

test('many passages are indexed without a search, and those of a long text at once', async () => {
  for (let i = 0; i < 70; i++) await add(`heron number ${i}`);
  expect(await indexed()).toBe(64);
  await add('A sentence of a long text about herons. '.repeat(3000));
  const passages = await db.read((sql) => sql.get<{ n: number }>('SELECT count(*) AS n FROM kb_passages')?.n);
  expect(await indexed()).toBe(passages);
});

test('another process finds passages that wait for the index', async () => {
  await add('first heron');
  const other = await openTestDatabase({ folder: folder.path });
  expect(await found('heron', 'ann', createEntryStore(other))).toEqual(['first heron']);
  other.close();
  await add('second heron');
  expect(await found('heron')).toEqual(['second heron', 'first heron']);
});

test('a passage removed while waiting is not found, and a remaining one is', async () => {
  await add('first heron', 'second heron', 'third heron');
  const { entries } = await store.listEntries('ann', 10, 'oldest');
  await store.removeEntry('ann', entries[2]?.id ?? '');
  expect(await found('heron')).toEqual(['second heron', 'first heron']);
  await store.removeEntry('ann', entries[1]?.id ?? '');
  await add('fourth heron');
  expect(await found('heron')).toEqual(['fourth heron', 'first heron']);
  await add('fifth heron');
  await store.removeAllEntries('ann');
  expect(await found('heron')).toEqual([]);
  expect(await indexed()).toBe(0);
});

test('a number that was assigned in vain gets the words of the text that uses it', async () => {
  const broken = { createdAt: 1.5, updatedAt: 1.5 };
  await expect(
    store.insertEntries([await addition('a heron'), await addition('broken', broken)]),
  ).rejects.toThrow();
  const other = await openTestDatabase({ folder: folder.path });
  await createEntryStore(other).insertEntries([await addition('a stork')]);
  other.close();
  expect(await found('heron')).toEqual([]);
  expect(await found('stork')).toEqual(['a stork']);
});

test('words that a process left waiting are indexed by the cleanup', async () => {
  await add('first heron');
  await store.cleanUp(new AbortController().signal);
  expect(await indexed()).toBe(1);
});

test('waiting passages are found even if the index cannot be written', async () => {
  await add('first heron');
  expect(await found('heron')).toEqual(['first heron']);
  await add('second heron');
  await add('third stork');
  await db.read((sql) => sql.get('PRAGMA query_only = ON'));
  expect((await found('heron')).toSorted()).toEqual(['first heron', 'second heron']);
  expect(await found('stork')).toEqual(['third stork']);
  expect(await found('owl')).toEqual([]);
  expect(await indexed()).toBe(1);
  await db.read((sql) => sql.get('PRAGMA query_only = OFF'));
  expect(await found('heron')).toEqual(['second heron', 'first heron']);
});
