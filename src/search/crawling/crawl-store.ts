export interface OpenedCrawl {
  readonly id: number;
  readonly run: number;
  readonly resumed: boolean;
  readonly sameOptions: boolean;
}

export type CrawlId = Pick<OpenedCrawl, 'id'>;

export interface WaitingAddress {
  readonly url: string;
  readonly depth: number;
  readonly etag?: string;
  readonly modified?: string;
  readonly digest?: string;
}

/** `read` means that the text is in the index, `left` that the address was skipped or failed. */
export type CrawlAddressState = SettledAddress['state'] | 'waiting';

export interface SettledAddress extends Omit<WaitingAddress, 'depth'> {
  readonly state: 'read' | 'left';
}

export interface CrawlInfo {
  readonly id: number;
  readonly source: string;
  readonly kind: SourceKind;
  /** All times are milliseconds since 1970. */
  readonly startedAt: number;
  readonly finishedAt?: number;
  readonly read: number;
  readonly waiting: number;
  readonly options: string;
  /** Name of the run that has locked the crawl. Without recent heartbeats, the run counts as interrupted. */
  readonly runner?: string;
  readonly beatAt?: number;
  /** Time at which the last run ended. `outcome` is the run's result or progress as JSON. */
  readonly endedAt?: number;
  readonly outcome?: string;
}

export type SourceKind = 'site' | 'sitemap' | 'feed' | 'folder';

export interface CrawlRequest {
  readonly kind: SourceKind;
  readonly options: string;
  /** True to queue all addresses again in a new run. Links of unchanged pages are then followed too. */
  readonly requeue: boolean;
}

export interface CrawlRunner {
  /** Name of the crawling process (`PROCESS_RUNNER_ID`), or of the run of a shared job. */
  readonly runner: string;
  /** Id of the shared job. Another run of the same job can take over the crawl. */
  readonly job?: string | undefined;
  /** Returns true if the job is repeated after this error. Default: the job is never repeated. */
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

export interface CrawlStore {
  openCrawl(owner: string, source: string, request: CrawlRequest): Promise<OpenedCrawl>;
  /** Queues addresses that are new in this run, up to `most` in a crawl. Resolves with the number queued. */
  queueAddresses(
    crawl: OpenedCrawl,
    addresses: readonly Pick<WaitingAddress, 'url' | 'depth'>[],
    most?: number,
  ): Promise<number>;
  /** Lists queued addresses, the nearest to the start page first. Addresses stay queued until settled. */
  listWaiting(crawl: OpenedCrawl, limit: number): Promise<WaitingAddress[]>;
  countWaiting(crawl: OpenedCrawl): Promise<number>;
  getAddressState(crawl: OpenedCrawl, url: string): Promise<CrawlAddressState | undefined>;
  settleAddresses(crawl: OpenedCrawl, addresses: readonly SettledAddress[]): Promise<void>;
  listUnmet(crawl: OpenedCrawl, limit: number): Promise<string[]>;
  deleteAddresses(crawl: OpenedCrawl, urls: readonly string[]): Promise<void>;
  finishCrawl(crawl: OpenedCrawl): Promise<void>;
  /** Locks the crawl for `runner`. Resolves with undefined if another live run has the lock. */
  holdCrawl(crawl: CrawlId, runner: CrawlRunner): Promise<CrawlHold | undefined>;
  /** Stores the progress, and the time as a heartbeat. Resolves with false if the run should stop. */
  reportCrawl(crawl: CrawlId, name: string, outcome: string): Promise<boolean>;
  letCrawlGo(crawl: CrawlId, name: string, outcome: string): Promise<void>;
  /** Asks the crawl's run to stop, in any process. Resolves with false if there is no active run. */
  askToStop(owner: string, source: string): Promise<boolean>;
  readCrawl(owner: string, source: string): Promise<CrawlInfo | undefined>;
  /** Deletes records of the owner's oldest web crawls that do not run. Their pages stay in the index. */
  trimCrawls(owner: string, keep: StoredCrawlLimits): Promise<void>;
  listCrawls(owner: string): Promise<CrawlInfo[]>;
  deleteCrawls(owner: string, prefix?: string): Promise<number>;
}
