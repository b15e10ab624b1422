/** Cookies as the HTTP Observatory reads them. */

export type CookieVerdict =
  | 'session-not-secure'
  | 'session-not-http-only'
  | 'csrf-without-same-site'
  | 'same-site-invalid'
  | 'session-not-secure-but-hsts'
  | 'not-secure'
  | 'not-secure-but-hsts';

export interface CookieProblem {
  readonly verdict: CookieVerdict;
  /** Name of the cookie. */
  readonly cookie: string;
}

export interface CookieReading {
  readonly problems: readonly CookieProblem[];
  readonly cookies: number;
  /** Whether each has SameSite. */
  readonly sameSite: boolean;
}

/** Set by a host of many sites, who cannot change it. */
const FOREIGN = new Set(['heroku-session-affinity']);

/** Judges `Set-Cookie` values; `hsts`: whether browsers keep to https anyhow. */
export function readCookies(values: readonly string[], hsts: boolean): CookieReading {
  const problems: CookieProblem[] = [];
  const seen = new Set<string>();
  let sameSite = true;
  for (const value of values) {
    const [pair = '', ...attributes] = value.split(';').map((part) => part.trim());
    const cookie = pair.split('=', 1)[0]?.trim() ?? '';
    if (cookie === '' || FOREIGN.has(cookie)) continue;
    seen.add(cookie);
    const given = new Map(
      attributes.map((attribute) => {
        const [name = '', ...words] = attribute.split('=');
        return [name.trim().toLowerCase(), words.join('=').trim().toLowerCase()] as const;
      }),
    );
    const [secure, site] = [given.has('secure'), given.get('samesite')];
    if (site === undefined) sameSite = false;
    const name = cookie.toLowerCase();
    const session = name.includes('login') || name.includes('sess');
    const verdicts: (CookieVerdict | false)[] = [
      session && !secure && !hsts && 'session-not-secure',
      session && !given.has('httponly') && 'session-not-http-only',
      name.includes('csrf') && site === undefined && 'csrf-without-same-site',
      site !== undefined &&
        (site === 'none' ? !secure : site !== 'lax' && site !== 'strict') &&
        'same-site-invalid',
      session && !secure && hsts && 'session-not-secure-but-hsts',
      !session && !secure && !hsts && 'not-secure',
      !session && !secure && hsts && 'not-secure-but-hsts',
    ];
    for (const verdict of verdicts) if (verdict) problems.push({ verdict, cookie: cookie.slice(0, 100) });
  }
  return { problems, cookies: seen.size, sameSite };
}
