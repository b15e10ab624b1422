import type { EngineProfile } from './asking/engine-profile.ts';
import type { EngineTrial } from './asking/try-engines.ts';
import type { CrawlInfo, CrawlRunner, SourceKind, StoredCrawlLimits } from './crawling/crawl-store.ts';
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

export interface FoundPage extends SearchHit {
  /** Engines that returned the page, best rank first. */
  readonly engines: readonly string[];
}

/** Outcome of asking one engine. A failure is reported, not thrown. */
export interface EngineReport {
  readonly name: string;
  readonly ok: boolean;
  readonly reason?: string;
  readonly ms: number;
  readonly hits: number;
  /** Set if a cached answer was used instead of a new request. */
  readonly cached?: true;
}

export interface NamedProfile {
  readonly name: string;
  readonly about: EngineProfile;
}

export interface TriedEngine extends EngineTrial, NamedProfile {}

/** Current state of an engine. Times are in milliseconds since 1970. */
export interface EngineHealth extends NamedProfile {
  /** End time of the engine's suspension. `pausedWhy` is the reason of the suspension. */
  readonly pausedUntil?: number;
  readonly pausedWhy?: string;
  /** Outcome of the last request in a search of this process, without the question. */
  readonly last?: Pick<EngineReport, 'ok' | 'reason' | 'ms' | 'hits'> & { readonly at: number };
}

export interface FoundPages {
  readonly pages: readonly FoundPage[];
  readonly engines: readonly EngineReport[];
  /** Set if the engines that know the requested category are unavailable, so that the whole web was searched instead. */
  readonly besideTopic?: true;
  /** Set if most engines refused or did not answer, or if only one (`alone`) returned pages. */
  readonly fewAnswered?: { readonly failed: number; readonly asked: number; readonly alone?: string };
}

export interface PageSearchOptions extends Omit<SearchQuery, 'text'> {
  readonly owner: string;
  readonly signal: AbortSignal;
  /** Factor for the time limit of the engines. Default 1. */
  readonly patience?: number;
}

export interface Search {
  /** Asks engines in parallel and merges the answers. AppError `upstream` (with `retryAfter`) if no engine answered. */
  findPages(text: string, options: PageSearchOptions): Promise<FoundPages>;
  /** Adds pages to the owner's local index, in one step if there are few; does nothing if the index is switched off. */
  rememberPages(owner: string, pages: readonly StoredPage[]): Promise<void>;
  recallPage(owner: string, url: string): Promise<StoredPage | undefined>;
  /** Returns the text that the page had at `at` (milliseconds since 1970), otherwise the oldest text stored. */
  recallVersion(owner: string, url: string, at: number): Promise<PageVersion | undefined>;
  /** True if pages that are read are stored in the local index, which can be switched off. */
  readonly keepsPages: boolean;
  /** Returns pages of the local index with words of the query, best first; none if the index is switched off. */
  searchPages(owner: string, query: string, limit: number): Promise<readonly SearchHit[]>;
  /** Deletes one page from the local index; false if it was not there. */
  forgetPage(owner: string, url: string): Promise<boolean>;
  readHealth(): Promise<EngineHealth[]>;
  /** Advice on how to make more engines answer on this machine: one sentence each, the easiest first. */
  readonly remedies: readonly string[];
  listRecentPages(owner: string, limit: number, cursor?: string): Promise<PageListing>;
}

/** A page or file after parsing, as far as indexing needs it. */
export interface ParsedPage {
  readonly title: string;
  readonly markdown: string;
  readonly kind: string;
  readonly canonical?: string;
  readonly links?: readonly { readonly url: string; readonly text: string }[];
  readonly robots?: { readonly noindex: boolean; readonly nofollow: boolean };
}

/** Converts a page's bytes to text, or throws AppError. Passed as a parameter, because modules do not import each other. */
export type PageParser = (
  raw: { readonly url: string; readonly contentType: string; readonly body: Uint8Array },
  signal: AbortSignal,
) => Promise<ParsedPage>;

export interface IndexOptions {
  /** Number of links to follow, or of folder levels to descend. The default depends on the kind of source. */
  readonly depth?: number;
  readonly limit?: number;
  /** Minimum interval between two requests to one host, in milliseconds. */
  readonly delayMs: number;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly signal: AbortSignal;
  readonly read: PageParser;
  /** Called before each request; false if the daily limit of fetches is used up. */
  readonly mayFetch?: () => Promise<boolean>;
  readonly job?: BackgroundRun;
  progress(message: string): void;
}

export interface BackgroundRun {
  /** The run of a job that nodes share. The next run of the job continues the page count. */
  readonly as?: CrawlRunner | undefined;
  readonly maxAddresses: number;
  /** Called when the source has been fetched and the run has locked the crawl. */
  onOpen(): void | Promise<void>;
  report(tally: CrawlTally): void;
  addBytes(bytes: number): void;
  /** Returns the limit that was reached, which ends the run for now; otherwise undefined. */
  isOver(): CrawlBound | undefined;
}

export type CrawlBound = 'pages' | 'bytes' | 'time';

export type CrawlTally = Omit<IndexSummary, 'source' | 'kind' | 'resumed' | 'state' | 'waiting' | 'bound'>;

