import type { SearchHit } from './engine.ts';

/** A page that a user has read, as the local index keeps it. */
export interface StoredPage {
  readonly url: string;
  readonly title: string;
  /** Markdown of the whole page. */
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly readAt: number;
}

/** One user's pages, found by words. Every method takes the owner; no method crosses owners. */
export interface PageStore {
  /** Keeps a page, in place of an earlier one at the same URL; the oldest beyond the bound are dropped. */
  put(owner: string, page: StoredPage): Promise<void>;
  get(owner: string, url: string): Promise<StoredPage | undefined>;
  /** Pages that have words of the query, best first by BM25; any text is a legal query. */
  search(owner: string, query: string, limit: number): Promise<SearchHit[]>;
  /** Newest first; `cursor` is the `next` of the page of results before. */
  list(owner: string, limit: number, cursor?: string): Promise<PageListing>;
  /** Forgets all of the owner's pages; resolves with how many there were. */
  clear(owner: string): Promise<number>;
}

export interface PageListing {
  readonly pages: readonly Pick<StoredPage, 'url' | 'title' | 'readAt'>[];
  readonly next?: string;
}
