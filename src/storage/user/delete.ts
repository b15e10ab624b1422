import type { AnyDatabase } from '../any-database.ts';
import { isStillReferenced } from '../postgres/errors.ts';
import type { TaskControl } from '../salvage.ts';
import { OWNED_TABLES, type OwnedTable, ownedTableName, userRowsCondition } from './tables.ts';

/** Rows per statement. The number keeps each statement far below PostgreSQL's time limit. */
const STEP_ROWS = 5000;
/** Maximum number of rounds over all tables. More than one is needed if a running job adds rows. */
const MOST_ROUNDS = 5;

export async function deleteRows(
  db: AnyDatabase,
  user: string,
  watch: TaskControl,
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  for (let round = 0; round < MOST_ROUNDS; round++) {
    let found = 0;
    for (const table of OWNED_TABLES) {
      const name = ownedTableName(table, db.dialect);
      if (name === undefined) continue;
      try {
        const rows = await deleteFrom(db, name, table, user, watch);
        if (rows > 0) deleted[table.name] = (deleted[table.name] ?? 0) + rows;
        found += rows;
      } catch (error) {
        // Another node has added a row that refers to this table, so one more round is needed.
        if (!isStillReferenced(error) || round === MOST_ROUNDS - 1) throw error;
        found += 1;
      }
    }
    if (found === 0) break;
  }
  return deleted;
}

export async function countRows(db: AnyDatabase, user: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of OWNED_TABLES) {
    const name = ownedTableName(table, db.dialect);
    if (name === undefined) continue;
    const { condition, values } = userRowsCondition(table, db.dialect, user);
    const text = `SELECT count(*) AS rows FROM ${name} WHERE ${condition}`;
    const rows = (await db.read((sql) => sql.get<{ rows: number }>(text, ...values)))?.rows ?? 0;
    if (rows > 0) counts[table.name] = rows;
  }
  return counts;
}

async function deleteFrom(
  db: AnyDatabase,
  name: string,
  table: OwnedTable,
  user: string,
  watch: TaskControl,
): Promise<number> {
  const { condition, values } = userRowsCondition(table, db.dialect, user);
  const text =
    db.dialect === 'sqlite'
      ? `DELETE FROM ${name} WHERE ${condition}`
      : `DELETE FROM ${name} WHERE (tableoid, ctid) IN (SELECT tableoid, ctid FROM ${name} WHERE ${condition} LIMIT ${STEP_ROWS})`;
  let rows = 0;
  for (let last = STEP_ROWS; last > 0; ) {
    watch.signal.throwIfAborted();
    last = await db.remove((sql) => sql.run(text, ...values));
    rows += last;
    if (rows > 0) watch.progress(`${name}: ${rows} rows deleted`);
    if (db.dialect === 'sqlite') break;
  }
  return rows;
}
