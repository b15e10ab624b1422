import { parseInstant } from '../time/written-date.ts';
import { isSameSite } from './same-site.ts';

export type RedirectCookies = ReturnType<typeof createRedirectCookies>;

const MAX_COOKIES = 50;
const MAX_COOKIE_CHARS = 4096;

interface RedirectCookie {
  readonly name: string;
  readonly value: string;
  /** Host that set the cookie. With `isWide`, its subdomains get the cookie too. */
  readonly host: string;
  readonly isWide: boolean;
  readonly path: string;
  readonly secure: boolean;
}

/** Creates a cookie jar (RFC 6265) for the redirects of one fetch. Cookies in it do not expire. */
export function createRedirectCookies() {
  const cookies = new Map<string, RedirectCookie>();
  return {
    keep(url: URL, lines: readonly string[]): void {
      for (const line of lines.slice(0, MAX_COOKIES)) {
        const parsed = parseCookie(url, line);
        if (!parsed) continue;
        const { cookie, isDeleted } = parsed;
        const key = JSON.stringify([cookie.name, cookie.host, cookie.path]);
        cookies.delete(key);
        if (!isDeleted && cookies.size < MAX_COOKIES) cookies.set(key, cookie);
      }
    },
    header(url: URL): string | undefined {
      const sent = [...cookies.values()].filter((cookie) => belongs(cookie, url));
      return sent.length > 0 ? sent.map(({ name, value }) => `${name}=${value}`).join('; ') : undefined;
    },
  };
}

function parseCookie(url: URL, line: string): { cookie: RedirectCookie; isDeleted: boolean } | undefined {
  const [pair = '', ...rest] = line.split(';');
  const equals = pair.indexOf('=');
  const [name, value] = [pair.slice(0, Math.max(equals, 0)).trim(), pair.slice(equals + 1).trim()];
  const isSendable = /^[!-:<>-~]+$/.test(name) && /^[ -:<-~]*$/.test(value);
  if (!isSendable || pair.length > MAX_COOKIE_CHARS) return undefined;
  const attributes = new Map(
    rest.map((part) => {
      const [key = '', ...words] = part.split('=');
      return [key.trim().toLowerCase(), words.join('=').trim()] as const;
    }),
  );
  const domain = attributes.get('domain')?.toLowerCase().replace(/^\./, '') ?? '';
  if (domain !== '' && !mayHave(url, domain)) return undefined;
  const path = attributes.get('path') ?? '';
  const cookie = {
    name,
    value,
    host: domain || url.hostname,
    isWide: domain !== '',
    path: path.startsWith('/') ? path : url.pathname.slice(0, Math.max(url.pathname.lastIndexOf('/'), 1)),
    secure: attributes.has('secure'),
  };
  return { cookie, isDeleted: isExpired(attributes) };
}

function mayHave(url: URL, domain: string): boolean {
  if (url.hostname === domain) return true;
  const above = URL.parse(`https://${domain}/`);
  return above !== null && url.hostname.endsWith(`.${domain}`) && isSameSite(url, above);
}

function isExpired(attributes: ReadonlyMap<string, string>): boolean {
  const age = attributes.get('max-age');
  if (age !== undefined && /^-?\d+$/.test(age)) return Number(age) <= 0;
  return (parseInstant(attributes.get('expires')) ?? Number.POSITIVE_INFINITY) < Date.now();
}

function belongs({ host, isWide, path, secure }: RedirectCookie, url: URL): boolean {
  if (url.hostname !== host && !(isWide && url.hostname.endsWith(`.${host}`))) return false;
  if (secure && url.protocol !== 'https:') return false;
  return url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}
