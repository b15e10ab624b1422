import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../errors.ts';
import { makeFolder } from '../lib/make-folder.ts';
import { loadSqlite } from './load-sqlite.ts';

/** Held by one server a data folder; `release` gives it back. */
export interface FolderLock {
  /** Lets other processes know where the server is reached. */
  tell(url: string): void;
  release(): void;
}

const SQLITE_BUSY = 5;
const WATCH_FILE = 'watch.lock';
/** Kept until they are released, since an unreferenced database is closed at some point. */
const watches = new Set<DatabaseSync>();
/** Milliseconds that another process needs at most to inspect the lock. */
const INSPECT_MS = 100;

/**
 * Takes the data folder for one server. The lock is SQLite's own on a small file, so the operating system
 * drops it with the process, however that ends: a stale lock cannot remain. AppError `unavailable`
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
    lock = new DatabaseSync(path, { timeout: INSPECT_MS });
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    lock?.close();
    throw refusal(cause, folder, path, holder);
  }
  const held = lock;
  note(holder, String(process.pid));
  return {
    tell: (url) => note(holder, `${process.pid}\n${url}`),
    release() {
      if (!held.isOpen) return;
      rmSync(holder, { force: true });
      held.close();
    },
  };
}

/**
 * Where the server of a data folder is reached; undefined when none runs, or when it does not listen yet. What counts
 * is the lock: the note of a server that was killed is not believed.
 */
export function serverUrl(folder: string): string | undefined {
  if (!isHeld(join(folder, 'server.lock'))) return undefined;
  try {
    const [, url] = readFileSync(join(folder, 'server.pid'), 'utf8').split('\n');
    return url !== undefined && URL.canParse(url) ? url : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Held by the server that probes and sends for monitors, until its process ends or it calls the function that this
 * returns: other processes on its data folder, which may have neither its inventory nor its channels for alerts, leave
 * both to it. A read-only server does not take it. Throws when another process holds it or checks it at that moment.
 */
export function holdWatch(folder: string): () => void {
  const { DatabaseSync } = loadSqlite();
  const lock = new DatabaseSync(join(folder, WATCH_FILE), { timeout: INSPECT_MS });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw error;
  }
  watches.add(lock);
  return () => {
    if (watches.delete(lock)) lock.close();
  };
}

/** Whether a server looks and sends on this data folder. */
export function isWatchHeld(folder: string): boolean {
  return isHeld(join(folder, WATCH_FILE));
}

function isHeld(path: string): boolean {
  const { DatabaseSync } = loadSqlite();
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    lock.exec('SELECT 1 FROM sqlite_schema');
    return false;
  } catch (error) {
    return ((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY;
  } finally {
    lock?.close();
  }
}

/** For words only, so a full disk does not stop the start. */
function note(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600 });
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
    const id = Number(readFileSync(path, 'utf8').split('\n')[0]);
    if (!Number.isInteger(id) || id < 1) return '';
    process.kill(id, 0);
    return ` (process ${id})`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EPERM' ? ' (a process of another user)' : '';
  }
}
