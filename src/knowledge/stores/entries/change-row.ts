import type { Sql, StepGenerator } from '../../../storage/any-database.ts';

export interface ChangeRow {
  readonly seq: number;
  readonly name: string;
  readonly what: string;
  readonly writer: number;
}

/** Reads the changes since the last call, up to a limit, inside a database step. The function remembers its position. */
export type ReadChangeRows = (sql: Sql, limit: number) => StepGenerator<ChangeRow[]>;
