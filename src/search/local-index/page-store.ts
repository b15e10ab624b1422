import type { SearchHit } from '../engine.ts';

/** A page in the local index of a user who has read it. */
export interface StoredPage {
  readonly url: string;
  readonly title: string;
  /** Whole page as Markdown. */
  readonly text: string;
  /** Time of reading, in milliseconds since 1970. */
  readonly readAt: number;
}

/** A text that a page had when it was read; the page may have changed since. */
export interface PageVersion extends StoredPage {
  /** Time of the first reading of this text, in milliseconds since 1970; `readAt` is that of the last. */
  readonly firstReadAt: number;
  /** True if the page had more text than is stored. */
  readonly cut: boolean;
}

/**
 * Stores and searches the pages of each user. Every method accesses the pages of the given owner only. Saved pages survive the
 * death of the process; the last ones before a power failure may be lost and are read again.
 */
export interface PageStore {
  /**
   * Saves pages, each completely or not at all. A page replaces the earlier one at the same URL, of which some versions with
   * other texts are kept; the oldest pages beyond the limits are deleted. One call with many pages is several times as fast as
   * many calls. Pages are written in steps so that other calls need not wait long: if this throws, the first pages may be saved.
   */
  savePages(owner: string, pages: readonly StoredPage[]): Promise<void>;
  getPage(owner: string, url: string): Promise<StoredPage | undefined>;
  /**
   * Returns the text that the page had at `at` (milliseconds since 1970), as far as it was read: the last version read by then,
   * otherwise the oldest one stored. A deleted page has no versions.
   */
  getVersion(owner: string, url: string, at: number): Promise<PageVersion | undefined>;
  /** Returns the time of reading in milliseconds since 1970, without loading the text. */
  getReadTime(owner: string, url: string): Promise<number | undefined>;
  /**
   * Returns pages that contain words of the query, best first by BM25. Any text is a valid query. For words that occur in
   * thousands of pages, only the newest of these pages are scored.
   */
  searchPages(owner: string, query: string, limit: number): Promise<SearchHit[]>;
  /** Lists pages, newest first. `cursor` is the `next` of the previous listing. */
  listPages(owner: string, limit: number, cursor?: string): Promise<PageListing>;
  measureUsage(owner: string): Promise<PageUsage>;
  /** Counts the pages of each host, largest number first. */
  countByHost(owner: string): Promise<HostCount[]>;
  /** Deletes the pages at exactly these addresses; resolves with their number. */
  deletePages(owner: string, urls: readonly string[]): Promise<number>;
  /**
   * Deletes the pages at and below the address `prefix`; resolves with their number. Works in steps so that other calls need not
   * wait long; pages saved in the meantime stay.
   */
  deletePagesUnder(owner: string, prefix: string): Promise<number>;
  /** Deletes all pages of the owner, also in steps; resolves with their number. */
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

/** Limits of what is stored for one user. */
export interface PageBounds {
  readonly maxPages: number;
  /**
   * Maximum size of titles and texts as UTF-8, in bytes. Compressed and indexed, they take about as much on the disk. Earlier
   * versions are not counted; they may take a quarter of this in addition.
   */
  readonly maxBytes: number;
}
