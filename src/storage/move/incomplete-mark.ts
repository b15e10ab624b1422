import type { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import { type AppError, unavailableError } from '../../errors.ts';
import type { AnyDatabase, Dialect } from '../any-database.ts';

/** This module marks a database that a move has not filled completely. */

/** SQLite application id of an incomplete database: an arbitrary number. */
const APPLICATION = 1_835_101_037;
const MARKS = {
  sqlite: {
    set: `PRAGMA application_id = ${APPLICATION}`,
    clear: 'PRAGMA application_id = 0',
    read: `SELECT 1 FROM pragma_application_id WHERE application_id = ${APPLICATION}`,
    to: 'sqlite:',
    empty: 'delete that file, with its -wal and -shm',
  },
  postgres: {
    set: "INSERT INTO magpie_secrets (name, bytes) VALUES ('not whole', '') ON CONFLICT (name) DO NOTHING",
    clear: "DELETE FROM magpie_secrets WHERE name = 'not whole'",
    read: "SELECT 1 FROM magpie_secrets WHERE name = 'not whole'",
    to: 'postgres://...',
    empty: 'drop the database and make it again',
  },
} as const;

export async function markMoveIncomplete(db: AnyDatabase): Promise<void> {
  await db.write((sql) => sql.run(MARKS[sql.dialect].set));
}

export async function clearIncompleteMark(db: AnyDatabase): Promise<void> {
  await db.write((sql) => sql.run(MARKS[sql.dialect].clear));
}

export async function isMarkedIncomplete(db: AnyDatabase): Promise<boolean> {
  return (await db.read((sql) => sql.get(MARKS[sql.dialect].read))) !== undefined;
}

export function refuseIncompleteFile(raw: DatabaseSync, path: string): void {
  // The application id is read, because the tables of a damaged file may be unreadable.
  const { application_id: id } = raw.prepare('PRAGMA application_id').get() ?? {};
  if (id === APPLICATION) throw notWhole(MARKS.sqlite, path);
}

export async function refuseIncompletePostgres(client: pg.ClientBase, place: string): Promise<void> {
  const { rows } = await client.query(MARKS.postgres.read);
  if (rows.length > 0) throw notWhole(MARKS.postgres, place);
}

function notWhole({ to, empty }: (typeof MARKS)[Dialect], place: string): AppError {
  return unavailableError(
    `the database ${place} is incomplete: the move into it was stopped, or found differences. Run ` +
      `\`magpie migrate --to ${to}\` again, which continues where it stopped; if it found differences, empty the database first (${empty})`,
  );
}
