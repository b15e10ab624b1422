import { join } from 'node:path';
import type { Access } from '../access/access.ts';
import type { Tokens } from '../access/tokens.ts';
import type { Automation } from '../automation/types.ts';
import type { Browse } from '../browse/types.ts';
import type { Compliance } from '../compliance/types.ts';
import { type Config, configuredUrl } from '../config/config.ts';
import type { Documents, Passes } from '../documents/types.ts';
import { AppError } from '../errors.ts';
import type { Embedder } from '../knowledge/embedder.ts';
import type { ChangeListener, Knowledge } from '../knowledge/knowledge.ts';
import { createGuardedFetch, type GuardedFetch } from '../lib/fetch.ts';
import { once } from '../lib/once.ts';
import type { Logger } from '../log.ts';
import type { Monitor } from '../monitor/monitor.ts';
import type { Indexer, Search } from '../search/types.ts';
import type {
  UpdateRequest,
  UpdateResult,
  UpdateWatch,
} from '../security/scanners/dependencies/advisories/update.ts';
import type { Security } from '../security/security.ts';
import { openFetchCache } from '../storage/fetch-cache.ts';
import type { Database } from '../storage/sqlite.ts';
import { VERSION } from '../version.ts';
import { passageIndex, repositoryScan } from './bridges.ts';
import { chooseEmbedder, embeddedModel } from './embedders.ts';
import { chooseEngines, engineNames, LOCAL, trustedHosts } from './engines.ts';

/**
 * The rooms, each made on first use, so that starting costs nothing that the first call does not need.
 * Made once a process and shared by all callers.
 */
