import type { Dialect, Sql, Steps, Value } from '../any-database.ts';
import type { MovedRow } from './rows.ts';

export interface Completion {
  readonly made?: readonly Readonly<Record<string, Value>>[];
  /** Runs within the step that has inserted the rows. */
  readonly after?: (sql: Sql) => Steps<void>;
}

export type Complete = (rows: readonly MovedRow[], dialect: Dialect) => Promise<Completion>;
