import type {
  AccessControl,
  AccessTokenVerifier,
  AuthorizationServer,
  McpSessionStore,
  McpTasks,
  OpenIdLogin,
} from '../access/types.ts';
import type { AutomationService } from '../automation/types.ts';
import type { PageBrowser } from '../browse/types.ts';
import type { Compliance } from '../compliance/types.ts';
import { type Config, configuredUrl } from '../config/config.ts';
import type { AccessPasses, Documents } from '../documents/types.ts';
import { AppError } from '../errors.ts';
import type { Embedder } from '../knowledge/embedding/embedder.ts';
import type { ChangeListener, FileExchange, Knowledge, ModelFetcher } from '../knowledge/types.ts';
import { makeOnce } from '../lib/concurrency/once.ts';
import { createGuardedFetch } from '../lib/network/fetch.ts';
import type { Logger } from '../log.ts';
import type { MonitorService } from '../monitor/types.ts';
import type { Indexer, SearchService, SiteCrawler } from '../search/types.ts';
import type { SecurityService } from '../security/types.ts';
import { createPageWatcher, createRepositoryScan } from './bridges.ts';
import { type ClosablePart, closeInOrder } from './close-in-order.ts';
import { chooseEmbedders, modelsFolder } from './embedders.ts';
import { createFoundation, type ServicesFoundation } from './foundation.ts';
import { createMaintenance, type Maintenance } from './maintenance.ts';
import type { WaitTimes } from './waits.ts';

const CLOSE_MS = 1200;

export interface Services {
  search(): Promise<SearchService>;
  browse(): Promise<PageBrowser>;
  /** Throws AppError `unavailable` if the local search index is switched off. */
  indexer(): Promise<Indexer>;
  sites(): Promise<SiteCrawler>;
  knowledge(): Promise<Knowledge>;
  intake(): Promise<FileExchange>;
  onKnowledgeChange(listener: ChangeListener): () => void;
  /** Returns the embedder. If an English and a multilingual model are used, this is the English one. */
  embedder(): Promise<Embedder>;
  fetchedModels(): Promise<ModelFetcher>;
  documents(): Promise<Documents>;
  passes(): Promise<AccessPasses>;
  security(): Promise<SecurityService>;
  compliance(): Promise<Compliance>;
  monitor(): Promise<MonitorService>;
  onMonitorChange(listener: (owner: string, id: string) => void): () => void;
  automation(): Promise<AutomationService>;
  appUrl(): Promise<string | undefined>;
  readonly identity: IdentityServices;
  readonly maintenance: Maintenance;
  readonly lifecycle: Lifecycle;
}

export interface IdentityServices {
  access(): Promise<AccessControl>;
  /** MCP sessions shared by all nodes. Returns undefined if there is only this server. */
  sessions(): Promise<McpSessionStore | undefined>;
  /** Slow calls that MCP clients follow. */
  tasks(): Promise<McpTasks>;
  tokens(): Promise<AccessTokenVerifier>;
  login(): Promise<OpenIdLogin>;
  /** Apps that signed in at Magpie itself. Throws AppError `unavailable` unless `MAGPIE_OAUTH` is `builtin`. */
  apps(): Promise<AuthorizationServer>;
}

export interface Lifecycle {
  onlyRead(): void;
  refuseUnusableBucket(): Promise<void>;
  ready(): Promise<void>;
  findDamage(signal: AbortSignal): Promise<void>;
  workOnJobs(handle: () => Promise<void>): Promise<void>;
  settle: Knowledge['waitForVectors'];
  close(): Promise<void>;
}

