import { chmodSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Mutex } from 'async-mutex';
import { AppError, unavailableError } from '../errors.ts';
import { makeFolder } from '../lib/make-folder.ts';
import { currentSpan, runInSpan, type SpanStart } from '../lib/tracing.ts';
import type { SqliteDatabase, Statements } from './database.ts';
import { createDiskGuard, sqliteResultCode } from './full-disk.ts';
import { createIncrementalVacuum } from './incremental-vacuum.ts';
import { loadSqlite } from './load-sqlite.ts';
import { MIGRATIONS } from './migrations/list.ts';
import type { Migration } from './migrations/migration.ts';
import { refuseIncompleteFile } from './move/incomplete-mark.ts';
import { type DiskReserve, openDiskReserve } from './reserve.ts';
import { readStatement, type SqlPart, type SqlStatement } from './sql-template.ts';
import reasons from './sqlite-reasons.json' with { type: 'json' };

export type { SqliteDatabase as Database, Statements } from './database.ts';

export interface DatabaseOptions {
  readonly folder: string;
  readonly migrations?: readonly Migration[];
  readonly takesUnfinished?: boolean;
  /** If true, creates the file that reserves disk space. An existing file is used in any case. */
  readonly setsReserveAside?: boolean;
}

export const DATABASE_FILE = 'magpie.sqlite';
const BUSY_TIMEOUT_MS = 5000;
const CONNECTION_SETTINGS =
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = 8000000;';
const SQLITE_READONLY = 8;
/** SQLite's result codes for a damaged file and for a file of another kind. */
export const SQLITE_DAMAGED: readonly number[] = [11, 26];
const SQLITE_CANTOPEN = 14;
const MAX_STATEMENTS = 500;

/** Opens and migrates magpie.sqlite. Throws AppError `unavailable` with advice. */
export async function openDatabase(options: DatabaseOptions): Promise<SqliteDatabase> {
  const { folder, migrations = MIGRATIONS, takesUnfinished = false, setsReserveAside = false } = options;
  const path = join(folder, DATABASE_FILE);
  const { DatabaseSync } = loadSqlite();
  let raw: DatabaseSync | undefined;
  let isNew = false;
  try {
    makeFolder(folder);
    raw = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    try {
      chmodSync(path, 0o600);
      isNew = enableIncrementalVacuum(raw);
      raw.exec(CONNECTION_SETTINGS);
    } catch (error) {
      if (!isReadOnly(error)) throw error;
      raw.close();
      raw = openUnchanging(DatabaseSync, path);
      raw.exec(CONNECTION_SETTINGS);
    }
    if (!takesUnfinished) refuseIncompleteFile(raw, path);
    migrate(raw, migrations, path);
  } catch (error) {
    if (raw?.isOpen) raw.close();
    throw storageError(error, path);
  }
  return wrap(raw, path, openDiskReserve(folder, { setsAside: setsReserveAside }), isNew);
}

/** Lets a new file shrink. Returns true if the file is new. `magpie kb check --mend` converts older files. */
export function enableIncrementalVacuum(raw: DatabaseSync): boolean {
  const isNew = raw.prepare('PRAGMA page_count').get()?.page_count === 0;
  if (isNew) raw.exec('PRAGMA auto_vacuum = INCREMENTAL');
  return isNew;
}

function isReadOnly(error: unknown): boolean {
  const { errcode = 0, code = '' } = error as { errcode?: number; code?: string };
  return (
    [SQLITE_READONLY, SQLITE_CANTOPEN].includes(errcode & 0xff) || ['EPERM', 'EACCES', 'EROFS'].includes(code)
  );
}

