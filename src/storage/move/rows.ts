import { createHash } from 'node:crypto';
import type { AnyDatabase, Dialect, Sql, SqlValue, StepGenerator } from '../any-database.ts';
import { fromHalfvec, toHalfvec } from '../postgres/halfvec.ts';
import type { ShapedColumn, TableShape } from './shape.ts';
import { tableNameIn } from './tables.ts';

/** A row to move. Integers are text, because JavaScript numbers are less exact. */
export type MovedRow = Readonly<Record<string, string | number | Uint8Array | null>>;
type RowKey = readonly (string | number)[];
const ROWS = 500;

const readOf = ({ dialect }: AnyDatabase, { name, sqlite }: ShapedColumn) =>
  dialect === 'sqlite' ? sqlite.read : `t."${name}"`;
const inputOf = ({ dialect }: Pick<AnyDatabase, 'dialect'>, { kind }: ShapedColumn, value = '?') => {
  if (dialect === 'sqlite' && kind === 'integer') return value.replace('?', 'CAST(? AS INTEGER)');
  return dialect === 'postgres' && kind === 'halfvec' ? 'CAST(? AS halfvec)' : value;
};
const outputOf = (db: AnyDatabase, column: ShapedColumn) => {
  const read = readOf(db, column);
  if (column.kind === 'integer') return `CAST(${read} AS text)`;
  return db.dialect === 'postgres' && column.kind === 'halfvec' ? `halfvec_send(${read})` : read;
};

export async function* readRows(
  db: AnyDatabase,
  { table, columns, key }: TableShape,
  after?: RowKey,
): AsyncGenerator<readonly MovedRow[]> {
  const list = columns.map((column) => `${outputOf(db, column)} AS "${column.name}"`);
  const vectors = columns.filter(({ kind }) => db.dialect === 'postgres' && kind === 'halfvec');
  const own = key[db.dialect];
  const names = own.map((column) => readOf(db, column)).join(', ');
  const given = own.map((column) => inputOf(db, column)).join(', ');
  const limit = table.rows ?? ROWS;
  const text = (from: boolean) =>
    `SELECT ${list.join(', ')} FROM ${tableNameIn(table, db.dialect)} AS t ${from ? `WHERE (${names}) > (${given})` : ''}
     ORDER BY ${names} LIMIT ${limit}`;
  for (let last = after; ; ) {
    const read = await db.read((sql) => sql.all<MovedRow>(text(last !== undefined), ...(last ?? [])));
    const rows = vectors.reduce((some, column) => some.map((row) => changed(row, column, fromHalfvec)), read);
    if (rows.length > 0) yield rows;
    const end = rows.at(-1);
    if (!end || rows.length < limit) return;
    last = keyOf(db, { key }, end);
  }
}

function changed(row: MovedRow, { name }: ShapedColumn, change: (bytes: Uint8Array) => Uint8Array): MovedRow {
  const bytes = row[name];
  return bytes instanceof Uint8Array ? { ...row, [name]: change(bytes) } : row;
}

export function keyOf({ dialect }: AnyDatabase, { key }: Pick<TableShape, 'key'>, row: MovedRow): RowKey {
  return key[dialect].map(({ name }) => row[name] as string | number);
}

export function* insertRows(
  sql: Sql,
  { table, columns }: TableShape,
  rows: readonly MovedRow[],
  made: readonly Readonly<Record<string, SqlValue>>[] = [],
): StepGenerator<void> {
  const more = Object.keys(made[0] ?? {});
  const written = columns.flatMap((column) => {
    const target = sql.dialect === 'sqlite' ? column.sqlite.write : ([`"${column.name}"`, '?'] as const);
    return target ? [{ column, name: target[0], value: inputOf(sql, column, target[1]) }] : [];
  });
  const names = [...written.map(({ name }) => name), ...more.map((name) => `"${name}"`)];
  const values = [...written.map(({ value }) => value), ...more.map(() => '?')];
  const vectors = columns.filter(({ kind }) => sql.dialect === 'postgres' && kind === 'halfvec');
  const given = vectors.reduce((some, column) => some.map((row) => changed(row, column, toHalfvec)), rows);
  const system = sql.dialect === 'postgres' ? 'OVERRIDING SYSTEM VALUE' : '';
  yield* sql.sendEach(
    `INSERT INTO ${tableNameIn(table, sql.dialect)} (${names.join(', ')}) ${system} VALUES (${values.join(', ')})`,
    given.map((row, at) => [
      ...written.map(({ column: { name } }) => row[name] ?? null),
      ...more.map((name) => made[at]?.[name] ?? null),
    ]),
  );
}

export function* missingRows(
  sql: Sql,
  { table, key, columns }: TableShape,
  rows: readonly MovedRow[],
): StepGenerator<MovedRow[]> {
  const by = key.postgres.filter(({ sqlite }) => sql.dialect === 'postgres' || sqlite.write !== null);
  const named = by.length > 0 ? by : columns;
  const condition = named.map((column) => {
    const [name, value] =
      sql.dialect === 'sqlite' && column.sqlite.write ? column.sqlite.write : [`"${column.name}"`, '?'];
    return `${name} = ${inputOf(sql, column, value)}`;
  });
  const missing: MovedRow[] = [];
  for (const row of rows) {
    const values = named.map(({ name }) => row[name] as SqlValue);
    const there = yield* sql.get(
      `SELECT 1 FROM ${tableNameIn(table, sql.dialect)} WHERE ${condition.join(' AND ')}`,
      ...values,
    );
    if (there === undefined) missing.push(row);
  }
  return missing;
}

const DIGEST_BYTES = 32;

export async function digestRows(
  db: AnyDatabase,
  shape: TableShape,
  signal: AbortSignal,
): Promise<{ readonly count: number; readonly digest: string }> {
  const sum = Buffer.alloc(DIGEST_BYTES);
  let count = 0;
  for await (const rows of readRows(db, shape)) {
    signal.throwIfAborted();
    count += rows.length;
    for (const row of rows) {
      const one = digestOf(shape, row);
      for (let at = 0; at < DIGEST_BYTES; at++) sum[at] = (sum[at] ?? 0) ^ (one[at] ?? 0);
    }
  }
  return { count, digest: sum.toString('hex') };
}

/** Hashes a row. A table's digest is the XOR of the hashes of all rows, which are all different. */
function digestOf({ columns }: TableShape, row: MovedRow): Buffer {
  const hash = createHash('sha256');
  for (const { name } of columns) {
    const value = row[name] ?? null;
    const bytes = value instanceof Uint8Array ? value : Buffer.from(String(value));
    hash.update(
      `${value === null ? 'null' : value instanceof Uint8Array ? 'bytes' : 'text'} ${bytes.length} `,
    );
    hash.update(bytes);
  }
  return hash.digest();
}

interface DerivedData {
  readonly made?: readonly Readonly<Record<string, SqlValue>>[];
  /** Runs after the moved rows are inserted, in the same transaction. */
  readonly after?: (sql: Sql) => StepGenerator<void>;
}

export type DeriveData = (rows: readonly MovedRow[], dialect: Dialect) => Promise<DerivedData>;
