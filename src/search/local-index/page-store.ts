import type { SearchHit } from '../engine.ts';

export interface StoredPage {
  readonly url: string;
  readonly title: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly readAt: number;
}

export interface PageVersion extends StoredPage {
  /** Time at which this text was first read. `readAt` is the last time. */
  readonly firstReadAt: number;
  readonly cut: boolean;
}

/** Stores pages per `owner`. A power failure can lose the last saved pages. */
export interface PageStore {
  /** Saves pages, faster in one call. If the call fails, some of the pages may have been saved. */
  savePages(owner: string, pages: readonly StoredPage[]): Promise<void>;
  getPage(owner: string, url: string): Promise<StoredPage | undefined>;
  /** Returns the text at the time `at` (milliseconds since 1970), or else the oldest stored text. */
  getVersion(owner: string, url: string, at: number): Promise<PageVersion | undefined>;
  getReadTime(owner: string, url: string): Promise<number | undefined>;
  /** Returns pages with words of the query, best first. For very common words, only new pages are searched. */
  searchPages(owner: string, query: string, limit: number): Promise<SearchHit[]>;
  /** Lists pages, newest first. `cursor` is the `next` of the previous listing. */
  listPages(owner: string, limit: number, cursor?: string): Promise<PageListing>;
  measureUsage(owner: string): Promise<PageUsage>;
  countByHost(owner: string): Promise<HostCount[]>;
  deletePages(owner: string, urls: readonly string[]): Promise<number>;
  /** Deletes the pages at `prefix` and below. Resolves with the number of deleted pages. */
  deletePagesUnder(owner: string, prefix: string): Promise<number>;
  deleteAllPages(owner: string): Promise<number>;
  /** Renews the index words of pages from an earlier version of Magpie until aborted. Resolves with the number of pages. */
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
  /** Maximum size of a user's titles and texts, in bytes. Earlier versions of texts may use a quarter more. */
  readonly maxBytes: number;
}
