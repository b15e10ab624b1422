import { attempt } from '../../lib/attempt.ts';
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

interface Redirector {
  readonly host: RegExp;
  readonly path: RegExp;
  readonly target: readonly string[] | ((url: URL) => string | undefined);
}

const REDIRECTORS: readonly Redirector[] = [
  { host: /^(?:www\.)?google(?:\.[a-z]{2,3}){1,2}$/, path: /^\/url$/, target: ['q', 'url'] },
  {
    host: /^(?:www\.)?google(?:\.[a-z]{2,3}){1,2}$/,
    path: /^\/amp\//,
    target: (url) => behindAmp(url, '/amp/'),
  },
  {
    host: /^[a-z0-9-]+\.cdn\.ampproject\.org$/,
    path: /^\/[cv]\//,
    target: (url) => behindAmp(url, url.pathname.slice(0, 3)),
  },
  { host: /^webcache\.googleusercontent\.com$/, path: /^\/search$/, target: behindCache },
  { host: /^(?:www\.)?bing\.com$/, path: /^\/ck\/a$/, target: behindBing },
  { host: /^duckduckgo\.com$/, path: /^\/l\/$/, target: ['uddg'] },
  { host: /^r\.search\.yahoo\.com$/, path: /\/RU=/, target: behindYahoo },
  { host: /^(?:l|lm)\.(?:facebook|instagram)\.com$/, path: /^\/(?:l\.php)?$/, target: ['u'] },
  { host: /^out\.reddit\.com$/, path: /./, target: ['url'] },
  { host: /^(?:www\.)?youtube\.com$/, path: /^\/redirect$/, target: ['q'] },
  { host: /^(?:www\.)?linkedin\.com$/, path: /^\/(?:redir\/redirect|safety\/go)\/?$/, target: ['url'] },
  { host: /^t\.umblr\.com$/, path: /^\/redirect$/, target: ['z'] },
  { host: /^(?:away\.)?vk\.com$/, path: /^\/away\.php$/, target: ['to'] },
  { host: /^steamcommunity\.com$/, path: /^\/linkfilter\/$/, target: ['u', 'url'] },
  { host: /^slack-redir\.net$/, path: /^\/link$/, target: ['url'] },
  { host: /^exit\.sc$/, path: /^\/$/, target: ['url'] },
  {
    host: /^(?:link\.zhihu\.com|link\.juejin\.cn|www\.jianshu\.com)$/,
    path: /^\/?(?:go-wild)?$/,
    target: ['target', 'url'],
  },
];

const ADVERTS: readonly (readonly [host: RegExp, path: RegExp])[] = [
  [
    /(?:^|\.)(?:googleadservices\.com|doubleclick\.net|googlesyndication\.com|adsrvr\.org|trc\.taboola\.com|paid\.outbrain\.com)$/,
    /./,
  ],
  [/^(?:www\.)?google(?:\.[a-z]{2,3}){1,2}$/, /^\/aclk$/],
  [/^(?:www\.)?bing\.com$/, /^\/aclick$/],
  [/^duckduckgo\.com$/, /^\/y\.js$/],
  [/^(?:yandex\.(?:ru|com)|yabs\.yandex\.(?:ru|com))$/, /^\/(?:count|clck)\//],
  [/^(?:www\.)?baidu\.com$/, /^\/baidu\.php$/],
  [/^r\.search\.yahoo\.com$/, /\/cbclk/],
];

function resolveRedirector(url: URL): string | undefined {
  for (const { host, path, target } of REDIRECTORS) {
    if (!host.test(url.hostname) || !path.test(url.pathname)) continue;
    if (typeof target === 'function') return target(url);
    return target.map((name) => url.searchParams.get(name) ?? '').find(isWeb);
  }
  return undefined;
}

function isAdvert({ hostname, pathname }: URL): boolean {
  return ADVERTS.some(([host, path]) => host.test(hostname) && path.test(pathname));
}

const isWeb = (address: string): boolean => /^https?:\/\//i.test(address);

/** Extracts the address from a path of an AMP cache. In `/amp/s/host/path`, `s` stands for https. */
function behindAmp({ pathname, search }: URL, before: string): string | undefined {
  const [, secure, rest = ''] = /^(s\/)?(.+)$/.exec(pathname.slice(before.length)) ?? [];
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
