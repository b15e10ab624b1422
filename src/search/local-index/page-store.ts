import type { SearchHit } from '../engine.ts';

/** A page that a user has read, as the local index keeps it. */
export interface StoredPage {
  readonly url: string;
  readonly title: string;
  /** Markdown of the whole page. */
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly readAt: number;
}

/** A text of a page, which the page may have no longer. */
export interface PageVersion extends StoredPage {
  /** When this text was read for the first time, in milliseconds since 1970; `readAt` is the last time. */
  readonly firstReadAt: number;
  /** The page had more text than is kept. */
  readonly cut: boolean;
}

/**
 * The pages of each user, found by words. Every method takes the owner and reads or changes that owner's pages only.
 * What is saved survives the death of the process; the last pages before a power cut may be lost, and are read again.
 */
export interface PageStore {
  /**
   * Saves pages, each whole or not at all; each replaces an earlier one at the same URL, of which some versions with other
   * texts are kept, and the oldest pages beyond the bounds are deleted. Many in one call are several times as fast as one by one. They are written in steps, so that no
   * other call waits long: when this throws, the first of them may be there.
   */
  savePages(owner: string, pages: readonly StoredPage[]): Promise<void>;
  getPage(owner: string, url: string): Promise<StoredPage | undefined>;
  /**
   * The text that the page had at a time, in milliseconds since 1970, as far as it was read: the last that was read by then,
   * or else the oldest that is kept. A page that is deleted has none.
   */
  getVersion(owner: string, url: string, at: number): Promise<PageVersion | undefined>;
  /** When the page was read, in milliseconds since 1970, without loading its text. */
  getReadTime(owner: string, url: string): Promise<number | undefined>;
  /**
   * Pages that contain words of the query, best first by BM25; any text is a valid query. Of words that
   * thousands of pages contain, only the newest of those pages are scored.
   */
  searchPages(owner: string, query: string, limit: number): Promise<SearchHit[]>;
  /** Newest first; `cursor` is the `next` of the previous listing. */
  listPages(owner: string, limit: number, cursor?: string): Promise<PageListing>;
  measureUsage(owner: string): Promise<PageUsage>;
  /** How many pages each host has, most first. */
  countByHost(owner: string): Promise<HostCount[]>;
  /** Deletes the pages at exactly these addresses; resolves with how many there were. */
  deletePages(owner: string, urls: readonly string[]): Promise<number>;
  /**
   * Deletes the pages at and under the address `prefix`; resolves with how many there were. It works in several
   * steps, so that no other call waits long: pages that are saved meanwhile stay.
   */
  deletePagesUnder(owner: string, prefix: string): Promise<number>;
  /** Deletes all of the owner's pages, in steps as well; resolves with how many there were. */
  deleteAllPages(owner: string): Promise<number>;
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

export interface HostCount {
  readonly host: string;
  readonly pages: number;
}

/** The most that is kept for one user. */
export interface PageBounds {
  readonly maxPages: number;
  /**
   * UTF-8 bytes of titles and texts; compressed and indexed they take about as much on the disk. Earlier versions are not
   * counted, and have a quarter of that beside it.
   */
  readonly maxBytes: number;
}
