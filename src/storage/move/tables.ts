import type { Dialect } from '../any-database.ts';
import tables from './tables.json' with { type: 'json' };

export interface SqliteColumn {
  readonly read: string;
  /** Column to write and SQL for its value, or null if SQLite computes the column itself. */
  readonly write: readonly [column: string, value: string] | null;
}

export interface MovedTable {
  readonly name: string;
  readonly sqliteName?: string;
  readonly rows?: number;
  readonly sqliteKey?: readonly string[];
  readonly made?: readonly string[];
  /** Bits 31 to 54 of the ids of passages and vectors are the number of the owner. */
  readonly sqlite?: Readonly<Record<string, SqliteColumn>>;
}

export function tableNameIn({ name, sqliteName = name }: MovedTable, dialect: Dialect): string {
  return dialect === 'sqlite' ? sqliteName : name;
}

export const MOVED_TABLES = tables as readonly MovedTable[];
