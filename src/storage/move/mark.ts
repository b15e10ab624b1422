import type { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import { AppError } from '../../errors.ts';
import type { AnyDatabase, Dialect } from '../any-database.ts';

/**
 * The target of a move says in itself that it is not whole, from before its first row until it was found the same as the source:
 * SQLite in the header of its file, PostgreSQL in a row beside the secret.
 */

interface Mark {
  readonly set: string;
  readonly clear: string;
  /** Gives a row where the mark is. */
  readonly read: string;
  /** What `--to` was, and how all of it is deleted. */
  readonly to: string;
  readonly empty: string;
}

/** Any number that no other program is likely to take. */
const APPLICATION = 1_835_101_037;
const MARKS: Readonly<Record<Dialect, Mark>> = {
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
};

export async function setMark(db: AnyDatabase): Promise<void> {
  await db.write((sql) => sql.run(MARKS[sql.dialect].set));
}

export async function clearMark(db: AnyDatabase): Promise<void> {
  await db.write((sql) => sql.run(MARKS[sql.dialect].clear));
}

export async function isMarked(db: AnyDatabase): Promise<boolean> {
  return (await db.read((sql) => sql.get(MARKS[sql.dialect].read))) !== undefined;
}

/** AppError `unavailable` for a file with the mark. */
export function refuseMarkedFile(raw: DatabaseSync, path: string): void {
  // Of a damaged file too: the header can be read where no table can.
  const { application_id: id } = raw.prepare('PRAGMA application_id').get() ?? {};
  if (id === APPLICATION) throw notWhole(MARKS.sqlite, path);
}

/** AppError `unavailable` for a database with the mark. */
export async function refuseMarkedServer(client: pg.ClientBase, place: string): Promise<void> {
  const { rows } = await client.query(MARKS.postgres.read);
  if (rows.length > 0) throw notWhole(MARKS.postgres, place);
}

function notWhole({ to, empty }: Mark, place: string): AppError {
  return new AppError(
    'unavailable',
    `the database ${place} is incomplete: the move into it was stopped, or found differences. Run ` +
      `\`magpie migrate --to ${to}\` again, which continues where it stopped; if it found differences, empty the database first (${empty})`,
  );
}
