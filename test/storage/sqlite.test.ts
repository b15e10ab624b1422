import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { MIGRATIONS } from '../../src/storage/migrations/list.ts';
import { type Database, openDatabase } from '../../src/storage/sqlite.ts';

const SQLITE = new URL('../../src/storage/sqlite.ts', import.meta.url).href;

let folder: string;
let opened: Database[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'magpie-db-'));
  opened = [];
});
afterEach(() => {
  for (const db of opened) db.close();
  rmSync(folder, { recursive: true, force: true });
});

const file = () => join(folder, 'magpie.sqlite');

async function open(options: Partial<Parameters<typeof openDatabase>[0]> = {}): Promise<Database> {
  const db = await openDatabase({ folder, ...options });
  opened.push(db);
  return db;
}

const all = <Row>(db: Database, text: string) => db.read((sql) => sql.all<Row>(text));
const get = <Row>(db: Database, text: string) => db.read((sql) => sql.get<Row>(text));
const run = (db: Database, text: string) => db.read((sql) => sql.run(text));

/** Runs the script with openDatabase at hand, in a process of its own. */
async function runScript(script: string): Promise<{ code: number | null; out: string; err: string }> {
  const source = `const { openDatabase } = await import(${JSON.stringify(SQLITE)}); const folder = process.argv[1]; ${script}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source, folder]);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const [code] = await once(child, 'close');
  return { code, out, err };
}

test('folder and files are private to the user, commits are durable, nothing is printed', async () => {
  folder = join(folder, 'deep', 'data');
  const { code, out, err } = await runScript('(await openDatabase({ folder })).close();');
  expect({ code, out, err }).toEqual({ code: 0, out: '', err: '' });
  const db = await open();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of [file(), `${file()}-wal`]) expect(statSync(name).mode & 0o777).toBe(0o600);
  expect(await get(db, 'PRAGMA journal_mode')).toMatchObject({ journal_mode: 'wal' });
  expect(await get(db, 'PRAGMA synchronous')).toMatchObject({ synchronous: 2 });
  expect(await get(db, 'PRAGMA foreign_keys')).toMatchObject({ foreign_keys: 1 });
  expect(await get(db, 'PRAGMA busy_timeout')).toMatchObject({ timeout: 5000 });
});

test('a write is synchronous: an awaited step would run after its commit', async () => {
  const db = await open();
  await run(db, 'CREATE TABLE t (x INTEGER PRIMARY KEY)');
  await expect(db.write(async (sql) => sql.run('INSERT INTO t VALUES (3)'))).rejects.toThrow('synchronous');
  expect(await all(db, 'SELECT x FROM t')).toEqual([]);
});

test('committed data survives SIGKILL', async () => {
  await runScript(`const db = await openDatabase({ folder });
    await db.read((sql) => sql.run('CREATE TABLE t (x)'));
    await db.write((sql) => { for (let i = 0; i < 100; i++) sql.run('INSERT INTO t VALUES (?)', i); });
    process.kill(process.pid, 'SIGKILL');`);
  expect(await get(await open(), 'SELECT count(*) AS n FROM t')).toMatchObject({ n: 100 });
});

test('several processes can start at once on an empty folder, and write at once', async () => {
  const script = `const db = await openDatabase({ folder });
    for (let i = 0; i < 20; i++) await db.write((sql) => {
      const pages = sql.get("SELECT pages FROM page_owners WHERE name = 'n'")?.pages ?? 0;
      sql.run("INSERT OR REPLACE INTO page_owners (name, pages) VALUES ('n', ?)", pages + 1);
    });
    db.close();`;
  const results = await Promise.all(Array.from({ length: 6 }, () => runScript(script)));
  expect(results.map(({ code, err }) => `${code} ${err}`)).toEqual(results.map(() => '0 '));
  expect(await get(await open(), 'SELECT pages FROM page_owners')).toMatchObject({ pages: 120 });
});

test('ids of migrations rise from 1', () => {
  expect(MIGRATIONS.map(({ id }) => id)).toEqual(MIGRATIONS.map((_, index) => index + 1));
});

test('an old database is migrated, step by step, once', async () => {
  const steps = [
    { id: 1, name: 'one', sql: 'CREATE TABLE a (x); INSERT INTO a VALUES (1);' },
    { id: 2, name: 'two', sql: 'ALTER TABLE a ADD COLUMN y; UPDATE a SET y = x + 1;' },
  ];
  (await open({ migrations: steps.slice(0, 1) })).close();
  const db = await open({ migrations: steps });
  expect(await all(db, 'SELECT x, y FROM a')).toEqual([expect.objectContaining({ x: 1, y: 2 })]);
  db.close();
  expect(await all(await open({ migrations: steps }), 'SELECT * FROM a')).toHaveLength(1);
});

test('the first version of this database is migrated', async () => {
  const first = await open({ migrations: MIGRATIONS.slice(0, 1) });
  await run(first, "INSERT INTO pages (owner, url, title, text, read_at) VALUES ('ann', 'u', 't', 'x', 1)");
  first.close();
  const db = await open();
  expect(await get(db, 'PRAGMA user_version')).toMatchObject({ user_version: MIGRATIONS.length });
  expect(await all(db, 'SELECT owner FROM pages')).toEqual([]);
});

test('a failed step leaves the database unchanged', async () => {
  const good = { id: 1, name: 'one', sql: 'CREATE TABLE a (x)' };
  const bad = { id: 2, name: 'two', sql: 'CREATE TABLE b (x); CREATE TABLE a (x);' };
  await expect(open({ migrations: [good, bad] })).rejects.toThrow('already exists');
  const db = await open({ migrations: [good] });
  expect(await all(db, "SELECT name FROM sqlite_schema WHERE name = 'b'")).toEqual([]);
});

test('a database of a newer Magpie is refused and left unchanged', async () => {
  const newer = [...MIGRATIONS, { id: 99, name: 'later', sql: 'CREATE TABLE later (x)' }];
  (await open({ migrations: newer })).close();
  await expect(open()).rejects.toMatchObject({
    code: 'unavailable',
    message: `${file()} was written by a newer Magpie (its version is 99, this one knows ${MIGRATIONS.length}): update Magpie, or set MAGPIE_DATA to another folder`,
  });
  expect(await all(await open({ migrations: newer }), 'SELECT * FROM later')).toEqual([]);
});

test('a file that is not a database is named and left unchanged', async () => {
  const text = 'this is my shopping list. '.repeat(100);
  writeFileSync(file(), text);
  await expect(open()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/magpie\.sqlite is not a Magpie database: move it away/),
  });
  expect(readFileSync(file(), 'utf8')).toBe(text);
});

test('a damaged database is reported', async () => {
  const first = await open();
  await run(first, 'CREATE TABLE t (x)');
  await first.write((sql) => {
    for (let i = 0; i < 500; i++) sql.run('INSERT INTO t VALUES (?)', 'x'.repeat(1000));
  });
  first.close();
  const bytes = readFileSync(file());
  bytes.fill(0xff, 4096 * 2);
  writeFileSync(file(), bytes);
  const read = async () => all(await open(), 'SELECT * FROM t');
  await expect(read()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/magpie\.sqlite is damaged, .*backup/),
  });
});

test('a full disk is named, and existing data stays readable', async () => {
  const db = await open();
  await run(db, 'CREATE TABLE t (x)');
  await run(db, 'INSERT INTO t VALUES (1)');
  const { page_count: pages = 0 } = (await get<{ page_count: number }>(db, 'PRAGMA page_count')) ?? {};
  await get(db, `PRAGMA max_page_count = ${pages + 1}`);
  const grown = db.write((sql) => sql.run('INSERT INTO t VALUES (?)', 'x'.repeat(100_000)));
  await expect(grown).rejects.toThrow(
    new AppError(
      'unavailable',
      `the database ${file()} cannot grow: the disk is full (deleting entries needs some room too); make room, and try again`,
    ),
  );
  expect(await get(db, 'SELECT count(*) AS n FROM t')).toMatchObject({ n: 1 });
});

test('a read-only database is named', async () => {
  const db = await open();
  await get(db, 'PRAGMA query_only = ON');
  await expect(run(db, 'CREATE TABLE t (x)')).rejects.toThrow(
    /magpie\.sqlite may not be written: .*MAGPIE_DATA/,
  );
});

test('an unusable folder is named with what to do', async () => {
  writeFileSync(join(folder, 'file'), '');
  await expect(open({ folder: join(folder, 'file') })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/\(EEXIST\): set MAGPIE_DATA/),
  });
  mkdirSync(file());
  await expect(open()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/cannot be opened: .*MAGPIE_DATA/),
  });
});

test('after close every call says that Magpie is shutting down; a second close does no harm', async () => {
  const db = await open();
  await run(db, 'CREATE TABLE t (x)');
  db.close();
  db.close();
  await expect(get(db, 'SELECT 1')).rejects.toMatchObject({ code: 'unavailable' });
  await expect(db.write(() => 1)).rejects.toThrow('shutting down');
});

test('a mistake in a statement keeps its own message', async () => {
  const failed = await all(await open(), 'SELECT * FROM nowhere').catch((error: unknown) => error);
  expect(failed).not.toBeInstanceOf(AppError);
  expect(failed).toMatchObject({ message: expect.stringContaining('no such table') });
});

test('more statements than the cache holds still work', async () => {
  const db = await open();
  for (let i = 0; i < 1200; i++) expect(await get(db, `SELECT ${i} AS n`)).toMatchObject({ n: i });
});

test('reproducible data does not wait for the disk; later writes do', async () => {
  const db = await open();
  const mode = () => get<{ synchronous: number }>(db, 'PRAGMA synchronous');
  const [full, normal] = [{ synchronous: 2 }, { synchronous: 1 }];
  expect(await db.writeReplaceable((sql) => sql.get('PRAGMA synchronous'))).toEqual(normal);
  expect(await mode()).toEqual(full);
  await expect(db.writeReplaceable((sql) => sql.run('INSERT INTO nowhere VALUES (1)'))).rejects.toThrow(
    /nowhere/,
  );
  expect(await mode()).toEqual(full);
  expect(await db.write((sql) => sql.get('PRAGMA synchronous'))).toEqual(full);
});

test('replaceable data survives the death of the process', async () => {
  const script = `const db = await openDatabase({ folder });
    await db.write((sql) => sql.run('CREATE TABLE kept (word TEXT)'));
    await db.writeReplaceable((sql) => sql.run("INSERT INTO kept VALUES ('magpie')"));
    process.kill(process.pid, 'SIGKILL');`;
  await runScript(script);
  expect(await get(await open(), 'SELECT word FROM kept')).toEqual({ word: 'magpie' });
});
