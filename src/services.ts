import type { Browse } from './browse/browse.ts';
import type { Config } from './config.ts';
import { AppError } from './errors.ts';
import { createGuardedFetch, type GuardedFetch } from './lib/fetch.ts';
import type { Logger } from './log.ts';
import type { SearchEngine } from './search/engine.ts';
import type { Search } from './search/search.ts';
import type { Database } from './storage/sqlite.ts';
import { VERSION } from './version.ts';

/**
 * The rooms, each made on first use, so that starting costs nothing that the first call does not need.
 * Made once a process and shared by all callers.
 */
export interface Services {
  search(): Promise<Search>;
  browse(): Promise<Browse>;
  /** Resolves when the database can be read; rejects with the reason. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** The composition root: the one place that chooses drivers. */
export function createServices(config: Config, log: Logger): Services {
  const fetch: GuardedFetch = createGuardedFetch({
    allowHosts: config.allowHosts,
    userAgent: `Magpie/${VERSION} (+https://www.npmjs.com/package/magpie-mcp)`,
  });
  const database = once(async () => {
    const { openDatabase } = await import('./storage/sqlite.ts');
    return openDatabase({ folder: config.data });
  });
  const browse = once(async () => {
    const { createBrowse } = await import('./browse/browse.ts');
    return createBrowse({ fetch, maxBytes: config.pageBytes, timeoutMs: config.pageTimeout });
  });
  const search = once(async () => {
    const [{ createSearch }, engines, local] = await Promise.all([
      import('./search/search.ts'),
      chooseEngines(config),
      config.localIndex ? openLocal(config, await database()) : undefined,
    ]);
    return createSearch({
      fetch,
      engines,
      trusted: trustedHosts(config),
      timeoutMs: config.searchTimeout,
      log,
      ...(local && { local }),
      askLocal: wants(config, LOCAL),
    });
  });
  return {
    search,
    browse,
    ready: async () => {
      await database();
    },
    async close() {
      await fetch.close();
      if (browse.made()) await (await browse()).close();
      if (database.made()) (await database()).close();
    },
  };
}

async function openLocal(config: Config, database: Database) {
  const { createSqlitePageStore } = await import('./search/stores/sqlite.ts');
  return createSqlitePageStore(database, { maxPages: config.localPages });
}

/** Every HTTP engine by name; each is loaded only when it is asked for. */
const ENGINES: Readonly<Record<string, (baseUrl: string | undefined) => Promise<SearchEngine>>> = {
  duckduckgo: async (baseUrl) =>
    (await import('./search/engines/duckduckgo.ts')).duckduckgo(baseUrl === undefined ? {} : { baseUrl }),
  wikipedia: async (baseUrl) =>
    (await import('./search/engines/wikipedia.ts')).wikipedia(baseUrl === undefined ? {} : { baseUrl }),
  searxng: async (baseUrl) => {
    if (!baseUrl) {
      throw new AppError(
        'bad_request',
        'the setting engines (MAGPIE_ENGINES) names searxng: set MAGPIE_SEARXNG_URL to its address',
      );
    }
    return (await import('./search/engines/searxng.ts')).searxng({ baseUrl });
  },
};
const LOCAL = 'local';

/** The engine names in force: the configured ones, or the default set. */
export function engineNames(config: Config): readonly string[] {
  if (config.engines.length > 0) return config.engines;
  return [...(config.searxngUrl ? ['searxng'] : []), 'duckduckgo', 'wikipedia', LOCAL];
}

function wants(config: Config, engine: string): boolean {
  return engineNames(config).includes(engine);
}

function chooseEngines(config: Config): Promise<SearchEngine[]> {
  const urls = engineUrls(config);
  return Promise.all(
    engineNames(config)
      .filter((name) => name !== LOCAL)
      .map((name) => loadEngine(name)(urls.get(name))),
  );
}

function loadEngine(name: string) {
  const load = ENGINES[name];
  if (load) return load;
  throw new AppError(
    'bad_request',
    `the setting engines (MAGPIE_ENGINES) names ${JSON.stringify(name)}: it takes ${knownEngines()}`,
  );
}

function knownEngines(): string {
  return [...Object.keys(ENGINES), LOCAL].join(', ');
}

/** Checks what only this root can know, so that a wrong engine stops the start and not the first search. */
export function checkEngines(config: Config): void {
  for (const name of engineNames(config)) if (name !== LOCAL) loadEngine(name);
  if (wants(config, 'searxng') && !engineUrls(config).get('searxng')) {
    throw new AppError(
      'bad_request',
      'the setting engines (MAGPIE_ENGINES) names searxng: set MAGPIE_SEARXNG_URL to its address',
    );
  }
}

function engineUrls(config: Config): Map<string, string> {
  const urls = new Map<string, string>();
  if (config.searxngUrl) urls.set('searxng', config.searxngUrl);
  for (const pair of config.engineUrls) {
    const [, name, url] = /^([a-z0-9]+)=(https?:\/\/.+?)\/*$/.exec(pair) ?? [];
    if (!name || !url || !URL.canParse(url) || !ENGINES[name]) {
      throw new AppError(
        'bad_request',
        `MAGPIE_ENGINE_URLS has ${JSON.stringify(pair)}: it takes name=URL with a name out of ${Object.keys(ENGINES).join(', ')}`,
      );
    }
    urls.set(name, url);
  }
  return urls;
}

/** Engines that the operator placed on a private network: only their own host and port may be reached. */
function trustedHosts(config: Config): string[] {
  return [...engineUrls(config).values()].map((url) => {
    const { hostname, port, protocol } = new URL(url);
    return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  });
}

/** A value made on first use; a failed making is tried again on the next. */
function once<T>(make: () => Promise<T>): (() => Promise<T>) & { made(): boolean } {
  let value: Promise<T> | undefined;
  const get = () => {
    value ??= make().catch((error: unknown) => {
      value = undefined;
      throw error;
    });
    return value;
  };
  return Object.assign(get, { made: () => value !== undefined });
}
