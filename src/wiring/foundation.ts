import { existsSync } from 'node:fs';
import type { ReaderDesk } from '../browse/reading/reader-desk.ts';
import type { Renderer } from '../browse/rendering/render.ts';
import type { Config } from '../config/config.ts';
import { AppError } from '../errors.ts';
import { once } from '../lib/concurrency/once.ts';
import { createGuardedFetch, type GuardedFetch } from '../lib/network/fetch.ts';
import { partsFolder, setPartsFolder } from '../lib/parts.ts';
import type { Logger } from '../log.ts';
import { openFetchCache } from '../storage/fetch-cache.ts';
import { VERSION } from '../version.ts';
import { openStores } from './store-drivers.ts';
import type { Stores } from './stores.ts';
import type { Waits } from './waits.ts';

/** What rooms are made from. */
export interface Foundation {
  readonly config: Config;
  readonly log: Logger;
  readonly waits: Waits;
  readonly userAgent: string;
  /** For addresses that users choose. */
  readonly fetch: GuardedFetch;
  /** The readers of pages and files, of all rooms together; started at their first use. */
  readers(): Promise<ReaderDesk>;
  closeReaders(): Promise<void>;
  /** The browser of this machine, of all rooms together; undefined where MAGPIE_BROWSER is off. */
  renderer(): Promise<Renderer | undefined>;
  closeRenderer(): Promise<void>;
  /** The stores that are configured, opened at their first use. */
  stores(): Promise<Stores>;
  /** From here on a data folder that is missing is not made: its stores fail with AppError `not_found`. */
  onlyRead(): void;
  /** Gives jobs that nodes share back, before the rooms that do them are closed. */
  closeJobs(): Promise<void>;
  /** Closes the stores, if any was opened. */
  closeStores(): Promise<void>;
}

export function createFoundation(config: Config, log: Logger, waits: Waits = {}): Foundation {
  setPartsFolder(partsFolder(config.data));
  const userAgent = `Magpie/${VERSION} (+https://www.npmjs.com/package/magpie-mcp)`;
  const trouble = (err: unknown) => log.warn({ err }, 'pages are not kept: the cache cannot be opened');
  const { data: folder, cacheBytes: maxBytes } = config;
  let makesFolder = true;
  const isUsable = () => makesFolder || existsSync(folder);
  const cache = maxBytes > 0 ? openFetchCache({ folder, maxBytes, trouble, isUsable }) : undefined;
  const stores = once(async () => {
    if (config.database === 'sqlite:' && !isUsable()) throw noFolder(folder);
    return openStores(config, log);
  });
  const readers = once(async () =>
    (await import('../browse/reading/reader-desk.ts')).createReaderDesk({ memoryBytes: config.readerBytes }),
  );
  const renderer = once(async () => {
    const { browser: executable, allowHosts, pageBytes: maxBytes, pageTimeout: timeoutMs } = config;
    if (executable === 'off') return undefined;
    const { createRenderer } = await import('../browse/rendering/render.ts');
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
    stores,
    readers,
    renderer,
    onlyRead() {
      makesFolder = false;
    },
    async closeReaders() {
      if (readers.made()) await (await readers()).close();
    },
    async closeRenderer() {
      if (renderer.made()) await (await renderer())?.close();
    },
    async closeJobs() {
      const shared = stores.made() ? (await stores()).sharedJobs : undefined;
      if (shared?.made()) await (await shared()).close();
    },
    async closeStores() {
      if (stores.made()) await (await stores()).close();
    },
  };
}

/** A mistyped folder shows as such, and not as one in which nothing is kept. */
function noFolder(folder: string): AppError {
  return new AppError(
    'not_found',
    `there is no data folder at ${folder}, so nothing is stored there: check --data and MAGPIE_DATA; the first search, insert or server start creates the folder`,
  );
}
