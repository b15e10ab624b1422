import type { SQLInputValue, StatementSync } from 'node:sqlite';
import type { AppError } from '../errors.ts';

/** SQL on one connection, run at once: nothing comes between two of its calls that no await parts. */
export interface Statements {
  /** A statement prepared once and kept. */
  prepare(sql: string): StatementSync;
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[];
  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined;
  /** Gives the number of rows that it changed. */
  run(sql: string, ...values: SQLInputValue[]): number;
}

/**
 * The embedded database behind the stores of every room. Work waits for its turn while a transaction of several steps
 * is open, so that nothing gets into another's transaction. SQLite's errors become AppError `unavailable`, with what to
 * do. SQL that runs on every driver goes through `queryBuilder` (query-builder.ts).
 */
export interface Database {
  /** One step of hand-written SQL, on its own. */
  read<T>(work: (sql: Statements) => T): Promise<T>;
  /** One step of hand-written SQL in a transaction: all of it durable when this resolves, or none. It leaves room for deletions. */
  write<T>(work: (sql: Statements) => T): Promise<T>;
  /**
   * The same for what can be had again, such as a page that was read: the death of the process takes nothing of it, a power
   * cut may take the last of it. It does not wait for the disk.
   */
  writeReplaceable<T>(work: (sql: Statements) => T): Promise<T>;
  /** The same for a step that deletes: where the disk is full, it gets the room that is set aside for it. */
  remove<T>(work: (sql: Statements) => T): Promise<T>;
  /** Gives the room of what was deleted back to the disk, in steps. Waited for up to 3 s; it continues after that. */
  giveBack(): Promise<void>;
  /** The error that says that the file is damaged, once something has met that. From then on nothing is written. */
  damage(): AppError | undefined;
  /** Checks the file for damage that nothing has met yet, while others work with it. */
  findDamage(signal: AbortSignal): Promise<void>;
  /**
   * Steps of several stores in one transaction: all of it durable when this resolves, or none. `work` uses only the
   * database that it is handed and waits for nothing else, since others wait for it. One inside another is a part of it.
   */
  transaction<T>(work: (db: Database) => Promise<T>): Promise<T>;
  close(): void;
}
