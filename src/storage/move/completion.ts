import type { Dialect, Sql, Steps, Value } from '../any-database.ts';
import type { MovedRow } from './rows.ts';

/** What a database makes of rows besides their columns, such as indexes of words; made by the room of the table. */
export interface Completion {
  /** Further columns of each row. */
  readonly made?: readonly Readonly<Record<string, Value>>[];
  /** Within the step that has inserted the rows. */
  readonly after?: (sql: Sql) => Steps<void>;
}

export type Complete = (rows: readonly MovedRow[], dialect: Dialect) => Promise<Completion>;
