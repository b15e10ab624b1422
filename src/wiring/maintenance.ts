import type { Config } from '../config/config.ts';
import type { S3Blobs } from '../documents/blobs/s3.ts';
import { badRequestError } from '../errors.ts';
import type { UpdateRequest, UpdateWatch } from '../security/types.ts';
import type { TaskControl } from '../storage/salvage.ts';
import { findEmbedderGaps } from './embedders.ts';
import type { ServicesFoundation } from './foundation.ts';
import type { EngineSelection, EngineWatch } from './test-engines.ts';

export type Maintenance = ReturnType<typeof createMaintenance>;

function folderOf({ data, database }: Config): string {
  if (!database.startsWith('postgres')) return data;
  throw badRequestError(
    'DATABASE_URL names PostgreSQL, which has its own backups: use pg_dump and pg_restore',
  );
}

export function createMaintenance(base: ServicesFoundation) {
  const { config } = base;
  const { data, browser, database, blobs } = config;
  return {
    /** Backs up the data folder. Throws AppError if the data is in PostgreSQL. */
    backUp: (target: string, watch: TaskControl) => backUpFolder(config, target, watch),
    checkBackup: async (source: string, watch: TaskControl) =>
      (await import('./data/restore-backup.ts')).checkBackup(source, watch),
    restoreBackup: async (source: string, watch: TaskControl) =>
      (await import('./data/restore-backup.ts')).restoreBackup(
        source,
        folderOf(config),
        watch,
        blobs === undefined ? undefined : () => openFolderBucket(config, blobs),
      ),
    checkData: async (mend: boolean, watch: TaskControl) =>
      (await import('./data/check-data.ts')).checkData(data, mend, watch, await findEmbedderGaps(config)),
    checkDatabase: async (whole: boolean, watch: TaskControl) =>
      database.startsWith('postgres')
        ? (await import('./data/check-postgres.ts')).checkPostgres(database, whole, watch)
        : undefined,
    countUser: async (user: string) => (await import('./data/user-data.ts')).countUser(config, user),
    exportUser: async (user: string, folder: string, watch: TaskControl) =>
      (await import('./data/user-data.ts')).exportUser(config, user, folder, watch),
    deleteUser: async (user: string, watch: TaskControl) =>
      (await import('./data/user-data.ts')).deleteUser(config, user, watch),
    moveFiles: async (to: string, check: boolean, watch: TaskControl) =>
      (await import('./data/move-files.ts')).moveFiles(config, to, check, watch),
    checkFiles: async (mend: boolean, watch: TaskControl) =>
      (await import('./data/check-files.ts')).checkFiles(config, mend, watch),
    examineBucket: async () => (await import('./data/check-files.ts')).examineBucket(config),
    readKeys: async () => (await import('./data/read-keys.ts')).readAccessKeys(config),
    moveData: async (to: string, check: boolean, watch: TaskControl) =>
      (await import('./data/move-data.ts')).moveData(config, to, check, watch),
    async updateAdvisories(request: UpdateRequest, watch: UpdateWatch) {
      const { updateAdvisories } = await import('../security/scanners/dependencies/advisories/update.ts');
      const from = { folder: data, fetch: base.fetch, exportUrl: config.advisoriesUrl };
      return updateAdvisories(from, request, watch);
    },
    testEngines: async (which: EngineSelection, watch: EngineWatch) =>
      (await import('./test-engines.ts')).testEngines(base, which, watch),
    listEngines: async () => (await import('./test-engines.ts')).listEngines(base),
    serverUrl: async () => (await import('../storage/lock.ts')).runningServerUrl(data),
    /** Path of a browser. Throws AppError `unavailable` if none is installed. */
    browserPath: async () => (await import('../browse/rendering/browser.ts')).findBrowser(browser),
  };
}

async function backUpFolder(config: Config, target: string, watch: TaskControl) {
  const { backUp } = await import('./data/back-up.ts');
  const folder = folderOf(config);
  if (config.blobs === undefined) return backUp(folder, target, watch);
  const bucket = await openFolderBucket(config, config.blobs);
  try {
    return await backUp(folder, target, watch, bucket);
  } finally {
    await bucket.close();
  }
}

async function openFolderBucket(config: Config, name: string): Promise<S3Blobs> {
  const { openOwnBucket } = await import('./open/open-bucket.ts');
  const { loadSigningSecret: loadSecret } = await import('../storage/secret.ts');
  return openOwnBucket(config, name, () => loadSecret(config.data));
}
