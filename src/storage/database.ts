import type { SQLInputValue, StatementSync } from 'node:sqlite';
import type { AppError } from '../errors.ts';

/** SQL on one connection, run synchronously: without an `await` between two calls, nothing else can run between them. */
export interface Statements {
  /** Returns a prepared statement. Each text is prepared only once. */
  prepare(sql: string): StatementSync;
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[];
  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined;
  /** Returns the number of changed rows. */
  run(sql: string, ...values: SQLInputValue[]): number;
}

/**
 * The embedded database that the stores of all modules use. Work waits while a transaction of several steps is open, so that it
 * does not become a part of it. SQLite's errors become AppError `unavailable` with advice. SQL for every driver is written with
 * `queryBuilder` (query-builder.ts).
 */
export interface Database {
  /** Runs one step of hand-written SQL outside of a transaction. */
  read<T>(work: (sql: Statements) => T): Promise<T>;
  /** Runs one step of hand-written SQL in a transaction, durably or not at all. It leaves free disk space for deletions. */
  write<T>(work: (sql: Statements) => T): Promise<T>;
  /**
   * Like `write`, for data that can be fetched again, such as a page. It does not wait for the disk: a crash of the process loses
   * nothing, a power failure may lose the last writes.
   */
  writeReplaceable<T>(work: (sql: Statements) => T): Promise<T>;
  /** Like `write`, for a step that deletes: on a full disk it may use the reserved space. */
  remove<T>(work: (sql: Statements) => T): Promise<T>;
  /** Returns the space of deleted data to the disk, in steps. The caller waits up to 3 s, and the work continues after that. */
  giveBack(): Promise<void>;
  /** Returns the error for a damaged file, once damage was found. From then on nothing is written. */
  damage(): AppError | undefined;
  /** Checks the file for damage that no call has met yet, while others use it. */
  findDamage(signal: AbortSignal): Promise<void>;
  /**
   * Runs steps of several stores in one transaction, durably or not at all. `work` may use only the database that it gets and
   * must wait for nothing else, since other work waits for it. A nested transaction is a part of the outer one.
   */
  transaction<T>(work: (db: Database) => Promise<T>): Promise<T>;
  close(): void;
}
