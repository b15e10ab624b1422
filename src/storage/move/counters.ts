import type { AnyDatabase } from '../any-database.ts';
import type { TableShape } from './shape.ts';

interface Counter {
  readonly table: string;
  readonly sequence: string;
}

const SEQUENCES = `
  SELECT c.relname AS "table", s.oid::regclass::text AS sequence FROM pg_class AS s
  JOIN pg_depend AS d ON d.objid = s.oid AND d.deptype = 'i' JOIN pg_class AS c ON c.oid = d.refobjid
  WHERE s.relkind = 'S' AND c.relnamespace = to_regnamespace(quote_ident(current_schema()))`;
const OWN: readonly Counter[] = [
  { table: 'pages', sequence: 'page_ids' },
  { table: 'page_versions', sequence: 'page_version_ids' },
];

function numbered({ table, key, columns }: TableShape): string {
  const first =
    key.sqlite.find(({ kind }) => kind === 'integer') ?? columns.find(({ name }) => name === 'rowid');
  if (!first)
    throw new TypeError(
      `the sequence of ${table.name} is in no key: name its column as sqliteKey in move/tables.json`,
    );
  return first.name;
}

export async function moveIdSequences(
  source: AnyDatabase,
  target: AnyDatabase,
  shapes: readonly TableShape[],
): Promise<void> {
  const postgres = source.dialect === 'postgres' ? source : target;
  const found = await postgres.read((sql) => sql.all<Counter>(SEQUENCES));
  for (const { table, sequence } of [...found, ...OWN]) {
    const shape = shapes.find((one) => one.table.name === table);
    if (!shape) continue;
    if (target.dialect === 'postgres') {
      const last = await lastInSqlite(source, table, numbered(shape));
      if (last > 0) await target.write((sql) => sql.get(`SELECT setval('${sequence}', ?)`, last));
      continue;
    }
    const row = await source.read((sql) =>
      sql.get<{ last: number; used: number }>(
        `SELECT last_value AS last, is_called AS used FROM ${sequence}`,
      ),
    );
    if (row?.used) await setInSqlite(target, table, row.last);
  }
}

async function lastInSqlite(db: AnyDatabase, table: string, column: string): Promise<number> {
  return db.read(function* (sql) {
    const counted = yield* sql.get<{ seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = ?', table);
    const there = yield* sql.get<{ last: number | null }>(`SELECT max("${column}") AS last FROM ${table}`);
    return Math.max(counted?.seq ?? 0, there?.last ?? 0);
  });
}

async function setInSqlite(db: AnyDatabase, table: string, last: number): Promise<void> {
  await db.write(function* (sql) {
    const made = yield* sql.get<{ sql: string }>('SELECT sql FROM sqlite_schema WHERE name = ?', table);
    if (!made?.sql.includes('AUTOINCREMENT')) return;
    const changed = yield* sql.run(
      'UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?',
      last,
      table,
    );
    if (changed === 0) yield* sql.send('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', table, last);
  });
}
