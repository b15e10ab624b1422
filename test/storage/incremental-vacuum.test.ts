import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/storage/sqlite.ts';
import { checkData } from '../../src/wiring/data/check-data.ts';
import { temporaryFolder } from '../helpers/magpie.ts';

/** Room of what was deleted goes back to the disk; the full disk itself is in test/real/storage-failures.test.ts. */

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const path = () => join(folder.path, 'magpie.sqlite');
const sizeOf = () => statSync(path()).size;

async function fill(db: Database): Promise<void> {
  await db.write((sql) => sql.run('CREATE TABLE t (x BLOB)'));
  await db.write((sql) => {
    for (let i = 0; i < 1000; i++) sql.run('INSERT INTO t VALUES (zeroblob(8000))');
  });
  await db.read((sql) => sql.get('PRAGMA wal_checkpoint(TRUNCATE)'));
}

/** Half of the rows go, from places all over the file. */
const empty = (db: Database) => db.remove((sql) => sql.run('DELETE FROM t WHERE rowid % 2 = 0'));

test('the space of deleted data is returned to the disk, while other calls read and write [knowledge.storage]', async () => {
  const db = await openDatabase({ folder: folder.path });
  const before = sizeOf();
  await fill(db);
  const full = sizeOf();
  expect(full).toBeGreaterThan(before + 8_000_000);
  await empty(db);
  const others: number[] = [];
  const given = db.releaseFreePages().then(() => others.push(-1));
  while (others.at(-1) !== -1) {
    others.push(await db.write((sql) => sql.run('INSERT INTO t VALUES (1)')));
    await new Promise(setImmediate);
  }
  await given;
  // It goes in steps: others came in between.
  expect(others.length).toBeGreaterThan(3);
  expect(await db.read((sql) => sql.get('PRAGMA freelist_count'))).toEqual({ freelist_count: 0 });
  expect(sizeOf()).toBeLessThan(before + (full - before) * 0.6);
  expect(await db.read((sql) => sql.get('PRAGMA integrity_check'))).toEqual({ integrity_check: 'ok' });
  expect(await db.read((sql) => sql.get('SELECT count(*) AS n FROM t WHERE length(x) = 8000'))).toEqual({
    n: 500,
  });
  db.close();
});

test('a database of an older Magpie continues to work, and kb check --mend lets its file shrink [knowledge.storage]', async () => {
  const older = new DatabaseSync(path());
  older.exec('PRAGMA journal_mode = WAL');
  older.close();
  const watch = { signal: new AbortController().signal, progress: () => {} };
  let db = await openDatabase({ folder: folder.path });
  await fill(db);
  await empty(db);
  await db.releaseFreePages();
  const full = sizeOf();
  expect(full).toBeGreaterThan(8_000_000);
  db.close();
  expect(await checkData(folder.path, false, watch)).not.toHaveProperty('shrinks');
  expect(await checkData(folder.path, true, watch)).toMatchObject({ problems: [], shrinks: true });
  expect(sizeOf()).toBeLessThan(full * 0.6);
  expect(await checkData(folder.path, true, watch)).not.toHaveProperty('shrinks');
  db = await openDatabase({ folder: folder.path });
  const half = sizeOf();
  await db.remove((sql) => sql.run('DELETE FROM t'));
  await db.releaseFreePages();
  expect(sizeOf()).toBeLessThan(half / 2);
  db.close();
});
