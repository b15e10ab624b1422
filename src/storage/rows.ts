import type { AnyDatabase, SqlValue } from './any-database.ts';

export function readRows<Row>(db: AnyDatabase, text: string, ...values: readonly SqlValue[]): Promise<Row[]> {
  return db.read((sql) => sql.all<Row>(text, ...values));
}

export function readFirstRow<Row>(
  db: AnyDatabase,
  text: string,
  ...values: readonly SqlValue[]
): Promise<Row | undefined> {
  return db.read((sql) => sql.get<Row>(text, ...values));
}

export async function hasRow(
  db: AnyDatabase,
  text: string,
  ...values: readonly SqlValue[]
): Promise<boolean> {
  return (await readFirstRow(db, text, ...values)) !== undefined;
}

export async function deleteOwnRow(
  db: AnyDatabase,
  table: string,
  owner: string,
  id: string,
): Promise<boolean> {
  const text = `DELETE FROM ${table} WHERE owner = ? AND id = ?`;
  return (await db.remove((sql) => sql.run(text, owner, id))) > 0;
}

/** Returns SQL and values. With `keys`, replaces the other columns of a row with the same values of the keys. */
export function insertSql(
  table: string,
  row: Readonly<Record<string, SqlValue>>,
  keys: readonly string[] = [],
): [text: string, ...values: SqlValue[]] {
  const names = Object.keys(row);
  const values = names.map(() => '?').join(', ');
  const insert = `INSERT INTO ${table} (${names.map(quote).join(', ')}) VALUES (${values})`;
  const updates = names
    .filter((name) => !keys.includes(name))
    .map(quote)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ');
  const upsert = ` ON CONFLICT (${keys.map(quote).join(', ')}) DO UPDATE SET ${updates}`;
  return [`${insert}${keys.length > 0 ? upsert : ''}`, ...Object.values(row)];
}

const quote = (name: string): string => `"${name}"`;

const ROWS_PER_STATEMENT = 500;

export function* splitRows<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) yield rows.slice(at, at + ROWS_PER_STATEMENT);
}
