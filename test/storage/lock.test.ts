import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  isMonitorLockHeld,
  lockDataFolder,
  runningServerUrl,
  takeMonitorLock,
} from '../../src/storage/lock.ts';
import { openDatabase } from '../../src/storage/sqlite.ts';
import { exitOf } from '../helpers/exit-of.ts';

const LOCK = new URL('../../src/storage/lock.ts', import.meta.url).href;

let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'magpie-lock-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A process that takes the lock and lives on. */
async function holder(): Promise<ChildProcess> {
  const script = `const { lockDataFolder } = await import(${JSON.stringify(LOCK)});
    await lockDataFolder(process.argv[1]);
    process.stdout.write('held');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  return child;
}

test('a second process is refused, with the folder, the process and what to do', async () => {
  const child = await holder();
  await expect(lockDataFolder(folder)).rejects.toMatchObject({
    code: 'unavailable',
    message: `another Magpie server (process ${child.pid}) uses ${folder}: stop it, or set MAGPIE_DATA to another folder`,
  });
});

test('after SIGKILL of the holder the folder is free', async () => {
  const child = await holder();
  child.kill('SIGKILL');
  await exitOf(child);
  const lock = await lockDataFolder(folder);
  await expect(lockDataFolder(folder)).rejects.toThrow(`(process ${process.pid})`);
  lock.release();
});

test('release frees the folder, a second release does no harm, and a released lock is not reported', async () => {
  const first = await lockDataFolder(folder);
  first.release();
  const second = await lockDataFolder(folder);
  first.release();
  await expect(lockDataFolder(folder)).rejects.toMatchObject({ code: 'unavailable' });
  second.release();
});

test('the record of a dead process is ignored', async () => {
  const lock = await lockDataFolder(folder);
  for (const note of ['999999999', 'nonsense', '']) {
    writeFileSync(join(folder, 'server.pid'), note);
    await expect(lockDataFolder(folder)).rejects.toThrow(`another Magpie server uses ${folder}`);
  }
  lock.release();
});

test('a missing folder is created; folders do not block each other', async () => {
  const one = await lockDataFolder(join(folder, 'deep', 'one'));
  const two = await lockDataFolder(join(folder, 'deep', 'two'));
  one.release();
  two.release();
});

test('the database can be shared while a server holds the lock', async () => {
  await holder();
  const db = await openDatabase({ folder });
  await db.write((sql) => sql.run('CREATE TABLE t (x)'));
  expect(await db.write((sql) => sql.run('INSERT INTO t VALUES (1)'))).toBe(1);
  db.close();
});

test('an unusable folder is named with what to do', async () => {
  writeFileSync(join(folder, 'file'), '');
  await expect(lockDataFolder(join(folder, 'file', 'data'))).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/file.data.*\(ENOTDIR\): set MAGPIE_DATA to a folder that can be written/),
  });
  mkdirSync(join(folder, 'server.lock'));
  await expect(lockDataFolder(folder)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('server.lock cannot be locked'),
  });
});

test('the address of a server is readable while it holds the lock, and only then', async () => {
  const url = 'http://127.0.0.1:4711';
  expect(runningServerUrl(folder)).toBeUndefined();
  const lock = await lockDataFolder(folder);
  expect(runningServerUrl(folder)).toBeUndefined();
  lock.tell(url);
  expect(runningServerUrl(folder)).toBe(url);
  await expect(lockDataFolder(folder)).rejects.toThrow(`(process ${process.pid})`);
  lock.release();
  expect(runningServerUrl(folder)).toBeUndefined();
  // As after SIGKILL: the note is there, and nobody holds the lock.
  writeFileSync(join(folder, 'server.pid'), `${process.pid}\n${url}`);
  expect(runningServerUrl(folder)).toBeUndefined();
  (await lockDataFolder(folder)).release();
});

test('a record without an address, or with an invalid one, is ignored', async () => {
  const lock = await lockDataFolder(folder);
  for (const note of ['', '1', '1\n', '1\nnonsense']) {
    writeFileSync(join(folder, 'server.pid'), note);
    expect(runningServerUrl(folder)).toBeUndefined();
  }
  lock.release();
});

test('the monitoring process is known while it lives, and however it ends', async () => {
  expect(isMonitorLockHeld(folder)).toBe(false);
  const script = `const { takeMonitorLock } = await import(${JSON.stringify(LOCK)});
    takeMonitorLock(process.argv[1]);
    process.stdout.write('held');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  expect(isMonitorLockHeld(folder)).toBe(true);
  expect(() => takeMonitorLock(folder)).toThrow();
  child.kill('SIGKILL');
  await exitOf(child);
  expect(isMonitorLockHeld(folder)).toBe(false);
});
