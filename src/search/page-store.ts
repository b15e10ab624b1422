import type { SearchHit } from './engine.ts';

export interface StoredPage {
  readonly url: string;
  readonly title: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly readAt: number;
}

export interface PageVersion extends StoredPage {
  /** When the text was first read. `readAt` is when it was last read. */
  readonly firstReadAt: number;
  readonly cut: boolean;
}

/** Stores the pages of each owner. A power failure can lose the pages that were saved last. */
export interface PageStore {
  /** Saves pages. One call for many pages is faster, but a failed call may have saved some of them. */
  savePages(owner: string, pages: readonly StoredPage[]): Promise<void>;
  getPage(owner: string, url: string): Promise<StoredPage | undefined>;
  /** Returns the page's text as it was at `at` (ms since 1970). If unknown, returns the oldest text. */
  getVersion(owner: string, url: string, at: number): Promise<PageVersion | undefined>;
  getReadTime(owner: string, url: string): Promise<number | undefined>;
  /** Returns pages with words of the query, best first. Very common words are searched only in new pages. */
  searchPages(owner: string, query: string, limit: number): Promise<SearchHit[]>;
  /** Lists pages, newest first. `cursor` is the value `next` of the previous listing. */
  listPages(owner: string, limit: number, cursor?: string): Promise<PageListing>;
  measureUsage(owner: string): Promise<PageUsage>;
  countByHost(owner: string): Promise<HostCount[]>;
  deletePages(owner: string, urls: readonly string[]): Promise<number>;
  /** Deletes the page at `prefix` and all pages below. Resolves with their number. */
  deletePagesUnder(owner: string, prefix: string): Promise<number>;
  deleteAllPages(owner: string): Promise<number>;
  /** Recomputes the index words of pages that an older Magpie stored. Resolves with the number of pages. */
  renewWords(signal: AbortSignal): Promise<number>;
}

export interface PageListing {
  readonly pages: readonly Pick<StoredPage, 'url' | 'title' | 'readAt'>[];
  readonly next?: string;
}

export interface PageUsage {
  readonly pages: number;
  readonly bytes: number;
}

export interface HostCount {
  readonly host: string;
  readonly pages: number;
}

export interface PageBounds {
  readonly maxPages: number;
  /** Maximum bytes of a user's titles and texts, plus at most a quarter of this for old text versions. */
  readonly maxBytes: number;
}
