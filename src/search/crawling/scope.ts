import { canonicalUrl } from '../merging/canonical-url.ts';

/** Which addresses a crawl may read. */
export interface Scope {
  /**
   * The address in the form it is kept under, or why it is left out. One that the site lists itself is none of endlessly many,
   * now or later.
   */
  judge(address: string, by?: 'link' | 'listed'): { readonly url: string } | { readonly why: LeftOut };
}

export type LeftOut = 'outside' | 'pattern' | 'file' | 'trap';

/** Where a site's pages lie. */
export interface Place {
  /** With its port, where that is not the scheme's own. */
  readonly host: string;
  /** The beginning of the path. */
  readonly path: string;
  /** Reached by https: its links by http lead to the same pages. */
  readonly secure: boolean;
}

export interface ScopeOptions {
  /** Undefined for any host. */
  readonly within?: Place;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Addresses that may differ in the query alone, or in the numbers of a path: calendars, filters and sort orders have no end. */
  readonly queries: number;
}

/** Characters of an address; longer ones are made by machines for machines. */
const MAX_ADDRESS_CHARS = 1000;
const MAX_SEGMENTS = 25;
/** Times that one part of a path may come again: relative links that are wrong make /a/b/a/b/a/b. */
const MAX_REPEATS = 3;
/** Paths whose queries are counted. */
const MAX_PATHS = 100_000;
/** Numbers in a path from which on its form is counted: a date has two, and a calendar has no end. */
const MANY_NUMBERS = 2;

/** Files without text, by their ending: they are not even asked for. */
const NO_TEXT =
  /\.(?:7z|aac|apk|avi|avif|bin|bmp|bz2|css|dmg|eot|exe|flac|gif|gz|ico|iso|jar|jpe?g|js|m4[av]|map|mjs|mkv|mov|mp[34]|mpe?g|msi|og[gv]|otf|png|rar|rpm|deb|svgz?|swf|tar|tiff?|tgz|ttf|wasm|wav|web[mp]|wmv|woff2?|xz|zip|zst)$/i;

/** The address's place as what lies under it: its folder, or itself when its last part is not a file's name. */
export function placeOf(address: string): Place {
  const { host, pathname, protocol } = new URL(address);
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  const path = last.includes('.') ? pathname.slice(0, pathname.length - last.length) : pathname;
  return { host, path, secure: protocol === 'https:' };
}

export function createScope({ within, include, exclude, queries: most }: ScopeOptions): Scope {
  /** By path, the queries that it came with; by the form of a path, the paths. */
  const met = new Map<string, Set<string>>();

  const endless = (form: string, one: string, by: 'link' | 'listed'): boolean => {
    if (most === Number.POSITIVE_INFINITY) return false;
    const seen = met.get(form) ?? new Set();
    if (seen.has(one)) return false;
    if (by === 'link' && seen.size >= most) return true;
    if (met.size >= MAX_PATHS) met.clear();
    met.set(form, seen.add(one));
    return false;
  };
  const isTrap = ({ pathname, search }: URL, by: 'link' | 'listed'): boolean => {
    const numbers = pathname.match(/\d+/g)?.length ?? 0;
    const form = pathname.replace(/\d+/g, '0');
    if (numbers >= MANY_NUMBERS && endless(`${form}*`, pathname, by)) return true;
    return search !== '' && endless(pathname, search, by);
  };

  return {
    judge(address, by = 'link') {
      const [clean] = (canonicalUrl(address) ?? '').split('#', 1);
      if (!clean) return { why: 'outside' };
      const url = within?.secure ? clean.replace(/^http:/, 'https:') : clean;
      const parsed = new URL(url);
      if (within && !liesWithin(parsed, within)) return { why: 'outside' };
      if (url.length > MAX_ADDRESS_CHARS || isMaze(parsed.pathname)) return { why: 'trap' };
      if (NO_TEXT.test(parsed.pathname)) return { why: 'file' };
      if (!isWanted(url, include, exclude)) return { why: 'pattern' };
      return isTrap(parsed, by) ? { why: 'trap' } : { url };
    },
  };
}

function liesWithin({ host, pathname }: URL, within: Place): boolean {
  if (host !== within.host || !pathname.startsWith(within.path)) return false;
  return within.path.endsWith('/') || ['', '/'].includes(pathname.slice(within.path.length)[0] ?? '');
}

function isMaze(pathname: string): boolean {
  const segments = pathname.split('/').filter(Boolean);
  if (segments.length > MAX_SEGMENTS) return true;
  const counts = new Map<string, number>();
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1;
    if (count > MAX_REPEATS) return true;
    counts.set(segment, count);
  }
  return false;
}

/** Whether a name passes the patterns: one of `include` where there are any, and none of `exclude`. */
export function isWanted(name: string, include: readonly string[], exclude: readonly string[]): boolean {
  if (exclude.some((pattern) => fits(name, pattern))) return false;
  return include.length === 0 || include.some((pattern) => fits(name, pattern));
}

/** The parts between the stars of `pattern` stand in `name`, in this order. */
function fits(name: string, pattern: string): boolean {
  let from = 0;
  for (const part of pattern.split('*')) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}
