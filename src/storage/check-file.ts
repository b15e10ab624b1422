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
import { unavailableError } from '../errors.ts';
import { SQLITE_FULL, sqliteResultCode } from './full-disk.ts';
import { INCREMENTAL_AUTO_VACUUM } from './incremental-vacuum.ts';
import { loadSqlite } from './load-sqlite.ts';
import { MIGRATIONS } from './migrations/list.ts';
import { copyReadable, isDamage, type RowKeyHint, type TaskControl } from './salvage.ts';
import { enableIncrementalVacuum, migrate, schemaVersion, storageError } from './sqlite.ts';

const SQLITE_BUSY = 5;
const COPIES = 2.2;
const WAIT_MS = 3000;
const MAX_LINES = 20;
/** SQLite's code for a damaged full-text index. It is ignored, because another module checks the index. */
const SQLITE_CORRUPT_VTAB = 267;
const NO_DAMAGE = /^ok$|^\*\*\* in database |\bfts5\b/i;

/** Opens a file even if it is damaged. If `alone` and another process uses the file, throws `unavailable`. */
export function openFile(path: string, alone: boolean): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  let raw: DatabaseSync | undefined;
  try {
    // Reading a truncated file is possible only with defensive mode off.
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
    if (sqliteResultCode(error) !== SQLITE_BUSY) throw storageError(error, path);
    throw unavailableError(
      `another process has ${path} open (a server, an assistant's magpie, or a command): stop it first, because this needs the data folder to itself`,
      { cause: error },
    );
  }
}

function takeAlone(raw: DatabaseSync): void {
  raw.exec('PRAGMA locking_mode = EXCLUSIVE');
  try {
    raw.exec('BEGIN EXCLUSIVE; COMMIT');
    // The write-ahead log is applied first, because it may have intact copies of damaged pages.
    raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

/** Returns the problems that SQLite reports. `quick` skips free pages and the comparison of indexes. */
export async function findDamage(
  raw: DatabaseSync,
  { signal, progress }: TaskControl,
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
  // Checks of single tables leave out free pages, so the whole file is checked at the end.
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

/** Copies all readable data to a new file, lets `finish` complete the copy, and replaces the old file. */
export async function replaceDamagedFile(
  raw: DatabaseSync,
  path: string,
  hints: readonly RowKeyHint[],
  finish: (copy: DatabaseSync) => Promise<void>,
  watch: TaskControl,
) {
  const present = readSchemaVersion(raw);
  if (present === undefined) {
    throw unavailableError(
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
    enableIncrementalVacuum(copy);
    // The copy needs no journal, because it is used only when it is complete and on disk.
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

/** Rewrites an old file so that it can shrink. Returns false if it already can or if the disk is full. */
export function convertToIncrementalVacuum(
  raw: DatabaseSync,
  path: string,
  { progress }: TaskControl,
): boolean {
  if (raw.prepare('PRAGMA auto_vacuum').get()?.auto_vacuum === INCREMENTAL_AUTO_VACUUM) return false;
  const { bavail, bsize } = statfsSync(dirname(path));
  if (bavail * bsize < COPIES * statSync(path).size) return false;
  progress('writing the database again');
  try {
    raw.exec('PRAGMA writable_schema = OFF; PRAGMA auto_vacuum = INCREMENTAL; VACUUM');
    raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return true;
  } catch (error) {
    if (sqliteResultCode(error) !== SQLITE_FULL) throw error;
    return false;
  }
}

/** Returns the schema's version, or undefined if there is none. Throws `unavailable` if Magpie is too old. */
export function readSchemaVersion(raw: DatabaseSync): number | undefined {
  try {
    raw.prepare('SELECT count(*) FROM sqlite_schema').get();
    const present = schemaVersion(raw);
    // A newer Magpie wrote the file, so `migrate` throws an error that says this.
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
    // Some file systems do not support hard links, so the file is copied instead.
    copyFileSync(path, kept);
  }
  // The write-ahead log is moved away, because SQLite would apply it to the new file.
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
