import { AppError } from '../../errors.ts';
import type { KeyedLock } from '../../lib/concurrency/keyed-lock.ts';
import { createPause } from '../../lib/concurrency/turns.ts';
import type { Fetched, GuardedFetch } from '../../lib/network/fetch.ts';
import { canonicalUrl } from '../merging/canonical-url.ts';
import type { IndexJob, IndexOptions } from '../types.ts';
import type { SourceKind, WaitingAddress } from './crawl-store.ts';
import type { Visit } from './index-run.ts';
import { listedIn, sitemapsOf } from './listed-pages.ts';
import type { Listing } from './listing.ts';
import { listingOf } from './listing-desk.ts';
import { createPoliteFetch, type PoliteFetch } from './polite-fetch.ts';
import type { RobotsRules } from './robots.ts';
import { createScope, placeOf, type Scope } from './scope.ts';
import { type ListedPage, SITEMAP_BYTES } from './sitemap.ts';
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
  readonly owner: string;
  readonly hosts: KeyedLock;
  readonly fetch: GuardedFetch;
  readonly timeoutMs: number;
  /** Most bytes of a page; sitemaps and feeds may have more. */
  readonly maxBytes: number;
  /** Links that a site is followed when the user names no number. */
  readonly depth: number;
}

/** Sitemap files of one source, those that an index names included, and the addresses of all of them. */
const SITEMAP_BOUNDS = { files: 100, pages: 200_000 };
/** Addresses that differ in the query alone, of one path. */
const MAX_QUERIES = 300;

/** A crawl takes no more from sitemaps than it remembers. */
function boundsOf(job: IndexJob | undefined) {
  const { files, pages } = SITEMAP_BOUNDS;
  return { files, pages: Math.min(pages, job?.maxAddresses ?? pages) };
}

/** Fetches the address and determines its kind by the answer. AppError names what prevents that. */
export async function createSite(address: string, options: IndexOptions, own: SiteOptions): Promise<Site> {
  const { signal, delayMs } = options;
  const polite = createPoliteFetch({ ...own, delayMs, mayFetch: options.mayFetch });
  const source = webAddress(address);
  const rules = await polite.rulesFor(source, signal);
  if (!rules.allows(source)) throw forbidden(source, rules);
  // It may be a list of pages, which may be larger than a page. Of what others may ask for, only one that is called so.
  const most = options.job && !isCalledList(source) ? own.maxBytes : Math.max(own.maxBytes, SITEMAP_BYTES);
  const first = await polite.fetchPage(source, signal, {}, most);
  options.job?.addBytes(first.body.length);
  if (first.status < 200 || first.status >= 300) {
    throw new AppError('upstream', `${source} answered ${first.status}; check the address`);
  }
  const listing = await listingOf(first.body, first.url, signal, own.owner);
  if (listing.kind !== 'other') return listedSite(listing, source, first, polite, options, own);
  return linkedSite(source, first, polite, options, own);
}

/** A sitemap or feed: its own list, wherever a feed's leads, but in a job; links of the pages only when --depth asks for them. */
function listedSite(
  listing: Listing,
  source: string,
  first: Fetched,
  polite: PoliteFetch,
  options: IndexOptions,
  { owner }: SiteOptions,
): Site {
  const kind = listing.kind === 'feed' ? 'feed' : 'sitemap';
  const { depth = 0, include, exclude, signal, job } = options;
  const isBound = kind === 'sitemap' || job !== undefined;
  const within = isBound ? { ...placeOf(first.url), path: '/' } : undefined;
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
      const known = { url: first.url, listing };
      const bounds = boundsOf(job);
      const { pages } = await listedIn([first.url], { polite, signal, owner, bounds, job, known });
      return (await inScope(pages, scope)).map((url) => ({ url, depth: 0 }));
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
  const { depth = own.depth, include, exclude, signal, job } = options;
  const scope = createScope({ within: placeOf(first.url), include, exclude, queries: MAX_QUERIES });
  const start = canonicalUrl(first.url)?.split('#', 1)[0] ?? source;
  // Over the limit of a page it is asked for again, and refused like any other.
  let spare = first.body.length > own.maxBytes ? undefined : first;
  return {
    kind: 'site',
    source,
    async starts() {
      const files = depth > 0 ? sitemapsOf(start, await polite.rulesFor(start, signal)) : [];
      const { pages } = await listedIn(files, {
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

function common(scope: Scope, polite: PoliteFetch, { signal, read, job }: IndexOptions) {
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

async function inScope(pages: readonly ListedPage[], scope: Scope): Promise<string[]> {
  const pause = createPause();
  const inside: string[] = [];
  for (const { url } of pages) {
    const judged = scope.judge(url, 'listed');
    if ('url' in judged) inside.push(judged.url);
    await pause();
  }
  return inside;
}

/** Whether an address is called like one of a sitemap or feed. */
export function isCalledList(address: string): boolean {
  return /sitemap|feed|rss|atom|\.(?:xml|gz|txt)$/i.test(new URL(address).pathname);
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

export function forbidden(url: string, { trouble }: RobotsRules): AppError {
  const file = `${new URL(url).origin}/robots.txt`;
  return trouble === undefined
    ? new AppError(
        'forbidden',
        `${file} forbids reading ${url}; browse without map and crawl reads a single page`,
      )
    : new AppError(
        'upstream',
        `${file}, which says what may be read, cannot be read: ${trouble}; try again later`,
      );
}
