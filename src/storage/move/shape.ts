import type { AnyDatabase, Dialect } from '../any-database.ts';
import type { MovedTable, SqliteColumn } from './tables.ts';

export interface ShapedColumn {
  readonly name: string;
  /** `halfvec` is pgvector's type for vectors of 16-bit floats. In SQLite, the column contains bytes. */
  readonly kind: 'integer' | 'halfvec' | 'other';
  readonly sqlite: SqliteColumn;
}

export interface TableShape {
  readonly table: MovedTable;
  readonly columns: readonly ShapedColumn[];
  readonly key: Readonly<Record<Dialect, readonly ShapedColumn[]>>;
}

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly place: number | null;
}

const KINDS: Readonly<Record<string, ShapedColumn['kind']>> = { bigint: 'integer', halfvec: 'halfvec' };

const COLUMNS = `
  SELECT c.relname AS "table", a.attname AS name, format_type(a.atttypid, NULL) AS type,
    array_position(CAST(i.indkey AS int2[]), a.attnum) AS place
  FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_index AS i ON i.indrelid = c.oid AND i.indisprimary
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = to_regnamespace(quote_ident(current_schema()))
  ORDER BY c.relname, a.attnum`;

export async function readTableShapes(
  postgres: AnyDatabase,
  tables: readonly MovedTable[],
): Promise<TableShape[]> {
  const rows = await postgres.read((sql) => sql.all<ColumnRow>(COLUMNS));
  const byTable = Map.groupBy(rows, ({ table }) => table);
  return tables.map((table) => {
    const own = byTable.get(table.name);
    if (!own) throw new TypeError(`PostgreSQL has no table ${table.name}`);
    const all = own.map(({ name, type, place }) => ({
      place,
      name,
      kind: KINDS[type] ?? ('other' as const),
      sqlite: table.sqlite?.[name] ?? { read: `t."${name}"`, write: [`"${name}"`, '?'] as const },
    }));
    const named = (name: string) => {
      const column = all.find((one) => one.name === name);
      if (!column) throw new TypeError(`${table.name} has no column ${name}`);
      return column;
    };
    const key = all
      .filter(({ place }) => place !== null)
      .sort((one, other) => Number(one.place) - Number(other.place));
    return {
      table,
      columns: all.filter(({ name }) => table.made?.includes(name) !== true),
      key: { postgres: key, sqlite: table.sqliteKey?.map(named) ?? key },
    };
  });
}
