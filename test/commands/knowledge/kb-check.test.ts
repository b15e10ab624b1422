import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { createDocumentStore } from '../../../src/documents/stores/documents.ts';
import { openGrowingIndex } from '../../../src/knowledge/indexes/growing.ts';
import { createKnowledge } from '../../../src/knowledge/knowledge.ts';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import { createLog } from '../../../src/log.ts';
import { createSqlitePageStore } from '../../../src/search/stores/pages.ts';
import { environment, MAIN, runMagpie, spawnServer, temporaryFolder } from '../../helpers/magpie.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';
import { createWordEmbedder } from '../../helpers/word-embedder.ts';

/** `magpie kb check` on data folders that are really damaged: pages overwritten, the file cut off, rows changed. */

const FILLER = 'sparrow thrush robin wren '.repeat(40);
const signal = AbortSignal.timeout(600_000);
const BOUNDS = { maxPages: 1000, maxBytes: 100_000_000 };

let folder: ReturnType<typeof temporaryFolder>;
let env: Record<string, string>;
beforeEach(() => {
  folder = temporaryFolder();
  env = environment(folder.path);
});
afterEach(() => folder.remove());

const database = () => join(folder.path, 'magpie.sqlite');

async function openRooms(path = folder.path) {
  const db = await openTestDatabase({ folder: path });
  const knowledge = createKnowledge({
    store: createEntryStore(db),
    embedder: createWordEmbedder(),
    openIndex: openGrowingIndex,
    log: createLog('error'),
    pauseMs: 20,
  });
  return {
    db,
    knowledge,
    async close() {
      await knowledge.close();
      db.close();
    },
  };
}

type Knowledge = Awaited<ReturnType<typeof openRooms>>['knowledge'];

async function embedded(knowledge: Knowledge): Promise<void> {
  expect(await knowledge.waitForVectors(Number.POSITIVE_INFINITY, signal)).toBe(undefined);
}

/** A knowledge base of `count` entries, some more in the trash, a page of the local index, all with words and vectors; texts by id. */
async function fill(count: number, path = folder.path): Promise<Map<string, string>> {
  const { db, knowledge, close } = await openRooms(path);
  const texts = new Map<string, string>();
  const insert = async (text: string) =>
    (await knowledge.insertEntry('tester', { text, tags: ['kept'] }, signal)).id;
  const gone = await insert(`In the trash ${FILLER}`);
  // Together, so that many are written in one step.
  const written = Array.from({ length: count }, (_, i) => `Entry zq${i}x. ${FILLER}`);
  const ids = await Promise.all(written.map(insert));
  for (const [at, id] of ids.entries()) texts.set(id, written[at] ?? '');
  await knowledge.removeEntry('tester', gone);
  await embedded(knowledge);
  await knowledge.findPassages('tester', 'sparrow', {}, signal);
  await createSqlitePageStore(db, BOUNDS).savePages('tester', [
    { url: 'https://x.example/', title: 'Herons', text: 'A heron stands still.', readAt: 1 },
  ]);
  await close();
  return texts;
}

let large:
  | Promise<{ readonly kept: ReturnType<typeof temporaryFolder>; texts: Map<string, string> }>
  | undefined;
afterAll(async () => (await large)?.kept.remove());

/** The same of 400 entries, which are written once. */
async function fillWithMany(): Promise<Map<string, string>> {
  large ??= (async () => {
    const kept = temporaryFolder();
    return { kept, texts: await fill(400, kept.path) };
  })();
  const { kept, texts } = await large;
  cpSync(kept.path, folder.path, { recursive: true });
  return texts;
}

/** Runs SQL on the file as no Magpie would. */
function tamper(sql: string): void {
  const raw = new DatabaseSync(database(), { defensive: false, enableForeignKeyConstraints: false });
  raw.exec(sql);
  raw.close();
}

function leaves(table: string): number[] {
  const raw = new DatabaseSync(database());
  const rows = raw
    .prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno")
    .all(table);
  raw.close();
  return rows.map(({ pageno }) => Number(pageno));
}

function overwrite(pages: readonly number[]): void {
  const file = openSync(database(), 'r+');
  for (const page of pages) writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, (page - 1) * 4096);
  closeSync(file);
}

