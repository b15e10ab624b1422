import type { SearchHit } from '../engine.ts';
import type { PageListing, PageStore, StoredPage } from '../page-store.ts';

/** The embedded engine: every page that this user has read. It needs no network, and is never asked over one. */
export interface LocalEngine {
  search(owner: string, query: string, limit: number): Promise<SearchHit[]>;
  remember(owner: string, page: StoredPage): Promise<void>;
  recall(owner: string, url: string): Promise<StoredPage | undefined>;
  recent(owner: string, limit: number, cursor?: string): Promise<PageListing>;
}

export function createLocalEngine(store: PageStore): LocalEngine {
  return {
    search: (owner, query, limit) => store.search(owner, query, limit),
    remember: (owner, page) => store.put(owner, page),
    recall: (owner, url) => store.get(owner, url),
    recent: (owner, limit, cursor) => store.list(owner, limit, cursor),
  };
}
