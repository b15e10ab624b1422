import { compressText } from '../../src/search/stores/page-text.ts';
import type { AnyDatabase } from '../../src/storage/any-database.ts';
import { OWNED_TABLES, ownedTableName } from '../../src/storage/user/tables.ts';

interface Column {
  readonly name: string;
  readonly type: string;
}

const SQLITE_COLUMNS = 'SELECT name, lower(type) AS type FROM pragma_table_info(?)';
const POSTGRES_COLUMNS = `SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type FROM pg_attribute AS a
  WHERE a.attrelid = to_regclass(?) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`;
/** Columns that refer to a row of another table. */
const PARENTS: Readonly<Record<string, string>> = {
  scan: 'scans',
  session: 'mcp_sessions',
  monitor: 'monitors',
  crawl: 'crawls',
  folder: 'kb_folders',
  document: 'documents',
  grant_id: 'access_grants',
};

/** A row in every table of users, with the user's name in every text and a number, 1 to 9, for what counts; parents come first. */
export async function fillUser(db: AnyDatabase, user: string, number: number): Promise<void> {
  const overriding = db.dialect === 'postgres' ? ' OVERRIDING SYSTEM VALUE' : '';
  await db.write((sql) =>
    sql.run(
      'INSERT INTO kb_models (id, name, used_at, all_at) VALUES (?, ?, 1, 0)',
      number,
      `model ${number}`,
    ),
  );
  for (const table of OWNED_TABLES.toReversed()) {
    const name = ownedTableName(table, db.dialect);
    // One is an index without rows, the other is filled by what moves its rows on.
    if (
      !name ||
      (name === 'kb_words' && db.dialect === 'sqlite') ||
      (name === 'kb_vectors' && db.dialect === 'postgres')
    )
      continue;
    await db.write(function* (sql) {
      const columns = yield* sql.all<Column>(
        sql.dialect === 'sqlite' ? SQLITE_COLUMNS : POSTGRES_COLUMNS,
        name,
      );
      const marks = columns.map(({ type }) => (sql.dialect === 'sqlite' ? '?' : `CAST(? AS ${type})`));
      const names = columns.map((column) => `"${column.name}"`);
      const values = columns.map((column) => inputOf(table.name, column, user, number));
      return yield* sql.run(
        `INSERT INTO ${name} (${names.join(', ')})${overriding} VALUES (${marks.join(', ')})`,
        ...values,
      );
    });
  }
}

function inputOf(
  table: string,
  { name, type }: Column,
  user: string,
  number: number,
): string | number | bigint | Uint8Array {
  const text = type === 'text';
  if (type === 'halfvec') return '[0.5,0.25]';
  if (type.endsWith('[]')) return `{${number}}`;
  if (name === 'text' && table.startsWith('page')) return compressText(`${user} ${table} ${name}`);
  if (type === 'blob' || type === 'bytea') return Buffer.from(`${user} ${table} ${name}`);
  if (name === 'owner' || (name === 'user' && text) || (name === 'name' && table.endsWith('_owners')))
    return text ? user : number;
  if (name === 'credential' || (table === 'access_keys' && name === 'id')) return `key-${user}`;
  if (name === 'subject') return `key key-${user}`;
  const parent = name === 'id' ? table : PARENTS[name];
  if (parent && text) return `${parent}-${user}`;
  if (name === 'id' && table === 'kb_passages') return number * 2 ** 31 + 1;
  if (name === 'id' && table === 'kb_halfvecs') return 2n ** 55n + BigInt(number) * 2n ** 31n + 1n;
  return text ? `${user} ${table} ${name}` : number;
}

/** Tables whose ids have more digits than a number of JavaScript. */
const LONG_IDS = new Set(['kb_vectors', 'kb_halfvecs']);

/** All rows of all tables, as text. */
export async function dump(db: AnyDatabase): Promise<Record<string, string[]>> {
  const list =
    db.dialect === 'sqlite'
      ? `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%\\_config' ESCAPE '\\' AND name <> 'kb_postings'`
      : `SELECT CASE WHEN relnamespace = to_regnamespace('magpie_jobs') THEN 'magpie_jobs.' ELSE '' END || relname AS name
         FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
         AND relnamespace IN (to_regnamespace(quote_ident(current_schema())), to_regnamespace('magpie_jobs'))`;
  const tables = await db.read((sql) => sql.all<{ name: string }>(list));
  const rows: Record<string, string[]> = {};
  for (const { name } of tables) {
    const all = await db.read((sql) =>
      sql.all<Record<string, unknown>>(
        `SELECT ${LONG_IDS.has(name) ? 'CAST(id AS text) AS number, vector' : '*'} FROM ${name}`,
      ),
    );
    rows[name] = all.map((row) =>
      JSON.stringify(row, (_, value) => {
        if (typeof value === 'bigint') return String(value);
        return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value;
      }),
    );
  }
  return rows;
}
