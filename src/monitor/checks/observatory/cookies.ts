export type CookieVerdict =
  | 'session-not-secure'
  | 'session-not-http-only'
  | 'csrf-without-same-site'
  | 'same-site-invalid'
  | 'session-not-secure-but-hsts'
  | 'not-secure'
  | 'not-secure-but-hsts';

/** Cookies that hosting providers set and sites cannot change. */
const FOREIGN = new Set(['heroku-session-affinity']);

export function judgeCookies(values: readonly string[], hsts: boolean) {
  const cookies = values.map(parseCookie).filter(({ name }) => name !== '' && !FOREIGN.has(name));
  return {
    problems: cookies.flatMap((cookie) =>
      verdictsOf(cookie, hsts).map((verdict) => ({ verdict, cookie: cookie.name.slice(0, 100) })),
    ),
    cookies: new Set(cookies.map(({ name }) => name)).size,
    sameSite: cookies.every(({ attributes }) => attributes.has('samesite')),
  };
}

function parseCookie(value: string) {
  const [pair = '', ...parts] = value.split(';').map((part) => part.trim());
  const attributes = parts.map((part) => {
    const [name = '', ...words] = part.split('=');
    return [name.trim().toLowerCase(), words.join('=').trim().toLowerCase()] as const;
  });
  return { name: pair.split('=', 1)[0]?.trim() ?? '', attributes: new Map(attributes) };
}

function verdictsOf({ name, attributes }: ReturnType<typeof parseCookie>, hsts: boolean): CookieVerdict[] {
  const lower = name.toLowerCase();
  const isSession = lower.includes('login') || lower.includes('sess');
  const [isSecure, site] = [attributes.has('secure'), attributes.get('samesite')];
  const verdicts: (CookieVerdict | false)[] = [
    isSession && !isSecure && !hsts && 'session-not-secure',
    isSession && !attributes.has('httponly') && 'session-not-http-only',
    lower.includes('csrf') && site === undefined && 'csrf-without-same-site',
    hasNoEffect(site, isSecure) && 'same-site-invalid',
    isSession && !isSecure && hsts && 'session-not-secure-but-hsts',
    !isSession && !isSecure && (hsts ? 'not-secure-but-hsts' : 'not-secure'),
  ];
  return verdicts.filter((verdict) => verdict !== false);
}

function hasNoEffect(site: string | undefined, isSecure: boolean): boolean {
  if (site === undefined || site === 'lax' || site === 'strict') return false;
  return site !== 'none' || !isSecure;
}
