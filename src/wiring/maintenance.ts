import type { KeyWithState } from '../access/types.ts';
import type { Config } from '../config/config.ts';
import type { S3Blobs } from '../documents/blobs/s3.ts';
import { badRequestError } from '../errors.ts';
import type { NamedProfile } from '../search/types.ts';
import type { UpdateRequest, UpdateResult, UpdateWatch } from '../security/types.ts';
import type { TaskControl } from '../storage/salvage.ts';
import type { BackupManifest } from './data/back-up.ts';
import type { DataReport } from './data/check-data.ts';
import type { BucketFacts, FilesReport } from './data/check-files.ts';
import type { DatabaseReport } from './data/check-postgres.ts';
import type { MoveReport } from './data/move-data.ts';
import type { UserCounts } from './data/user-data.ts';
import { findEmbedderGaps } from './embedders.ts';
import type { ServicesFoundation } from './foundation.ts';
import type { EngineSelection, EngineTestReport, EngineWatch } from './test-engines.ts';

export interface Maintenance {
  updateAdvisories(request: UpdateRequest, watch: UpdateWatch): Promise<UpdateResult>;
  checkData(mend: boolean, watch: TaskControl): Promise<DataReport>;
  checkDatabase(whole: boolean, watch: TaskControl): Promise<DatabaseReport | undefined>;
  /** Backs up the data folder. Throws AppError if the data is in PostgreSQL. */
  backUp(target: string, watch: TaskControl): Promise<BackupManifest>;
  checkBackup(source: string, watch: TaskControl): Promise<BackupManifest>;
  restoreBackup(source: string, watch: TaskControl): Promise<BackupManifest>;
  countUser(user: string): Promise<UserCounts>;
  exportUser(user: string, folder: string, watch: TaskControl): Promise<UserCounts>;
  deleteUser(user: string, watch: TaskControl): Promise<UserCounts>;
  moveData(to: string, check: boolean, watch: TaskControl): Promise<MoveReport>;
  moveFiles(to: string, check: boolean, watch: TaskControl): Promise<MoveReport>;
  checkFiles(mend: boolean, watch: TaskControl): Promise<FilesReport | undefined>;
  readKeys(): Promise<readonly KeyWithState[] | undefined>;
  examineBucket(): Promise<BucketFacts | undefined>;
  testEngines(which: EngineSelection, watch: EngineWatch): Promise<EngineTestReport>;
  listEngines(): Promise<readonly NamedProfile[]>;
  serverUrl(): Promise<string | undefined>;
  /** Path of a browser. Throws AppError `unavailable` if none is installed. */
  browserPath(): Promise<string>;
}

function folderOf({ data, database }: Config): string {
  if (!database.startsWith('postgres')) return data;
  throw badRequestError(
    'DATABASE_URL names PostgreSQL, which has its own backups: use pg_dump and pg_restore',
  );
}

export function createMaintenance(base: ServicesFoundation): Maintenance {
  const { config } = base;
  const { data, browser, database, blobs } = config;
  return {
    backUp: async (target, watch) => backUpFolder(config, target, watch),
    checkBackup: async (...backup) => (await import('./data/restore-backup.ts')).checkBackup(...backup),
    restoreBackup: async (source, watch) =>
      (await import('./data/restore-backup.ts')).restoreBackup(
        source,
        folderOf(config),
        watch,
        blobs === undefined ? undefined : () => openFolderBucket(config, blobs),
      ),
    checkData: async (mend, watch) =>
      (await import('./data/check-data.ts')).checkData(data, mend, watch, await findEmbedderGaps(config)),
    checkDatabase: async (whole, watch) =>
      database.startsWith('postgres')
        ? (await import('./data/check-postgres.ts')).checkPostgres(database, whole, watch)
        : undefined,
    countUser: async (user) => (await import('./data/user-data.ts')).countUser(config, user),
    exportUser: async (...given) => (await import('./data/user-data.ts')).exportUser(config, ...given),
    deleteUser: async (...given) => (await import('./data/user-data.ts')).deleteUser(config, ...given),
    moveFiles: async (...move) => (await import('./data/move-files.ts')).moveFiles(config, ...move),
    checkFiles: async (...given) => (await import('./data/check-files.ts')).checkFiles(config, ...given),
    examineBucket: async () => (await import('./data/check-files.ts')).examineBucket(config),
    readKeys: async () => (await import('./data/read-keys.ts')).readAccessKeys(config),
    moveData: async (...move) => (await import('./data/move-data.ts')).moveData(config, ...move),
    updateAdvisories: (...update) => updateAdvisories(base, ...update),
    testEngines: async (which, watch) => (await import('./test-engines.ts')).testEngines(base, which, watch),
    listEngines: async () => (await import('./test-engines.ts')).listEngines(base),
    serverUrl: async () => (await import('../storage/lock.ts')).runningServerUrl(data),
    browserPath: async () => (await import('../browse/rendering/browser.ts')).findBrowser(browser),
  };
}

async function updateAdvisories(
  { config, fetch }: ServicesFoundation,
  request: UpdateRequest,
  watch: UpdateWatch,
): Promise<UpdateResult> {
  const { updateAdvisories: update } = await import('../security/scanners/dependencies/advisories/update.ts');
  return update({ folder: config.data, fetch, exportUrl: config.advisoriesUrl }, request, watch);
}

async function backUpFolder(config: Config, target: string, watch: TaskControl): Promise<BackupManifest> {
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
