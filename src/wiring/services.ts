import type {
  Access,
  AccessTokenVerifier,
  KeyWithState,
  OpenIdLogin,
  SessionStore,
} from '../access/types.ts';
import type { Automation } from '../automation/types.ts';
import type { PageBrowser } from '../browse/types.ts';
import type { Compliance } from '../compliance/types.ts';
import { type Config, configuredUrl } from '../config/config.ts';
import type { S3Blobs } from '../documents/blobs/s3.ts';
import type { Documents, Passes } from '../documents/types.ts';
import { AppError } from '../errors.ts';
import type { Embedder } from '../knowledge/embedding/embedder.ts';
import type { ChangeListener, FetchedModels, FileExchange, Knowledge } from '../knowledge/types.ts';
import { once } from '../lib/concurrency/once.ts';
import { createGuardedFetch } from '../lib/network/fetch.ts';
import type { Logger } from '../log.ts';
import type { Monitor } from '../monitor/types.ts';
import type { Indexer, NamedProfile, Search, Sites } from '../search/types.ts';
import type { Security, UpdateRequest, UpdateResult, UpdateWatch } from '../security/types.ts';
import type { TaskControl } from '../storage/salvage.ts';
import { createRepositoryScan } from './bridges.ts';
import { type ClosablePart, closeInOrder } from './close-in-order.ts';
import type { BackupManifest } from './data/back-up.ts';
import type { DataReport } from './data/check-data.ts';
import type { BucketFacts, FilesReport } from './data/check-files.ts';
import type { DatabaseReport } from './data/check-postgres.ts';
import type { MoveReport } from './data/move-data.ts';
import type { UserCounts } from './data/user-data.ts';
import { chooseEmbedders, findEmbedderGaps, modelsFolder } from './embedders.ts';
import { createFoundation, type Foundation } from './foundation.ts';
import type { EngineSelection, EngineTestReport, EngineWatch } from './test-engines.ts';
import type { Waits } from './waits.ts';

/** Time limit in milliseconds for closing all modules. Unfinished work is recovered at the next start. */
const CLOSE_MS = 1200;