export interface Services {
  search(): Promise<Search>;
  browse(): Promise<Browse>;
  /** Fills the local index. AppError `unavailable` where that is switched off. */
  indexer(): Promise<Indexer>;
  knowledge(): Promise<Knowledge>;
  /** Knowledge.onChange() for listeners that may come before the room is made. */
  onKnowledgeChange(listener: ChangeListener): () => void;
  /** Knowledge.settle(), for a process that ends soon; at once where the room was not used. */
  settle: Knowledge['waitForVectors'];
  /** The model that texts are embedded with; loaded when it is first asked. */
  embedder(): Promise<Embedder>;
  documents(): Promise<Documents>;
  /** What opens the upload page and single files without a key. */
  passes(): Promise<Passes>;
  /** Scans of repositories. */
  security(): Promise<Security>;
  /** Makes the offline database of advisories anew; see `updateAdvisories` of the security room. */
  updateAdvisories(request: UpdateRequest, watch: UpdateWatch): Promise<UpdateResult>;
  /** Standards, and what was checked against them. */
  compliance(): Promise<Compliance>;
  /** What is watched; `work()` makes this process do it. */
  monitor(): Promise<Monitor>;
  /** Monitor.onChange() for listeners that may come before the room is made. */
  onMonitorChange(listener: (owner: string, id: string) => void): () => void;
  /** Crawlers on the platforms of users. */
  automation(): Promise<Automation>;
  /** Who may call over HTTP, how often, and what they did. */
  access(): Promise<Access>;
  /** Access tokens of the configured issuer. AppError `unavailable` without one. */
  tokens(): Promise<Tokens>;
  /** Address under which `/app` is served, without a slash at its end; undefined where that is not known. */
  appUrl(): Promise<string | undefined>;
  /** Resolves when the database can be read; rejects with the reason. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** The composition root: the one place that chooses drivers. `appUrl` tells where `/app` is served. */
export function createServices(
  config: Config,
  log: Logger,
  appUrl: Services['appUrl'] = async () =>
    (await import('../storage/lock.ts')).serverUrl(config.data) ?? configuredUrl(config),
): Services {
  const userAgent = `Magpie/${VERSION} (+https://www.npmjs.com/package/magpie-mcp)`;
  const fetch: GuardedFetch = createGuardedFetch({
    allowHosts: config.allowHosts,
    userAgent,
    perOrigin: config.siteRequests,
    cache:
      config.cacheBytes > 0
        ? openFetchCache({
            folder: config.data,
            maxBytes: config.cacheBytes,
            trouble: (error) => log.warn({ err: error }, 'no page is kept: the cache cannot be opened'),
          })
        : undefined,
  });
  const database = once(async () => {
    const { openDatabase } = await import('../storage/sqlite.ts');
    return openDatabase({ folder: config.data });
  });
  // A search does without: suspensions then end with the process.
  const openSuspensions = async () => {
    const { createSqliteSuspensionStore } = await import('../search/stores/suspensions.ts');
    return database().then(createSqliteSuspensionStore, (err: unknown) => {
      log.warn({ err }, 'suspensions of engines are not kept: the database cannot be opened');
      return undefined;
    });
  };
  const browse = once(async () => {
    const { createBrowse } = await import('../browse/browse.ts');
    const limits = { maxBytes: config.pageBytes, timeoutMs: config.pageTimeout };
    if (config.browser === 'off') return createBrowse({ fetch, ...limits });
    const { createRenderer } = await import('../browse/render.ts');
    const { browser: executable, allowHosts } = config;
    return createBrowse({
      fetch,
      ...limits,
      renderer: createRenderer({ executable, allowHosts, ...limits }),
    });
  });
  const search = once(async () => {
    const [{ createSearch }, engines, local, suspensions] = await Promise.all([
      import('../search/search.ts'),
      chooseEngines(config),
      config.localIndex ? openLocal(config, await database()) : undefined,
      openSuspensions(),
    ]);
    return createSearch({
      fetch,
      engines,
      askAll: config.engines.length > 0,
      trusted: trustedHosts(config),
      timeoutMs: config.searchTimeout,
      log,
      local,
      suspensions,
      askLocal: engineNames(config).includes(LOCAL),
    });
  });
  const indexer = once(async () => {
    if (!config.localIndex) {
      throw new AppError('unavailable', 'the local index is switched off: MAGPIE_LOCAL_INDEX turns it on');
    }
    const db = await database();
    const [{ createIndexer }, { createCrawlStore }, pages] = await Promise.all([
      import('../search/indexer.ts'),
      import('../search/stores/crawls.ts'),
      openLocal(config, db),
    ]);
    return createIndexer({
      fetch,
      pages,
      crawls: createCrawlStore(db),
      maxPages: config.localPages,
      maxBytes: config.localBytes,
      pageBytes: config.pageBytes,
      pageTimeout: config.pageTimeout,
    });
  });
  const embedder = once(() => chooseEmbedder(config));
  const listeners = new Set<ChangeListener>();
  const knowledge = once(async () => {
    const [{ createKnowledge }, { createSqliteEntryStore }, { openGrowingIndex }, db, model] =
      await Promise.all([
        import('../knowledge/knowledge.ts'),
        import('../knowledge/stores/sqlite.ts'),
        import('../knowledge/indexes/growing.ts'),
        database(),
        embedder(),
      ]);
    const made = createKnowledge({
      store: createSqliteEntryStore(db),
      embedder: model,
      earlier: embeddedModel,
      openIndex: openGrowingIndex,
      indexFolder: join(config.data, 'indexes'),
      log,
    });
    made.onChange((owner, what) => {
      for (const listener of listeners) listener(owner, what);
    });
    return made;
  });
  const pdfPages = once(async () => (await import('../browse/pdf-pages-reader.ts')).createPdfPagesReader());
  const pdfScans = once(async () =>
    (await import('../browse/pdf-scans-reader.ts')).createPdfScansReader(config.ocr),
  );
  const documents = once(async () => {
    const [{ createDocuments }, { createSqliteDocumentStore }, { createFolderBlobs }] = await Promise.all([
      import('../documents/documents.ts'),
      import('../documents/stores/sqlite.ts'),
      import('../documents/blobs/folder.ts'),
    ]);
    return createDocuments({
      store: createSqliteDocumentStore(await database()),
      blobs: createFolderBlobs(join(config.data, 'files')),
      index: passageIndex(knowledge),
      trouble: (error) => log.warn({ err: error }, 'uploaded files: what failed is tried again later'),
      readPages: async (...file) => (await pdfPages()).read(...file),
      readScans: config.ocr !== 'off' ? async (...file) => (await pdfScans()).read(...file) : undefined,
      maxBytes: config.documentBytes,
      quota: config.documentQuota,
    });
  });
  const passes = once(async () => {
    const [{ createPasses }, { createSqlitePassEnds }, { loadSecret }] = await Promise.all([
      import('../documents/passes.ts'),
      import('../documents/stores/pass-ends.ts'),
      import('../storage/secret.ts'),
    ]);
    return createPasses(await loadSecret(config.data), createSqlitePassEnds(await database()));
  });
  const security = once(async () => {
    const { openSecurity } = await import('./open-security.ts');
    return openSecurity({ config, db: await database(), log, fetch });
  });
  const monitorListeners = new Set<(owner: string, id: string) => void>();
  const monitor = once(async () => {
    const { openMonitor } = await import('./open-monitor.ts');
    const scan = repositoryScan(security);
    const made = await openMonitor({ config, db: await database(), fetch, scan, userAgent, log });
    made.onChange((owner, id) => {
      for (const listener of monitorListeners) listener(owner, id);
    });
    return made;
  });
  const compliance = once(async () =>
    (await import('./open-compliance.ts')).openCompliance(config.data, await database(), log),
  );
  const automation = once(async () =>
    (await import('./open-automation.ts')).openAutomation({ config, fetch, userAgent, log }),
  );
  const access = once(async () => {
    const { openAccess } = await import('./open-access.ts');
    const issued = config.oauthIssuer !== undefined && { tokens };
    const stored = async (user: string) =>
      (await (await knowledge()).readStats(user)).bytes + (await (await documents()).readUsage(user)).bytes;
    return openAccess({ db: await database(), config, fetch, stored, log, ...issued });
  });
  // Pages that users read must not stand in the line of what lets them in.
  const issuerFetch = once(async () => createGuardedFetch({ allowHosts: config.allowHosts, userAgent }));
  const tokens = once(async () => {
    const { openTokens } = await import('./open-access.ts');
    return openTokens({ config, url: await appUrl(), fetch: await issuerFetch(), log });
  });
  return {
    search,
    browse,
    indexer,
    knowledge,
    onKnowledgeChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async settle(...bounds) {
      if (knowledge.made()) await (await knowledge()).waitForVectors(...bounds);
    },
    embedder,
    documents,
    passes,
    security,
    async updateAdvisories(request, watch) {
      const { updateAdvisories } = await import('../security/scanners/dependencies/advisories/update.ts');
      const { data: folder, advisoriesUrl: exportUrl } = config;
      return updateAdvisories({ folder, fetch, exportUrl }, request, watch);
    },
    compliance,
    monitor,
    onMonitorChange(listener) {
      monitorListeners.add(listener);
      return () => void monitorListeners.delete(listener);
    },
    automation,
    access,
    tokens,
    appUrl,
    ready: async () => void (await database()),
    async close() {
      if (access.made()) (await access()).close();
      if (monitor.made()) await (await monitor()).close();
      if (compliance.made()) await (await compliance()).close();
      if (security.made()) await (await security()).close();
      await fetch.close();
      if (issuerFetch.made()) await (await issuerFetch()).close();
      if (documents.made()) await (await documents()).close();
      if (knowledge.made()) await (await knowledge()).close();
      if (embedder.made()) await (await embedder()).close();
      if (browse.made()) await (await browse()).close();
      if (pdfPages.made()) await (await pdfPages()).close();
      if (pdfScans.made()) await (await pdfScans()).close();
      if (database.made()) (await database()).close();
    },
  };
}

async function openLocal(config: Config, database: Database) {
  const { createSqlitePageStore } = await import('../search/stores/pages.ts');
  return createSqlitePageStore(database, {
    maxPages: config.localPages,
    maxBytes: config.localBytes,
  });
}