/** Opens the database read-only. If there is no write-ahead log, SQLite creates no files in the folder. */
function openUnchanging(Opened: typeof DatabaseSync, path: string): DatabaseSync {
  if (existsSync(`${path}-wal`)) return new Opened(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return new Opened(url, { readOnly: true });
}

/** Locks of this process by path. Waiting in SQLite would block the thread that must release the lock. */
const locks = new Map<string, { readonly mutex: Mutex; openers: number }>();

function takeLock(path: string): { readonly mutex: Mutex; leave(): void } {
  const lock = locks.get(path) ?? { mutex: new Mutex(), openers: 0 };
  locks.set(path, lock);
  lock.openers += 1;
  const leave = () => {
    lock.openers -= 1;
    if (lock.openers === 0) locks.delete(path);
  };
  return { mutex: lock.mutex, leave };
}

export function prepareStatements(raw: DatabaseSync): { readonly sql: Statements; forget(): void } {
  const statements = new Map<string, StatementSync>();
  const prepare = (text: string) => {
    currentSpan().note(text);
    const known = statements.get(text);
    if (known) return known;
    const statement = raw.prepare(text);
    if (statements.size >= MAX_STATEMENTS) statements.clear();
    statements.set(text, statement);
    return statement;
  };
  const sql: Statements = {
    prepare,
    all<Row>(statement: SqlStatement, ...parts: readonly SqlPart[]) {
      const { text, values } = readStatement(statement, parts);
      return prepare(text).all(...values) as Row[];
    },
    get<Row>(statement: SqlStatement, ...parts: readonly SqlPart[]) {
      const { text, values } = readStatement(statement, parts);
      return prepare(text).get(...values) as Row | undefined;
    },
    run(statement, ...parts) {
      const { text, values } = readStatement(statement, parts);
      return Number(prepare(text).run(...values).changes);
    },
  };
  return { sql, forget: () => statements.clear() };
}

const stepSpan = (): SpanStart => ({
  name: 'database',
  kind: 'internal',
  facts: { 'db.system.name': 'sqlite' },
  onlyWithin: true,
});

/** @param isNew true if this start has created the file, which therefore cannot be damaged */
function wrap(raw: DatabaseSync, path: string, reserve: DiskReserve, isNew: boolean): SqliteDatabase {
  const { sql, forget } = prepareStatements(raw);
  let damage: AppError | undefined;
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      const named = storageError(error, path);
      if (named instanceof AppError && SQLITE_DAMAGED.includes(sqliteResultCode(error))) damage = named;
      throw named;
    }
  };
  /** Throws if the file is damaged, because writes could cause more damage. */
  const writing = <T>(work: () => T): T => {
    if (damage) throw new AppError(damage.code, damage.message, { cause: damage });
    return work();
  };
  const { mutex: lock, leave } = takeLock(resolve(path));
  /** Runs work at once or, while a transaction is open, later in the order of the calls. */
  const inTurn = <T>(work: () => T): Promise<T> =>
    runInSpan(stepSpan, async () =>
      lock.isLocked() ? lock.runExclusive(async () => guarded(work)) : guarded(work),
    );
  const disk = createDiskGuard(raw, sql, path, reserve);
  const read: SqliteDatabase['read'] = (work) => inTurn(() => work(sql));
  const remove: SqliteDatabase['remove'] = (work) =>
    inTurn(() =>
      writing(() =>
        disk.onceMore(
          () => inTransaction(raw, () => disk.leavingRoom(() => work(sql), 'nothing kept')),
          () => void reserve.release(),
        ),
      ),
    );
  const writeNow = <T>(work: (sql: Statements) => T): T =>
    writing(() =>
      disk.onceMore(() => inTransaction(raw, () => disk.leavingRoom(() => work(sql), 'kept for deletions'))),
    );
  const writeReplaceable = <T>(work: (sql: Statements) => T): T => {
    raw.exec('PRAGMA synchronous = NORMAL');
    try {
      return writeNow(work);
    } finally {
      raw.exec('PRAGMA synchronous = FULL');
    }
  };
  const part: SqliteDatabase = {
    read: async (work) => guarded(() => work(sql)),
    write: async (work) => guarded(() => work(sql)),
    writeReplaceable: async (work) => guarded(() => work(sql)),
    remove: async (work) => guarded(() => work(sql)),
    releaseFreePages: async () => {},
    damage: () => damage,
    findDamage: async () => {},
    transaction: (work) => work(part),
    close: () => {},
  };
  return {
    read,
    write: (work) => inTurn(() => writeNow(work)),
    writeReplaceable: (work) => inTurn(() => writeReplaceable(work)),
    remove,
    releaseFreePages: createIncrementalVacuum({ read, remove }),
    damage: () => damage,
    async findDamage(signal) {
      if (isNew) return;
      const { findDamageInProcess } = await import('./start-check.ts');
      const found = await findDamageInProcess(path, signal);
      if (found !== undefined && !damage) damage = damageOf(path, new Error(found));
    },
    transaction: (work) =>
      lock.runExclusive(async () => {
        guarded(() => writing(() => raw.exec('BEGIN IMMEDIATE')));
        try {
          const check = disk.watchGrowth();
          const result = await work(part);
          guarded(() => {
            check();
            raw.exec('COMMIT');
          });
          return result;
        } catch (error) {
          if (raw.isOpen && raw.isTransaction) raw.exec('ROLLBACK');
          throw error;
        }
      }),
    close() {
      forget();
      reserve.close();
      if (!raw.isOpen) return;
      raw.close();
      leave();
    },
  };
}

