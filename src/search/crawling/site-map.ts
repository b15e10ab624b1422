import { AppError, upstreamError } from '../../errors.ts';
import { isTimeout } from '../../lib/concurrency/deadline.ts';
import type { KeyedLock } from '../../lib/concurrency/keyed-lock.ts';
import { createYieldPoint } from '../../lib/concurrency/time-slices.ts';
import type { FetchResult, GuardedFetch } from '../../lib/network/fetch.ts';
import { otherWrittenUrl, UNKNOWN_PAGE_STATUSES } from '../../lib/network/written-address.ts';
import { canonicalUrl } from '../merging/canonical-url.ts';
import type { MapOptions, SiteMap } from '../types.ts';
import { createRobotsError, isLikelySitemapOrFeed, normalizeWebAddress } from './crawl-source.ts';
import { findSitemaps, readSitemaps } from './listed-pages.ts';
import { readListingInPool } from './listing-pool.ts';
import { createPoliteFetch, isFatalCrawlError, type PoliteFetch } from './polite-fetch.ts';
import { createCrawlScope, findCrawlArea } from './scope.ts';
import { MAX_SITEMAP_BYTES, type SitemapOrFeedPage } from './sitemap.ts';
import { parseRobotsTag } from './visit-page.ts';

const MAP_MS = 20_000;
/** Minimum milliseconds between two requests to the host. robots.txt may demand more. */
const MAP_DELAY_MS = 100;
const MAX_FILES = 20;
/** If sitemaps list fewer pages than this number, links are followed too (see `MAX_READ`, `MAX_DEPTH`). */
const FEW_LISTED = 50;
const MAX_READ = 20;
const MAX_DEPTH = 2;

export interface SiteMapServices {
  readonly fetch: GuardedFetch;
  readonly hosts: KeyedLock;
  readonly pageBytes: number;
  readonly pageTimeout: number;
  readonly mapDelayMs?: number | undefined;
}

type MakeOptions = SiteMapServices & MapOptions & { readonly owner: string };

export async function makeSiteMap(address: string, options: MakeOptions, isSecond = false): Promise<SiteMap> {
  const source = normalizeWebAddress(address);
  const { fetch, hosts, pageBytes: maxBytes, pageTimeout: timeoutMs, mayFetch, progress } = options;
  const { mapDelayMs: delayMs = MAP_DELAY_MS } = options;
  const { signal: caller, owner } = options;
  const polite = createPoliteFetch({ fetch, hosts, delayMs, timeoutMs, maxBytes, mayFetch });
  const rules = await polite.rulesFor(source, caller);
  if (!rules.allows(source)) throw createRobotsError(source, rules);
  progress(`reading ${source}`);
  const most = isLikelySitemapOrFeed(source) ? Math.max(maxBytes, MAX_SITEMAP_BYTES) : maxBytes;
  const first = await polite.fetchPage(source, caller, {}, most);
  if (first.status < 200 || first.status >= 300) {
    const other = !isSecond && UNKNOWN_PAGE_STATUSES.has(first.status) ? otherWrittenUrl(source) : undefined;
    if (other !== undefined) return makeSiteMap(other, options, true);
    throw upstreamError(`${source} answered ${first.status}; check the address`);
  }
  const here = await polite.rulesFor(first.url, caller);
  if (!here.allows(first.url)) throw createRobotsError(first.url, here);
  const listing = await readListingInPool(first, caller, owner);
  const draft = createSiteMapDraft(first.url, listing.kind !== 'other');
  const isList = listing.kind !== 'other';
  const start = canonicalUrl(first.url)?.split('#', 1)[0] ?? source;
  const links = isList ? [] : await readLinks(start, first, options, draft);
  const limit = AbortSignal.timeout(MAP_MS);
  const work = { ...options, signal: AbortSignal.any([caller, limit]) };
  const until = stopOf(caller, limit, draft);
  if (isList) {
    await until(() => addListed([first.url], { ...work, polite, draft, known: { url: first.url, listing } }));
    return draft.result(first.url);
  }
  await until(() => addListed(findSitemaps(start, here), { ...work, polite, draft }));
  if (draft.counts().listed < FEW_LISTED) await until(() => follow(links, polite, work, draft));
  return draft.result(draft.title);
}

function stopOf(caller: AbortSignal, limit: AbortSignal, draft: SiteMapDraft) {
  return async (step: () => Promise<void>): Promise<void> => {
    try {
      if (!limit.aborted) await step();
      else draft.bound(OUT_OF_TIME);
    } catch (error) {
      caller.throwIfAborted();
      if (limit.aborted || isTimeout(error)) draft.bound(OUT_OF_TIME);
      else if (error instanceof AppError && error.code === 'rate_limited') draft.bound(error.message);
      else throw error;
    }
  };
}

const OUT_OF_TIME = `the ${MAP_MS / 1000} seconds of a map were over before all was read`;

interface MapListing extends MakeOptions {
  readonly polite: PoliteFetch;
  readonly draft: SiteMapDraft;
  readonly known?: { readonly url: string; readonly listing: Awaited<ReturnType<typeof readListingInPool>> };
}

