import type { OpenInBrowser } from '../browse/open-in-browser.ts';
import { AppError } from '../errors.ts';
import { createKeyedLock } from '../lib/keyed-lock.ts';
import { createIndexer } from '../search/indexer.ts';
import { createSearch } from '../search/search.ts';
import { createSites } from '../search/sites.ts';
import type { SuspensionStore } from '../search/suspension-store.ts';
import type { Indexer, Search, Sites } from '../search/types.ts';
import { chooseEngines, engineNames, LOCAL, trustedHosts } from './engines.ts';
import type { Foundation } from './foundation.ts';

/** The turns of each host, of all that read sites in this process. */
const hosts = createKeyedLock();

/** Maps and crawls of sites. */
export async function openSites(
  { config, fetch, log, stores }: Foundation,
  indexer: () => Promise<Indexer>,
): Promise<Sites> {
  const { pageBytes, pageTimeout } = config;
  // A map takes no stores.
  const set = config.database.startsWith('postgres') ? await stores() : undefined;
  const [store, queue] = await Promise.all([set?.crawlJobs?.(), set?.sharedJobs?.()]);
  const shared = store && queue && { store, queue };
  return createSites({ fetch, hosts, pageBytes, pageTimeout, indexer, log, shared });
}

/** The room with its engines, as configured. */
export async function openSearch(base: Foundation): Promise<Search> {
  const { config, fetch, log } = base;
  const stores = await base.stores();
  const [engines, local, suspensions, openInBrowser] = await Promise.all([
    chooseEngines(config),
    config.localIndex ? stores.pages() : undefined,
    openSuspensions(base),
    openBrowserFor(base),
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
    openInBrowser,
  });
}

/** Result pages are opened in the browser that pages are run in, where one is switched on. */
async function openBrowserFor({ renderer }: Foundation): Promise<OpenInBrowser | undefined> {
  const browser = await renderer();
  return browser && (await import('../browse/open-in-browser.ts')).createBrowserOpener(browser);
}

/** A search works without a store: suspensions then end with the process. */
async function openSuspensions({ stores, log }: Foundation): Promise<SuspensionStore | undefined> {
  try {
    return await (await stores()).suspensions();
  } catch (err) {
    log.warn({ err }, 'suspensions of engines are not kept: the database cannot be opened');
    return undefined;
  }
}

/** Fills the local index. AppError `unavailable` where that is switched off. */
export async function openIndexer({ config, fetch, stores }: Foundation): Promise<Indexer> {
  if (!config.localIndex) {
    throw new AppError('unavailable', 'the local index is switched off: MAGPIE_LOCAL_INDEX turns it on');
  }
  const set = await stores();
  const { localPages: maxPages, localBytes: maxBytes, pageBytes, pageTimeout } = config;
  const [pages, crawls] = await Promise.all([set.pages(), set.crawls()]);
  return createIndexer({ fetch, hosts, pages, crawls, maxPages, maxBytes, pageBytes, pageTimeout });
}
