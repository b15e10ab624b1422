import type { Sql, Steps } from '../../../storage/any-database.ts';

export interface ChangeRow {
  readonly seq: number;
  readonly name: string;
  readonly what: string;
  readonly writer: number;
}

/** Within a step: what came since the last call, up to a limit. It remembers how far it has read. */
export type ReadChangeRows = (sql: Sql, limit: number) => Steps<ChangeRow[]>;
