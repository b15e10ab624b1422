import type { Sql, StepGenerator } from '../../../storage/any-database.ts';

export interface ChangeRow {
  readonly seq: number;
  readonly name: string;
  readonly what: string;
  readonly writer: number;
}

/** Reads up to `limit` changes since the last call, in a database step. The function keeps its position. */
export type ReadChangeRows = (sql: Sql, limit: number) => StepGenerator<ChangeRow[]>;
