import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../errors.ts';

/** Held by one server a data folder; `release` gives it back. */
export interface FolderLock {
  release(): void;
}

/**
 * Takes the data folder for one server. The lock is SQLite's own on a small file, so the operating system
 * drops it with the process, however that ends: there is no stale lock to clear away. AppError `unavailable`
 * names the folder and the process that has it.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = join(folder, 'server.lock');
  const holder = join(folder, 'server.pid');
  const { DatabaseSync } = await import('node:sqlite');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new AppError(
      'unavailable',
      `the data folder ${folder} cannot be made (${code}): set MAGPIE_DATA to another`,
      {
        cause,
      },
    );
  }
  let lock: InstanceType<typeof DatabaseSync> | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: 0 });
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    lock?.close();
    if (((cause as { errcode?: number }).errcode ?? 0) % 256 !== 5) {
      throw new AppError(
        'unavailable',
        `the lock ${path} cannot be taken: set MAGPIE_DATA to a folder that can be written`,
        {
          cause,
        },
      );
    }
    throw new AppError(
      'unavailable',
      `another Magpie server${processOf(holder)} uses ${folder}: stop it, or set MAGPIE_DATA to another folder`,
      { cause },
    );
  }
  writeFileSync(holder, String(process.pid));
  const held = lock;
  return { release: () => held.close() };
}

function processOf(path: string): string {
  try {
    return ` (process ${Number(readFileSync(path, 'utf8'))})`;
  } catch {
    return '';
  }
}
