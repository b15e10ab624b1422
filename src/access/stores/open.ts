import type { Config } from '../../config.ts';
import type { Logger } from '../../log.ts';
import { loadSecret } from '../../storage/secret.ts';
import type { Database } from '../../storage/sqlite.ts';
import { type Access, createAccess } from '../access.ts';
import { createKeys } from '../keys.ts';
import type { Tokens } from '../tokens.ts';
import { createSqliteKeyStore } from './sqlite.ts';

export interface OpenAccessOptions {
  readonly db: Database;
  readonly config: Config;
  readonly tokens?: () => Promise<Tokens>;
  readonly log: Logger;
}

/** The room of access on the embedded database. */
export async function openAccess({ db, config, ...options }: OpenAccessOptions): Promise<Access> {
  const keys = createKeys({ store: createSqliteKeyStore(db), secret: await loadSecret(config.data) });
  return createAccess({ keys, localUser: config.user, ...options });
}
