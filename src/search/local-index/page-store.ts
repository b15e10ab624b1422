import type { SearchHit } from '../engine.ts';

/** A page in the local index of a user who has read it. */
export interface StoredPage {
  readonly url: string;
  readonly title: string;
  readonly text: string;
  /** Time of reading, in milliseconds since 1970. */
  readonly readAt: number;
}

/** A text that a page had when it was read. The page may have changed since then. */
export interface PageVersion extends StoredPage {
  /** Time of the first reading of this text, in milliseconds since 1970; `readAt` is the time of the last reading. */
  readonly firstReadAt: number;
  readonly cut: boolean;
}

/** Stores pages; every method is limited to the owner's pages. The last saved pages may be lost in a power failure. */
export interface PageStore {
  /** Saves each page whole or not at all. One call for many pages is faster; after an error only the first pages may be saved. */
  savePages(owner: string, pages: readonly StoredPage[]): Promise<void>;
  getPage(owner: string, url: string): Promise<StoredPage | undefined>;
  /** Returns the text at `at` (milliseconds since 1970): the last version read by then, otherwise the oldest one stored. */
  getVersion(owner: string, url: string, at: number): Promise<PageVersion | undefined>;
  /** Returns the time of reading in milliseconds since 1970, without loading the text. */
  getReadTime(owner: string, url: string): Promise<number | undefined>;
  /** Returns pages with words of the query, best first by BM25. For very common words only the newest pages are scored. */
  searchPages(owner: string, query: string, limit: number): Promise<SearchHit[]>;
  /** Lists pages, newest first. `cursor` is the `next` of the previous listing. */
  listPages(owner: string, limit: number, cursor?: string): Promise<PageListing>;
  measureUsage(owner: string): Promise<PageUsage>;
  countByHost(owner: string): Promise<HostCount[]>;
  deletePages(owner: string, urls: readonly string[]): Promise<number>;
  /** Deletes the pages at and below `prefix` in steps; resolves with their number. Pages saved in the meantime stay. */
  deletePagesUnder(owner: string, prefix: string): Promise<number>;
  /** Deletes all pages of the owner in steps; resolves with the number of deleted pages. */
  deleteAllPages(owner: string): Promise<number>;
}

export interface PageListing {
  readonly pages: readonly Pick<StoredPage, 'url' | 'title' | 'readAt'>[];
  readonly next?: string;
}

export interface PageUsage {
  readonly pages: number;
  /** Size of titles and texts as UTF-8, in bytes. */
  readonly bytes: number;
}

export interface HostCount {
  readonly host: string;
  readonly pages: number;
}

export interface PageBounds {
  readonly maxPages: number;
  /** Maximum size of titles and texts as UTF-8, in bytes. Earlier versions may use an additional quarter of this size. */
  readonly maxBytes: number;
}
