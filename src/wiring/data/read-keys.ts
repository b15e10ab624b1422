import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { getKeyState } from '../../access/keys/keys.ts';
import { createKeyStore } from '../../access/stores/keys.ts';
import type { KeyWithState } from '../../access/types.ts';
import type { Config } from '../../config/config.ts';
import { ignoreNotFound } from '../../errors.ts';
import { type AnyDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import { openFile } from '../../storage/check-file.ts';
import { MIGRATIONS } from '../../storage/migrations/list.ts';
import { openPostgres } from '../../storage/postgres/open.ts';
import { DATABASE_FILE, openDatabase, schemaVersion, storageError } from '../../storage/sqlite.ts';

export async function readAccessKeys({
  data: folder,
  database: url,
}: Config): Promise<KeyWithState[] | undefined> {
  const db = url.startsWith('postgres')
    ? await openPostgres({ url, makesTables: false }).catch(ignoreNotFound)
    : await openFolder(folder);
  if (db === undefined) return undefined;
  try {
    const now = Date.now();
    return (await createKeyStore(db).listKeys()).map((record) => ({
      record,
      state: getKeyState(record, now),
    }));
  } finally {
    await db.close();
  }
}

async function openFolder(folder: string): Promise<AnyDatabase | undefined> {
  const path = join(folder, DATABASE_FILE);
  if (!existsSync(path)) return undefined;
  if (versionOf(path) < (MIGRATIONS.at(-1)?.id ?? 0)) return undefined;
  return toAnyDatabase(await openDatabase({ folder }));
}

function versionOf(path: string): number {
  const file = openFile(path, false);
  try {
    return schemaVersion(file);
  } catch (error) {
    throw storageError(error, path);
  } finally {
    file.close();
  }
}
