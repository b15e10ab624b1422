import { omitUndefined } from '../../lib/omit-undefined.ts';

/** Writes the HTTP headers of a current Chrome, in Chrome's order. The TLS handshake still differs. */

const KNOWN = { major: 144, released: Date.UTC(2026, 0, 13) };
const VERSION_EVERY_MS = 30 * 24 * 3_600_000;
const MAX_LATER_VERSIONS = 100;

const SYSTEMS: Readonly<Record<string, readonly [agent: string, platform: string]>> = {
  win32: ['Windows NT 10.0; Win64; x64', 'Windows'],
  darwin: ['Macintosh; Intel Mac OS X 10_15_7', 'macOS'],
  linux: ['X11; Linux x86_64', 'Linux'],
};

const ACCEPT_DOCUMENT =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';
const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';
const ACCEPT_LANGUAGE = 'en-US,en;q=0.9';

export interface BrowserPageRequest {
  /** Address of the page that links to the requested page. Default: none, as for a typed address. */
  readonly from?: string | undefined;
  /** `same-origin` if `from` has the origin of the request, `same-site` if only the site is the same. */
  readonly site?: 'same-origin' | 'same-site';
  readonly form?: string;
  readonly language?: string | undefined;
  readonly cookie?: string;
}

export function pageHeaders(request: BrowserPageRequest = {}): Record<string, string> {
  const { from, form, cookie, language = ACCEPT_LANGUAGE, site = 'same-origin' } = request;
  return omitUndefined({
    'cache-control': form && 'max-age=0',
    ...hints(),
    origin: form,
    'content-type': form && 'application/x-www-form-urlencoded',
    'upgrade-insecure-requests': '1',
    'user-agent': agent(),
    accept: ACCEPT_DOCUMENT,
    'sec-fetch-site': from ? site : 'none',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-user': '?1',
    'sec-fetch-dest': 'document',
    referer: from,
    'accept-encoding': ACCEPT_ENCODING,
    'accept-language': language,
    cookie,
  });
}

export interface BrowserScriptRequest {
  readonly from: string;
  readonly site: 'same-origin' | 'same-site';
  readonly accept?: string;
}

export function scriptHeaders({ from, site, accept = '*/*' }: BrowserScriptRequest): Record<string, string> {
  const [first, mobile, platform] = Object.entries(hints()) as [string, string][];
  return omitUndefined({
    ...Object.fromEntries([platform, first].filter((pair) => pair !== undefined)),
    'user-agent': agent(),
    ...Object.fromEntries([mobile].filter((pair) => pair !== undefined)),
    accept,
    origin: site === 'same-origin' ? undefined : new URL(from).origin,
    'sec-fetch-site': site,
    'sec-fetch-mode': 'cors',
    'sec-fetch-dest': 'empty',
    referer: from,
    'accept-encoding': ACCEPT_ENCODING,
    'accept-language': ACCEPT_LANGUAGE,
  });
}

/** Returns the header `Accept-Language`, for example `de-AT,de;q=0.9,en;q=0.8`. */
export function acceptLanguage(language?: string, region?: string): string {
  if (!language || language === 'en') return region ? `en-${region},en;q=0.9` : ACCEPT_LANGUAGE;
  const rest = `${language};q=0.9,en;q=0.8`;
  return region ? `${language}-${region},${rest}` : rest.replace(';q=0.9', '');
}

export function estimateChromeVersion(now = Date.now()): number {
  const later = Math.floor((now - KNOWN.released) / VERSION_EVERY_MS);
  return KNOWN.major + Math.min(Math.max(later, 0), MAX_LATER_VERSIONS);
}

/** Returns the header `Sec-CH-UA` with an invented brand, like Chromium (GetGreasedUserAgentBrandVersion). */
export function formatBrandsHeader(version: number): string {
  const signs = [' ', '(', ':', '-', '.', '/', ')', ';', '=', '?', '_'];
  const orders = ['012', '021', '102', '120', '201', '210'];
  const sign = (at: number) => signs[at % signs.length];
  const madeUp = `"Not${sign(version)}A${sign(version + 1)}Brand";v="${['8', '99', '24'][version % 3]}"`;
  const list = [madeUp, `"Chromium";v="${version}"`, `"Google Chrome";v="${version}"`];
  const places = [...(orders[version % orders.length] ?? '012')].map(Number);
  return list.map((_, place) => list[places.indexOf(place)]).join(', ');
}

function hints(): Record<string, string> {
  return {
    'sec-ch-ua': formatBrandsHeader(estimateChromeVersion()),
    'sec-ch-ua-mobile': '?0',
    'sec-ch-ua-platform': `"${system()[1]}"`,
  };
}

function agent(): string {
  return `Mozilla/5.0 (${system()[0]}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${estimateChromeVersion()}.0.0.0 Safari/537.36`;
}

function system(): readonly [agent: string, platform: string] {
  return SYSTEMS[process.platform] ?? ['X11; Linux x86_64', 'Linux'];
}
