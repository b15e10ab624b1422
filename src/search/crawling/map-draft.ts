import type { SiteMap } from '../types.ts';
import { createCrawlScope, findCrawlArea } from './scope.ts';
import type { SitemapOrFeedPage } from './sitemap.ts';

export type SiteMapDraft = ReturnType<typeof createSiteMapDraft>;

export const MAX_MAP_PAGES = 10_000;
const MAX_ALIKE = 100;

export function createSiteMapDraft(url: string, isWholeHost: boolean) {
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
