import type { EngineProfile } from './asking/engine-profile.ts';
import type { EngineTrial } from './asking/try-engines.ts';
import type { CrawlBounds, CrawlInfo, CrawlRunner, SourceKind } from './crawling/crawl-store.ts';
import type { ListedPage } from './crawling/sitemap.ts';
import type { SearchHit, SearchQuery } from './engine.ts';
import type { HostCount, PageListing, PageUsage, PageVersion, StoredPage } from './local-index/page-store.ts';

/** Interfaces of the search module with their parameters and results. Contains types only. */

export type { EngineProfile } from './asking/engine-profile.ts';
export type { EngineTrial, TrialFailure } from './asking/try-engines.ts';
export type { CrawlInfo, SourceKind } from './crawling/crawl-store.ts';
export type { ListedPage } from './crawling/sitemap.ts';
export type { Category, Topic } from './engine.ts';
export type { HostCount, PageListing, PageVersion, StoredPage } from './local-index/page-store.ts';

/** A page of the merged list of results. */
export interface FoundPage extends SearchHit {
  /** Engines that returned the page, best rank first. */
  readonly engines: readonly string[];
}

/** Outcome of one engine; a failure is reported, not thrown. */
export interface EngineReport {
  readonly name: string;
  readonly ok: boolean;
  /** Reason of the failure, in plain words. */
  readonly reason?: string;
  readonly ms: number;
  readonly hits: number;
  /** Set if a cached answer was used instead of a request. */
  readonly cached?: true;
}

/** Name of an engine with its description. */
export interface NamedProfile {
  readonly name: string;
  readonly about: EngineProfile;
}

/** An engine with the result of its test. */
export interface TriedEngine extends EngineTrial, NamedProfile {}

/** Current state of an engine. Times are in milliseconds since 1970. */
export interface EngineHealth extends NamedProfile {
  /** End and reason of the engine's suspension. */
  readonly pausedUntil?: number;
  readonly pausedWhy?: string;
  /** Outcome of the last request in a search of this process, without the question. */
  readonly last?: Pick<EngineReport, 'ok' | 'reason' | 'ms' | 'hits'> & { readonly at: number };
}

export interface FoundPages {
  readonly pages: readonly FoundPage[];
  readonly engines: readonly EngineReport[];
  /** Set if no available engine knows the requested category, so that the whole web was searched instead. */
  readonly besideTopic?: true;
  /** Set if most engines refused or did not answer, or if only one (`alone`) returned pages. */
  readonly fewAnswered?: { readonly failed: number; readonly asked: number; readonly alone?: string };
}

export interface FindOptions extends Omit<SearchQuery, 'text'> {
  readonly owner: string;
  readonly signal: AbortSignal;
  /** Factor for the time limit of the engines. Default 1. */
  readonly patience?: number;
}

/** Searches the web, and keeps a local index for each user of the pages that the user has read. */
export interface Search {
  /**
   * Asks the engines that fit the question in parallel with a common deadline and merges their answers. Throws AppError
   * `upstream` with each engine's reason if none answered, and with `retryAfter` if known.
   */
  findPages(text: string, options: FindOptions): Promise<FoundPages>;
  /** Adds pages to the owner's local index, in one step if they are few; does nothing if it is switched off. */
  rememberPages(owner: string, pages: readonly StoredPage[]): Promise<void>;
  /** Returns the page as it was last read; undefined if it is not stored. */
  recallPage(owner: string, url: string): Promise<StoredPage | undefined>;
  /** Returns the text that the page had at `at` (milliseconds since 1970), otherwise the oldest text stored. */
  recallVersion(owner: string, url: string, at: number): Promise<PageVersion | undefined>;
  /** True if pages that are read are stored. The local index can be switched off. */
  readonly keepsPages: boolean;
  /** Returns pages of the local index with words of the query, best first; none if the index is switched off. */
  searchPages(owner: string, query: string, limit: number): Promise<readonly SearchHit[]>;
  /** Deletes one page from the local index; false if it was not there. */
  forgetPage(owner: string, url: string): Promise<boolean>;
  /** Returns the state of all engines in use. */
  readHealth(): Promise<EngineHealth[]>;
  /** Advice how to make more engines answer on this machine: one sentence each, the easiest first. */
  readonly remedies: readonly string[];
  /** Lists the pages that the owner has read, newest first. */
  listRecentPages(owner: string, limit: number, cursor?: string): Promise<PageListing>;
}

