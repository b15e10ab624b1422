import { AppError } from '../errors.ts';
import type { Fetched, GuardedFetch } from '../lib/fetch.ts';
import { canonicalUrl } from './canonical-url.ts';
import type { SourceKind, WaitingAddress } from './crawl-store.ts';
import { feedLinks, isFeed } from './feed-links.ts';
import type { Visit } from './index-run.ts';
import { createPoliteFetch, type PoliteFetch } from './polite-fetch.ts';
import type { RobotsRules } from './robots.ts';
import { createScope, placeOf, type Scope } from './scope.ts';
import { isSitemap, parseSitemap, SITEMAP_BYTES, unzipped } from './sitemap.ts';
import type { IndexOptions } from './types.ts';
import { createPageVisit, type VisitOptions } from './visit-page.ts';

/** A source on the web, fetched once: what it is, where it begins and how far it reaches. */
export interface Site {
  readonly kind: SourceKind;
  /** The address in the form it is kept under. */
  readonly source: string;
  /** Where the reading begins: the page itself and its site's sitemaps, or what the sitemap or feed lists. */
  starts(): Promise<Pick<WaitingAddress, 'url' | 'depth'>[]>;
  createVisit(
    of: Pick<VisitOptions, 'conditional' | 'isKept' | 'getState' | 'queueAddresses'>,
  ): (waiting: WaitingAddress) => Promise<Visit>;
}

export interface SiteOptions {
  readonly fetch: GuardedFetch;
  readonly timeoutMs: number;
  /** Most bytes of a page; sitemaps and feeds may have more. */
  readonly maxBytes: number;
  /** Links that a site is followed when the user names no number. */
  readonly depth: number;
}

/** Sitemap files of one source, those that an index names included. */
const MAX_SITEMAPS = 100;
/** Addresses of all of them. */
const MAX_LISTED = 200_000;
/** Addresses that differ in the query alone, of one path. */
const MAX_QUERIES = 300;

/** Fetches the address and determines its kind by the answer. AppError names what prevents that. */
export async function createSite(address: string, options: IndexOptions, own: SiteOptions): Promise<Site> {
  const { signal, delayMs } = options;
  const polite = createPoliteFetch({ ...own, delayMs });
  const source = webAddress(address);
  const rules = await polite.rulesFor(source, signal);
  if (!rules.allows(source)) throw forbidden(source, rules);
  // It may be a list of pages, which may be larger than a page.
  const first = await polite.fetchPage(source, signal, {}, Math.max(own.maxBytes, SITEMAP_BYTES));
  if (first.status < 200 || first.status >= 300) {
    throw new AppError('upstream', `${source} answered ${first.status}; check the address`);
  }
  if (isSitemap(await unzipped(first.body))) return listedSite('sitemap', source, first, polite, options);
  if (isFeed(first.body)) return listedSite('feed', source, first, polite, options);
  return linkedSite(source, first, polite, options, own);
}

/** A sitemap or feed: its own list, wherever a feed's leads; links of the pages only when --depth asks for them. */
function listedSite(
  kind: 'sitemap' | 'feed',
  source: string,
  first: Fetched,
  polite: PoliteFetch,
  options: IndexOptions,
): Site {
  const { depth = 0, include, exclude, signal } = options;
  const within = kind === 'sitemap' ? { ...placeOf(first.url), path: '/' } : undefined;
  const scope = createScope({
    include,
    exclude,
    within,
    queries: Number.POSITIVE_INFINITY,
  });
  return {
    kind,
    source,
    async starts() {
      const urls =
        kind === 'feed'
          ? feedLinks(first.body, first.url)
          : await listedPages([first.url], polite, signal, first);
      return inScope(urls, scope).map((url) => ({ url, depth: 0 }));
    },
    createVisit: (of) => createPageVisit({ ...of, ...common(scope, polite, options), maxDepth: depth }),
  };
}