export function createServices(
  config: Config,
  log: Logger,
  appUrl: Services['appUrl'] = async () =>
    (await import('../storage/lock.ts')).runningServerUrl(config.data) ?? configuredUrl(config),
  waits: WaitTimes = {},
): Services {
  const base = createFoundation(config, log, waits);
  const { fetch, stores } = base;
  const knowledgeChanges = createRelay<Parameters<ChangeListener>>();
  const monitorChanges = createRelay<[owner: string, id: string]>();

  const browse = makeOnce(async () => (await import('./open/open-browse.ts')).openBrowse(base));
  const { search, indexer, sites, pageUpkeep } = searchOf(base);
  const embedders = makeOnce(() => chooseEmbedders(config));
  const knowledge = makeOnce(async () => {
    const room = await (await import('./open/open-knowledge.ts')).openKnowledge(base, embedders());
    room.onChange(knowledgeChanges.send);
    return room;
  });
  const fetchedModels = makeOnce(async () => {
    const { createFetchedModels } = await import('../knowledge/embedders/fetched-models.ts');
    return createFetchedModels({ folder: modelsFolder(config), hub: config.modelHub, fetch });
  });
  const intake = makeOnce(async () =>
    (await import('./open/open-file-exchange.ts')).openFileExchange(base, await knowledge()),
  );
  const documents = makeOnce(async () =>
    (await import('./open/open-documents.ts')).openDocuments(base, knowledge),
  );
  const passes = makeOnce(async () => (await import('./open/open-documents.ts')).openPasses(base));
  const security = makeOnce(async () => (await import('./open/open-security.ts')).openSecurity(base));
  const monitor = makeOnce(async () => {
    const { openMonitor } = await import('./open/open-monitor.ts');
    const room = await openMonitor(base, createRepositoryScan(security), createPageWatcher(base, browse));
    room.onChange(monitorChanges.send);
    return room;
  });
  const compliance = makeOnce(async () => (await import('./open/open-compliance.ts')).openCompliance(base));
  const automation = makeOnce(async () => (await import('./open/open-automation.ts')).openAutomation(base));
  const { issuerFetch, appFetch, ...entrance } = issuerOf(base, appUrl);
  const access = makeOnce(async () => {
    const { openAccess } = await import('./open/open-access.ts');
    const stored = async (user: string) => {
      const [texts, files] = await Promise.all([knowledge(), documents()]);
      const [bytes, usage] = await Promise.all([texts.countBytes(user), files.readUsage(user)]);
      return bytes + usage.bytes;
    };
    const issued = config.oauthIssuer === undefined ? undefined : entrance.tokens;
    return openAccess(base, { stored, tokens: config.oauth === 'builtin' ? entrance.apps : issued });
  });

  /** Modules in closing order. A module is closed before the modules that it uses. */
  const closers: readonly ClosablePart[] = [
    madeRoom(['tasks', entrance.tasks]),
    { name: 'jobs', close: base.closeJobs },
    ...Object.entries({ access, monitor, compliance, security, pageUpkeep }).map(madeRoom),
    madeRoom(['sites', sites]),
    { name: 'fetch', close: fetch.close },
    ...Object.entries({ issuerFetch, appFetch, documents, knowledge, embedders, browse }).map(madeRoom),
    { name: 'readers', close: base.closeReaders },
    { name: 'browser', close: base.closeRenderer },
  ];
  return {
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
    automation,
    appUrl,
    embedder: async () => (await embedders()).embedder,
    onKnowledgeChange: knowledgeChanges.listen,
    onMonitorChange: monitorChanges.listen,
    identity: {
      access,
      ...entrance,
      sessions: async () =>
        config.database.startsWith('postgres') ? (await stores()).sessions?.() : undefined,
    },
    maintenance: createMaintenance(base),
    lifecycle: {
      onlyRead: base.onlyRead,
      refuseUnusableBucket: () => refuseUnusableBucket(base),
      ready: async () => (await stores()).ready(),
      findDamage: async (signal) => (await stores()).findDamage(signal),
      workOnJobs: (handle) => workOnJobs(base, knowledge, [security, handle]),
      settle: async (...bounds) =>
        knowledge.made() ? (await knowledge()).waitForVectors(...bounds) : undefined,
      async close() {
        await closeInOrder(closers, CLOSE_MS, log);
        await base.closeStores();
      },
    },
  };
}

function searchOf(base: ServicesFoundation) {
  const pageUpkeep = makeOnce(async () => (await import('./open/open-search.ts')).openPageUpkeep(base));
  const search = makeOnce(async () => {
    const room = await (await import('./open/open-search.ts')).openSearch(base);
    await pageUpkeep();
    return room;
  });
  const indexer = makeOnce(async () => (await import('./open/open-search.ts')).openIndexer(base));
  const sites = makeOnce(async () => (await import('./open/open-search.ts')).openSiteCrawler(base, indexer));
  return { search, indexer, sites, pageUpkeep };
}

function issuerOf(base: ServicesFoundation, appUrl: Services['appUrl']) {
  const { config, log, userAgent } = base;
  // A separate `fetch` for the token issuer, so that page fetches do not delay logins.
  const issuerFetch = makeOnce(async () => createGuardedFetch({ allowHosts: config.allowHosts, userAgent }));
  // Strangers name the addresses that it fetches, so the operator's private hosts are out of its reach.
  const appFetch = makeOnce(async () => createGuardedFetch({ allowHosts: [], userAgent }));
  const parts = async () => ({ config, url: await appUrl(), fetch: await issuerFetch(), log });
  return {
    issuerFetch,
    appFetch,
    apps: makeOnce(async () => {
      const { openAuthorizationServer } = await import('./open/open-access.ts');
      return openAuthorizationServer(base, { config, fetch: await appFetch() });
    }),
    tasks: makeOnce(async () => (await import('./open/open-access.ts')).openMcpTasks(base)),
    tokens: makeOnce(async () => (await import('./open/open-access.ts')).openTokenVerifier(await parts())),
    login: makeOnce(async () => (await import('./open/open-access.ts')).openLogin(base, await parts())),
  };
}

async function workOnJobs(
  { config, stores }: ServicesFoundation,
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

async function refuseUnusableBucket({ config, log, stores }: ServicesFoundation): Promise<void> {
  if (config.blobs === undefined) return;
  try {
    await (await stores()).blobs();
  } catch (error) {
    // A temporary failure of the bucket does not prevent the start of the server.
    if (!(error instanceof AppError) || error.retryAfter === undefined) throw error;
    log.warn({ err: error }, 'the bucket of files does not answer yet');
  }
}

interface ClosableRoom {
  (): Promise<{ close(): void | Promise<void> }>;
  made(): boolean;
}

function madeRoom([name, room]: readonly [string, ClosableRoom]): ClosablePart {
  return {
    name,
    async close() {
      if (room.made()) await (await room()).close();
    },
  };
}

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
