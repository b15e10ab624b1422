import {
  chmodSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { codeOf, SQLITE_FULL } from './full-disk.ts';
import { INCREMENTAL } from './give-back.ts';
import { loadSqlite } from './load-sqlite.ts';
import { MIGRATIONS } from './migrations/list.ts';
import { copyReadable, isDamage, type KeyHint, type Watch } from './salvage.ts';
import { letGiveBack, migrate, storageError, version } from './sqlite.ts';

/** How the file of the database is checked, and replaced by a copy of what can be read of it. */

const SQLITE_BUSY = 5;
/** What VACUUM needs beside the file: a second one, and a log that holds all of it. */
const COPIES = 2.2;
/** Milliseconds that another process may take to let go. */
const WAIT_MS = 3000;
/** Lines of SQLite's report that are given. */
const MAX_LINES = 20;
/** Code of an index of words that is damaged, and lines that say nothing else: its room checks that. */
const SQLITE_CORRUPT_VTAB = 267;
const NO_DAMAGE = /^ok$|^\*\*\* in database |\bfts5\b/i;

/**
 * Opens the file however damaged it is. `alone` keeps all other processes from it until it is closed; AppError
 * `unavailable` where one has it open. Without it, it is only read.
 */
export function openFile(path: string, alone: boolean): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  let raw: DatabaseSync | undefined;
  try {
    // Not defensive: only then a file that was cut off is read at all.
    raw = new DatabaseSync(path, {
      readOnly: !alone,
      timeout: WAIT_MS,
      defensive: false,
      enableForeignKeyConstraints: false,
    });
    raw.exec('PRAGMA writable_schema = ON');
    if (alone) takeAlone(raw);
    return raw;
  } catch (error) {
    raw?.close();
    if (codeOf(error) !== SQLITE_BUSY) throw storageError(error, path);
    throw new AppError(
      'unavailable',
      `another process has ${path} open (a server, an assistant's magpie, or a command): stop it first, because this needs the data folder to itself`,
      { cause: error },
    );
  }
}

