import type { Dialect } from '../any-database.ts';
import tables from './tables.json' with { type: 'json' };

export interface OwnedTable {
  readonly name: string;
  /** Name in SQLite. Null if only PostgreSQL has the table. */
  readonly sqliteName?: string | null;
  /** SQL condition for a user's rows. `:user` is the user's name, and `:page` is `page:` plus the name. */
  readonly of: string;
  readonly ofSqlite?: string;
  /** Columns that sort the exported rows. Null if the table is not exported: its data is derived or secret. */
  readonly key: string | null;
  /** Columns that are not exported, because their values give access. */
  readonly secret?: readonly string[];
}

export const OWNED_TABLES: readonly OwnedTable[] = tables;

export function ownedTableName(
  { name, sqliteName = name }: OwnedTable,
  dialect: Dialect,
): string | undefined {
  return dialect === 'sqlite' ? (sqliteName ?? undefined) : name;
}

export function userRowsCondition(
  { of, ofSqlite = of }: OwnedTable,
  dialect: Dialect,
  user: string,
): { readonly condition: string; readonly values: readonly string[] } {
  const named = dialect === 'sqlite' ? ofSqlite : of;
  const values = [...named.matchAll(/:(user|page)\b/g)].map(([, name]) =>
    name === 'page' ? `page:${user}` : user,
  );
  return { condition: named.replaceAll(/:(?:user|page)\b/g, '?'), values };
}
