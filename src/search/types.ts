import type { EngineProfile } from './asking/engine-profile.ts';
import type { EngineTrial } from './asking/try-engines.ts';
import type { CrawlInfo, CrawlRunner, SourceKind, StoredCrawlLimits } from './crawling/crawl-store.ts';
import type { SitemapOrFeedPage } from './crawling/sitemap.ts';
import type { SearchHit, SearchQuery } from './engine.ts';
import type { HostCount, PageListing, PageUsage, PageVersion, StoredPage } from './page-store.ts';

export type { EngineProfile } from './asking/engine-profile.ts';
export type { SearchCategory as Category, SearchTopic as Topic } from './engine.ts';
export type { PageVersion } from './page-store.ts';

export interface FoundPage extends SearchHit {
  /** Names of the engines that returned the page. The engine with the best rank comes first. */
  readonly engines: readonly string[];
}

export interface EngineReport {
  readonly name: string;
  readonly ok: boolean;
  readonly reason?: string;
  readonly ms: number;
  readonly hits: number;
  readonly cached?: true;
}

export interface NamedProfile {
  readonly name: string;
  readonly about: EngineProfile;
}

export interface TriedEngine extends EngineTrial, NamedProfile {}

/** State of a search engine. All times are in milliseconds since 1970. */
export interface EngineHealth extends NamedProfile {
  readonly pausedUntil?: number;
  readonly pausedWhy?: string;
  readonly last?: Pick<EngineReport, 'ok' | 'reason' | 'ms' | 'hits'> & { readonly at: number };
}

export interface FoundPages {
  readonly pages: readonly FoundPage[];
  readonly engines: readonly EngineReport[];
  /** True if no engine of the requested category is usable, so that only general engines were searched. */
  readonly besideTopic?: true;
  /** Set if most engines failed, or if only one engine (`alone`) has results. */
  readonly fewAnswered?: { readonly failed: number; readonly asked: number; readonly alone?: string };
}

export interface WebSearchOptions extends Omit<SearchQuery, 'text'> {
  readonly owner: string;
  readonly signal: AbortSignal;
  /** Factor for the time limit of the engines. Default: 1. */
  readonly patience?: number;
}

export interface SearchService {
  /** Merges the results of several engines. Throws AppError `upstream` if no engine gave a usable answer. */
  findPages(text: string, options: WebSearchOptions): Promise<FoundPages>;
  rememberPages(owner: string, pages: readonly StoredPage[]): Promise<void>;
  recallPage(owner: string, url: string): Promise<StoredPage | undefined>;
  /** Returns the page's text at `at` (ms since 1970). If `at` is earlier, returns the oldest stored text. */
  recallVersion(owner: string, url: string, at: number): Promise<PageVersion | undefined>;
  readonly keepsPages: boolean;
  /** Returns pages of the local index, the best first. Returns none if the index is switched off. */
  searchPages(owner: string, query: string, limit: number): Promise<readonly SearchHit[]>;
  forgetPage(owner: string, url: string): Promise<boolean>;
  readHealth(): Promise<EngineHealth[]>;
  readonly remedies: readonly string[];
  listRecentPages(owner: string, limit: number, cursor?: string): Promise<PageListing>;
}

export interface ParsedPage {
  readonly title: string;
  readonly markdown: string;
  readonly kind: string;
  readonly canonical?: string;
  readonly links?: readonly { readonly url: string; readonly text: string }[];
  readonly robots?: { readonly noindex: boolean; readonly nofollow: boolean };
}

export type PageParser = (
  raw: { readonly url: string; readonly contentType: string; readonly body: Uint8Array },
  signal: AbortSignal,
) => Promise<ParsedPage>;

export interface IndexOptions {
  /** Number of links to follow from the start page, or number of folder levels below the start folder. */
  readonly depth?: number;
  readonly limit?: number;
  readonly delayMs: number;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly signal: AbortSignal;
  readonly read: PageParser;
  /** Called before each request for a page. Resolves with false if the user's daily limit is reached. */
  readonly mayFetch?: () => Promise<boolean>;
  readonly job?: BackgroundCrawl;
  progress(message: string): void;
}

export interface BackgroundCrawl {
  readonly as?: CrawlRunner | undefined;
  readonly maxAddresses: number;
  /** Called once the start address has been fetched and the crawl is locked against other runs. */
  onOpen(): void | Promise<void>;
  report(tally: CrawlTally): void;
  addBytes(bytes: number): void;
  /** Returns the limit that the run has reached, or undefined. A reached limit ends the run. */
  isOver(): CrawlBound | undefined;
}

export type CrawlBound = 'pages' | 'bytes' | 'time';
export type CrawlTally = Omit<IndexSummary, 'source' | 'kind' | 'resumed' | 'state' | 'waiting' | 'bound'>;

