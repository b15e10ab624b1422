import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { openGrowingIndex } from '../../src/knowledge/indexes/growing.ts';
import { createKnowledge } from '../../src/knowledge/knowledge.ts';
import { createEntryStore } from '../../src/knowledge/stores/entry-store.ts';
import { createLog } from '../../src/log.ts';
import { openTestDatabase } from '../helpers/test-database.ts';
import { createWordEmbedder } from '../helpers/word-embedder.ts';

const signal = AbortSignal.timeout(300_000);
const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-trouble-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function open(folder: string) {
  const db = await openTestDatabase({ folder });
  const logged: string[] = [];
  const knowledge = createKnowledge({
    store: createEntryStore(db),
    embedder: createWordEmbedder(),
    openIndex: openGrowingIndex,
    log: createLog('warn', (line) => logged.push(line)),
    pauseMs: 20,
  });
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await knowledge.close();
    db.close();
  };
  closers.push(close);
  const embedded = async (owner: string) => {
    while ((await knowledge.readStats(owner)).pending > 0) {
      signal.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return { db, knowledge, logged, close, embedded };
}

const filler = 'sparrow thrush robin wren '.repeat(100);

/** Overwrites the pages of a table that are leaves and hold rows of keys from `key` on. */
async function damage(folder: string, table: string): Promise<void> {
  const db = await openTestDatabase({ folder });
  await db.read((sql) => sql.get('PRAGMA wal_checkpoint(TRUNCATE)'));
  const pages = await db.read((sql) =>
    sql.all<{ pageno: number }>(
      `SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno`,
      table,
    ),
  );
  db.close();
  const file = openSync(join(folder, 'magpie.sqlite'), 'r+');
  expect(pages.length).toBeGreaterThan(1);
  for (const { pageno } of pages.slice(0, -1))
    writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, (pageno - 1) * 4096);
}

test('a full disk refuses only writes that do not fit; with free space again, everything works', async () => {
  const { db, knowledge } = await open(newFolder());
  await knowledge.insertEntry('ann', { text: 'a magpie' }, signal);
  const pages = await db.read((sql) => sql.get<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0);
  await db.read((sql) => sql.get(`PRAGMA max_page_count = ${pages + 4}`));
  const text = (i: number) => `${filler} ${i}`;
  let kept = 0;
  let refused: unknown;
  for (; refused === undefined; kept++) {
    await knowledge.insertEntry('ann', { text: text(kept) }, signal).catch((error: unknown) => {
      refused = error;
      kept--;
    });
  }
  expect(refused).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('the disk is full'),
  });
  expect((await knowledge.readStats('ann')).records).toBe(kept + 1);
  expect((await knowledge.findPassages('ann', 'magpie', {}, signal))[0]?.passage.text).toBe('a magpie');
  await db.read((sql) => sql.get('PRAGMA max_page_count = 1000000'));
  expect((await knowledge.insertEntry('ann', { text: text(kept) }, signal)).known).toBe(false);
});

test('with damaged vectors, words find the entries', async () => {
  const folder = newFolder();
  const first = await open(folder);
  for (let i = 0; i < 30; i++)
    await first.knowledge.insertEntry('ann', { text: `magpie number${i}` }, signal);
  await first.embedded('ann');
  await first.close();
  await damage(folder, 'kb_vectors');
  const { knowledge, logged } = await open(folder);
  expect((await knowledge.findPassages('ann', 'number7', {}, signal))[0]?.passage.text).toBe(
    'magpie number7',
  );
  expect(logged.filter((line) => line.includes('by words alone'))).toHaveLength(1);
  // Nothing more is written into a damaged file.
  await expect(knowledge.insertEntry('ann', { text: 'a heron' }, signal)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('is damaged, and nothing more is written'),
  });
});

test('damaged texts are refused with a clear message, and other texts are returned', async () => {
  const folder = newFolder();
  const first = await open(folder);
  const ids: string[] = [];
  for (let i = 0; i < 10; i++)
    ids.push((await first.knowledge.insertEntry('ann', { text: `${filler} ${i}` }, signal)).id);
  await first.knowledge.insertEntry('bob', { text: 'a magpie' }, signal);
  await first.embedded('bob');
  await first.close();
  await damage(folder, 'kb_passages');
  const { knowledge } = await open(folder);
  await expect(knowledge.findEntry('ann', ids[0] ?? '')).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('damaged'),
  });
  await expect(knowledge.findPassages('ann', 'sparrow', {}, signal)).rejects.toMatchObject({
    code: 'unavailable',
  });
  expect((await knowledge.findPassages('bob', 'magpie', {}, signal))[0]?.passage.text).toBe('a magpie');
  // Nothing more is written into a damaged file.
  await expect(knowledge.insertEntry('bob', { text: 'a heron' }, signal)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('is damaged, and nothing more is written'),
  });
});

test('every answered insert is stored once and found after a kill at any time', async () => {
  const folder = newFolder();
  const program = fileURLToPath(new URL('../helpers/inserting-process.ts', import.meta.url));
  const answered = new Map<string, string>();
  for (let run = 0; run < 2; run++) {
    const child = spawn(process.execPath, [program, folder, `${run}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let seen = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      const [id = '', number = ''] = line.split(' ');
      answered.set(id, `run${run} number${number} magpie`);
      if (++seen === 20 + run * 200) child.kill('SIGKILL');
    }
  }
  expect(answered.size).toBeGreaterThan(200);
  const { db, knowledge, embedded } = await open(folder);
  expect(await db.read((sql) => sql.all('PRAGMA integrity_check'))).toEqual([{ integrity_check: 'ok' }]);
  const texts: string[] = [];
  for await (const entry of knowledge.exportEntries('ann')) texts.push(entry.text);
  expect(new Set(texts).size).toBe(texts.length);
  for (const [id, text] of answered) expect((await knowledge.findEntry('ann', id))?.text).toBe(text);
  await embedded('ann');
  for (const [, text] of [...answered].filter((_, i) => i % 10 === 0)) {
    expect((await knowledge.findPassages('ann', text, {}, signal))[0]?.passage.text).toBe(text);
  }
});
