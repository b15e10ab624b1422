import type { StoreDatabase } from '../storage/any-database.ts';
import type { Stores } from './stores.ts';

type OpenOnDatabase = <Store>(open: (db: StoreDatabase) => Promise<Store>) => () => Promise<Store>;

export function createSharedStores(onDatabase: OpenOnDatabase) {
  return {
    crawls: onDatabase(async (db) => (await import('../search/stores/crawls.ts')).createCrawlStore(db)),
    suspensions: onDatabase(async (db) =>
      (await import('../search/stores/suspensions.ts')).createSuspensionStore(db),
    ),
    folders: onDatabase(async (db) => (await import('../knowledge/stores/folders.ts')).createFolderStore(db)),
    documents: onDatabase(async (db) =>
      (await import('../documents/stores/documents.ts')).createDocumentStore(db),
    ),
    passEnds: onDatabase(async (db) =>
      (await import('../documents/stores/pass-revocations.ts')).createPassRevocations(db),
    ),
    scans: onDatabase(async (db) => (await import('../security/stores/scans.ts')).createScanStore(db)),
    keptResults: onDatabase(async (db) =>
      (await import('../security/stores/finding-cache.ts')).createFindingCache(db),
    ),
    monitors: onDatabase(async (db) => (await import('../monitor/stores/stores.ts')).createMonitorStores(db)),
    assessments: onDatabase(async (db) =>
      (await import('../compliance/stores/assessments.ts')).createAssessmentStore(db),
    ),
    attestations: onDatabase(async (db) =>
      (await import('../compliance/stores/attestations.ts')).createAttestationStore(db),
    ),
    jobs: onDatabase(async (db) => (await import('../compliance/stores/jobs.ts')).createJobStore(db)),
    keys: onDatabase(async (db) => (await import('../access/stores/keys.ts')).createKeyStore(db)),
    grants: onDatabase(async (db) => (await import('../access/stores/grants.ts')).createGrantStore(db)),
    usage: onDatabase(async (db) => (await import('../access/stores/usage.ts')).createUsageStore(db)),
    tasks: onDatabase(async (db) => (await import('../access/stores/tasks.ts')).createMcpTaskStore(db)),
  } satisfies Partial<Stores>;
}