export interface CrawlOutcome extends CrawlTally {
  /** `interrupted`: the crawl's process ended. `limit`: a limit was reached. Unless `finished`, addresses may be waiting. */
  readonly state: 'running' | 'interrupted' | 'finished' | 'limit' | 'stopped' | 'failed';
  readonly bound?: CrawlBound;
  readonly why?: string;
}

/** Report on a crawl for its owner. Times are in milliseconds since 1970. */
export interface CrawlReport extends CrawlOutcome, Pick<CrawlInfo, 'source' | 'kind' | 'read' | 'waiting'> {
  readonly depth?: number;
  readonly startedAt: number;
  readonly endedAt?: number;
}

export interface IndexSummary {
  readonly source: string;
  readonly kind: SourceKind;
  /** `limit`: the maximum number of pages was read, and more are waiting. `stopped`: the user stopped the run. */
  readonly state: 'finished' | 'limit' | 'stopped';
  readonly resumed: boolean;
  readonly indexed: number;
  readonly unchanged: number;
  readonly forgotten: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly failed: number;
  readonly failures: readonly { readonly url: string; readonly why: string }[];
  readonly waiting: number;
  /** The limit that was reached, for state `limit`. */
  readonly bound?: CrawlBound;
}

export type MapOptions = Pick<IndexOptions, 'signal' | 'read' | 'mayFetch' | 'progress'>;

export interface SiteMap {
  readonly url: string;
  readonly title: string;
  /** Pages of the map: the start page, then the pages that it links to, then those from sitemaps. */
  readonly pages: readonly ListedPage[];
  /** Total number of pages found; `pages` may contain only the first of them. */
  readonly count: number;
  readonly sitemaps: number;
  readonly read: number;
  /** Limits that cut the map short, in plain words; empty if it is complete. */
  readonly bounds: readonly string[];
}

export interface Sites {
  /** Returns pages at and below an address, with `kept` from a ten-minute cache. AppError `bad_request` or `forbidden`. */
  mapSite(owner: string, address: string, kept: boolean, options: MapOptions): Promise<SiteMap>;
  /** Starts or joins a crawl. Resolves after its first page. AppError `rate_limited`, `unavailable` or as `indexSource`. */
  startCrawl(owner: string, address: string, options: CrawlOptions): Promise<CrawlRun>;
  /** Lists the owner's web crawls, newest first; with an address only the crawl of this address, if it exists. */
  readCrawls(owner: string, address?: string): Promise<CrawlReport[]>;
  /** Stops the crawl in any process. Waits until it has ended if it runs in this process; false if no crawl is active. */
  stopCrawl(owner: string, address: string): Promise<boolean>;
  /** Allows this process to run shared crawls. `open` creates services for a crawl from the `terms` of its start. */
  handleCrawls(open: CrawlServicesFactory): void;
  close(): Promise<void>;
}

/** Creates the services with which a node runs a crawl that was started on another node. */
export type CrawlServicesFactory = (owner: string, terms: string) => Pick<IndexOptions, 'read' | 'mayFetch'>;

export interface CrawlOptions extends Pick<IndexOptions, 'read' | 'mayFetch'> {
  /** Facts about the caller that another node needs to continue the crawl. Without them, the crawl ends with this process. */
  readonly terms?: string | undefined;
  /** The caller's signal. If it is aborted before the first page has been read, the crawl ends. */
  readonly signal: AbortSignal;
  readonly depth: number;
}

export interface CrawlRun {
  readonly joined: boolean;
  /** Resolves when the crawl has ended or after `ms` milliseconds. Rejects with the signal's reason. */
  wait(ms: number, signal: AbortSignal, progress: (message: string) => void): Promise<void>;
  stop(): Promise<void>;
}

export interface IndexListing extends PageUsage {
  readonly bounds: { readonly pages: number; readonly bytes: number };
  readonly sources: readonly CrawlReport[];
  readonly hosts: readonly HostCount[];
}

/** A job of a crawl that nodes share: its id and the crawl's owner and source. */
export interface CrawlJobRef {
  readonly id: string;
  readonly owner: string;
  readonly source: string;
}

export interface Indexer {
  /** Indexes a folder, site, sitemap or feed, as the content shows. Throws AppError `bad_request` for an invalid source. */
  indexSource(owner: string, source: string, options: IndexOptions): Promise<IndexSummary>;
  listIndex(owner: string): Promise<IndexListing>;
  /** Lists the owner's crawls and indexed folders, newest first; with a source only that source, if it exists. */
  readCrawls(owner: string, source?: string): Promise<CrawlReport[]>;
  /** Asks the process that runs the crawl to stop; false if no process runs it. */
  askToStop(owner: string, source: string): Promise<boolean>;
  /** Records the end of a job's last run and releases its crawl. Any process that ends the job may call this. */
  endRunOf(job: CrawlJobRef, state: 'stopped' | 'interrupted' | 'finished'): Promise<void>;
  /** True if a run of the job has recorded its end, so that nothing is left to do. */
  isDone(job: CrawlJobRef): Promise<boolean>;
  /** Deletes stored data on the oldest web crawls beyond these limits. Pages of these crawls stay in the index. */
  trimCrawls(owner: string, keep: StoredCrawlLimits): Promise<void>;
  /** Deletes the pages at and below an address or folder, or all pages for 'all'; resolves with their number. */
  forgetSource(owner: string, source: string): Promise<number>;
}
