import { canonicalUrl } from '../merging/canonical-url.ts';

export type CrawlScope = ReturnType<typeof createCrawlScope>;

export type OutOfScopeReason = 'outside' | 'pattern' | 'file' | 'trap';

export type CrawlArea = ReturnType<typeof findCrawlArea>;

export interface CrawlScopeOptions {
  readonly within?: CrawlArea;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly maxVariants: number;
}

const MAX_ADDRESS_CHARS = 1000;
const MAX_SEGMENTS = 25;
/** Maximum occurrences of a segment in a path. Broken relative links produce paths such as /a/b/a/b/a/b. */
const MAX_REPEATS = 3;
const MAX_PATHS = 100_000;
/** Addresses that differ only in numbers count as variants if the path has at least this many numbers. */
const MANY_NUMBERS = 2;

const NO_TEXT =
  /\.(?:7z|aac|apk|avi|avif|bin|bmp|bz2|css|dmg|eot|exe|flac|gif|gz|ico|iso|jar|jpe?g|js|m4[av]|map|mjs|mkv|mov|mp[34]|mpe?g|msi|og[gv]|otf|png|rar|rpm|deb|svgz?|swf|tar|tiff?|tgz|ttf|wasm|wav|web[mp]|wmv|woff2?|xz|zip|zst)$/i;

export function findCrawlArea(address: string) {
  const { host, pathname, protocol } = new URL(address);
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  const path = last.includes('.') ? pathname.slice(0, pathname.length - last.length) : pathname;
  return { host, path, secure: protocol === 'https:' };
}

export function createCrawlScope({ within, include, exclude, maxVariants: most }: CrawlScopeOptions) {
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
    /** Returns the normalized address or why it is skipped. `listed` addresses may exceed `maxVariants`. */
    judge(
      address: string,
      by: 'link' | 'listed' = 'link',
    ): { readonly url: string } | { readonly why: OutOfScopeReason } {
      const [clean] = (canonicalUrl(address) ?? '').split('#', 1);
      if (!clean) return { why: 'outside' };
      const url = within?.secure ? clean.replace(/^http:/, 'https:') : clean;
      const parsed = new URL(url);
      if (within && !liesWithin(parsed, within)) return { why: 'outside' };
      if (url.length > MAX_ADDRESS_CHARS || isMaze(parsed.pathname)) return { why: 'trap' };
      if (NO_TEXT.test(parsed.pathname)) return { why: 'file' };
      if (!isSelectedByPatterns(url, include, exclude)) return { why: 'pattern' };
      return isTrap(parsed, by) ? { why: 'trap' } : { url };
    },
  };
}

function liesWithin({ host, pathname }: URL, within: CrawlArea): boolean {
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

export function isSelectedByPatterns(
  name: string,
  include: readonly string[],
  exclude: readonly string[],
): boolean {
  if (exclude.some((pattern) => fits(name, pattern))) return false;
  return include.length === 0 || include.some((pattern) => fits(name, pattern));
}

function fits(name: string, pattern: string): boolean {
  let from = 0;
  for (const part of pattern.split('*')) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}
