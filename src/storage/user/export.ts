import type { AnyDatabase } from '../any-database.ts';
import { OWNED_TABLES, ownedTableName, userRowsCondition } from './tables.ts';

const STEP_ROWS = 500;
/** An exported row. Numbers and texts are unchanged, and bytes become `{ base64 }`. */
export type ExportedRow = Readonly<Record<string, unknown>>;

export const EXPORTED_TABLES: readonly string[] = OWNED_TABLES.flatMap(({ name, key }) =>
  key === null ? [] : [name],
);

export async function* exportRows(db: AnyDatabase, name: string, user: string): AsyncGenerator<ExportedRow> {
  const table = OWNED_TABLES.find((one) => one.name === name);
  const from = table && ownedTableName(table, db.dialect);
  if (!table?.key || !from) return;
  const { condition, values } = userRowsCondition(table, db.dialect, user);
  const hidden = new Set(table.secret);
  for (let at = 0; ; at += STEP_ROWS) {
    const text = `SELECT * FROM ${from} WHERE ${condition} ORDER BY ${table.key} LIMIT ${STEP_ROWS} OFFSET ${at}`;
    const rows = await db.read((sql) => sql.all<Record<string, unknown>>(text, ...values));
    for (const row of rows)
      yield Object.fromEntries(
        Object.entries(row).flatMap(([column, value]) =>
          hidden.has(column) ? [] : [[column, plain(value)]],
        ),
      );
    if (rows.length < STEP_ROWS) return;
  }
}

function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  return typeof value === 'bigint' ? String(value) : value;
}
