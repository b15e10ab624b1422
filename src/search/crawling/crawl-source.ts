import { type AppError, badRequestError, forbiddenError, upstreamError } from '../../errors.ts';
import { createYieldPoint } from '../../lib/concurrency/time-slices.ts';
import type { FetchResult } from '../../lib/network/fetch.ts';
import { otherWrittenUrl, UNKNOWN_PAGE_STATUSES } from '../../lib/network/written-address.ts';
import { canonicalUrl } from '../merging/canonical-url.ts';
import type { BackgroundCrawl, IndexOptions } from '../types.ts';
import type { SourceKind, WaitingAddress } from './crawl-store.ts';
import type { VisitOutcome } from './index-run.ts';
import { findSitemaps, readSitemaps } from './listed-pages.ts';
import type { SitemapOrFeed } from './listing.ts';
import { readListingInPool } from './listing-pool.ts';
import { createPoliteFetch, type PoliteFetch, type PoliteOptions } from './polite-fetch.ts';
import type { RobotsRules } from './robots.ts';
import { type CrawlScope, createCrawlScope, findCrawlArea } from './scope.ts';
import { MAX_SITEMAP_BYTES, type SitemapOrFeedPage } from './sitemap.ts';
import { createPageVisit, type PageVisitOptions } from './visit-page.ts';

export interface CrawlSource {
  readonly kind: SourceKind;
  readonly source: string;
  starts(): Promise<Pick<WaitingAddress, 'url' | 'depth'>[]>;
  createVisit(
    of: Pick<PageVisitOptions, 'conditional' | 'isKept' | 'getState' | 'queueAddresses'>,
  ): (waiting: WaitingAddress) => Promise<VisitOutcome>;
}

/** `maxBytes` limits the size of a page. It does not limit sitemaps and feeds. */
export interface CrawlSourceOptions extends Omit<PoliteOptions, 'delayMs' | 'mayFetch'> {
  readonly owner: string;
  readonly depth: number;
}

const SITEMAP_BOUNDS = { files: 100, pages: 200_000 };
const MAX_QUERIES = 300;

function boundsOf(job: BackgroundCrawl | undefined) {
  const { files, pages } = SITEMAP_BOUNDS;
  return { files, pages: Math.min(pages, job?.maxAddresses ?? pages) };
}

/** Fetches an address and detects if it is a site, a sitemap or a feed. Throws AppError. */
export async function openCrawlSource(
  address: string,
  options: IndexOptions,
  own: CrawlSourceOptions,
  isSecond = false,
): Promise<CrawlSource> {
  const { signal, delayMs } = options;
  const polite = createPoliteFetch({ ...own, delayMs, mayFetch: options.mayFetch });
  const source = normalizeWebAddress(address);
  const rules = await polite.rulesFor(source, signal);
  if (!rules.allows(source)) throw createRobotsError(source, rules);
  // Allows a larger file for a sitemap or feed. In a background crawl, the address must suggest one.
  const most =
    options.job && !isLikelySitemapOrFeed(source) ? own.maxBytes : Math.max(own.maxBytes, MAX_SITEMAP_BYTES);
  const first = await polite.fetchPage(source, signal, {}, most);
  options.job?.addBytes(first.body.length);
  if (first.status < 200 || first.status >= 300) {
    const other = !isSecond && UNKNOWN_PAGE_STATUSES.has(first.status) ? otherWrittenUrl(source) : undefined;
    if (other !== undefined) return openCrawlSource(other, options, own, true);
    throw upstreamError(`${source} answered ${first.status}; check the address`);
  }
  const listing = await readListingInPool(first, signal, own.owner);
  if (listing.kind !== 'other') return listedSite(listing, source, first, polite, options, own);
  return linkedSite(source, first, polite, options, own);
}

function listedSite(
  listing: SitemapOrFeed,
  source: string,
  first: FetchResult,
  polite: PoliteFetch,
  options: IndexOptions,
  { owner }: CrawlSourceOptions,
): CrawlSource {
  const kind = listing.kind === 'feed' ? 'feed' : 'sitemap';
  const { depth = 0, include, exclude, signal, job } = options;
  const isBound = kind === 'sitemap' || job !== undefined;
  const within = isBound ? { ...findCrawlArea(first.url), path: '/' } : undefined;
  const scope = createCrawlScope({ include, exclude, within, maxVariants: Number.POSITIVE_INFINITY });
  return {
    kind,
    source,
    async starts() {
      const known = { url: first.url, listing };
      const bounds = boundsOf(job);
      const { pages } = await readSitemaps([first.url], { polite, signal, owner, bounds, job, known });
      return (await inScope(pages, scope)).map((url) => ({ url, depth: 0 }));
    },
    createVisit: (of) => createPageVisit({ ...of, ...common(scope, polite, options), maxDepth: depth }),
  };
}

function linkedSite(
  source: string,
  first: FetchResult,
  polite: PoliteFetch,
  options: IndexOptions,
  own: CrawlSourceOptions,
): CrawlSource {
  const { depth = own.depth, include, exclude, signal, job } = options;
  const scope = createCrawlScope({
    within: findCrawlArea(first.url),
    include,
    exclude,
    maxVariants: MAX_QUERIES,
  });
  const start = canonicalUrl(first.url)?.split('#', 1)[0] ?? source;
  let spare = first.body.length > own.maxBytes ? undefined : first;
  return {
    kind: 'site',
    source,
    async starts() {
      const files = depth > 0 ? findSitemaps(start, await polite.rulesFor(start, signal)) : [];
      const { pages } = await readSitemaps(files, {
        polite,
        signal,
        owner: own.owner,
        bounds: boundsOf(job),
        job,
      });
      return [{ url: start, depth: 0 }, ...(await inScope(pages, scope)).map((url) => ({ url, depth: 1 }))];
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

function common(scope: CrawlScope, polite: PoliteFetch, { signal, read, job }: IndexOptions) {
  return {
    scope,
    signal,
    read,
    isAllowed: async (url: string) => (await polite.rulesFor(url, signal)).allows(url),
    async fetchPage(url: string, headers: Readonly<Record<string, string>>) {
      const answer = await polite.fetchPage(url, signal, headers);
      job?.addBytes(answer.body.length);
      return answer;
    },
  };
}

async function inScope(pages: readonly SitemapOrFeedPage[], scope: CrawlScope): Promise<string[]> {
  const pause = createYieldPoint();
  const inside: string[] = [];
  for (const { url } of pages) {
    const judged = scope.judge(url, 'listed');
    if ('url' in judged) inside.push(judged.url);
    await pause();
  }
  return inside;
}

export function isLikelySitemapOrFeed(address: string): boolean {
  return /sitemap|feed|rss|atom|\.(?:xml|gz|txt)$/i.test(new URL(address).pathname);
}

/** Removes fragment and tracking parameters. Throws AppError `bad_request` if it is not a web address. */
export function normalizeWebAddress(address: string): string {
  const [url] = canonicalUrl(address)?.split('#', 1) ?? [];
  if (url) return url;
  throw badRequestError(
    `${JSON.stringify(address.slice(0, 200))} is not an address that can be indexed: an http or https URL without a password is accepted`,
  );
}

export function createRobotsError(url: string, { trouble }: RobotsRules): AppError {
  const file = `${new URL(url).origin}/robots.txt`;
  return trouble === undefined
    ? forbiddenError(`${file} forbids reading ${url}; browse without map and crawl reads a single page`)
    : upstreamError(`${file}, which says what may be read, cannot be read: ${trouble}; try again later`);
}