function countVectors(): number {
  const raw = new DatabaseSync(database());
  const row = raw.prepare('SELECT count(*) AS n FROM kb_vectors').get();
  raw.close();
  return Number(row?.n);
}

interface Body {
  problems: { part: string; problem: string; ids?: string[]; lost: boolean; mended: boolean }[];
  kept?: string;
}

async function check(...flags: string[]): Promise<{ code: number | null; body: Body }> {
  const { code, stdout, stderr } = await runMagpie(['kb', 'check', '--json', ...flags], env);
  // Progress on a busy machine is no error.
  expect(stderr).not.toContain('error');
  return { code, body: JSON.parse(stdout) as Body };
}

async function readBack(): Promise<Map<string, string>> {
  const { knowledge, close } = await openRooms();
  const texts = new Map<string, string>();
  for await (const { id, text } of knowledge.exportEntries('tester')) texts.set(id, text);
  await close();
  return texts;
}

const parts = ({ problems }: Body) => problems.map(({ part }) => part).sort();

test('an intact folder and a folder without a database are reported [knowledge.check]', async () => {
  const empty = await runMagpie(['kb', 'check'], env);
  expect(empty).toMatchObject({ code: 0, stdout: `There is no database in ${folder.path} yet.\n` });
  const texts = await fill(30);
  expect(await check()).toEqual({ code: 0, body: { folder: folder.path, problems: [] } });
  expect(await runMagpie(['kb', 'check'], env)).toMatchObject({
    code: 0,
    stdout: `Nothing is wrong in ${folder.path}.\n`,
  });
  // Mending what is sound changes nothing.
  expect(await check('--mend')).toEqual({ code: 0, body: { folder: folder.path, problems: [] } });
  expect(await readBack()).toEqual(texts);
  expect(readdirSync(folder.path).filter((name) => name.includes('damaged'))).toEqual([]);
});

test('after overwritten pages all readable data is kept, the rest is named, and the old file stays [knowledge.check]', async () => {
  const texts = await fillWithMany();
  const pages = leaves('kb_passages');
  const hurt = [10, 11, 40, 41, 42, 70].map((at) => pages[at] ?? 0);
  overwrite([...hurt, ...leaves('kb_vectors').slice(5, 8), ...leaves('kb_words_data').slice(2, 4)]);
  const before = readFileSync(database());
  const found = await check();
  expect(found.code).toBe(3);
  const unread = found.body.problems.find(({ part }) => part === 'entries')?.ids ?? [];
  expect(unread.length).toBeGreaterThan(0);
  expect(unread.length).toBeLessThan(80);
  expect(readFileSync(database()).equals(before)).toBe(true);

  const mended = await check('--mend');
  expect(mended.code).toBe(3);
  const lost = mended.body.problems.filter((one) => one.lost).flatMap(({ ids = [] }) => ids);
  expect(lost.sort()).toEqual(unread.sort());
  expect(mended.body.kept).toMatch(/magpie\.sqlite\.damaged-\d{8}T\d{6}Z$/);
  expect(statSync(mended.body.kept ?? '').size).toBe(before.length);
  expect(statSync(database()).mode & 0o777).toBe(0o600);
  expect(await check()).toEqual({ code: 0, body: { folder: folder.path, problems: [] } });

  const back = await readBack();
  for (const [id, text] of texts) if (!lost.includes(id)) expect(back.get(id)).toBe(text);
  // Vectors come again, and the trash is still there.
  const { knowledge, close } = await openRooms();
  const stats = await knowledge.readStats('tester');
  expect(stats.records).toBe(back.size);
  await embedded(knowledge);
  const [match] = await knowledge.findPassages('tester', 'zq399x', { includeValues: true }, signal);
  expect([match?.passage.text, match?.values?.length]).toEqual([expect.stringContaining('zq399x'), 64]);
  expect(await knowledge.restoreEntries('tester', 'latest')).toEqual({ records: 1, known: 0 });
  await close();
});

test('rows of a damaged entry table are found by their passages, or rebuilt from them [knowledge.check]', async () => {
  const texts = await fillWithMany();
  const pages = leaves('kb_entries');
  expect(pages.length).toBeGreaterThan(5);
  overwrite([pages[2] ?? 0, pages[5] ?? 0]);
  const mended = await check('--mend');
  expect(mended.code).toBe(3);
  expect(mended.body.problems.find(({ lost }) => lost)?.problem).toMatch(/title, source and tags/);
  const back = await readBack();
  for (const [id, text] of texts) expect(back.get(id)).toBe(text);
  expect((await check()).code).toBe(0);
});

