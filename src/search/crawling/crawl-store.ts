/** A source that `magpie index` reads, with its current run. It is stored so that an interrupted run can continue. */
export interface Crawl {
  readonly id: number;
  /** Number of this run. Each new reading of the source is one run. */
  readonly run: number;
  /** True if the run was started by an earlier call and is continued. */
  readonly resumed: boolean;
  /** True if the previous run had the same options, so that addresses skipped then are skipped again. */
  readonly sameOptions: boolean;
}

export type CrawlId = Pick<Crawl, 'id'>;

/** An address or file in the queue, with facts from the previous run. */
export interface WaitingAddress {
  readonly url: string;
  /** Number of links from the start page. */
  readonly depth: number;
  readonly etag?: string;
  /** Last-Modified header of a page, or modification time and size of a file. */
  readonly modified?: string;
  /** Hash of the indexed title and text. */
  readonly digest?: string;
}

/** State of an address in a run: `read` if its text is in the index, `left` if it was skipped or failed. */
export type AddressState = SettledAddress['state'] | 'waiting';

/** An address that this run has finished. */
export interface SettledAddress extends Omit<WaitingAddress, 'depth'> {
  readonly state: 'read' | 'left';
}

export interface CrawlInfo {
  readonly id: number;
  readonly source: string;
  readonly kind: SourceKind;
  /** Start time in milliseconds since 1970. */
  readonly startedAt: number;
  /** End time in milliseconds since 1970; undefined while addresses are waiting. */
  readonly finishedAt?: number;
  readonly read: number;
  readonly waiting: number;
  /** Options as text, as in CrawlRequest. */
  readonly options: string;
  /** Name of the hold and time of its heartbeat; undefined if none. If its process is gone, it was interrupted. */
  readonly runner?: string;
  readonly beatAt?: number;
  /** End time of the last run, and its outcome or the progress of the current run in the runner's JSON. */
  readonly endedAt?: number;
  readonly outcome?: string;
}

export type SourceKind = 'site' | 'sitemap' | 'feed' | 'folder';

export interface CrawlRequest {
  readonly kind: SourceKind;
  /** Options of the run as text, compared with those of the previous run. */
  readonly options: string;
  /**
   * True if a new run queues the addresses of the previous run at its start, because links on unchanged pages are not read again.
   */
  readonly requeue: boolean;
}

/** The run that holds a crawl. */
export interface CrawlRunner {
  /** Name of the process or of its run of a job; see lib/concurrency/runner.ts. */
  readonly runner: string;
  /** Id of the job that all nodes share, if the run belongs to one. The next run of the job takes over the hold. */
  readonly job?: string | undefined;
  /** True if another run of the job follows after a failure with this error. Without this function none follows. */
  readonly isDoneAgain?: ((error: unknown) => boolean) | undefined;
}

/** The exclusive right to run a crawl. */
export interface CrawlHold {
  /** Name of the holder in the store. */
  readonly name: string;
  /** Progress so far, if an earlier run of the same job had the hold. */
  readonly outcome?: string;
}

/** Limits of the data stored on an owner's crawls. */
export interface CrawlBounds {
  readonly crawls: number;
  readonly addresses: number;
}

/**
 * Stores the crawls of each user, each with a queue of addresses. Methods with an owner affect that owner's crawls only; a Crawl
 * belongs to the owner who opened it. A change is durable when its promise resolves.
 */
export interface CrawlStore {
  /** Continues the unfinished run of this source or starts the next one. An active run is not changed. */
  openCrawl(owner: string, source: string, request: CrawlRequest): Promise<Crawl>;
  /**
   * Queues addresses that are new in this run; resolves with their number.
   * @param most maximum number of addresses of the whole crawl; further ones are dropped
   */
  queueAddresses(
    crawl: Crawl,
    addresses: readonly Pick<WaitingAddress, 'url' | 'depth'>[],
    most?: number,
  ): Promise<number>;
  /** Lists the first queued addresses, nearest to the start page first. They stay queued until settled. */
  listWaiting(crawl: Crawl, limit: number): Promise<WaitingAddress[]>;
  countWaiting(crawl: Crawl): Promise<number>;
  /** Returns the state of an address; undefined if it is new in this run. */
  getAddressState(crawl: Crawl, url: string): Promise<AddressState | undefined>;
  /** Removes addresses from the queue and stores their facts, all or none. */
  settleAddresses(crawl: Crawl, addresses: readonly SettledAddress[]): Promise<void>;
  /** Lists addresses that an earlier run has read and this run has not come across. */
  listUnmet(crawl: Crawl, limit: number): Promise<string[]>;
  deleteAddresses(crawl: Crawl, urls: readonly string[]): Promise<void>;
  finishCrawl(crawl: Crawl): Promise<void>;
  /** Gives `runner` the hold of the crawl; undefined if another run has it whose process is not gone. */
  holdCrawl(crawl: CrawlId, runner: CrawlRunner): Promise<CrawlHold | undefined>;
  /** Sends a heartbeat with the progress; false if the run should stop or the crawl is deleted. */
  reportCrawl(crawl: CrawlId, name: string, outcome: string): Promise<boolean>;
  /** Ends the hold with this name, if it exists. */
  letCrawlGo(crawl: CrawlId, name: string, outcome: string): Promise<void>;
  /** Asks the run of a crawl to stop, in whichever process it is; false if none is active. */
  askToStop(owner: string, source: string): Promise<boolean>;
  readCrawl(owner: string, source: string): Promise<CrawlInfo | undefined>;
  /**
   * Deletes data on the owner's oldest finished web crawls beyond a total number of crawls and of addresses. The newest crawl and
   * all indexed pages stay.
   */
  trimCrawls(owner: string, keep: CrawlBounds): Promise<void>;
  /** Lists the owner's crawls, newest first. */
  listCrawls(owner: string): Promise<CrawlInfo[]>;
  /** Deletes crawls whose source is `prefix` or below it, or all crawls; resolves with their number. */
  deleteCrawls(owner: string, prefix?: string): Promise<number>;
}
