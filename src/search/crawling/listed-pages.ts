import { AppError } from '../../errors.ts';
import type { BackgroundCrawl } from '../types.ts';
import type { SitemapOrFeed } from './listing.ts';
import { readListingInPool } from './listing-pool.ts';
import { isFatalCrawlError, type PoliteFetch } from './polite-fetch.ts';
import type { RobotsRules } from './robots.ts';
import { MAX_SITEMAP_BYTES, type SitemapOrFeedPage } from './sitemap.ts';

export interface ReadSitemapsOptions {
  readonly polite: PoliteFetch;
  readonly signal: AbortSignal;
  readonly owner: string;
  readonly bounds: { readonly files: number; readonly pages: number };
  readonly job?: Pick<BackgroundCrawl, 'addBytes' | 'isOver'> | undefined;
  readonly known?: { readonly url: string; readonly listing: SitemapOrFeed };
}

export function findSitemaps(address: string, { sitemaps }: RobotsRules): string[] {
  const { host, origin } = new URL(address);
  const here = sitemaps.filter((one) => new URL(one).host === host);
  return here.length > 0 ? here : [`${origin}/sitemap.xml`];
}

export async function readSitemaps(files: readonly string[], options: ReadSitemapsOptions) {
  const { bounds, job } = options;
  const queue = [...files];
  const seen = new Set<string>();
  const pages: SitemapOrFeedPage[] = [];
  let [read, cut] = [0, false];
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    if (seen.has(file)) continue;
    const left = bounds.pages - pages.length;
    if (seen.size >= bounds.files || left <= 0 || job?.isOver()) {
      cut = true;
      break;
    }
    seen.add(file);
    const listing = await readFile(file, options);
    if (listing === 'none') continue;
    if (listing === 'unreadable') {
      cut = true;
      continue;
    }
    read += 1;
    for (const page of listing.pages.slice(0, left)) pages.push(page);
    const { host } = new URL(file);
    const further = listing.sitemaps.filter((one) => new URL(one).host === host);
    for (const one of further.slice(0, bounds.files)) queue.push(one);
    cut ||= listing.cut || listing.pages.length > left || further.length > bounds.files;
  }
  return { pages, files: read, cut };
}

async function readFile(file: string, { polite, signal, owner, job, known }: ReadSitemapsOptions) {
  if (known?.url === file) return known.listing;
  try {
    const answer = await polite.fetchPage(file, signal, {}, MAX_SITEMAP_BYTES);
    job?.addBytes(answer.body.length);
    if (answer.status !== 200) return 'none';
    const listing = await readListingInPool(answer, signal, owner);
    return listing.kind === 'other' ? 'none' : listing;
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError) || isFatalCrawlError(error)) throw error;
    return 'unreadable';
  }
}