test('a truncated file keeps the data before the cut [knowledge.check]', async () => {
  const texts = await fillWithMany();
  truncateSync(database(), Math.floor((statSync(database()).size * 0.75) / 4096) * 4096);
  expect((await check()).code).toBe(3);
  const mended = await check('--mend');
  expect(mended.body.kept).toBeDefined();
  const back = await readBack();
  expect(back.size).toBeGreaterThan(0);
  for (const [id, text] of back)
    if (texts.has(id)) expect(text === texts.get(id) || text.length < FILLER.length + 30).toBe(true);
  expect((await check()).code).toBe(0);
});

test('a lost first page is reported, and nothing is changed [knowledge.check]', async () => {
  await fill(5);
  overwrite([1]);
  const before = readFileSync(database());
  const { code, stderr } = await runMagpie(['kb', 'check', '--mend'], env);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/nothing can be read|not a Magpie database/)]);
  expect(readFileSync(database()).equals(before)).toBe(true);
});

test('a damaged word index is rebuilt [knowledge.check]', async () => {
  const texts = await fill(100);
  tamper('DELETE FROM kb_words_data WHERE id > 10');
  const found = await check();
  expect([found.code, parts(found.body)]).toEqual([3, ['words']]);
  expect(await check('--mend')).toMatchObject({
    code: 0,
    body: { problems: [{ part: 'words', mended: true }] },
  });
  expect((await check()).code).toBe(0);
  tamper('DELETE FROM kb_words_docsize WHERE rowid % 3 = 0; DELETE FROM pages_fts_docsize');
  const again = await check();
  expect([again.code, parts(again.body)]).toEqual([3, ['local index', 'words']]);
  expect((await check('--mend')).code).toBe(0);
  expect((await check()).code).toBe(0);
  expect(await readBack()).toEqual(texts);
  const { db, knowledge, close } = await openRooms();
  const [match] = await knowledge.findPassages('tester', 'zq77x', {}, signal);
  expect(match?.passage.text).toContain('zq77x');
  expect(await createSqlitePageStore(db, BOUNDS).searchPages('tester', 'heron', 5)).toHaveLength(1);
  await close();
});

test('wrong counters, passages, vectors and texts in an intact file are repaired [knowledge.check]', async () => {
  const texts = await fill(60);
  const [altered = ''] = [...texts.keys()].slice(20);
  const all = countVectors();
  tamper(`UPDATE kb_owners SET records = 999, next = 3, searched = 1;
    UPDATE page_owners SET pages = 17;
    INSERT INTO kb_passages (id, entry, ordinal, words, title, text) VALUES ((1 << 31) + 900000, 5, 0, 1, '', 'stray');
    UPDATE kb_vectors SET vector = x'0102' WHERE id IN (SELECT id FROM kb_vectors ORDER BY id LIMIT 2 OFFSET 10);
    INSERT INTO kb_vectors (id, vector) VALUES ((1 << 55) + (1 << 31) + 800000, x'0102');
    UPDATE kb_passages SET text = replace(text, 'robin', 'raven') WHERE entry = ${altered.split('-').at(-1)};`);
  const found = await check();
  expect(found.code).toBe(3);
  expect([...new Set(parts(found.body))]).toEqual(
    ['counters', 'entries', 'vectors', 'words'].filter((part) => part !== 'words'),
  );
  expect(found.body.problems.find(({ lost }) => lost)?.ids).toEqual([altered]);
  const mended = await check('--mend');
  expect(mended.body.problems.filter(({ lost }) => lost)).toHaveLength(1);
  expect(await check()).toEqual({ code: 0, body: { folder: folder.path, problems: [] } });
  const { db, knowledge, close } = await openRooms();
  expect((await knowledge.readStats('tester')).records).toBe(60);
  // No number is given again, not even one of the trash.
  const { reached } = (await db.read((sql) =>
    sql.get<{ reached: number }>(
      'SELECT o.next >= (SELECT max(first + passages) FROM kb_entries) AS reached FROM kb_owners o WHERE id = 1',
    ),
  )) ?? { reached: 0 };
  expect(reached).toBe(1);
  // The vectors that were wrong are made by the next process.
  const vectors = () =>
    db.read((sql) => sql.get('SELECT count(*) AS n, min(length(vector)) AS least FROM kb_vectors'));
  while (((await vectors()) as { n: number }).n < all) {
    signal.throwIfAborted();
    await setTimeout(20);
  }
  expect(await vectors()).toEqual({ n: all, least: 128 });
  await close();
});

