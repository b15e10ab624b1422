import { defined } from '../../lib/defined.ts';

/**
 * The headers of a current browser, for result pages that are made for browsers; APIs and ordinary sites get Magpie's
 * own name. They agree with each other and stand in Chrome's order, which the wire keeps. Over HTTP/2 names in lower case
 * are right; over HTTP/1.1 those of `host` and `connection` are Node's, and so is the TLS greeting of both. Sites that judge by
 * those know it for no browser.
 */

/** A version of Chrome whose day is known; it has had a new one every four weeks or sooner since. */
const KNOWN = { major: 144, released: Date.UTC(2026, 0, 13) };
const VERSION_EVERY_MS = 30 * 24 * 3_600_000;
/** Versions after the known one, at most: a clock may be wrong. */
const MAX_LATER_VERSIONS = 100;

/** The systems that Magpie runs on, as Chrome names them: `User-Agent` and `Sec-CH-UA-Platform`. */
const SYSTEMS: Readonly<Record<string, readonly [agent: string, platform: string]>> = {
  win32: ['Windows NT 10.0; Win64; x64', 'Windows'],
  darwin: ['Macintosh; Intel Mac OS X 10_15_7', 'macOS'],
  linux: ['X11; Linux x86_64', 'Linux'],
};

const ACCEPT_DOCUMENT =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';
const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';
const ACCEPT_LANGUAGE = 'en-US,en;q=0.9';

export interface PageRequest {
  /** The page that led here, an address of the engine's site; without one the address was typed in. */
  readonly from?: string | undefined;
  /** Where that page stands. Default: the same origin. */
  readonly site?: 'same-origin' | 'same-site';
  /** It sends a form: the origin of the page with the form. */
  readonly form?: string;
  /** Default: English. */
  readonly language?: string | undefined;
  readonly cookie?: string;
}

/** The headers of a page that a person opens: by its address, a link or a form. */
export function pageHeaders(request: PageRequest = {}): Record<string, string> {
  const { from, form, cookie, language = ACCEPT_LANGUAGE, site = 'same-origin' } = request;
  return defined({
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

export interface ScriptRequest {
  /** The page whose script asks, an address of the engine's site. */
  readonly from: string;
  /** Where the address stands, as that page has it. */
  readonly site: 'same-origin' | 'same-site';
  readonly accept?: string;
}

/** The headers of what a page's script fetches. */
export function scriptHeaders({ from, site, accept = '*/*' }: ScriptRequest): Record<string, string> {
  const [first, mobile, platform] = Object.entries(hints()) as [string, string][];
  return defined({
    // The order that Chrome has here.
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

/** `Accept-Language` of a person who reads a language, in a country: `de-AT,de;q=0.9,en;q=0.8`. */
export function acceptLanguage(language?: string, region?: string): string {
  if (!language || language === 'en') return region ? `en-${region},en;q=0.9` : ACCEPT_LANGUAGE;
  const rest = `${language};q=0.9,en;q=0.8`;
  return region ? `${language}-${region},${rest}` : rest.replace(';q=0.9', '');
}

/** The major version that is current at a time, or a little older. */
export function browserVersion(now = Date.now()): number {
  const later = Math.floor((now - KNOWN.released) / VERSION_EVERY_MS);
  return KNOWN.major + Math.min(Math.max(later, 0), MAX_LATER_VERSIONS);
}

/**
 * `Sec-CH-UA` of a version: the browser's brands with a made-up one among them, whose form and place follow from the
 * version. By Chromium, components/embedder_support/user_agent_utils.cc (GetGreasedUserAgentBrandVersion).
 */
export function brands(version: number): string {
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
    'sec-ch-ua': brands(browserVersion()),
    'sec-ch-ua-mobile': '?0',
    'sec-ch-ua-platform': `"${system()[1]}"`,
  };
}

function agent(): string {
  return `Mozilla/5.0 (${system()[0]}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${browserVersion()}.0.0.0 Safari/537.36`;
}

function system(): readonly [agent: string, platform: string] {
  return SYSTEMS[process.platform] ?? ['X11; Linux x86_64', 'Linux'];
}
