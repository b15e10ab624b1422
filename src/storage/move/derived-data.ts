import type { Dialect, Sql, SqlValue, StepGenerator } from '../any-database.ts';
import type { MovedRow } from './rows.ts';

export interface DerivedData {
  readonly made?: readonly Readonly<Record<string, SqlValue>>[];
  /** Runs in the transaction that inserts the moved rows. */
  readonly after?: (sql: Sql) => StepGenerator<void>;
}

export type DeriveData = (rows: readonly MovedRow[], dialect: Dialect) => Promise<DerivedData>;
