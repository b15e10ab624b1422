import type { Config } from '../config/config.ts';
import { badRequestError } from '../errors.ts';
import { maskKeyInAnswers } from '../search/asking/mask-key.ts';
import type { EngineFactory, SearchEngine } from '../search/engine.ts';

interface EngineEntry {
  load(): Promise<EngineFactory>;
  readonly key?: keyof Config & `${string}Key`;
  readonly keyIsOptional?: true;
  readonly url?: 'searxngUrl' | 'yacyUrl';
  readonly standard?: true;
  /** True if the engine's terms say that questions are not stored. `about.facts` names the source. */
  readonly keepsNothing?: true;
}

export const ENGINES: Readonly<Record<string, EngineEntry>> = {
  searxng: { load: async () => (await import('../search/engines/searxng.ts')).searxng, url: 'searxngUrl' },
  yacy: { load: async () => (await import('../search/engines/yacy.ts')).yacy, url: 'yacyUrl' },
  'brave-api': withKey(async () => (await import('../search/engines/brave-api.ts')).braveApi, 'braveKey'),
  serper: withKey(async () => (await import('../search/engines/serper.ts')).serper, 'serperKey'),
  kagi: withKey(async () => (await import('../search/engines/kagi.ts')).kagi, 'kagiKey'),
  jina: withKey(async () => (await import('../search/engines/jina.ts')).jina, 'jinaKey'),
  perplexity: withKey(
    async () => (await import('../search/engines/perplexity.ts')).perplexity,
    'perplexityKey',
  ),
  marginalia: withKey(
    async () => (await import('../search/engines/marginalia.ts')).marginalia,
    'marginaliaKey',
  ),
  tavily: standard(async () => (await import('../search/engines/tavily.ts')).tavily, 'tavilyKey'),
  exa: standard(async () => (await import('../search/engines/exa.ts')).exa, 'exaKey'),
  firecrawl: standard(async () => (await import('../search/engines/firecrawl.ts')).firecrawl, 'firecrawlKey'),
  keenable: standard(async () => (await import('../search/engines/keenable.ts')).keenable, 'keenableKey'),
  parallel: standard(async () => (await import('../search/engines/parallel.ts')).parallel, 'parallelKey'),
  wikipedia: standard(async () => (await import('../search/engines/wikipedia.ts')).wikipedia),
  hackernews: standard(async () => (await import('../search/engines/hackernews.ts')).hackernews),
  stackexchange: standard(async () => (await import('../search/engines/stackexchange.ts')).stackexchange),
  arxiv: standard(async () => (await import('../search/engines/arxiv.ts')).arxiv),
  github: standard(async () => (await import('../search/engines/github.ts')).github),
  'google-news': standard(async () => (await import('../search/engines/google-news.ts')).googleNews),
  gdelt: standard(async () => (await import('../search/engines/gdelt.ts')).gdelt),
  wikidata: standard(async () => (await import('../search/engines/wikidata.ts')).wikidata),
  wiktionary: standard(async () => (await import('../search/engines/wiktionary.ts')).wiktionary),
  dictionary: standard(async () => (await import('../search/engines/dictionary.ts')).dictionary),
  openalex: standard(async () => (await import('../search/engines/openalex.ts')).openalex, 'openalexKey'),
  'semantic-scholar': standard(
    async () => (await import('../search/engines/semantic-scholar.ts')).semanticScholar,
  ),
  pubmed: standard(async () => (await import('../search/engines/pubmed.ts')).pubmed),
  crossref: standard(async () => (await import('../search/engines/crossref.ts')).crossref),
  npm: standard(async () => (await import('../search/engines/npm.ts')).npm),
  pypi: standard(async () => (await import('../search/engines/pypi.ts')).pypi),
  crates: standard(async () => (await import('../search/engines/crates.ts')).crates),
  mdn: standard(async () => (await import('../search/engines/mdn.ts')).mdn),
  openstreetmap: standard(async () => (await import('../search/engines/openstreetmap.ts')).openstreetmap),
  duckduckgo: standard(async () => (await import('../search/engines/duckduckgo.ts')).duckduckgo),
  brave: standard(async () => (await import('../search/engines/brave.ts')).brave),
  yahoo: standard(async () => (await import('../search/engines/yahoo.ts')).yahoo),
  bing: standard(async () => (await import('../search/engines/bing.ts')).bing),
  // Engines outside of the default set, for reasons that docs/engines.md explains.
  anysearch: {
    load: async () => (await import('../search/engines/anysearch.ts')).anysearch,
    key: 'anysearchKey',
    keyIsOptional: true,
  },
  startpage: {
    load: async () => (await import('../search/engines/startpage.ts')).startpage,
    keepsNothing: true,
  },
  yandex: { load: async () => (await import('../search/engines/yandex.ts')).yandex },
  baidu: { load: async () => (await import('../search/engines/baidu.ts')).baidu },
};