/** A page or file after parsing, as far as indexing needs it. */
export interface ReadPage {
  readonly title: string;
  readonly markdown: string;
  readonly kind: string;
  readonly canonical?: string;
  readonly links?: readonly { readonly url: string; readonly text: string }[];
  readonly robots?: { readonly noindex: boolean; readonly nofollow: boolean };
}

/** Converts bytes to text. Throws AppError if it cannot. Passed in, because modules do not import each other. */
export type Reader = (
  raw: { readonly url: string; readonly contentType: string; readonly body: Uint8Array },
  signal: AbortSignal,
) => Promise<ReadPage>;

/** Options of a `magpie index` run besides its source. */
export interface IndexOptions {
  /** Number of links to follow, or of folder levels to descend. The default depends on the kind of source. */
  readonly depth?: number;
  /** Maximum number of pages read in one run. */
  readonly limit?: number;
  /** Minimum interval between two requests to one host, in milliseconds. */
  readonly delayMs: number;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly signal: AbortSignal;
  readonly read: Reader;
  /** Called before each request; false if the daily limit of fetches is used up. */
  readonly mayFetch?: () => Promise<boolean>;
  /** Additional options of a background run. */
  readonly job?: IndexJob;
  progress(message: string): void;
}

/** Limits and callbacks of a run in the background. */
export interface IndexJob {
  /** The run of a job that nodes share. The next run of the job continues its page count. */
  readonly as?: CrawlRunner | undefined;
  /** Maximum number of addresses stored for the crawl. */
  readonly maxAddresses: number;
  /** Called when the source has been fetched and the run holds the crawl. */
  onOpen(): void | Promise<void>;
  report(tally: CrawlTally): void;
  /** Adds to the number of fetched bytes. */
  addBytes(bytes: number): void;
  /** Returns the limit that was reached, which ends the run for now; otherwise undefined. */
  isOver(): CrawlBound | undefined;
}

/** Kinds of limits of a run. */
export type CrawlBound = 'pages' | 'bytes' | 'time';

/** Progress of a run. */
export type CrawlTally = Omit<IndexSummary, 'source' | 'kind' | 'resumed' | 'state' | 'waiting' | 'bound'>;

/** State or outcome of a run. */
export interface CrawlOutcome extends CrawlTally {
  /** `interrupted`: its process ended. `limit`: a limit was reached. Unless `finished`, addresses may be waiting. */
  readonly state: 'running' | 'interrupted' | 'finished' | 'limit' | 'stopped' | 'failed';
  readonly bound?: CrawlBound;
  /** Reason of the failure, in plain words. */
  readonly why?: string;
}

/** Report on a crawl for its owner. Times are in milliseconds since 1970. */
export interface CrawlReport extends CrawlOutcome, Pick<CrawlInfo, 'source' | 'kind' | 'read' | 'waiting'> {
  /** Number of links to follow from the start page. */
  readonly depth?: number;
  readonly startedAt: number;
  readonly endedAt?: number;
}

/** Result of a `magpie index` run. */
export interface IndexSummary {
  readonly source: string;
  readonly kind: SourceKind;
  /** `limit`: the maximum number of pages was read, and more are waiting. `stopped`: the user stopped the run. */
  readonly state: 'finished' | 'limit' | 'stopped';
  /** True if the run continued an interrupted one. */
  readonly resumed: boolean;
  readonly indexed: number;
  readonly unchanged: number;
  /** Number of pages deleted from the index because they no longer exist. */
  readonly forgotten: number;
  /** Number of skipped addresses by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly failed: number;
  /** The first failures. */
  readonly failures: readonly { readonly url: string; readonly why: string }[];
  readonly waiting: number;
  /** The limit that was reached, for state `limit`. */
  readonly bound?: CrawlBound;
}

export type MapOptions = Pick<IndexOptions, 'signal' | 'read' | 'mayFetch' | 'progress'>;

/** Pages of a site, from its sitemaps and the links of its pages. */
export interface SiteMap {
  /** Address at which the map begins, after redirects. */
  readonly url: string;
  readonly title: string;
  /** Pages of the map: the start page, then the pages it links to, then those from sitemaps. */
  readonly pages: readonly ListedPage[];
  /** Total number of pages found; `pages` may contain only the first of them. */
  readonly count: number;
  /** Numbers of sitemap files and of pages read. */
  readonly sitemaps: number;
  readonly read: number;
  /** Limits that cut the map short, in plain words; empty if it is complete. */
  readonly bounds: readonly string[];
}

