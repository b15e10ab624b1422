import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASE_FILE, type Database, openDatabase } from '../../src/storage/sqlite.ts';

/** The bytes of a database with all tables and nothing in them, made once in a process: its steps take 25 ms of processor time. */
let empty: Promise<Buffer> | undefined;

async function makeEmpty(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-empty-'));
  const db = await openDatabase({ folder });
  db.close();
  const bytes = readFileSync(join(folder, DATABASE_FILE));
  rmSync(folder, { recursive: true });
  return bytes;
}

/** Puts an empty database into a data folder that has none, so that what opens it finds all steps done. */
export async function putDatabase(folder: string): Promise<void> {
  empty ??= makeEmpty();
  const bytes = await empty;
  // Without a wait from here on: of two openers at once the second finds the whole file.
  if (existsSync(join(folder, DATABASE_FILE))) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, DATABASE_FILE), bytes, { mode: 0o600 });
}

/** The database of a data folder; a new one is a copy, for tests of what is kept and not of how a database comes to be. */
export async function openTestDatabase(options: { readonly folder: string }): Promise<Database> {
  await putDatabase(options.folder);
  return openDatabase(options);
}
