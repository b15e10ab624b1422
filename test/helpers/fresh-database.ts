import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASE_FILE, type Database, openDatabase } from '../../src/storage/sqlite.ts';

/** A database that has had all migrations and holds nothing; made once, since the migrations take 25 ms. */
let empty: Buffer | undefined;

async function makeEmpty(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-empty-'));
  try {
    (await openDatabase({ folder })).close();
    return readFileSync(join(folder, DATABASE_FILE));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Opens the database of a folder, which is new where the folder has none. */
export async function openFreshDatabase(folder: string): Promise<Database> {
  const path = join(folder, DATABASE_FILE);
  if (!existsSync(path)) {
    empty ??= await makeEmpty();
    writeFileSync(path, empty, { mode: 0o600 });
  }
  return openDatabase({ folder });
}