/** A page and what lies under its address. */
function linkedSite(
  source: string,
  first: Fetched,
  polite: PoliteFetch,
  options: IndexOptions,
  own: SiteOptions,
): Site {
  const { depth = own.depth, include, exclude, signal } = options;
  const scope = createScope({ within: placeOf(first.url), include, exclude, queries: MAX_QUERIES });
  const start = canonicalUrl(first.url)?.split('#', 1)[0] ?? source;
  // Over the limit of a page it is asked for again, and refused like any other.
  let spare = first.body.length > own.maxBytes ? undefined : first;
  return {
    kind: 'site',
    source,
    async starts() {
      const { sitemaps } = await polite.rulesFor(start, signal);
      const here = sitemaps.filter((one) => new URL(one).host === new URL(start).host);
      const listed = depth > 0 && here.length > 0 ? await listedPages(here, polite, signal) : [];
      return [{ url: start, depth: 0 }, ...inScope(listed, scope).map((url) => ({ url, depth: 1 }))];
    },
    createVisit(of) {
      const { fetchPage, ...rest } = common(scope, polite, options);
      return createPageVisit({
        ...of,
        ...rest,
        maxDepth: depth,
        async fetchPage(url, headers) {
          const known = url === start ? spare : undefined;
          if (known) spare = undefined;
          return known ?? fetchPage(url, headers);
        },
      });
    },
  };
}

function common(scope: Scope, polite: PoliteFetch, { signal, read }: IndexOptions) {
  return {
    scope,
    signal,
    read,
    isAllowed: async (url: string) => (await polite.rulesFor(url, signal)).allows(url),
    fetchPage: (url: string, headers: Readonly<Record<string, string>>) =>
      polite.fetchPage(url, signal, headers),
  };
}

/** Addresses in sitemap files and in those that they name; a file that cannot be read is passed over. */
async function listedPages(
  files: readonly string[],
  polite: PoliteFetch,
  signal: AbortSignal,
  first?: Fetched,
): Promise<string[]> {
  const queue = [...files];
  const seen = new Set<string>();
  const pages: string[] = [];
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    if (seen.has(file) || seen.size >= MAX_SITEMAPS || pages.length >= MAX_LISTED) continue;
    seen.add(file);
    try {
      const answer = first?.url === file ? first : await polite.fetchPage(file, signal, {}, SITEMAP_BYTES);
      if (answer.status !== 200) continue;
      const { pages: found, sitemaps } = parseSitemap(await unzipped(answer.body), answer.url);
      for (const page of found.slice(0, MAX_LISTED - pages.length)) pages.push(page);
      queue.push(
        ...sitemaps.filter((one) => new URL(one).host === new URL(file).host).slice(0, MAX_SITEMAPS),
      );
    } catch (error) {
      if (signal.aborted || !(error instanceof AppError)) throw error;
    }
  }
  return pages;
}

function inScope(urls: readonly string[], scope: Scope): string[] {
  return urls.flatMap((url) => {
    const judged = scope.judge(url);
    return 'url' in judged ? [judged.url] : [];
  });
}

/** The address without fragment and tracking parameters; AppError `bad_request` for what is none. */
export function webAddress(address: string): string {
  const [url] = canonicalUrl(address)?.split('#', 1) ?? [];
  if (url) return url;
  throw new AppError(
    'bad_request',
    `${JSON.stringify(address.slice(0, 200))} is not an address that can be indexed: an http or https URL without a password is accepted`,
  );
}

function forbidden(url: string, { trouble }: RobotsRules): AppError {
  const file = `${new URL(url).origin}/robots.txt`;
  return trouble === undefined
    ? new AppError(
        'forbidden',
        `${file} forbids reading ${url}; a single page can be read with magpie browse`,
      )
    : new AppError(
        'upstream',
        `${file}, which says what may be read, cannot be read: ${trouble}; try again later`,
      );
}
