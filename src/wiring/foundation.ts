import { existsSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { notFoundError } from '../errors.ts';
import { makeOnce } from '../lib/concurrency/once.ts';
import { createGuardedFetch } from '../lib/network/fetch.ts';
import { optionalPackagesFolder, setOptionalPackagesFolder } from '../lib/optional-packages.ts';
import type { Logger } from '../log.ts';
import { openFetchCache } from '../storage/fetch-cache.ts';
import { VERSION } from '../version.ts';
import type { Stores } from './stores.ts';
import type { WaitTimes } from './waits.ts';

export type ServicesFoundation = ReturnType<typeof createFoundation>;

export function createFoundation(config: Config, log: Logger, waits: WaitTimes = {}) {
  setOptionalPackagesFolder(optionalPackagesFolder(config.data));
  const userAgent = `Magpie/${VERSION} (+https://www.npmjs.com/package/magpie-mcp)`;
  const trouble = (err: unknown) => log.warn({ err }, 'pages are not kept: the cache cannot be opened');
  const { data: folder, cacheBytes: maxBytes } = config;
  let makesFolder = true;
  const isUsable = () => makesFolder || existsSync(folder);
  const cache = maxBytes > 0 ? openFetchCache({ folder, maxBytes, trouble, isUsable }) : undefined;
  const stores = makeOnce(async () => {
    if (config.database === 'sqlite:' && !isUsable())
      throw notFoundError(
        `there is no data folder at ${folder}, so nothing is stored there: check --data and MAGPIE_DATA; the first search, insert or server start creates the folder`,
      );
    const driver = config.database.startsWith('postgres') ? 'postgres' : 'sqlite';
    return (await DRIVERS[driver]())(config, log);
  });
  const readers = makeOnce(async () =>
    (await import('../browse/reading/reader-pool.ts')).createReaderPool({ memoryBytes: config.readerBytes }),
  );
  const renderer = makeOnce(async () => {
    const { browser: executable, allowHosts, pageBytes: maxBytes, pageTimeout: timeoutMs } = config;
    if (executable === 'off') return undefined;
    const { createRenderer } = await import('../browse/rendering/renderer.ts');
    return createRenderer({ executable, allowHosts, maxBytes, timeoutMs });
  });
  const fetch = createGuardedFetch({
    allowHosts: config.allowHosts,
    userAgent,
    perOrigin: config.siteRequests,
    cache,
  });
  return {
    config,
    log,
    waits,
    userAgent,
    fetch,
    stores: (): Promise<Stores> => stores(),
    readers,
    renderer,
    /** Prevents the creation of a missing data folder. Opening a store then throws AppError `not_found`. */
    onlyRead(): void {
      makesFolder = false;
    },
    async closeReaders(): Promise<void> {
      if (readers.made()) await (await readers()).close();
    },
    async closeRenderer(): Promise<void> {
      if (renderer.made()) await (await renderer())?.close();
    },
    /** Returns running jobs to the queue for other nodes. Call it before the jobs' modules are closed. */
    async closeJobs(): Promise<void> {
      const shared = stores.made() ? (await stores()).sharedJobs : undefined;
      if (shared?.made()) await (await shared()).close();
    },
    async closeStores(): Promise<void> {
      if (stores.made()) await (await stores()).close();
    },
  };
}

const DRIVERS: Readonly<
  Record<'sqlite' | 'postgres', () => Promise<(config: Config, log: Logger) => Stores>>
> = {
  sqlite: async () => (await import('./sqlite-stores.ts')).openSqliteStores,
  postgres: async () => (await import('./postgres-stores.ts')).openPostgresStores,
};