export interface CrawlOutcome extends CrawlTally {
  /** `finished`: all addresses were read. `interrupted`: the process ended, and the crawl can continue. */
  readonly state: 'running' | 'interrupted' | 'finished' | 'limit' | 'stopped' | 'failed';
  readonly bound?: CrawlBound;
  readonly why?: string;
}

export interface CrawlReport extends CrawlOutcome, Pick<CrawlInfo, 'source' | 'kind' | 'read' | 'waiting'> {
  readonly depth?: number;
  readonly startedAt: number;
  readonly endedAt?: number;
}

export interface IndexSummary {
  readonly source: string;
  readonly kind: SourceKind;
  /** `finished`: all pages were read. `limit`: a limit was reached. `stopped`: the user stopped the run. */
  readonly state: 'finished' | 'limit' | 'stopped';
  readonly resumed: boolean;
  readonly indexed: number;
  readonly unchanged: number;
  readonly forgotten: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly failed: number;
  readonly failures: readonly { readonly url: string; readonly why: string }[];
  readonly waiting: number;
  readonly bound?: CrawlBound;
}

export type MapOptions = Pick<IndexOptions, 'signal' | 'read' | 'mayFetch' | 'progress'>;

export interface SiteMap {
  readonly url: string;
  readonly title: string;
  /** Pages of the site: the start page, then pages to which it links, then pages from sitemaps. */
  readonly pages: readonly SitemapOrFeedPage[];
  /** Number of pages that were found. `pages` may contain fewer. */
  readonly count: number;
  readonly sitemaps: number;
  readonly read: number;
  /** Reasons, in plain words, why the map is incomplete. The list is empty for a complete map. */
  readonly bounds: readonly string[];
}

export interface SiteCrawler {
  /** Lists the pages at and below an address. With `kept`, a list from the last ten minutes is reused. */
  mapSite(owner: string, address: string, kept: boolean, options: MapOptions): Promise<SiteMap>;
  /** Starts a crawl or joins a running crawl. Resolves after the first page was read. Throws AppError. */
  startCrawl(owner: string, address: string, options: CrawlOptions): Promise<CrawlRun>;
  /** Lists the owner's web crawls, newest first, or only the crawl of an address. */
  readCrawls(owner: string, address?: string): Promise<CrawlReport[]>;
  stopCrawl(owner: string, address: string): Promise<boolean>;
  /** Lets this process run crawls that any node has started. `open` creates a crawl's services. */
  handleCrawls(open: CrawlServicesFactory): void;
  close(): Promise<void>;
}

export type CrawlServicesFactory = (owner: string, terms: string) => Pick<IndexOptions, 'read' | 'mayFetch'>;

export interface CrawlOptions extends Pick<IndexOptions, 'read' | 'mayFetch'> {
  /** Credential and address of the caller, as JSON. If undefined, no other node can continue the crawl. */
  readonly terms?: string | undefined;
  /** Stops the crawl if the signal aborts before the first page has been read. */
  readonly signal: AbortSignal;
  readonly depth: number;
}

export interface CrawlRun {
  readonly joined: boolean;
  /** Resolves when the crawl has ended, or after `ms` milliseconds. Rejects when `signal` aborts. */
  wait(ms: number, signal: AbortSignal, progress: (message: string) => void): Promise<void>;
  stop(): Promise<void>;
}

export interface IndexListing extends PageUsage {
  readonly bounds: { readonly pages: number; readonly bytes: number };
  readonly sources: readonly CrawlReport[];
  readonly hosts: readonly HostCount[];
}

export interface CrawlJobRef {
  readonly id: string;
  readonly owner: string;
  readonly source: string;
}

export interface Indexer {
  /** Indexes a folder, site, sitemap or feed. Throws AppError `bad_request` for an invalid source. */
  indexSource(owner: string, source: string, options: IndexOptions): Promise<IndexSummary>;
  listIndex(owner: string): Promise<IndexListing>;
  /** Lists the owner's crawls and indexed folders, newest first, or only those of `source`. */
  readCrawls(owner: string, source?: string): Promise<CrawlReport[]>;
  askToStop(owner: string, source: string): Promise<boolean>;
  endRunOf(job: CrawlJobRef, state: 'stopped' | 'interrupted' | 'finished'): Promise<void>;
  /** True if the crawl of the job has finished, was deleted, or now belongs to another run. */
  isDone(job: CrawlJobRef): Promise<boolean>;
  /** Deletes the records of the oldest web crawls beyond the limits. Their pages stay in the index. */
  trimCrawls(owner: string, keep: StoredCrawlLimits): Promise<void>;
  forgetSource(owner: string, source: string): Promise<number>;
}
