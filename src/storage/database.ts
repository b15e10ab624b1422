import type { SQLInputValue, StatementSync } from 'node:sqlite';
import type { AppError } from '../errors.ts';

/** SQL on one connection, run synchronously: without an `await` between two calls, nothing else can run between them. */
export interface Statements {
  prepare(sql: string): StatementSync;
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[];
  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined;
  run(sql: string, ...values: SQLInputValue[]): number;
}

/** The embedded database. Work waits while a transaction is open. SQLite's errors become AppError `unavailable`. */
export interface Database {
  read<T>(work: (sql: Statements) => T): Promise<T>;
  /** Runs one step of hand-written SQL in a transaction, durably or not at all. Leaves disk space free for deletions. */
  write<T>(work: (sql: Statements) => T): Promise<T>;
  /** Like `write`, without waiting for the disk, for data that can be fetched again: a power failure may lose it. */
  writeReplaceable<T>(work: (sql: Statements) => T): Promise<T>;
  /** Like `write`, for a step that deletes: on a full disk it may use the reserved space. */
  remove<T>(work: (sql: Statements) => T): Promise<T>;
  /** Returns the space of deleted data to the disk. The caller waits up to 3 s, and the work continues in the background. */
  releaseFreePages(): Promise<void>;
  damage(): AppError | undefined;
  findDamage(signal: AbortSignal): Promise<void>;
  /** Runs steps of several stores in one transaction. `work` may use only this database and wait for nothing else. */
  transaction<T>(work: (db: Database) => Promise<T>): Promise<T>;
  close(): void;
}
