import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { once } from '../lib/concurrency/once.ts';
import type { Database } from '../storage/sqlite.ts';
import { openOwnBucket } from './open/open-bucket.ts';
import type { Stores } from './stores.ts';

export function openSqliteStores(config: Config): Stores {
  const { data: folder, localPages: maxPages, localBytes: maxBytes, blobs: bucketName } = config;
  const setsReserveAside = config.diskReserve;
  const database = once(async () =>
    (await import('../storage/sqlite.ts')).openDatabase({ folder, setsReserveAside }),
  );
  const onDatabase = <Store>(open: (db: Database) => Promise<Store>) =>
    once(async () => open(await database()));
  const secret = once(async () => (await import('../storage/secret.ts')).loadSecret(folder));
  const bucket = once(async () => openOwnBucket(config, bucketName ?? '', secret));
  return {
    pages: onDatabase(async (db) =>
      (await import('../search/stores/pages.ts')).createSqlitePageStore(db, { maxPages, maxBytes }),
    ),
    crawls: onDatabase(async (db) => (await import('../search/stores/crawls.ts')).createCrawlStore(db)),
    suspensions: onDatabase(async (db) =>
      (await import('../search/stores/suspensions.ts')).createSuspensionStore(db),
    ),
    entries: onDatabase(async (db) =>
      (await import('../knowledge/stores/entry-store.ts')).createEntryStore(db),
    ),
    folders: onDatabase(async (db) => (await import('../knowledge/stores/folders.ts')).createFolderStore(db)),
    documents: onDatabase(async (db) =>
      (await import('../documents/stores/documents.ts')).createDocumentStore(db),
    ),
    passEnds: onDatabase(async (db) =>
      (await import('../documents/stores/pass-revocations.ts')).createPassRevocations(db),
    ),
    blobs:
      bucketName === undefined
        ? once(async () =>
            (await import('../documents/blobs/folder.ts')).createFolderBlobs(join(folder, 'files')),
          )
        : bucket,
    scans: onDatabase(async (db) => (await import('../security/stores/scans.ts')).createScanStore(db)),
    keptResults: onDatabase(async (db) =>
      (await import('../security/stores/finding-cache.ts')).createFindingCache(db),
    ),
    monitors: onDatabase(async (db) => (await import('../monitor/stores/stores.ts')).createMonitorStores(db)),
    assessments: onDatabase(async (db) =>
      (await import('../compliance/stores/assessments.ts')).createAssessmentStore(db),
    ),
    jobs: onDatabase(async (db) => (await import('../compliance/stores/jobs.ts')).createJobStore(db)),
    attestations: onDatabase(async (db) =>
      (await import('../compliance/stores/attestations.ts')).createAttestationStore(db),
    ),
    keys: onDatabase(async (db) => (await import('../access/stores/keys.ts')).createKeyStore(db)),
    usage: onDatabase(async (db) => (await import('../access/stores/usage.ts')).createUsageStore(db)),
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
