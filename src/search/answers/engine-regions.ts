import names from './engine-regions.json' with { type: 'json' };

/** Names that engines use for regions and languages instead of ISO codes, as of 2026. */

const words = (rows: readonly string[]): string[] => rows.flatMap((row) => row.split(' '));
const pairs = (rows: readonly string[]) =>
  new Map(words(rows).map((pair) => pair.split('=') as [string, string]));

/** Values of DuckDuckGo's parameter `kl`, such as `us-en`. The first value of a country is its default. */
const DUCKDUCKGO_REGIONS = words(names.duckduckgoRegions);

/** Startpage's regions: language, `_`, country. The first value of a country is the country's default. */
export const STARTPAGE_REGIONS: readonly string[] = words(names.startpageRegions);

export const STARTPAGE_LANGUAGES: ReadonlyMap<string, string> = pairs(names.startpageLanguages);
const english = new Intl.DisplayNames('en', { type: 'region' });
/** Names of the countries that Tavily accepts. Tavily rejects requests with other countries. */
export const TAVILY_COUNTRIES: ReadonlyMap<string, string> = new Map([
  ...words(names.tavilyCountries).map(
    (code) => [code, (english.of(code) ?? '').toLowerCase().replace('&', 'and')] as const,
  ),
  ...Object.entries(names.tavilyNames),
]);
/** Countries that Brave's API accepts. The API answers 422 for other countries. */
export const BRAVE_API_COUNTRIES: ReadonlySet<string> = new Set(words(names.braveApiCountries));
export const BRAVE_API_LANGUAGES: ReadonlyMap<string, string> = pairs(names.braveApiLanguages);
/** Countries with a search host of Yahoo, and the first part of the host's name. */
export const YAHOO_HOSTS: ReadonlyMap<string, string> = pairs(names.yahooHosts);
const COUNTRY_OF = pairs(names.countries);
const LANGUAGE_OF = pairs(names.languages);

export function chooseDuckduckgoRegion(region?: string, language?: string): string {
  if (!region && !language) return 'wt-wt';
  const country = (region === 'GB' ? 'uk' : (region ?? '')).toLowerCase();
  const tongue = OWN_NAMES[language ?? ''] ?? language ?? '';
  const there = DUCKDUCKGO_REGIONS.filter((place) => place.startsWith(`${country}-`));
  if (region) return there.find((place) => place.endsWith(`-${tongue}`)) ?? there[0] ?? 'wt-wt';
  const spoken = DUCKDUCKGO_REGIONS.filter((place) => place.endsWith(`-${tongue}`));
  return spoken.find((place) => place === (HOMES[tongue] ?? `${tongue}-${tongue}`)) ?? spoken[0] ?? 'wt-wt';
}

const OWN_NAMES: Readonly<Record<string, string>> = { ja: 'jp', ko: 'kr', nb: 'no', nn: 'no' };
const HOMES: Readonly<Record<string, string>> = { en: 'us-en', zh: 'cn-zh' };

/** Returns language and country for an engine that needs both, or undefined if one is unknown. */
export function resolveMarket(
  language?: string,
  region?: string,
): { language: string; country: string } | undefined {
  const tongue = language ?? LANGUAGE_OF.get(region ?? '');
  const country = region ?? COUNTRY_OF.get(language ?? '');
  return tongue && country ? { language: tongue, country } : undefined;
}