async function addListed(files: readonly string[], options: MapListing): Promise<void> {
  const { draft, progress } = options;
  progress('reading the sitemaps');
  const bounds = { files: MAX_FILES, pages: MAX_MAP_PAGES };
  const { pages, files: read, cut } = await readSitemaps(files, { ...options, bounds });
  const pause = createYieldPoint();
  for (const page of pages) {
    draft.add(page, 'listed');
    await pause();
  }
  draft.countSitemaps(read);
  if (cut)
    draft.bound(
      `its sitemaps list more than was read: ${MAX_FILES} files and ${MAX_MAP_PAGES} pages at most`,
    );
}

async function readLinks(
  url: string,
  answer: FetchResult,
  { read, signal }: MakeOptions,
  draft: SiteMapDraft,
): Promise<string[]> {
  const contentType = answer.headers.get('content-type') ?? '';
  const page = await read({ url: answer.url, contentType, body: answer.body }, signal);
  draft.addRead(url, page.title);
  if (page.robots?.nofollow || parseRobotsTag(answer.headers.get('x-robots-tag') ?? '').nofollow) return [];
  return (page.links ?? []).flatMap(({ url: link, text }) => {
    const added = draft.add({ url: link, ...(text && { title: text }) }, 'link');
    return added === undefined ? [] : [added];
  });
}

async function follow(first: readonly string[], polite: PoliteFetch, work: MakeOptions, draft: SiteMapDraft) {
  const queue = first.map((url) => ({ url, depth: 1 }));
  for (let next = queue.shift(); next; next = queue.shift()) {
    if (draft.counts().read >= MAX_READ) {
      draft.bound(`the links of ${MAX_READ} pages were followed`);
      return;
    }
    const { url, depth } = next;
    if (!(await polite.rulesFor(url, work.signal)).allows(url)) continue;
    work.progress(`${draft.counts().all} pages found: ${url}`);
    const links = await linksAt(url, polite, work, draft);
    if (depth >= MAX_DEPTH && links.length > 0) draft.bound(`links were followed ${MAX_DEPTH} pages deep`);
    else for (const link of links) queue.push({ url: link, depth: depth + 1 });
  }
}

async function linksAt(url: string, polite: PoliteFetch, work: MakeOptions, draft: SiteMapDraft) {
  try {
    const answer = await polite.fetchPage(url, work.signal);
    const judged = draft.judge(answer.url);
    if (answer.status !== 200 || judged === undefined) return [];
    if (judged !== url && !(await polite.rulesFor(judged, work.signal)).allows(judged)) return [];
    return await readLinks(judged, answer, work, draft);
  } catch (error) {
    if (work.signal.aborted || !(error instanceof AppError) || isFatalCrawlError(error)) throw error;
    return [];
  }
}

type SiteMapDraft = ReturnType<typeof createSiteMapDraft>;

const MAX_MAP_PAGES = 10_000;
const MAX_ALIKE = 100;

function createSiteMapDraft(url: string, isWholeHost: boolean) {
  const within = { ...findCrawlArea(url), ...(isWholeHost && { path: '/' }) };
  const scope = createCrawlScope({ within, include: [], exclude: [], maxVariants: MAX_ALIKE });
  const pages = new Map<string, SitemapOrFeedPage>();
  const bounds = new Set<string>();
  const read = new Set<string>();
  let [title, listed, sitemaps] = ['', 0, 0];

  function put(address: string, facts: Omit<SitemapOrFeedPage, 'url'>): boolean {
    const known = pages.get(address);
    if (known) pages.set(address, { ...facts, ...known });
    else if (pages.size < MAX_MAP_PAGES) pages.set(address, { url: address, ...facts });
    else bounds.add(`a map has ${MAX_MAP_PAGES} pages`);
    return known === undefined && pages.has(address);
  }

  return {
    get title() {
      return title;
    },
    bound: (why: string): void => void bounds.add(why),
    countSitemaps(files: number): void {
      sitemaps += files;
    },
    judge(address: string): string | undefined {
      const judged = scope.judge(address);
      return 'url' in judged ? judged.url : undefined;
    },
    add({ url: address, ...facts }: SitemapOrFeedPage, by: 'link' | 'listed'): string | undefined {
      const judged = scope.judge(address, by);
      if ('why' in judged) {
        if (judged.why === 'trap')
          bounds.add(`of addresses that are alike the first ${MAX_ALIKE} were taken`);
        return undefined;
      }
      const isNew = put(judged.url, facts);
      if (isNew && by === 'listed') listed += 1;
      return isNew ? judged.url : undefined;
    },
    addRead(address: string, own: string): void {
      if (read.size === 0) title = own;
      read.add(address);
      const { title: words = '', ...known } = pages.get(address) ?? { url: address };
      pages.set(address, { ...known, ...((own || words) && { title: own || words }) });
    },
    counts: (): { readonly read: number; readonly listed: number; readonly all: number } => ({
      read: read.size,
      listed,
      all: pages.size,
    }),
    result: (words: string): SiteMap => ({
      url,
      title: words,
      pages: [...pages.values()],
      count: pages.size,
      sitemaps,
      read: read.size,
      bounds: [...bounds],
    }),
  };
}
