import { loadSecret } from '../../storage/secret.ts';
import type { Database } from '../../storage/sqlite.ts';
import type { Access } from '../access.ts';
import { createKeys } from '../keys.ts';
import { createSqliteKeyStore } from './sqlite.ts';

export interface OpenAccessOptions {
  readonly db: Database;
  /** Data folder, where the secret lies. */
  readonly folder: string;
}

/** The room of access on the embedded database. */
export async function openAccess({ db, folder }: OpenAccessOptions): Promise<Access> {
  return { keys: createKeys({ store: createSqliteKeyStore(db), secret: await loadSecret(folder) }) };
}
