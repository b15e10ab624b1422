/** What `magpie index` was asked for, and how far it came. Kept, so that a run that was broken off goes on. */
export interface Crawl {
  readonly id: number;
  /** Each time the source is read anew is one run. */
  readonly run: number;
  /** The run had begun before. */
  readonly resumed: boolean;
  /** Whether the run before had the same options: what it left out, this one leaves out too. */
  readonly sameOptions: boolean;
}

/** An address or file that is to be read, with what is known from the last time. */
export interface Waiting {
  readonly url: string;
  /** Links from the start. */
  readonly depth: number;
  readonly etag?: string;
  /** Last-Modified of a page; time and size of a file. */
  readonly modified?: string;
  /** Of the text as it was indexed. */
  readonly digest?: string;
}

/** How an address ended: `read` when its text is in the index now. */
export interface Settled extends Omit<Waiting, 'depth'> {
  readonly state: 'read' | 'left';
}

export interface CrawlInfo {
  readonly source: string;
  readonly kind: SourceKind;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Absent while there is more to do. */
  readonly finishedAt?: number;
  readonly read: number;
  readonly waiting: number;
}

export type SourceKind = 'site' | 'sitemap' | 'feed' | 'folder';

/** One owner's crawls. Every method that begins something takes the owner; a Crawl belongs to one. */
export interface CrawlStore {
  /**
   * Goes on with a run that has not finished, or begins the next. `again` puts the addresses of the last run
   * in line: of a page that has not changed, the links are not seen again.
   */
  open(
    owner: string,
    source: string,
    about: { readonly kind: SourceKind; readonly options: string; readonly again: boolean },
  ): Promise<Crawl>;
  /** Puts addresses in line that this run has not met; resolves with how many those are. */
  add(crawl: Crawl, addresses: readonly Pick<Waiting, 'url' | 'depth'>[]): Promise<number>;
  /** The first in line, nearest to the start first; they stay in line until they are settled. */
  waiting(crawl: Crawl, limit: number): Promise<Waiting[]>;
  countWaiting(crawl: Crawl): Promise<number>;
  /** `read`, `left` or `waiting` in this run; undefined for an address that it has not met. */
  stateOf(crawl: Crawl, url: string): Promise<'read' | 'left' | 'waiting' | undefined>;
  settle(crawl: Crawl, addresses: readonly Settled[]): Promise<void>;
  /** Addresses that an earlier run read and this one has not met. */
  unmet(crawl: Crawl, limit: number): Promise<string[]>;
  /** Takes addresses off the record. */
  drop(crawl: Crawl, urls: readonly string[]): Promise<void>;
  finish(crawl: Crawl): Promise<void>;
  /** Newest first. */
  list(owner: string): Promise<CrawlInfo[]>;
  /** Forgets crawls whose source is `prefix` or lies under it; all without one. */
  forget(owner: string, prefix?: string): Promise<number>;
}