/** All modules of Magpie. Each is created once, at its first use, and shared by all callers. */
export interface Services {
  search(): Promise<Search>;
  browse(): Promise<PageBrowser>;
  /** Returns the indexer of pages. Throws AppError `unavailable` if the index is switched off. */
  indexer(): Promise<Indexer>;
  sites(): Promise<Sites>;
  knowledge(): Promise<Knowledge>;
  intake(): Promise<FileExchange>;
  /** Registers a listener, even before the knowledge module is created. Returns a function that removes the listener. */
  onKnowledgeChange(listener: ChangeListener): () => void;
  /** Waits until all vectors are computed, in a process that ends soon. Resolves at once if the knowledge module was not used. */
  settle: Knowledge['waitForVectors'];
  /** Returns the embedding model, or the English one of two. */
  embedder(): Promise<Embedder>;
  fetchedModels(): Promise<FetchedModels>;
  documents(): Promise<Documents>;
  passes(): Promise<Passes>;
  security(): Promise<Security>;
  updateAdvisories(request: UpdateRequest, watch: UpdateWatch): Promise<UpdateResult>;
  checkData(mend: boolean, watch: TaskControl): Promise<DataReport>;
  /** Checks a PostgreSQL database. Undefined if the database is in the data folder. */
  checkDatabase(whole: boolean, watch: TaskControl): Promise<DatabaseReport | undefined>;
  /** Back up and restore as in `back-up.ts` and `restore-backup.ts`. Both throw AppError if the data is in PostgreSQL. */
  backUp(target: string, watch: TaskControl): Promise<BackupManifest>;
  checkBackup(source: string, watch: TaskControl): Promise<BackupManifest>;
  restoreBackup(source: string, watch: TaskControl): Promise<BackupManifest>;
  countUser(user: string): Promise<UserCounts>;
  exportUser(user: string, folder: string, watch: TaskControl): Promise<UserCounts>;
  deleteUser(user: string, watch: TaskControl): Promise<UserCounts>;
  moveData(to: string, check: boolean, watch: TaskControl): Promise<MoveReport>;
  moveFiles(to: string, check: boolean, watch: TaskControl): Promise<MoveReport>;
  /** Compares the bucket with the database. Undefined if files are not in a bucket. */
  checkFiles(mend: boolean, watch: TaskControl): Promise<FilesReport | undefined>;
  readKeys(): Promise<readonly KeyWithState[] | undefined>;
  /** Tests the bucket. Throws AppError `unavailable` if the bucket cannot be used. */
  examineBucket(): Promise<BucketFacts | undefined>;
  refuseUnusableBucket(): Promise<void>;
  testEngines(which: EngineSelection, watch: EngineWatch): Promise<EngineTestReport>;
  listEngines(): Promise<readonly NamedProfile[]>;
  /** Lets this process run jobs that any node may run. Does nothing if jobs are not shared. */
  workOnJobs(handle: () => Promise<void>): Promise<void>;
  compliance(): Promise<Compliance>;
  monitor(): Promise<Monitor>;
  /** Registers a listener, even before the monitor is created. Returns a function that removes the listener. */
  onMonitorChange(listener: (owner: string, id: string) => void): () => void;
  automation(): Promise<Automation>;
  access(): Promise<Access>;
  /** Returns the MCP sessions that all nodes share. Undefined if this is the only server. */
  sessions(): Promise<SessionStore | undefined>;
  /** Returns the verifier of access tokens. Throws AppError `unavailable` without an issuer. */
  tokens(): Promise<AccessTokenVerifier>;
  /** Returns the login of the console. Throws AppError `unavailable` if no OpenID Connect client is configured. */
  login(): Promise<OpenIdLogin>;
  appUrl(): Promise<string | undefined>;
  /** Returns the URL of the running server. Undefined if no server runs on this data folder. */
  serverUrl(): Promise<string | undefined>;
  /** Returns the path of the browser. Throws AppError `unavailable` if there is no browser. */
  browserPath(): Promise<string>;
  /** From now on, a missing data folder is not created. Reading it then fails with AppError `not_found`. */
  onlyRead(): void;
  /** Resolves if the database can be read, and rejects with the reason otherwise. */
  ready(): Promise<void>;
  findDamage(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Creates all services: the composition root, the only place that chooses drivers. */
export function createServices(
  config: Config,
  log: Logger,
  appUrl: Services['appUrl'] = async () =>
    (await import('../storage/lock.ts')).serverUrl(config.data) ?? configuredUrl(config),
  waits: Waits = {},
): Services {
  const base = createFoundation(config, log, waits);
  const { fetch, stores } = base;
  const knowledgeChanges = createRelay<Parameters<ChangeListener>>();
  const monitorChanges = createRelay<[owner: string, id: string]>();

  const browse = once(async () => (await import('./open/open-browse.ts')).openBrowse(base));
  const search = once(async () => (await import('./open/open-search.ts')).openSearch(base));
  const indexer = once(async () => (await import('./open/open-search.ts')).openIndexer(base));
  const sites = once(async () => (await import('./open/open-search.ts')).openSites(base, indexer));
  const embedders = once(() => chooseEmbedders(config));
  const knowledge = once(async () => {
    const room = await (await import('./open/open-knowledge.ts')).openKnowledge(base, embedders());
    room.onChange(knowledgeChanges.send);
    return room;
  });
  const fetchedModels = once(async () => {
    const { createFetchedModels } = await import('../knowledge/embedders/fetched-models.ts');
    return createFetchedModels({ folder: modelsFolder(config), hub: config.modelHub, fetch });
  });
  const intake = once(async () =>
    (await import('./open/open-intake.ts')).openIntake(base, await knowledge()),
  );
  const documents = once(async () =>
    (await import('./open/open-documents.ts')).openDocuments(base, knowledge),
  );
  const passes = once(async () => (await import('./open/open-documents.ts')).openPasses(base));
  const security = once(async () => (await import('./open/open-security.ts')).openSecurity(base));
  const monitor = once(async () => {
    const { openMonitor } = await import('./open/open-monitor.ts');
    const room = await openMonitor(base, createRepositoryScan(security));
    room.onChange(monitorChanges.send);
    return room;
  });
  const compliance = once(async () => (await import('./open/open-compliance.ts')).openCompliance(base));
  const automation = once(async () => (await import('./open/open-automation.ts')).openAutomation(base));
  const { issuerFetch, tokens, login } = issuerOf(base, appUrl);
  const access = once(async () => {
    const { openAccess } = await import('./open/open-access.ts');
    const stored = async (user: string) => {
      const [texts, files] = await Promise.all([knowledge(), documents()]);
      const [bytes, usage] = await Promise.all([texts.countBytes(user), files.readUsage(user)]);
      return bytes + usage.bytes;
    };
    return openAccess(base, { stored, tokens: config.oauthIssuer === undefined ? undefined : tokens });
  });

  /** Closes modules before the modules that they use. */
  const closers: readonly ClosablePart[] = [
    { name: 'jobs', close: base.closeJobs },
    ...Object.entries({ access, monitor, compliance, security }).map(madeRoom),
    madeRoom(['sites', sites]),
    { name: 'fetch', close: fetch.close },
    ...Object.entries({ issuerFetch, documents, knowledge, embedders, browse }).map(madeRoom),
    { name: 'readers', close: base.closeReaders },
    { name: 'browser', close: base.closeRenderer },
  ];
  return {
    ...{
      search,
      browse,
      indexer,
      sites,
      knowledge,
      intake,
      fetchedModels,
      documents,
      passes,
      security,
      compliance,
      monitor,
    },
    ...{ automation, access, tokens, login, appUrl, onlyRead: base.onlyRead },
    // Opens the stores only if they are shared. The stores of a data folder are not opened for this.
    sessions: async () =>
      config.database.startsWith('postgres') ? (await stores()).sessions?.() : undefined,
    embedder: async () => (await embedders()).embedder,
    onKnowledgeChange: knowledgeChanges.listen,
    onMonitorChange: monitorChanges.listen,
    settle: async (...bounds) =>
      knowledge.made() ? (await knowledge()).waitForVectors(...bounds) : undefined,
    updateAdvisories: (...update) => updateAdvisories(base, ...update),
    workOnJobs: (handle) => workOnJobs(base, knowledge, [security, handle]),
    testEngines: async (which, watch) => (await import('./test-engines.ts')).testEngines(base, which, watch),
    listEngines: async () => (await import('./test-engines.ts')).listEngines(base),
    ...createInstallationServices(config),
    ...storageOf(base),
    async close() {
      await closeInOrder(closers, CLOSE_MS, log);
      await base.closeStores();
    },
  };
}

function issuerOf(base: Foundation, appUrl: Services['appUrl']) {
  const { config, log, userAgent } = base;
  // The issuer gets its own fetch, so that page reading does not delay logins.
  const issuerFetch = once(async () => createGuardedFetch({ allowHosts: config.allowHosts, userAgent }));
  const parts = async () => ({ config, url: await appUrl(), fetch: await issuerFetch(), log });
  return {
    issuerFetch,
    tokens: once(async () => (await import('./open/open-access.ts')).openTokens(await parts())),
    login: once(async () => (await import('./open/open-access.ts')).openLogin(base, await parts())),
  };
}

async function updateAdvisories(
  { config, fetch }: Foundation,
  request: UpdateRequest,
  watch: UpdateWatch,
): Promise<UpdateResult> {
  const { updateAdvisories: update } = await import('../security/scanners/dependencies/advisories/update.ts');
  return update({ folder: config.data, fetch, exportUrl: config.advisoriesUrl }, request, watch);
}

/** Runs shared jobs. Modules that declare jobs are created first. The stores of a data folder are not opened for this. */
async function workOnJobs(
  { config, stores }: Foundation,
  knowledge: () => Promise<Knowledge>,
  rooms: readonly (() => Promise<unknown>)[],
): Promise<void> {
  if (!config.database.startsWith('postgres')) return;
  const jobs = await (await stores()).sharedJobs?.();
  if (!jobs) return;
  for (const room of rooms) await room();
  (await knowledge()).shareEmbedding(jobs);
  jobs.begin();
}

/** Returns the data folder. Throws AppError `bad_request` if the data is in PostgreSQL. */
function folderOf({ data, database }: Config): string {
  if (!database.startsWith('postgres')) return data;
  throw new AppError(
    'bad_request',
    'DATABASE_URL names PostgreSQL, which has its own backups: use pg_dump and pg_restore',
  );
}

export function createInstallationServices(
  config: Config,
): Pick<
  Services,
  | 'serverUrl'
  | 'browserPath'
  | 'moveData'
  | 'moveFiles'
  | 'checkFiles'
  | 'examineBucket'
  | 'readKeys'
  | 'countUser'
  | 'exportUser'
  | 'deleteUser'
  | 'checkData'
  | 'checkDatabase'
  | 'backUp'
  | 'checkBackup'
  | 'restoreBackup'
> {
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
    exportUser: async (...given) => (await import('./data/export-user.ts')).exportUser(config, ...given),
    deleteUser: async (...given) => (await import('./data/user-data.ts')).deleteUser(config, ...given),
    moveFiles: async (...move) => (await import('./data/move-files.ts')).moveFiles(config, ...move),
    checkFiles: async (...given) => (await import('./data/check-files.ts')).checkFiles(config, ...given),
    examineBucket: async () => (await import('./data/check-files.ts')).examineBucket(config),
    readKeys: async () => (await import('./data/read-keys.ts')).readKeys(config),
    moveData: async (...move) => (await import('./data/move-data.ts')).moveData(config, ...move),
    serverUrl: async () => (await import('../storage/lock.ts')).serverUrl(data),
    browserPath: async () => (await import('../browse/rendering/browser.ts')).findBrowser(browser),
  };
}

function storageOf(base: Foundation): Pick<Services, 'refuseUnusableBucket' | 'ready' | 'findDamage'> {
  return {
    refuseUnusableBucket: () => refuseUnusableBucket(base),
    ready: async () => (await base.stores()).ready(),
    findDamage: async (signal) => (await base.stores()).findDamage(signal),
  };
}

async function refuseUnusableBucket({ config, log, stores }: Foundation): Promise<void> {
  if (config.blobs === undefined) return;
  try {
    await (await stores()).blobs();
  } catch (error) {
    // Ignores a temporary failure of the bucket, so that it does not keep a server from starting.
    if (!(error instanceof AppError) || error.retryAfter === undefined) throw error;
    log.warn({ err: error }, 'the bucket of files does not answer yet');
  }
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
  const { loadSecret } = await import('../storage/secret.ts');
  return openOwnBucket(config, name, () => loadSecret(config.data));
}

interface Closable {
  (): Promise<{ close(): void | Promise<void> }>;
  made(): boolean;
}

function madeRoom([name, room]: readonly [string, Closable]): ClosablePart {
  return {
    name,
    async close() {
      if (room.made()) await (await room()).close();
    },
  };
}

/** Forwards events to listeners that may register before the sender is created. */
function createRelay<Event extends readonly unknown[]>() {
  const listeners = new Set<(...event: Event) => void>();
  return {
    listen(listener: (...event: Event) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    send(...event: Event): void {
      for (const listener of listeners) listener(...event);
    },
  };
}
