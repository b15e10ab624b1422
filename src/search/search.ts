import { createFindPages, type FindPagesOptions } from './asking/find-pages.ts';
import { createEngineHealthLog } from './asking/health.ts';
import { createMemorySuspensionStore, type SuspensionStore } from './asking/suspension-store.ts';
import { createSuspensions } from './asking/suspensions.ts';
import { canonicalUrl } from './merging/canonical-url.ts';
import type { SearchService } from './types.ts';

export interface SearchOptions extends Omit<FindPagesOptions, 'suspensions' | 'health'> {
  readonly suspensions?: SuspensionStore;
}

export function createSearch(options: SearchOptions): SearchService {
  const { engines, local, log } = options;
  const suspensions = createSuspensions({ store: options.suspensions ?? createMemorySuspensionStore(), log });
  const health = createEngineHealthLog(engines, suspensions);
  return {
    findPages: createFindPages({ ...options, suspensions, health }),
    async rememberPages(owner, pages) {
      await local?.savePages(
        owner,
        pages.map((page) => ({ ...page, url: canonicalUrl(page.url) ?? page.url })),
      );
    },
    async recallPage(owner, url) {
      return local?.getPage(owner, canonicalUrl(url) ?? url);
    },
    async recallVersion(owner, url, at) {
      return local?.getVersion(owner, canonicalUrl(url) ?? url, at);
    },
    readHealth: health.read,
    remedies: options.remedies ?? [],
    searchPages: async (owner, query, limit) => (local ? local.searchPages(owner, query, limit) : []),
    async forgetPage(owner, url) {
      const canonical = canonicalUrl(url) ?? url;
      return (await local?.deletePages(owner, [...new Set([url, canonical])])) !== 0;
    },
    keepsPages: local !== undefined,
    async listRecentPages(owner, limit, cursor) {
      return local ? local.listPages(owner, limit, cursor) : { pages: [] };
    },
  };
}
