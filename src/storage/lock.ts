import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type AppError, unavailableError } from '../errors.ts';
import { attempt } from '../lib/attempt.ts';
import { makeFolder } from '../lib/make-folder.ts';
import { loadSqlite } from './load-sqlite.ts';

export type FolderLock = Awaited<ReturnType<typeof lockDataFolder>>;
const SQLITE_BUSY = 5;
const WATCH_FILE = 'watch.lock';
const watches = new Set<DatabaseSync>();
/** Milliseconds to wait for the lock. Processes that only check for a server hold it briefly. */
const INSPECT_MS = 100;

export async function lockDataFolder(folder: string) {
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
    tell: (url: string) => note(holder, `${process.pid}\n${url}`),
    release(): void {
      if (!held.isOpen) return;
      rmSync(holder, { force: true });
      held.close();
    },
  };
}

export function runningServerUrl(folder: string): string | undefined {
  if (!isHeld(join(folder, 'server.lock'))) return undefined;
  const [, url] = attempt(() => readFileSync(join(folder, 'server.pid'), 'utf8').split('\n')) ?? [];
  return url !== undefined && URL.canParse(url) ? url : undefined;
}

/** Locks monitoring, so that only this process probes. Throws if it is locked. */
export function takeMonitorLock(folder: string): () => void {
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

export const isMonitorLockHeld = (folder: string): boolean => isHeld(join(folder, WATCH_FILE));

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

/** Writes a file with a message. Errors are ignored, because a full disk must not prevent a start. */
function note(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600 });
  } catch {}
}

function refusal(cause: unknown, folder: string, path: string, holder: string): AppError {
  const { code, errcode = 0 } = cause as { code?: string; errcode?: number };
  if ((errcode & 0xff) === SQLITE_BUSY) {
    return unavailableError(
      `another Magpie server${processOf(holder)} uses ${folder}: stop it, or set MAGPIE_DATA to another folder`,
      { cause },
    );
  }
  const why = code?.startsWith('E') && !code.startsWith('ERR_') ? code : (cause as Error).message;
  return unavailableError(
    `the data folder ${folder} cannot be taken, since ${path} cannot be locked (${why}): set MAGPIE_DATA to a folder that can be written`,
    { cause },
  );
}

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
