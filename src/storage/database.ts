import type { StatementSync } from 'node:sqlite';
import type { AppError } from '../errors.ts';
import type { SqlPart, SqlStatement } from './sql-template.ts';

/** Synchronous SQL on one connection. Between two calls without an `await`, no other code can run. */
export interface Statements {
  prepare(sql: string): StatementSync;
  all<Row>(sql: SqlStatement, ...values: readonly SqlPart[]): Row[];
  get<Row>(sql: SqlStatement, ...values: readonly SqlPart[]): Row | undefined;
  run(sql: SqlStatement, ...values: readonly SqlPart[]): number;
}

/** The SQLite database. Work waits while a transaction is open. Errors become AppError `unavailable`. */
export interface SqliteDatabase {
  read<T>(work: (sql: Statements) => T): Promise<T>;
  write<T>(work: (sql: Statements) => T): Promise<T>;
  /** Like `write`, but does not wait for the disk. Use it for data that can be fetched again. */
  writeReplaceable<T>(work: (sql: Statements) => T): Promise<T>;
  /** Like `write`, for deletions. Deletions may use disk space that `write` leaves free. */
  remove<T>(work: (sql: Statements) => T): Promise<T>;
  /** Shrinks the file. Waits for at most 3 s, and the work then continues in the background. */
  releaseFreePages(): Promise<void>;
  damage(): AppError | undefined;
  findDamage(signal: AbortSignal): Promise<void>;
  /** Runs work of several stores in one transaction. `work` may await only `db`. */
  transaction<T>(work: (db: SqliteDatabase) => Promise<T>): Promise<T>;
  close(): void;
}
