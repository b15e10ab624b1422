import type { Dialect, Sql, Steps, Value } from '../any-database.ts';
import type { MovedRow } from './rows.ts';

/** Data that a database derives from rows, such as full-text indexes. The module that owns the table provides it. */
export interface Completion {
  /** Further columns of each row. */
  readonly made?: readonly Readonly<Record<string, Value>>[];
  /** Runs within the step that has inserted the rows. */
  readonly after?: (sql: Sql) => Steps<void>;
}

export type Complete = (rows: readonly MovedRow[], dialect: Dialect) => Promise<Completion>;
