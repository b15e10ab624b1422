import type { Config } from '../config/config.ts';
import { AppError } from '../errors.ts';
import type { EngineOptions, SearchEngine } from '../search/engine.ts';
import { hidingKey } from '../search/key-guard.ts';

/** How the composition root gets an engine: its module is loaded only when it is asked for. */
interface Entry {
  load(): Promise<(options: EngineOptions) => SearchEngine>;
  /** The setting that holds its key; it joins the default set when that is set. */
  readonly key?: keyof Config & `${string}Key`;
  /** The setting that holds its address, for an engine without a default one. */
  readonly url?: 'searxngUrl' | 'yacyUrl';
  /** Part of the default set, whatever is configured. */
  readonly standard?: true;
}

/** Every HTTP engine by name. */
export const ENGINES: Readonly<Record<string, Entry>> = {
  searxng: {
    load: async () => (await import('../search/engines/searxng.ts')).searxng,
    url: 'searxngUrl',
  },
  yacy: {
    load: async () => (await import('../search/engines/yacy.ts')).yacy,
    url: 'yacyUrl',
  },
  'brave-api': {
    load: async () => (await import('../search/engines/brave-api.ts')).braveApi,
    key: 'braveKey',
  },
  tavily: {
    load: async () => (await import('../search/engines/tavily.ts')).tavily,
    key: 'tavilyKey',
  },
  exa: {
    load: async () => (await import('../search/engines/exa.ts')).exa,
    key: 'exaKey',
  },
  serper: {
    load: async () => (await import('../search/engines/serper.ts')).serper,
    key: 'serperKey',
  },
  google: {
    load: async () => (await import('../search/engines/google.ts')).google,
    key: 'googleKey',
  },
  kagi: {
    load: async () => (await import('../search/engines/kagi.ts')).kagi,
    key: 'kagiKey',
  },
  jina: {
    load: async () => (await import('../search/engines/jina.ts')).jina,
    key: 'jinaKey',
  },
  perplexity: {
    load: async () => (await import('../search/engines/perplexity.ts')).perplexity,
    key: 'perplexityKey',
  },
  duckduckgo: {
    load: async () => (await import('../search/engines/duckduckgo.ts')).duckduckgo,
    standard: true,
  },
  brave: {
    load: async () => (await import('../search/engines/brave.ts')).brave,
    standard: true,
  },
  yahoo: {
    load: async () => (await import('../search/engines/yahoo.ts')).yahoo,
    standard: true,
  },
  bing: {
    load: async () => (await import('../search/engines/bing.ts')).bing,
    standard: true,
  },
  wikipedia: {
    load: async () => (await import('../search/engines/wikipedia.ts')).wikipedia,
    standard: true,
  },
  hackernews: {
    load: async () => (await import('../search/engines/hackernews.ts')).hackernews,
    standard: true,
  },
  stackexchange: {
    load: async () => (await import('../search/engines/stackexchange.ts')).stackexchange,
    standard: true,
  },
  arxiv: {
    load: async () => (await import('../search/engines/arxiv.ts')).arxiv,
    standard: true,
  },
  github: {
    load: async () => (await import('../search/engines/github.ts')).github,
    standard: true,
  },
  'google-news': {
    load: async () => (await import('../search/engines/google-news.ts')).googleNews,
    standard: true,
  },
  gdelt: {
    load: async () => (await import('../search/engines/gdelt.ts')).gdelt,
    standard: true,
  },
  wikidata: {
    load: async () => (await import('../search/engines/wikidata.ts')).wikidata,
    standard: true,
  },
  wiktionary: {
    load: async () => (await import('../search/engines/wiktionary.ts')).wiktionary,
    standard: true,
  },
  dictionary: {
    load: async () => (await import('../search/engines/dictionary.ts')).dictionary,
    standard: true,
  },
  openalex: {
    load: async () => (await import('../search/engines/openalex.ts')).openalex,
    standard: true,
  },
  'semantic-scholar': {
    load: async () => (await import('../search/engines/semantic-scholar.ts')).semanticScholar,
    standard: true,
  },
  pubmed: {
    load: async () => (await import('../search/engines/pubmed.ts')).pubmed,
    standard: true,
  },
  crossref: {
    load: async () => (await import('../search/engines/crossref.ts')).crossref,
    standard: true,
  },
  npm: {
    load: async () => (await import('../search/engines/npm.ts')).npm,
    standard: true,
  },
  pypi: {
    load: async () => (await import('../search/engines/pypi.ts')).pypi,
    standard: true,
  },
  crates: {
    load: async () => (await import('../search/engines/crates.ts')).crates,
    standard: true,
  },
  mdn: {
    load: async () => (await import('../search/engines/mdn.ts')).mdn,
    standard: true,
  },
  openstreetmap: {
    load: async () => (await import('../search/engines/openstreetmap.ts')).openstreetmap,
    standard: true,
  },
  // Not by default: docs/engines.md says why.
  mojeek: {
    load: async () => (await import('../search/engines/mojeek.ts')).mojeek,
  },
  startpage: {
    load: async () => (await import('../search/engines/startpage.ts')).startpage,
  },
  qwant: {
    load: async () => (await import('../search/engines/qwant.ts')).qwant,
  },
  'google-page': {
    load: async () => (await import('../search/engines/google-page.ts')).googlePage,
  },
  ecosia: {
    load: async () => (await import('../search/engines/ecosia.ts')).ecosia,
  },
  yandex: {
    load: async () => (await import('../search/engines/yandex.ts')).yandex,
  },
  baidu: {
    load: async () => (await import('../search/engines/baidu.ts')).baidu,
  },
  // Not by default: the key that all share is for trying it out.
  marginalia: {
    load: async () => (await import('../search/engines/marginalia.ts')).marginalia,
  },
};

