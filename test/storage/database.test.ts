import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toAnyDatabase } from '../../src/storage/any-database.ts';
import { fragment, raw } from '../../src/storage/sql-template.ts';
import { type Database, openDatabase } from '../../src/storage/sqlite.ts';

let folder: string;
let db: Database;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'magpie-database-'));
  db = await openDatabase({
    folder,
    migrations: [{ id: 1, name: 't', sql: 'CREATE TABLE t (x INTEGER PRIMARY KEY)' }],
  });
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

const rows = () => db.read((sql) => sql.all<{ x: number }>('SELECT x FROM t ORDER BY x').map(({ x }) => x));
const insert = (x: number, on = db) => on.write((sql) => sql.run('INSERT INTO t VALUES (?)', x));
const tick = () => new Promise(setImmediate);

test('a write is applied whole or not at all', async () => {
  expect(await insert(1)).toBe(1);
  await expect(
    db.write((sql) => {
      sql.run('INSERT INTO t VALUES (2)');
      throw new Error('stop');
    }),
  ).rejects.toThrow('stop');
  expect(await rows()).toEqual([1]);
});

test('a transaction is isolated from others, which see it only after its end', async () => {
  const opened = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const failed = db.transaction(async (part) => {
    await insert(1, part);
    opened.resolve();
    await goOn.promise;
    throw new Error('rolled back');
  });
  await opened.promise;
  const beside = insert(2);
  const seen = rows();
  const next = db.transaction(async (part) => {
    await insert(3, part);
    return part.read((sql) => sql.all('SELECT x FROM t').length);
  });
  await tick();
  goOn.resolve();
  await expect(failed).rejects.toThrow('rolled back');
  await beside;
  expect(await next).toBe(2);
  expect(await seen).not.toContain(1);
  expect(await rows()).toEqual([2, 3]);
});

test('two openers in one process wait for the transactions of each other', async () => {
  const other = await openDatabase({
    folder,
    migrations: [{ id: 1, name: 't', sql: 'CREATE TABLE t (x INTEGER PRIMARY KEY)' }],
  });
  const insertTwo = (on: Database, first: number) =>
    on.transaction(async (part) => {
      await insert(first, part);
      await tick();
      await insert(first + 1, part);
    });
  await Promise.all([insertTwo(db, 1), insertTwo(other, 3), insert(5), insert(6, other)]);
  expect(await rows()).toEqual([1, 2, 3, 4, 5, 6]);
  other.close();
  await insert(7);
  expect(await rows()).toHaveLength(7);
});

test('a transaction inside another is a part of it', async () => {
  await expect(
    db.transaction(async (part) => {
      await part.transaction((inner) => insert(1, inner));
      throw new Error('all of it');
    }),
  ).rejects.toThrow('all of it');
  expect(await rows()).toEqual([]);
});

test('two openers write one after the other', async () => {
  const other = await openDatabase({ folder, migrations: [{ id: 1, name: 't', sql: '' }] });
  await Promise.all(Array.from({ length: 20 }, (_, at) => insert(at, at % 2 ? db : other)));
  expect(await rows()).toHaveLength(20);
  other.close();
});

test('SQL in a template runs on the database, counts changes, and takes part in transactions', async () => {
  const any = toAnyDatabase(db);
  expect(toAnyDatabase(db)).toBe(any);
  await any.write((sql) => sql.run`INSERT INTO t VALUES (${1}), (${2})`);
  expect(await any.remove((sql) => sql.run`DELETE FROM t WHERE x > ${1}`)).toBe(1);
  expect(await any.write((sql) => sql.all`INSERT INTO t VALUES (${5}) RETURNING x`)).toEqual([{ x: 5 }]);
  await expect(
    any.transaction('t', async (part) => {
      await part.write((sql) => sql.run`INSERT INTO t VALUES (${7})`);
      throw new Error('stop');
    }),
  ).rejects.toThrow('stop');
  expect(await rows()).toEqual([1, 5]);
});

test('what stands in a template is a value, but for the parts of SQL, which bring their own values', async () => {
  const read = (text: string) =>
    db.read(
      (sql) =>
        sql.all<{ x: string }>`SELECT ${text} AS x WHERE ${fragment`${text} <> ${"'"}`} ${raw('LIMIT 1')}`,
    );
  expect(await read("1'; DROP TABLE t; --")).toEqual([{ x: "1'; DROP TABLE t; --" }]);
  expect(await read("'")).toEqual([]);
});

test('a closed database reports that it is closed', async () => {
  db.close();
  await expect(rows()).rejects.toThrow('the database is closed');
  await expect(db.transaction(async () => {})).rejects.toThrow('the database is closed');
});
