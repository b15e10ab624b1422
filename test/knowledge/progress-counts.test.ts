import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createImporting } from '../../src/knowledge/importing/importing.ts';
import { IMPORT_KINDS } from '../../src/knowledge/imports/kinds.ts';
import { openGrowingIndex } from '../../src/knowledge/indexes/growing.ts';
import { createKnowledge } from '../../src/knowledge/knowledge.ts';
import { createEntryStore } from '../../src/knowledge/stores/entry-store.ts';
import { createFolderStore } from '../../src/knowledge/stores/folders.ts';
import { createSyncing } from '../../src/knowledge/syncing/syncing.ts';
import { createLog } from '../../src/log.ts';
import { temporaryFolder } from '../helpers/magpie.ts';
import { openTestDatabase } from '../helpers/test-database.ts';
import { createWordEmbedder } from '../helpers/word-embedder.ts';

/** What is said while work goes on, and what its result says: the same counts. */

const signal = AbortSignal.timeout(120_000);
const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open() {
  const folder = temporaryFolder();
  closers.push(folder.remove);
  const db = await openTestDatabase({ folder: join(folder.path, 'data') });
  const log = createLog('silent');
  const knowledge = createKnowledge({
    store: createEntryStore(db),
    embedder: createWordEmbedder(),
    openIndex: openGrowingIndex,
    log,
  });
  closers.push(async () => {
    await knowledge.close();
    db.close();
  });
  const said: string[] = [];
  const read = async () => {
    throw new Error('no page is read');
  };
  const options = { signal, read, progress: (text: string) => void said.push(text) };
  return { folder: folder.path, knowledge, db, log, said, options };
}

test('an import counts a long text by its entries, and reports the number of records it has read', async () => {
  const { folder, knowledge, log, said, options } = await open();
  const importSource = createImporting({ knowledge, kinds: IMPORT_KINDS, log });
  const long = Array.from(
    { length: 1200 },
    // Mostly white space, so that it has few passages.
    (_, at) => `Sentence ${at % 100} of a long text about herons,${' '.repeat(900)}and storks.`,
  ).join(' ');
  const file = join(folder, 'notes.jsonl');
  writeFileSync(
    file,
    [{ text: 'short' }, { text: long, key: 'long' }].map((one) => JSON.stringify(one)).join('\n'),
  );
  const summary = await importSource('ann', { path: file }, options);
  expect(summary.imported).toBeGreaterThan(2);
  expect((await knowledge.readStats('ann')).records).toBe(summary.imported);
  expect(said).toEqual([]);
  const again = await importSource('ann', { path: file }, options);
  expect([again.imported, again.known]).toEqual([0, summary.imported]);
});

test('an import of many records reports all of them', async () => {
  const { folder, knowledge, log, said, options } = await open();
  const importSource = createImporting({ knowledge, kinds: IMPORT_KINDS, log });
  const file = join(folder, 'notes.jsonl');
  writeFileSync(file, Array.from({ length: 130 }, (_, at) => `{"text":"note ${at}"}`).join('\n'));
  expect(await importSource('ann', { path: file }, options)).toMatchObject({ imported: 130 });
  expect(said).toEqual(['100 records read', '130 records read']);
});

test('a sync reports how many files it has read, and how many it has stored', async () => {
  const { folder, knowledge, db, said, options } = await open();
  const notes = join(folder, 'notes');
  mkdirSync(notes);
  for (let at = 0; at < 130; at++) writeFileSync(join(notes, `${at}.md`), `Note ${at} about herons`);
  const { syncFolder } = createSyncing({ knowledge, folders: createFolderStore(db) });
  expect(await syncFolder('ann', notes, options)).toMatchObject({ added: 130 });
  expect(said).toEqual([
    '100 of 130 files read',
    '130 of 130 files read',
    '100 of 130 files done',
    '130 of 130 files done',
  ]);
});
