import { attempt } from '../../lib/attempt.ts';
import redirectors from './redirectors.json' with { type: 'json' };
import tracking from './tracking-parameters.json' with { type: 'json' };

const MAX_ADDRESS_CHARS = 4000;
const MAX_DEPTH = 3;

/** Matches query parameters that track visitors and normally do not select the page. */
const TRACKING = new RegExp(`^(?:${tracking.everywhere.join('|')})$`, 'i');
/** Tracking parameters on certain hosts. On other hosts, a parameter of that name may select the page. */
const TRACKING_AT = tracking.at.map(({ host, name }) => [new RegExp(host), new RegExp(name, 'i')] as const);

/** Removes redirects and tracking parameters. Returns undefined for ads and addresses without http(s). */
export const canonicalUrl = (address: string): string | undefined => unwrapped(address, MAX_DEPTH);

function unwrapped(address: string, depth: number): string | undefined {
  if (address.length > MAX_ADDRESS_CHARS || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  if (url.username || url.password || isAdvert(url)) return undefined;
  const behind = depth > 0 ? resolveRedirector(url) : undefined;
  return behind === undefined ? cleaned(url) : unwrapped(behind, depth - 1);
}

function cleaned(url: URL): string {
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.replace(/(?<!\.)\.+$/, '');
  if (url.pathname.includes(';')) url.pathname = url.pathname.replace(/;jsessionid=[^/;]*/i, '');
  // Parameters are cut out of the query text. URLSearchParams would change how other parameters are encoded.
  const own = TRACKING_AT.filter(([host]) => host.test(url.hostname)).map(([, name]) => name);
  const parameters = url.search.slice(1).split('&');
  const kept = parameters.filter((one) => {
    const name = one.split('=', 1)[0] ?? '';
    return !TRACKING.test(name) && !own.some((pattern) => pattern.test(name));
  });
  if (kept.length < parameters.length || url.search === '')
    url.search = kept.some(Boolean) ? `?${kept.join('&')}` : '';
  // Single-page applications put the page's address in a fragment such as `#/about`.
  if (!/^#!?\//.test(url.hash)) url.hash = '';
  return url.href;
}

/** Functions that read an address which is not in a parameter of the redirector's address. */
const READERS = { behindAmp, behindCache, behindBing, behindYahoo };
interface RedirectorRow {
  readonly host: string;
  readonly path: string;
  readonly parameters?: readonly string[];
  readonly reader?: keyof typeof READERS;
}
const REDIRECTORS = (redirectors.redirectors as readonly RedirectorRow[]).map(({ host, path, ...read }) => ({
  host: new RegExp(host),
  path: new RegExp(path),
  ...read,
}));
const ADVERTS = redirectors.adverts.map(({ host, path }) => [new RegExp(host), new RegExp(path)] as const);

function resolveRedirector(url: URL): string | undefined {
  for (const { host, path, parameters = [], reader } of REDIRECTORS) {
    if (!host.test(url.hostname) || !path.test(url.pathname)) continue;
    if (reader) return READERS[reader](url);
    return parameters.map((name) => url.searchParams.get(name) ?? '').find(isWeb);
  }
  return undefined;
}

function isAdvert({ hostname, pathname }: URL): boolean {
  return ADVERTS.some(([host, path]) => host.test(hostname) && path.test(pathname));
}

const isWeb = (address: string): boolean => /^https?:\/\//i.test(address);

/** Extracts the address from a path of an AMP cache. In `/amp/s/host/path`, `s` stands for https. */
function behindAmp({ pathname, search }: URL): string | undefined {
  const [, secure, rest = ''] = /^\/(?:amp|[cv])\/(s\/)?(.+)$/.exec(pathname) ?? [];
  if (!/^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/|$)/i.test(rest)) return undefined;
  return `http${secure ? 's' : ''}://${rest}${search}`;
}

function behindCache(url: URL): string | undefined {
  const [, address = ''] = /^cache:(?:[\w-]{10,14}:)?(\S+)/.exec(url.searchParams.get('q') ?? '') ?? [];
  if (isWeb(address)) return address;
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/|$)/i.test(address) ? `http://${address}` : undefined;
}

function behindBing(url: URL): string | undefined {
  const packed = url.searchParams.get('u') ?? '';
  const address = packed.startsWith('a1') ? Buffer.from(packed.slice(2), 'base64url').toString() : '';
  return isWeb(address) ? address : undefined;
}

/** Extracts the percent-encoded address from a path of Yahoo such as `/RU=address/RK=...`. */
function behindYahoo({ pathname }: URL): string | undefined {
  const [, escaped = ''] = /\/RU=([^/]+)/.exec(pathname) ?? [];
  const address = attempt(() => decodeURIComponent(escaped)) ?? '';
  return isWeb(address) ? address : undefined;
}
