/** A source that `magpie index` reads, with its current run. It is stored so that an interrupted run can continue. */
export interface Crawl {
  readonly id: number;
  /** Number of this run. Each time the source is read from the start is one run. */
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
  readonly depth: number;
  readonly etag?: string;
  /** Last-Modified header of a page, or modification time and size of a file. */
  readonly modified?: string;
  readonly digest?: string;
}

/** State of an address in a run: `read` if its text is in the index, `left` if it was skipped or failed. */
export type AddressState = SettledAddress['state'] | 'waiting';

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
  /** Name of the run that holds the crawl, and its last heartbeat. If the process is gone, the crawl was interrupted. */
  readonly runner?: string;
  readonly beatAt?: number;
  /** End time of the last run, and its outcome or the current run's progress, as JSON text of that run. */
  readonly endedAt?: number;
  readonly outcome?: string;
}

export type SourceKind = 'site' | 'sitemap' | 'feed' | 'folder';

export interface CrawlRequest {
  readonly kind: SourceKind;
  /** Options of the run as text, compared with those of the previous run. */
  readonly options: string;
  /** True if a new run queues the previous run's addresses, because it does not read the links of unchanged pages again. */
  readonly requeue: boolean;
}

export interface CrawlRunner {
  /** Name of the process, or of its run of a shared job; see lib/concurrency/runner.ts. */
  readonly runner: string;
  /** Id of the job that all nodes share, if the run belongs to one. The next run of the job takes over the crawl. */
  readonly job?: string | undefined;
  /** True if the job is run again after a failure with this error. Without this function the job is not repeated. */
  readonly isDoneAgain?: ((error: unknown) => boolean) | undefined;
}

export interface CrawlHold {
  readonly name: string;
  readonly outcome?: string;
}

export interface StoredCrawlLimits {
  readonly crawls: number;
  readonly addresses: number;
}

/** Stores each user's crawls; a call affects only its owner's crawls. A change is durable when its promise resolves. */
export interface CrawlStore {
  /** Continues the unfinished run of this source or starts the next one. An active run is not changed. */
  openCrawl(owner: string, source: string, request: CrawlRequest): Promise<Crawl>;
  /** Queues addresses that are new in this run, up to `most` in the whole crawl. Resolves with the number of queued addresses. */
  queueAddresses(
    crawl: Crawl,
    addresses: readonly Pick<WaitingAddress, 'url' | 'depth'>[],
    most?: number,
  ): Promise<number>;
  /** Lists the first queued addresses, nearest to the start page first. They stay queued until their result is stored. */
  listWaiting(crawl: Crawl, limit: number): Promise<WaitingAddress[]>;
  countWaiting(crawl: Crawl): Promise<number>;
  getAddressState(crawl: Crawl, url: string): Promise<AddressState | undefined>;
  settleAddresses(crawl: Crawl, addresses: readonly SettledAddress[]): Promise<void>;
  /** Lists addresses that an earlier run has read and this run has not found. */
  listUnmet(crawl: Crawl, limit: number): Promise<string[]>;
  deleteAddresses(crawl: Crawl, urls: readonly string[]): Promise<void>;
  finishCrawl(crawl: Crawl): Promise<void>;
  /** Makes `runner` the only run of the crawl; undefined if another run has it and the process of that run still exists. */
  holdCrawl(crawl: CrawlId, runner: CrawlRunner): Promise<CrawlHold | undefined>;
  /** Sends a heartbeat with the progress; false if the run should stop or the crawl is deleted. */
  reportCrawl(crawl: CrawlId, name: string, outcome: string): Promise<boolean>;
  letCrawlGo(crawl: CrawlId, name: string, outcome: string): Promise<void>;
  /** Asks the run of a crawl to stop, in whichever process it runs. Resolves to false if no run is active. */
  askToStop(owner: string, source: string): Promise<boolean>;
  readCrawl(owner: string, source: string): Promise<CrawlInfo | undefined>;
  /** Deletes data on the owner's oldest finished web crawls. The newest crawl and all indexed pages stay. */
  trimCrawls(owner: string, keep: StoredCrawlLimits): Promise<void>;
  listCrawls(owner: string): Promise<CrawlInfo[]>;
  deleteCrawls(owner: string, prefix?: string): Promise<number>;
}
