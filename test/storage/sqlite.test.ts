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

/** Runs the script with openDatabase at hand, in a process of its own. */
async function run(script: string): Promise<{ code: number | null; out: string; err: string }> {
  const source = `const { openDatabase } = await import(${JSON.stringify(SQLITE)}); const folder = process.argv[1]; ${script}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source, folder]);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const [code] = await once(child, 'close');
  return { code, out, err };
}

test('folder and files are for the user alone, commits are durable, nothing is printed', async () => {
  folder = join(folder, 'deep', 'data');
  const { code, out, err } = await run('(await openDatabase({ folder })).close();');
  expect({ code, out, err }).toEqual({ code: 0, out: '', err: '' });
  const db = await open();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of [file(), `${file()}-wal`]) expect(statSync(name).mode & 0o777).toBe(0o600);
  expect(db.get('PRAGMA journal_mode')).toMatchObject({ journal_mode: 'wal' });
  expect(db.get('PRAGMA synchronous')).toMatchObject({ synchronous: 2 });
  expect(db.get('PRAGMA foreign_keys')).toMatchObject({ foreign_keys: 1 });
  expect(db.get('PRAGMA busy_timeout')).toMatchObject({ timeout: 5000 });
});

test('a transaction is whole or not at all', async () => {
  const db = await open();
  db.run('CREATE TABLE t (x INTEGER PRIMARY KEY)');
  expect(db.transactionSync(() => db.run('INSERT INTO t VALUES (1)'))).toBe(1);
  expect(() =>
    db.transactionSync(() => {
      db.run('INSERT INTO t VALUES (2)');
      throw new Error('stop');
    }),
  ).toThrow('stop');
  expect(() => db.transactionSync(async () => db.run('INSERT INTO t VALUES (3)'))).toThrow('synchronous');
  expect(() =>
    db.transactionSync(() => db.transactionSync(() => db.run('INSERT INTO t VALUES (4)'))),
  ).toThrow();
  expect(db.all('SELECT x FROM t')).toEqual([{ x: 1 }].map((row) => expect.objectContaining(row)));
  expect(db.transactionSync(() => db.run('INSERT INTO t VALUES (5)'))).toBe(1);
});

test('what was committed survives SIGKILL', async () => {
  await run(`const db = await openDatabase({ folder });
    db.run('CREATE TABLE t (x)');
    db.transactionSync(() => { for (let i = 0; i < 100; i++) db.run('INSERT INTO t VALUES (?)', i); });
    process.kill(process.pid, 'SIGKILL');`);
  expect((await open()).get('SELECT count(*) AS n FROM t')).toMatchObject({ n: 100 });
});

test('several processes can begin at once on an empty folder, and write at once', async () => {
  const script = `const db = await openDatabase({ folder });
    for (let i = 0; i < 20; i++) db.transactionSync(() => {
      const pages = db.get("SELECT pages FROM page_owners WHERE name = 'n'")?.pages ?? 0;
      db.run("INSERT OR REPLACE INTO page_owners (name, pages) VALUES ('n', ?)", pages + 1);
    });
    db.close();`;
  const results = await Promise.all(Array.from({ length: 6 }, () => run(script)));
  expect(results.map(({ code, err }) => `${code} ${err}`)).toEqual(results.map(() => '0 '));
  expect((await open()).get('SELECT pages FROM page_owners')).toMatchObject({ pages: 120 });
});

test('ids of migrations rise from 1', () => {
  expect(MIGRATIONS.map(({ id }) => id)).toEqual(MIGRATIONS.map((_, index) => index + 1));
});

test('an old database is brought up to date, step by step, once', async () => {
  const steps = [
    { id: 1, name: 'one', sql: 'CREATE TABLE a (x); INSERT INTO a VALUES (1);' },
    { id: 2, name: 'two', sql: 'ALTER TABLE a ADD COLUMN y; UPDATE a SET y = x + 1;' },
  ];
  (await open({ migrations: steps.slice(0, 1) })).close();
  const db = await open({ migrations: steps });
  expect(db.all('SELECT x, y FROM a')).toEqual([expect.objectContaining({ x: 1, y: 2 })]);
  db.close();
  expect((await open({ migrations: steps })).all('SELECT * FROM a')).toHaveLength(1);
});

test('the first version of this database is brought up to date', async () => {
  const first = await open({ migrations: MIGRATIONS.slice(0, 1) });
  first.run("INSERT INTO pages (owner, url, title, text, read_at) VALUES ('ann', 'u', 't', 'x', 1)");
  first.close();
  const db = await open();
  expect(db.get('PRAGMA user_version')).toMatchObject({ user_version: MIGRATIONS.length });
  expect(db.all('SELECT owner FROM pages')).toEqual([]);
});

test('a step that fails leaves the database as it was', async () => {
  const good = { id: 1, name: 'one', sql: 'CREATE TABLE a (x)' };
  const bad = { id: 2, name: 'two', sql: 'CREATE TABLE b (x); CREATE TABLE a (x);' };
  await expect(open({ migrations: [good, bad] })).rejects.toThrow('already exists');
  const db = await open({ migrations: [good] });
  expect(db.all("SELECT name FROM sqlite_schema WHERE name = 'b'")).toEqual([]);
});

test('a database of a newer Magpie is refused and left alone', async () => {
  const newer = [...MIGRATIONS, { id: 99, name: 'later', sql: 'CREATE TABLE later (x)' }];
  (await open({ migrations: newer })).close();
  await expect(open()).rejects.toMatchObject({
    code: 'unavailable',
    message: `${file()} was written by a newer Magpie (its version is 99, this one knows ${MIGRATIONS.length}): update Magpie, or set MAGPIE_DATA to another folder`,
  });
  expect((await open({ migrations: newer })).all('SELECT * FROM later')).toEqual([]);
});

test('a file that is no database is named and left as it is', async () => {
  const text = 'this is my shopping list. '.repeat(100);
  writeFileSync(file(), text);
  await expect(open()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/magpie\.sqlite is not a Magpie database: move it away/),
  });
  expect(readFileSync(file(), 'utf8')).toBe(text);
});

test('a damaged database says so', async () => {
  const first = await open();
  first.run('CREATE TABLE t (x)');
  first.transactionSync(() => {
    for (let i = 0; i < 500; i++) first.run('INSERT INTO t VALUES (?)', 'x'.repeat(1000));
  });
  first.close();
  const bytes = readFileSync(file());
  bytes.fill(0xff, 4096 * 2);
  writeFileSync(file(), bytes);
  const read = async () => (await open()).all('SELECT * FROM t');
  await expect(read()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/magpie\.sqlite is damaged: .*backup/),
  });
});

test('a full disk is told as such, and what was there stays readable', async () => {
  const db = await open();
  db.run('CREATE TABLE t (x)');
  db.run('INSERT INTO t VALUES (1)');
  db.get(
    `PRAGMA max_page_count = ${Number(db.get<{ page_count: number }>('PRAGMA page_count')?.page_count) + 1}`,
  );
  expect(() => db.transactionSync(() => db.run('INSERT INTO t VALUES (?)', 'x'.repeat(100_000)))).toThrow(
    new AppError(
      'unavailable',
      `the database ${file()} cannot grow: the disk is full (deleting entries needs some room too); make room, and try again`,
    ),
  );
  expect(db.get('SELECT count(*) AS n FROM t')).toMatchObject({ n: 1 });
});

test('a database that may not be written is told as such', async () => {
  const db = await open();
  db.get('PRAGMA query_only = ON');
  expect(() => db.run('CREATE TABLE t (x)')).toThrow(/magpie\.sqlite may not be written: .*MAGPIE_DATA/);
});

test('a folder that cannot be used is named with what to do', async () => {
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

test('after close every call says that Magpie is shutting down; closing again does no harm', async () => {
  const db = await open();
  db.run('CREATE TABLE t (x)');
  const use = () => db.get('SELECT 1');
  db.close();
  db.close();
  expect(use).toThrow(expect.objectContaining({ code: 'unavailable' }));
  expect(() => db.transactionSync(() => 1)).toThrow('shutting down');
});

test('a mistake in a statement is not dressed up', async () => {
  const db = await open();
  expect(() => db.all('SELECT * FROM nowhere')).toThrow('no such table');
  expect(() => db.all('SELECT * FROM nowhere')).not.toThrow(AppError);
});

test('more statements than are kept still work', async () => {
  const db = await open();
  for (let i = 0; i < 1200; i++) expect(db.get(`SELECT ${i} AS n`)).toMatchObject({ n: i });
});
