import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../errors.ts';
import { loadSqlite } from './load-sqlite.ts';
import { makeFolder } from './make-folder.ts';

/** Held by one server a data folder; `release` gives it back. */
export interface FolderLock {
  release(): void;
}

const SQLITE_BUSY = 5;

/**
 * Takes the data folder for one server. The lock is SQLite's own on a small file, so the operating system
 * drops it with the process, however that ends: there is no stale lock to clear away. AppError `unavailable`
 * names the folder and the process that has it. stdio servers and commands do not take it: the database
 * itself can be shared.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = join(folder, 'server.lock');
  const holder = join(folder, 'server.pid');
  const { DatabaseSync } = loadSqlite();
  let lock: DatabaseSync | undefined;
  try {
    makeFolder(folder);
    lock = new DatabaseSync(path, { timeout: 0 });
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    lock?.close();
    throw refusal(cause, folder, path, holder);
  }
  const held = lock;
  tellHolder(holder);
  return {
    release() {
      if (!held.isOpen) return;
      rmSync(holder, { force: true });
      held.close();
    },
  };
}

/** For the words of the error only, so a full disk does not stop the start. */
function tellHolder(path: string): void {
  try {
    writeFileSync(path, String(process.pid), { mode: 0o600 });
  } catch {}
}

function refusal(cause: unknown, folder: string, path: string, holder: string): AppError {
  const { code, errcode = 0 } = cause as { code?: string; errcode?: number };
  if ((errcode & 0xff) === SQLITE_BUSY) {
    return new AppError(
      'unavailable',
      `another Magpie server${processOf(holder)} uses ${folder}: stop it, or set MAGPIE_DATA to another folder`,
      { cause },
    );
  }
  const why = code?.startsWith('E') && !code.startsWith('ERR_') ? code : (cause as Error).message;
  return new AppError(
    'unavailable',
    `the data folder ${folder} cannot be taken, since ${path} cannot be locked (${why}): set MAGPIE_DATA to a folder that can be written`,
    { cause },
  );
}

/** Empty when the note is missing or of a process that is gone. */
function processOf(path: string): string {
  try {
    const id = Number(readFileSync(path, 'utf8'));
    if (!Number.isInteger(id) || id < 1) return '';
    process.kill(id, 0);
    return ` (process ${id})`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EPERM' ? ' (a process of another user)' : '';
  }
}