function takeAlone(raw: DatabaseSync): void {
  raw.exec('PRAGMA locking_mode = EXCLUSIVE');
  try {
    raw.exec('BEGIN EXCLUSIVE; COMMIT');
    // What the log holds belongs to the file, and may be better than what is there.
    raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

/**
 * What SQLite finds wrong with the file, in its words; empty for a sound one. `quick` leaves out whether indexes agree with
 * their tables, and which pages are free.
 */
export async function findDamage(
  raw: DatabaseSync,
  { signal, progress }: Watch,
  how: 'whole' | 'quick' = 'whole',
): Promise<string[]> {
  const lines: string[] = [];
  const run = (sql: string) => {
    try {
      const rows = raw.prepare(sql).all() as unknown as Record<string, string>[];
      lines.push(...rows.flatMap((row) => Object.values(row).join().split('\n')));
    } catch (error) {
      if (!isDamage(error)) throw error;
      if ((error as { errcode?: number }).errcode !== SQLITE_CORRUPT_VTAB)
        lines.push((error as Error).message);
    }
  };
  for (const name of tablesOf(raw)) {
    progress(`checking ${name}`);
    await setImmediate();
    signal.throwIfAborted();
    run(how === 'whole' ? `PRAGMA integrity_check("${name}")` : `PRAGMA quick_check("${name}")`);
  }
  if (how === 'quick') return foundIn(lines);
  // Of a table SQLite does not check what pages are free.
  progress('checking the pages of the database');
  await setImmediate();
  run(`PRAGMA quick_check(${MAX_LINES})`);
  return foundIn(lines);
}

function foundIn(lines: readonly string[]): string[] {
  return [...new Set(lines)].filter((line) => !NO_DAMAGE.test(line)).slice(0, MAX_LINES);
}

function tablesOf(raw: DatabaseSync): string[] {
  try {
    const tables = raw.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'",
    );
    return (tables.all() as unknown as { name: string }[]).map(({ name }) => name);
  } catch (error) {
    if (isDamage(error)) return [];
    throw error;
  }
}

export interface Replacement {
  /** Where the damaged file is kept. */
  readonly kept: string;
  /** Tables of which something could not be read. */
  readonly tables: readonly string[];
}

/**
 * Copies what can be read of the damaged `raw`, which was opened alone, into a new file; `finish` completes that one.
 * Only then it takes the place of the old one, which is kept beside it: whatever ends the process before, the old file
 * stays as it is. Closes `raw`. AppError `unavailable` when nothing can be read.
 */
export async function replaceFile(
  raw: DatabaseSync,
  path: string,
  hints: readonly KeyHint[],
  finish: (copy: DatabaseSync) => Promise<void>,
  watch: Watch,
): Promise<Replacement> {
  const present = readVersion(raw);
  if (present === undefined) {
    throw new AppError(
      'unavailable',
      `${path} cannot be read, because its first page is damaged; it was not changed: move it away, and import a backup with magpie kb import`,
    );
  }
  const copyPath = `${path}.mending`;
  const { DatabaseSync } = loadSqlite();
  rmSync(copyPath, { force: true });
  let copy: DatabaseSync | undefined;
  try {
    copy = new DatabaseSync(copyPath, { defensive: false, enableForeignKeyConstraints: false });
    chmodSync(copyPath, 0o600);
    letGiveBack(copy);
    // Nothing reads it before it is whole and on disk.
    copy.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA secure_delete = OFF');
    migrate(
      copy,
      MIGRATIONS.filter(({ id }) => id <= present),
      copyPath,
    );
    const tables = await copyReadable(raw, copy, hints, watch);
    migrate(copy, MIGRATIONS, copyPath);
    await finish(copy);
    const damage = await findDamage(copy, watch);
    if (damage.length > 0) throw new Error(`the copy of ${path} is not sound: ${damage[0]}`);
    copy.close();
    const kept = putInPlace(raw, path, copyPath);
    return { kept, tables };
  } catch (error) {
    if (copy?.isOpen) copy.close();
    rmSync(copyPath, { force: true });
    throw storageError(error, copyPath);
  }
}

/**
 * Lets a sound file of an older Magpie, opened alone, give free pages back to the disk. False where it does already, or where the disk
 * lacks the room for the copies that it is made by.
 */
export function makeGiveBack(raw: DatabaseSync, path: string, { progress }: Watch): boolean {
  if (raw.prepare('PRAGMA auto_vacuum').get()?.auto_vacuum === INCREMENTAL) return false;
  const { bavail, bsize } = statfsSync(dirname(path));
  if (bavail * bsize < COPIES * statSync(path).size) return false;
  progress('writing the database again');
  try {
    raw.exec('PRAGMA writable_schema = OFF; PRAGMA auto_vacuum = INCREMENTAL; VACUUM');
    raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return true;
  } catch (error) {
    // Nothing is changed then.
    if (codeOf(error) !== SQLITE_FULL) throw error;
    return false;
  }
}

/** Undefined where nothing can be read. AppError `unavailable` for a file of a newer Magpie. */
export function readVersion(raw: DatabaseSync): number | undefined {
  try {
    raw.prepare('SELECT count(*) FROM sqlite_schema').get();
    const present = version(raw);
    // Says what to do when it is newer.
    if (present > (MIGRATIONS.at(-1)?.id ?? 0)) migrate(raw, MIGRATIONS, 'the database');
    return present === 0 ? undefined : present;
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

function putInPlace(raw: DatabaseSync, path: string, copyPath: string): string {
  flush(copyPath);
  const kept = `${path}.damaged-${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  rmSync(kept, { force: true });
  try {
    linkSync(path, kept);
  } catch {
    // A file system without links.
    copyFileSync(path, kept);
  }
  // A log that could not be written back goes with its file; with the new one it would damage that.
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    copyFileSync(`${path}-wal`, `${kept}-wal`);
  }
  raw.close();
  for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  renameSync(copyPath, path);
  return kept;
}

function flush(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
