/** What `magpie index` was asked to read, and its present run. It is kept, so that an interrupted run can continue. */
export interface Crawl {
  readonly id: number;
  /** The number of this run: each new reading of the source is one run. */
  readonly run: number;
  /** The run was begun by an earlier call and is continued. */
  readonly resumed: boolean;
  /** Whether the previous run had the same options: what it skipped, this one skips too. */
  readonly sameOptions: boolean;
}

export type CrawlId = Pick<Crawl, 'id'>;

/** An address or file that waits to be read, with what is known from the previous run. */
export interface WaitingAddress {
  readonly url: string;
  /** Links from the start. */
  readonly depth: number;
  readonly etag?: string;
  /** Last-Modified of a page; time and size of a file. */
  readonly modified?: string;
  /** Of the text as it was indexed. */
  readonly digest?: string;
}

/** The state of an address in a run: `read` when its text is in the index, `left` when it was skipped or failed. */
export type AddressState = SettledAddress['state'] | 'waiting';

/** An address that this run has finished with. */
export interface SettledAddress extends Omit<WaitingAddress, 'depth'> {
  readonly state: 'read' | 'left';
}

export interface CrawlInfo {
  readonly id: number;
  readonly source: string;
  readonly kind: SourceKind;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Undefined while addresses wait. */
  readonly finishedAt?: number;
  readonly read: number;
  readonly waiting: number;
  /** As in CrawlRequest. */
  readonly options: string;
  /** The name of the hold, and its last heartbeat; undefined when none runs it. One whose process is gone was interrupted. */
  readonly runner?: string;
  readonly beatAt?: number;
  /** When the last run ended, and how, or how far the present one is, as its runner wrote it. */
  readonly endedAt?: number;
  readonly outcome?: string;
}

export type SourceKind = 'site' | 'sitemap' | 'feed' | 'folder';

export interface CrawlRequest {
  readonly kind: SourceKind;
  /** The options of the run, as text; compared with those of the previous run. */
  readonly options: string;
  /**
   * A new run queues the addresses of the previous one from the start: the links of a page that has not changed are
   * not seen again.
   */
  readonly requeue: boolean;
}

/** Who runs a crawl. */
export interface CrawlRunner {
  /** The process, or its run of a job; see lib/concurrency/runner.ts. */
  readonly runner: string;
  /** The job of all nodes that the run is of, if it is of one: the next run of it goes on with what this one held. */
  readonly job?: string | undefined;
  /** Whether that next run comes after one that fails with the error; none comes where it is left out. */
  readonly isDoneAgain?: ((error: unknown) => boolean) | undefined;
}

/** The hold of a crawl. */
export interface CrawlHold {
  /** What the runner is called in the store. */
  readonly name: string;
  /** The outcome so far where an earlier run of the same job held it. */
  readonly outcome?: string;
}

/** What an owner's crawls may take. */
export interface CrawlBounds {
  readonly crawls: number;
  readonly addresses: number;
}

/**
 * The crawls of each user, and the queue of addresses of each. The methods with an owner reach that owner's crawls
 * only; a Crawl belongs to the owner who opened it. A change is durable when its promise resolves.
 */
export interface CrawlStore {
  /** Continues the run of this source that has not finished, or begins the next; one that runs is left as it is. */
  openCrawl(owner: string, source: string, request: CrawlRequest): Promise<Crawl>;
  /**
   * Queues addresses that this run has not met; resolves with how many those are.
   * @param most addresses of the whole crawl; those beyond are left out
   */
  queueAddresses(
    crawl: Crawl,
    addresses: readonly Pick<WaitingAddress, 'url' | 'depth'>[],
    most?: number,
  ): Promise<number>;
  /** The first of the queue, nearest to the start first; they stay in it until they are settled. */
  listWaiting(crawl: Crawl, limit: number): Promise<WaitingAddress[]>;
  countWaiting(crawl: Crawl): Promise<number>;
  /** Undefined for an address that this run has not met. */
  getAddressState(crawl: Crawl, url: string): Promise<AddressState | undefined>;
  /** Takes addresses out of the queue and keeps what is known of them, all of them or none. */
  settleAddresses(crawl: Crawl, addresses: readonly SettledAddress[]): Promise<void>;
  /** Addresses that an earlier run read and this one has not met. */
  listUnmet(crawl: Crawl, limit: number): Promise<string[]>;
  deleteAddresses(crawl: Crawl, urls: readonly string[]): Promise<void>;
  finishCrawl(crawl: Crawl): Promise<void>;
  /** Makes `runner` the one that runs the crawl; undefined where another does, which is not gone. */
  holdCrawl(crawl: CrawlId, runner: CrawlRunner): Promise<CrawlHold | undefined>;
  /** Reports that the crawl still runs, and how far it is; false when it is to stop, or is deleted. */
  reportCrawl(crawl: CrawlId, name: string, outcome: string): Promise<boolean>;
  /** Ends the hold of this name, if it is there. */
  letCrawlGo(crawl: CrawlId, name: string, outcome: string): Promise<void>;
  /** Asks the runner of a crawl, whichever process it is, to stop; false where none runs. */
  askToStop(owner: string, source: string): Promise<boolean>;
  readCrawl(owner: string, source: string): Promise<CrawlInfo | undefined>;
  /**
   * Deletes what is known of the owner's oldest crawls of the web that have ended, beyond a number of crawls and of their
   * addresses together; the newest stays. Their pages stay.
   */
  trimCrawls(owner: string, keep: CrawlBounds): Promise<void>;
  /** Newest first. */
  listCrawls(owner: string): Promise<CrawlInfo[]>;
  /** Deletes crawls whose source is `prefix` or lies under it, or all of them; resolves with how many there were. */
  deleteCrawls(owner: string, prefix?: string): Promise<number>;
}
