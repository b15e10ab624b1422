import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { makeOnce } from '../lib/concurrency/once.ts';
import type { Database } from '../storage/sqlite.ts';
import { openOwnBucket } from './open/open-bucket.ts';
import { createSharedStores } from './shared-stores.ts';
import type { Stores } from './stores.ts';

export function openSqliteStores(config: Config): Stores {
  const { data: folder, localPages: maxPages, localBytes: maxBytes, blobs: bucketName } = config;
  const setsReserveAside = config.diskReserve;
  const database = makeOnce(async () =>
    (await import('../storage/sqlite.ts')).openDatabase({ folder, setsReserveAside }),
  );
  const onDatabase = <Store>(open: (db: Database) => Promise<Store>) =>
    makeOnce(async () => open(await database()));
  const secret = makeOnce(async () => (await import('../storage/secret.ts')).loadSigningSecret(folder));
  const bucket = makeOnce(async () => openOwnBucket(config, bucketName ?? '', secret));
  return {
    ...createSharedStores(onDatabase),
    pages: onDatabase(async (db) =>
      (await import('../search/stores/pages.ts')).createSqlitePageStore(db, { maxPages, maxBytes }),
    ),
    entries: onDatabase(async (db) =>
      (await import('../knowledge/stores/entry-store.ts')).createEntryStore(db),
    ),
    blobs:
      bucketName === undefined
        ? makeOnce(async () =>
            (await import('../documents/blobs/folder.ts')).createFolderBlobs(join(folder, 'files')),
          )
        : bucket,
    secret,
    async ready() {
      const damage = (await database()).damage();
      if (damage) throw damage;
    },
    findDamage: async (signal) => (await database()).findDamage(signal),
    async close() {
      if (bucket.made()) await (await bucket()).close();
      if (database.made()) (await database()).close();
    },
  };
}