/** The embedded index of pages read before; it is not an HTTP engine. */
export const LOCAL = 'local';

/** The engine names in force: the configured ones, or the default set. */
export function engineNames(config: Config): readonly string[] {
  if (config.engines.length > 0) return config.engines;
  const names = Object.entries(ENGINES)
    .filter(([, { standard, key, url }]) => standard || (key && config[key]) || (url && config[url]))
    .map(([name]) => name);
  return [...names, LOCAL];
}

/** The engines that can be asked when they are named: those without a key or address of the user's, and whose is set. */
export function reachableNames(config: Config): readonly string[] {
  const urls = engineUrls(config);
  return Object.entries(ENGINES)
    .filter(([name, { key, url }]) => (!key || config[key]) && (!url || urls.has(name)))
    .map(([name]) => name);
}

/** The engines of these names, those in force by default, made with their addresses and keys. */
export function chooseEngines(config: Config, names = engineNames(config)): Promise<SearchEngine[]> {
  const urls = engineUrls(config);
  return Promise.all(
    names
      .filter((name) => name !== LOCAL)
      .map(async (name) => {
        const { load, key } = entry(name);
        const make = await load();
        const baseUrl = urls.get(name);
        const secret = key && config[key];
        const engine = make({ baseUrl, key: secret || undefined, contact: config.contact });
        return secret ? hidingKey(engine, secret) : engine;
      }),
  );
}

/** Checks what only the composition root can know, so that a wrong engine stops the start and not the first search. */
export function checkEngines(config: Config): void {
  const urls = engineUrls(config);
  for (const name of engineNames(config)) {
    if (name === LOCAL) continue;
    const { key, url } = entry(name);
    const missing = (key && !config[key] && key) || (url && !urls.has(name) && url);
    if (!missing) continue;
    throw new AppError(
      'bad_request',
      `the setting engines (MAGPIE_ENGINES) names ${name}: set ${missing} to its ${key ? 'key' : 'address'} (docs/settings.md)`,
    );
  }
}

/** Engines that the operator placed on a private network: only their own host and port may be reached. */
export function trustedHosts(config: Config): string[] {
  return [...engineUrls(config).values()].map((url) => {
    const { hostname, port, protocol } = new URL(url);
    return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  });
}

function entry(name: string): Entry {
  const known = Object.hasOwn(ENGINES, name) ? ENGINES[name] : undefined;
  if (known) return known;
  throw new AppError(
    'bad_request',
    `the setting engines (MAGPIE_ENGINES) names ${JSON.stringify(name)}: it takes ${[...Object.keys(ENGINES), LOCAL].join(', ')}`,
  );
}

function engineUrls(config: Config): Map<string, string> {
  const urls = new Map<string, string>();
  for (const [name, { url }] of Object.entries(ENGINES)) {
    const address = url && config[url];
    if (address) urls.set(name, address);
  }
  for (const pair of config.engineUrls) {
    const [, name, address = ''] = /^([a-z0-9-]+)=(https?:\/\/.+)$/s.exec(pair) ?? [];
    const url = address.replace(/(?<!\/)\/+$/, '');
    if (!name || !url || !URL.canParse(url) || !Object.hasOwn(ENGINES, name)) {
      throw new AppError(
        'bad_request',
        `MAGPIE_ENGINE_URLS has ${JSON.stringify(pair)}: it takes name=URL with a name out of ${Object.keys(ENGINES).join(', ')}`,
      );
    }
    urls.set(name, url);
  }
  return urls;
}
