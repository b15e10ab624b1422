import type { SQLInputValue, StatementSync } from 'node:sqlite';
import type { AppError } from '../errors.ts';

/** Synchronous SQL on one connection. Without an `await` between two calls, no other code can run between them. */
export interface Statements {
  prepare(sql: string): StatementSync;
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[];
  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined;
  run(sql: string, ...values: SQLInputValue[]): number;
}

/** The embedded database. Work waits while a transaction is open. SQLite's errors become AppError `unavailable`. */
export interface Database {
  read<T>(work: (sql: Statements) => T): Promise<T>;
  /** Runs SQL in a transaction, durably or not at all. It leaves disk space free, so that deletions remain possible. */
  write<T>(work: (sql: Statements) => T): Promise<T>;
  /** Like `write`, but does not wait for the disk. A power failure may lose the data, which can be fetched again. */
  writeReplaceable<T>(work: (sql: Statements) => T): Promise<T>;
  /** Like `write`, for work that deletes data. If the disk is full, it may use the space that `write` leaves free. */
  remove<T>(work: (sql: Statements) => T): Promise<T>;
  /** Returns the space of deleted data to the disk. The caller waits up to 3 s, and the work continues in the background. */
  releaseFreePages(): Promise<void>;
  damage(): AppError | undefined;
  findDamage(signal: AbortSignal): Promise<void>;
  /** Runs work of several stores in one transaction. `work` may use only this database and may not wait for other events. */
  transaction<T>(work: (db: Database) => Promise<T>): Promise<T>;
  close(): void;
}
