import type { Config } from '../../config/config.ts';
import { unavailableError } from '../../errors.ts';
import { createKeyedLock } from '../../lib/concurrency/keyed-lock.ts';
import { createUpkeep } from '../../lib/concurrency/upkeep.ts';
import type { OpenInBrowser } from '../../lib/network/fetch.ts';
import type { SuspensionStore } from '../../search/asking/suspension-store.ts';
import { createIndexer } from '../../search/crawling/indexer.ts';
import { createSiteCrawler } from '../../search/crawling/sites.ts';
import type { SearchEngine } from '../../search/engine.ts';
import { createSearch } from '../../search/search.ts';
import type { Indexer, SearchService, SiteCrawler } from '../../search/types.ts';
import { chooseEngines, ENGINES, engineNames, LOCAL_ENGINE_NAME, trustedHosts } from '../engines.ts';
import type { ServicesFoundation } from '../foundation.ts';

const hosts = createKeyedLock();

export async function openSiteCrawler(
  { config, fetch, log, stores, waits }: ServicesFoundation,
  indexer: () => Promise<Indexer>,
): Promise<SiteCrawler> {
  const { pageBytes, pageTimeout } = config;
  // Servers share crawls only through PostgreSQL, so a local database is not opened for crawls.
  const set = config.database.startsWith('postgres') ? await stores() : undefined;
  const [store, queue] = await Promise.all([set?.crawlJobs?.(), set?.sharedJobs?.()]);
  const shared = store && queue && { store, queue };
  return createSiteCrawler({ fetch, hosts, pageBytes, pageTimeout, indexer, log, shared, ...waits });
}

export async function openSearch(base: ServicesFoundation): Promise<SearchService> {
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
    askLocal: engineNames(config).includes(LOCAL_ENGINE_NAME),
    openInBrowser,
    remedies: listEngineRemedies(config, engines),
  });
}

const PAGE_WORDS_MS = 10_000;

export async function openPageUpkeep(foundation: ServicesFoundation): Promise<{ close(): Promise<void> }> {
  const { config, log, stores } = foundation;
  if (!config.localIndex) return { close: async () => {} };
  const pages = await (await stores()).pages();
  return createUpkeep({
    async work(signal) {
      const count = await pages.renewWords(signal);
      return count > 0 ? { pages: count } : undefined;
    },
    done: 'pages that an earlier version has indexed have their new words',
    failed: 'pages that an earlier version has indexed keep the words that they have',
    log,
    firstMs: PAGE_WORDS_MS,
  });
}

async function openBrowserFor({ renderer }: ServicesFoundation): Promise<OpenInBrowser | undefined> {
  const browser = await renderer();
  return browser && (await import('../../browse/rendering/open-in-browser.ts')).createBrowserOpener(browser);
}

export function listEngineRemedies(config: Config, engines: readonly Pick<SearchEngine, 'about'>[]) {
  const hasPages = engines.some(({ about }) => about.resultPage);
  const hasKey = Object.values(ENGINES).some(({ key }) => key !== undefined && config[key]);
  const isOpen = config.engines.length === 0 && config.searchPrivacy === 'any';
  const named = config.engines.length > 0 ? ', and name `searxng` in MAGPIE_ENGINES' : '';
  return [
    ...(hasPages && config.browser === 'off'
      ? ['Let Magpie use a browser of this machine: start it with MAGPIE_BROWSER=auto.']
      : []),
    ...(config.searxngUrl
      ? []
      : [`Run a search engine of your own: \`magpie add searxng\` prepares it${named}.`]),
    ...(hasKey || !isOpen
      ? []
      : ['Set a free key of a search service, such as TAVILY_API_KEY (docs/engines.md).']),
  ];
}

/** Opens the store of suspended engines. If it fails, suspensions last only as long as the process. */
async function openSuspensions({ stores, log }: ServicesFoundation): Promise<SuspensionStore | undefined> {
  try {
    return await (await stores()).suspensions();
  } catch (err) {
    log.warn({ err }, 'suspensions of engines are not kept: the database cannot be opened');
    return undefined;
  }
}

export async function openIndexer({ config, fetch, stores, waits }: ServicesFoundation): Promise<Indexer> {
  if (!config.localIndex) {
    throw unavailableError('the local index is switched off: MAGPIE_LOCAL_INDEX turns it on');
  }
  const set = await stores();
  const { localPages: maxPages, localBytes: maxBytes, pageBytes, pageTimeout } = config;
  const [pages, crawls] = await Promise.all([set.pages(), set.crawls()]);
  const { crawlBeatMs } = waits;
  return createIndexer({
    fetch,
    hosts,
    pages,
    crawls,
    maxPages,
    maxBytes,
    pageBytes,
    pageTimeout,
    crawlBeatMs,
  });
}
