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
  /** Keeps a page, in place of an earlier one at the same URL; the oldest beyond the bounds are dropped. */
  put(owner: string, page: StoredPage): Promise<void>;
  /** Keeps many at once: all of them durable, or none. Several times as fast as one by one. */
  putAll(owner: string, pages: readonly StoredPage[]): Promise<void>;
  get(owner: string, url: string): Promise<StoredPage | undefined>;
  /** When the page was read, in milliseconds since 1970, without reading it. */
  readAt(owner: string, url: string): Promise<number | undefined>;
  /**
   * Pages that have words of the query, best first by BM25; any text is a legal query. Of words that
   * thousands of pages have, the newest of those are looked at.
   */
  search(owner: string, query: string, limit: number): Promise<SearchHit[]>;
  /** Newest first; `cursor` is the `next` of the page of results before. */
  list(owner: string, limit: number, cursor?: string): Promise<PageListing>;
  usage(owner: string): Promise<PageUsage>;
  /** How many pages of which host, most first. */
  hosts(owner: string): Promise<{ readonly host: string; readonly pages: number }[]>;
  /** Forgets the pages at exactly these addresses; resolves with how many there were. */
  remove(owner: string, urls: readonly string[]): Promise<number>;
  /** Forgets the pages at and under the address `prefix`; resolves with how many there were. */
  forget(owner: string, prefix: string): Promise<number>;
  /** Forgets all of the owner's pages; resolves with how many there were. */
  clear(owner: string): Promise<number>;
}

export interface PageListing {
  readonly pages: readonly Pick<StoredPage, 'url' | 'title' | 'readAt'>[];
  readonly next?: string;
}

export interface PageUsage {
  readonly pages: number;
  /** UTF-8 bytes of titles and texts. */
  readonly bytes: number;
}

/** What is kept for one user at most. */
export interface PageBounds {
  readonly maxPages: number;
  /** UTF-8 bytes of titles and texts; packed and indexed they take about as much on the disk. */
  readonly maxBytes: number;
}