/** Maps and crawls of whole sites. */
export interface Sites {
  /**
   * Returns the pages at and below an address. Throws AppError `bad_request` for an invalid address, `forbidden` if robots.txt
   * forbids it, and errors of the fetch.
   * @param kept true if a map cached in the last ten minutes may be returned
   */
  mapSite(owner: string, address: string, kept: boolean, options: MapOptions): Promise<SiteMap>;
  /**
   * Crawls a site into the owner's local index in the background, or joins the active crawl of it. Resolves when the first page
   * has been read. Throws AppError as `indexSource` does, `rate_limited` if the owner has too many active crawls, and
   * `unavailable` if there are too many in total or the local index is switched off.
   */
  startCrawl(owner: string, address: string, options: CrawlOptions): Promise<CrawlRun>;
  /** Lists the owner's web crawls, newest first; with an address only the crawl of that one, if it exists. */
  readCrawls(owner: string, address?: string): Promise<CrawlReport[]>;
  /** Stops the crawl in any process, and waits for its end if it runs in this one; false if none is active. */
  stopCrawl(owner: string, address: string): Promise<boolean>;
  /** Lets this process run shared crawls. `open` creates the services for one from the `terms` of its start. */
  handleCrawls(open: OpenCrawl): void;
  /** Interrupts the active runs. */
  close(): Promise<void>;
}

/** Creates the services with which a node runs a crawl that was started on another node. */
export type OpenCrawl = (owner: string, terms: string) => Pick<IndexOptions, 'read' | 'mayFetch'>;

export interface CrawlOptions extends Pick<IndexOptions, 'read' | 'mayFetch'> {
  /** Facts about the caller that another node needs. Without it the crawl ends with this process. */
  readonly terms?: string | undefined;
  /** The caller's signal. If it is aborted before the first page has been read, the crawl ends. */
  readonly signal: AbortSignal;
  /** Number of links to follow from the start page. */
  readonly depth: number;
}

/** An active crawl, in this process or on any node. */
export interface CrawlRun {
  /** True if the crawl was already active. */
  readonly joined: boolean;
  /** Resolves when the crawl has ended or after `ms` milliseconds. Rejects with the signal's reason. */
  wait(ms: number, signal: AbortSignal, progress: (message: string) => void): Promise<void>;
  /** Stops the crawl; resolves when it has ended. */
  stop(): Promise<void>;
}

export interface IndexListing extends PageUsage {
  readonly bounds: { readonly pages: number; readonly bytes: number };
  readonly sources: readonly CrawlReport[];
  readonly hosts: readonly HostCount[];
}

/** A job of a crawl that nodes share: its id and the crawl's owner and source. */
export interface JobOfCrawl {
  readonly id: string;
  readonly owner: string;
  readonly source: string;
}

/** Fills an owner's local index, lists its content and deletes from it. */
export interface Indexer {
  /**
   * Indexes a folder, site, sitemap or feed; its content determines which of these it is. Continues an interrupted run. Throws
   * AppError `bad_request` if the source is invalid.
   */
  indexSource(owner: string, source: string, options: IndexOptions): Promise<IndexSummary>;
  listIndex(owner: string): Promise<IndexListing>;
  /** Lists the owner's crawls and indexed folders, newest first; with a source only that one, if it exists. */
  readCrawls(owner: string, source?: string): Promise<CrawlReport[]>;
  /** Asks the process that runs the crawl to stop; false if none does. */
  askToStop(owner: string, source: string): Promise<boolean>;
  /** Ends the hold of a job's last run. Any process that ends the job may call this. */
  endRunOf(job: JobOfCrawl, state: 'stopped' | 'interrupted' | 'finished'): Promise<void>;
  /** True if a run of the job has recorded its end, so that nothing is left to do. */
  isDone(job: JobOfCrawl): Promise<boolean>;
  /** Deletes data on the oldest web crawls beyond these limits. Their pages stay in the index. */
  trimCrawls(owner: string, keep: CrawlBounds): Promise<void>;
  /** Deletes the pages at and below an address or folder, or all pages for 'all'; resolves with their number. */
  forgetSource(owner: string, source: string): Promise<number>;
}