test('lost passages of an uploaded file are rebuilt from its pages [knowledge.check]', async () => {
  const { db, knowledge, close } = await openRooms();
  const documents = createDocumentStore(db);
  const pages = Array.from({ length: 30 }, (_, i) => `Page ${i} of the manual. ${FILLER}`);
  const draft = await documents.beginDraft('tester', 'manual.pdf');
  await documents.insertPages(
    draft,
    pages,
    pages.map(() => 1),
  );
  const facts = { kind: 'pdf', title: 'Manual', author: '', bytes: 1000 };
  await documents.publishDraft('tester', draft, facts, { maxFiles: 10, maxBytes: 1_000_000 });
  await knowledge.putDocument('tester', { name: 'manual.pdf', title: 'Manual' }, pages, signal);
  await documents.markIndexed(draft.row);
  await embedded(knowledge);
  await close();
  tamper('DELETE FROM kb_passages WHERE page BETWEEN 10 AND 12');
  const found = await check();
  expect(found.code).toBe(3);
  expect(found.body.problems.find(({ part }) => part === 'entries')).toMatchObject({
    ids: ['doc://manual.pdf'],
    lost: false,
  });
  expect((await check('--mend')).code).toBe(0);
  expect((await check()).code).toBe(0);
  const again = await openRooms();
  expect(await createDocumentStore(again.db).listUnindexed()).toEqual([
    { owner: 'tester', name: 'manual.pdf' },
  ]);
  await again.close();
});

test('a damaged vector index file is deleted [knowledge.check]', async () => {
  await fill(3);
  mkdirSync(join(folder.path, 'indexes'));
  const file = join(folder.path, 'indexes', 'a.graph');
  writeFileSync(file, 'torn');
  const found = await check();
  expect([found.code, parts(found.body)]).toEqual([3, ['indexes']]);
  expect((await check('--mend')).code).toBe(0);
  expect(existsSync(file)).toBe(false);
});

test('a check runs beside a server, and a repair does not [knowledge.check]', async () => {
  await fill(10);
  const magpie = await spawnServer(env);
  expect((await check()).code).toBe(0);
  const refused = await runMagpie(['kb', 'check', '--mend'], env);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/another Magpie server .*stop it/),
  ]);
  await magpie.stop();
  // Any other process, which takes no lock of servers.
  const { db, close } = await openRooms();
  await db.read((sql) => sql.get('SELECT count(*) FROM kb_entries'));
  const busy = await runMagpie(['kb', 'check', '--mend'], env);
  expect([busy.code, busy.stderr]).toEqual([1, expect.stringMatching(/another process has .* open/)]);
  await close();
  expect((await check('--mend')).code).toBe(0);
});

test('a repair that is killed leaves the old file, and the next run repairs it [knowledge.check]', async () => {
  const texts = await fillWithMany();
  overwrite([leaves('kb_passages')[20] ?? 0]);
  const before = readFileSync(database());
  const child = spawn(process.execPath, [MAIN, 'kb', 'check', '--mend'], { env, stdio: 'ignore' });
  const exit = once(child, 'exit');
  // As soon as the copy is there and has something in it.
  while (
    child.exitCode === null &&
    (statSync(`${database()}.mending`, { throwIfNoEntry: false })?.size ?? 0) < 200_000
  )
    await setTimeout(1);
  child.kill('SIGKILL');
  expect(await exit).toEqual([null, 'SIGKILL']);
  expect(readFileSync(database()).equals(before)).toBe(true);
  const mended = await check('--mend');
  expect(mended.body.kept).toBeDefined();
  expect(existsSync(`${database()}.mending`)).toBe(false);
  const lost = mended.body.problems.filter((one) => one.lost).flatMap(({ ids = [] }) => ids);
  const back = await readBack();
  for (const [id, text] of texts) if (!lost.includes(id)) expect(back.get(id)).toBe(text);
  expect((await check()).code).toBe(0);
});