export function inTransaction<T>(raw: DatabaseSync, work: () => T): T {
  raw.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    if (result instanceof Promise) {
      result.catch(() => {});
      throw new TypeError('the work of a transaction must be synchronous');
    }
    raw.exec('COMMIT');
    return result;
  } catch (error) {
    if (raw.isTransaction) raw.exec('ROLLBACK');
    throw error;
  }
}

export function inStatementTransaction<T>(sql: Statements, work: () => T): T {
  sql.run('BEGIN IMMEDIATE');
  try {
    const result = work();
    sql.run('COMMIT');
    return result;
  } catch (error) {
    sql.run('ROLLBACK');
    throw error;
  }
}

/** Migrates a file to the newest migration. Throws `unavailable` if a newer Magpie wrote the file. */
export function migrate(raw: DatabaseSync, migrations: readonly Migration[], path: string): void {
  const newest = migrations.at(-1)?.id ?? 0;
  if (schemaVersion(raw) === newest) return;
  for (const { id, sql } of migrations) {
    inTransaction(raw, () => {
      // Another process may have migrated the file in the meantime.
      const present = schemaVersion(raw);
      if (present > newest) {
        throw unavailableError(
          `${path} was written by a newer Magpie (its version is ${present}, this one knows ${newest}): update Magpie, or set MAGPIE_DATA to another folder`,
        );
      }
      if (present >= id) return;
      raw.exec(sql);
      raw.exec(`PRAGMA user_version = ${id}`);
    });
  }
}

export function schemaVersion(raw: DatabaseSync): number {
  return Number(raw.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}

const REASONS: Readonly<Record<number, string>> = reasons;

function damageOf(path: string, cause: Error): AppError {
  return unavailableError(`the database ${path} ${REASONS[SQLITE_DAMAGED[0] ?? 0]}`, { cause });
}

export function storageError(error: unknown, path: string): unknown {
  if (error instanceof AppError) return error;
  const { errcode, code } = error as { errcode?: number; code?: string };
  const reason = errcode === undefined ? undefined : REASONS[errcode & 0xff];
  if (reason) return unavailableError(`the database ${path} ${reason}`, { cause: error });
  if (code === 'ERR_INVALID_STATE') {
    return unavailableError('the database is closed: Magpie is shutting down', { cause: error });
  }
  if (code && /^E[A-Z]+$/.test(code)) {
    const why = `the data folder of ${path} cannot be used (${code}): set MAGPIE_DATA to one that can be written`;
    return unavailableError(why, { cause: error });
  }
  return error;
}