function standard(load: EngineEntry['load'], key?: EngineEntry['key']): EngineEntry {
  return { load, standard: true, ...(key && { key, keyIsOptional: true }) };
}

function withKey(load: EngineEntry['load'], key: EngineEntry['key']): EngineEntry {
  return { load, key };
}

export const LOCAL_ENGINE_NAME = 'local';
const GONE: ReadonlySet<string> = new Set(['mojeek', 'qwant', 'ecosia', 'google-page']);

export function isEngineAllowed(name: string, { searchPrivacy }: Pick<Config, 'searchPrivacy'>): boolean {
  if (searchPrivacy === 'any' || name === LOCAL_ENGINE_NAME) return true;
  const { url, keepsNothing = false } = entry(name);
  return url !== undefined || (searchPrivacy === 'keeps-nothing' && keepsNothing);
}

export function engineNames(config: Config): readonly string[] {
  if (config.engines.length > 0) return config.engines;
  const isStrict = config.searchPrivacy === 'keeps-nothing';
  const names = Object.entries(ENGINES)
    .filter(
      ([, { standard, keepsNothing, key, url }]) =>
        standard || (isStrict && keepsNothing) || (key && config[key]) || (url && config[url]),
    )
    .map(([name]) => name);
  return [...names, LOCAL_ENGINE_NAME].filter((name) => isEngineAllowed(name, config));
}

export function askableEngineNames(config: Config): readonly string[] {
  const urls = engineUrls(config);
  return Object.keys(ENGINES).filter(
    (name) => isEngineAllowed(name, config) && !missingSetting(name, config, urls),
  );
}

/** Returns the engines to use. Throws `bad_request` if MAGPIE_SEARCH_PRIVACY excludes one of them. */
export async function chooseEngines(config: Config, names = engineNames(config)): Promise<SearchEngine[]> {
  const urls = engineUrls(config);
  checkPrivacy(config, names);
  return Promise.all(
    names
      .filter((name) => name !== LOCAL_ENGINE_NAME)
      .map(async (name) => {
        const { load, key } = entry(name);
        const make = await load();
        const baseUrl = urls.get(name);
        const secret = key && config[key];
        const engine = make({ baseUrl, key: secret || undefined, contact: config.contact });
        return secret ? maskKeyInAnswers(engine, secret) : engine;
      }),
  );
}

/** Reports mistakes in the settings at the start. Otherwise, only the first search would show them. */
export function checkEngines(config: Config): void {
  const urls = engineUrls(config);
  const names = engineNames(config);
  checkPrivacy(config, names);
  for (const name of names) {
    const missing = missingSetting(name, config, urls);
    if (!missing) continue;
    const what = missing.endsWith('Key') ? 'key' : 'address';
    throw badRequestError(
      `the setting engines (MAGPIE_ENGINES) names ${name}: set ${missing} to its ${what} (docs/settings.md)`,
    );
  }
}

function checkPrivacy(config: Config, names: readonly string[]): void {
  const left = names.find((name) => !isEngineAllowed(name, config));
  if (left === undefined) return;
  const others = [...Object.keys(ENGINES), LOCAL_ENGINE_NAME].filter((name) => isEngineAllowed(name, config));
  throw badRequestError(
    `the setting engines (MAGPIE_ENGINES) names ${left}, which searchPrivacy (MAGPIE_SEARCH_PRIVACY=${config.searchPrivacy}) leaves out: name of ${others.join(', ')}, or set MAGPIE_SEARCH_PRIVACY to any`,
  );
}

function missingSetting(name: string, config: Config, urls: ReadonlyMap<string, string>): string | undefined {
  if (name === LOCAL_ENGINE_NAME) return undefined;
  const { key, keyIsOptional, url } = entry(name);
  if (key && !keyIsOptional && !config[key]) return key;
  return url && !urls.has(name) ? url : undefined;
}

/** Hosts (`host:port`) of engines in the settings. Only these engines may be in a private network. */
export function trustedHosts(config: Config): string[] {
  return [...engineUrls(config).values()].map((url) => {
    const { hostname, port, protocol } = new URL(url);
    return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  });
}

function entry(name: string): EngineEntry {
  const known = Object.hasOwn(ENGINES, name) ? ENGINES[name] : undefined;
  if (known) return known;
  throw badRequestError(
    `the setting engines (MAGPIE_ENGINES) names ${JSON.stringify(name)}${GONE.has(name) ? ', which refuses every program and is gone' : ''}: it takes ${[...Object.keys(ENGINES), LOCAL_ENGINE_NAME].join(', ')}`,
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
      throw badRequestError(
        `MAGPIE_ENGINE_URLS has ${JSON.stringify(pair)}: it takes name=URL with a name out of ${Object.keys(ENGINES).join(', ')}`,
      );
    }
    urls.set(name, url);
  }
  return urls;
}
