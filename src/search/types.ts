import type { EngineProfile } from './asking/engine-profile.ts';
import type { EngineTrial } from './asking/try-engines.ts';
import type { CrawlBounds, CrawlInfo, CrawlRunner, SourceKind } from './crawling/crawl-store.ts';
import type { ListedPage } from './crawling/sitemap.ts';
import type { SearchHit, SearchQuery } from './engine.ts';
import type { HostCount, PageListing, PageUsage, PageVersion, StoredPage } from './local-index/page-store.ts';

/** The face of this room: its interfaces, what they take and what they return. Types alone. */

export type { EngineProfile } from './asking/engine-profile.ts';
export type { EngineTrial, TrialFailure } from './asking/try-engines.ts';
export type { CrawlInfo, SourceKind } from './crawling/crawl-store.ts';
export type { ListedPage } from './crawling/sitemap.ts';
export type { Category, Topic } from './engine.ts';
export type { HostCount, PageListing, PageVersion, StoredPage } from './local-index/page-store.ts';

/** A page of the merged list. */
export interface FoundPage extends SearchHit {
  /** The engines that named it, best rank first. */
  readonly engines: readonly string[];
}

/** How one engine did: its failure is data. */
export interface EngineReport {
  readonly name: string;
  readonly ok: boolean;
  /** Why not, in plain words. */
  readonly reason?: string;
  readonly ms: number;
  readonly hits: number;
  /** Its answer of a moment ago was used again, and it was not asked. */
  readonly cached?: true;
}

/** An engine with who is behind it. */
export interface NamedProfile {
  readonly name: string;
  readonly about: EngineProfile;
}

/** An engine that was tried. */
export interface TriedEngine extends EngineTrial, NamedProfile {}

/** How an engine does now; times in milliseconds since 1970. */
export interface EngineHealth extends NamedProfile {
  /** It is left alone until then, and why. */
  readonly pausedUntil?: number;
  readonly pausedWhy?: string;
  /** The last time that a search of this process asked it; nothing of what was asked. */
  readonly last?: Pick<EngineReport, 'ok' | 'reason' | 'ms' | 'hits'> & { readonly at: number };
}

export interface FoundPages {
  readonly pages: readonly FoundPage[];
  readonly engines: readonly EngineReport[];
  /** No engine in use knows the category that was named, and the web at large was asked. */
  readonly besideTopic?: true;
  /** Most of the engines that were asked refused or did not answer, or all but one (`alone`) of those with pages. */
  readonly fewAnswered?: { readonly failed: number; readonly asked: number; readonly alone?: string };
}

export interface FindOptions extends Omit<SearchQuery, 'text'> {
  readonly owner: string;
  readonly signal: AbortSignal;
  /** The time limit of the engines as a multiple of the usual one. Default 1. */
  readonly patience?: number;
}

/** Searches the web, and keeps each user's local index of the pages that were read. */
export interface Search {
  /**
   * Asks the engines that fit the question, all at once under one deadline, and merges their answers. AppError
   * `upstream` with each engine's reason when none of them answered, and with `retryAfter` where that is known.
   */
  findPages(text: string, options: FindOptions): Promise<FoundPages>;
  /** Adds pages to the owner's local index, in one step where they are few; does nothing when that is switched off. */
  rememberPages(owner: string, pages: readonly StoredPage[]): Promise<void>;
  /** The page as it was read before. */
  recallPage(owner: string, url: string): Promise<StoredPage | undefined>;
  /** The text that the page had at a time, in milliseconds since 1970, or else the oldest text of it that is kept. */
  recallVersion(owner: string, url: string, at: number): Promise<PageVersion | undefined>;
  /** Whether pages that are read are kept: the local index can be switched off. */
  readonly keepsPages: boolean;
  /** Pages of the local index that have words of the query, best first; none where it is switched off. */
  searchPages(owner: string, query: string, limit: number): Promise<readonly SearchHit[]>;
  /** Deletes one page of the local index; false where it was not there. */
  forgetPage(owner: string, url: string): Promise<boolean>;
  /** The engines in use. */
  readHealth(): Promise<EngineHealth[]>;
  /** What could be done on this machine so that more engines answer: a sentence each, the easiest first. */
  readonly remedies: readonly string[];
  /** The pages that were read last. */
  listRecentPages(owner: string, limit: number, cursor?: string): Promise<PageListing>;
}

/** A page or file as its reader returns it: what indexing needs of it. */
export interface ReadPage {
  readonly title: string;
  readonly markdown: string;
  readonly kind: string;
  readonly canonical?: string;
  readonly links?: readonly { readonly url: string; readonly text: string }[];
  readonly robots?: { readonly noindex: boolean; readonly nofollow: boolean };
}

/** Bytes to text; handed in, since rooms do not import each other. AppError for what cannot be read. */
export type Reader = (
  raw: { readonly url: string; readonly contentType: string; readonly body: Uint8Array },
  signal: AbortSignal,
) => Promise<ReadPage>;

/** The options of a run of `magpie index`, beside its source. */
export interface IndexOptions {
  /** Links from the start, or folders below it; the source's kind decides when it is left out. */
  readonly depth?: number;
  /** Pages that one run reads at most. */
  readonly limit?: number;
  /** Milliseconds between two requests to one host. */
  readonly delayMs: number;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly signal: AbortSignal;
  readonly read: Reader;
  /** Asked before each request; false where those of the day are used up. */
  readonly mayFetch?: () => Promise<boolean>;
  /** What a run in the background is given besides. */
  readonly job?: IndexJob;
  progress(message: string): void;
}

/** A run in the background: bounded, and followed from elsewhere. */
export interface IndexJob {
  /** The run of a job of all nodes that this is; the next run of it counts its pages with those of this one. */
  readonly as?: CrawlRunner | undefined;
  /** Addresses that the crawl remembers at most. */
  readonly maxAddresses: number;
  /** Called once the source was read, and the run is the one of this crawl. */
  onOpen(): void | Promise<void>;
  report(tally: CrawlTally): void;
  /** Counts bytes that were fetched. */
  addBytes(bytes: number): void;
  /** What has come to its bound, so that the run ends for now. */
  isOver(): CrawlBound | undefined;
}

/** What bounds a run. */
export type CrawlBound = 'pages' | 'bytes' | 'time';

/** How far a run is. */
export type CrawlTally = Omit<IndexSummary, 'source' | 'kind' | 'resumed' | 'state' | 'waiting' | 'bound'>;

/** How a run stands, or ended. */
export interface CrawlOutcome extends CrawlTally {
  /** `interrupted`: its process ended. `limit`: a bound was reached. Of all but `finished` addresses may wait. */
  readonly state: 'running' | 'interrupted' | 'finished' | 'limit' | 'stopped' | 'failed';
  readonly bound?: CrawlBound;
  /** Why it failed, in plain words. */
  readonly why?: string;
}

/** A crawl as its owner is shown it; times in milliseconds since 1970. */
export interface CrawlReport extends CrawlOutcome, Pick<CrawlInfo, 'source' | 'kind' | 'read' | 'waiting'> {
  /** Links from the start that are followed. */
  readonly depth?: number;
  readonly startedAt: number;
  readonly endedAt?: number;
}

/** The result of a run of `magpie index`. */
export interface IndexSummary {
  readonly source: string;
  readonly kind: SourceKind;
  /** `limit`: as many pages were read as one run may, and more wait. `stopped`: by the user. */
  readonly state: 'finished' | 'limit' | 'stopped';
  /** It continued an interrupted run. */
  readonly resumed: boolean;
  readonly indexed: number;
  readonly unchanged: number;
  /** Pages that were deleted from the index, since they are gone. */
  readonly forgotten: number;
  /** How many, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly failed: number;
  /** The first of those that failed. */
  readonly failures: readonly { readonly url: string; readonly why: string }[];
  readonly waiting: number;
  /** What was reached, of state `limit`. */
  readonly bound?: CrawlBound;
}

/** What a map of a site is made with. */
export type MapOptions = Pick<IndexOptions, 'signal' | 'read' | 'mayFetch' | 'progress'>;

/** The pages of a site, as its sitemaps list them and its pages lead to them. */
export interface SiteMap {
  /** The address that the map begins at, after redirects. */
  readonly url: string;
  readonly title: string;
  /** The page itself first, then those that it leads to, then the listed ones. */
  readonly pages: readonly ListedPage[];
  /** How many were found; `pages` has the first of them. */
  readonly count: number;
  /** Sitemap files and pages that were read. */
  readonly sitemaps: number;
  readonly read: number;
  /** What bounded it, in plain words; empty where nothing did. */
  readonly bounds: readonly string[];
}

/** Sites as wholes: what pages they have. */
export interface Sites {
  /**
   * The pages at and under an address. AppError `bad_request` for an address that is none, `forbidden` where robots.txt
   * forbids it, and what fetching throws.
   * @param kept a map of the last minutes will do
   */
  mapSite(owner: string, address: string, kept: boolean, options: MapOptions): Promise<SiteMap>;
  /**
   * Reads a site into the owner's local index in the background, or joins the run that does so already; resolves once its first page
   * was read. AppError as `indexSource`, `rate_limited` where too many of the owner's run, `unavailable` where too many run at
   * all, and where the local index is switched off.
   */
  startCrawl(owner: string, address: string, options: CrawlOptions): Promise<CrawlRun>;
  /** The owner's crawls of the web, newest first; with an address that one alone, where there is one. */
  readCrawls(owner: string, address?: string): Promise<CrawlReport[]>;
  /** Stops the crawl, in whichever process it runs, and waits for that where it is this one; false where none runs. */
  stopCrawl(owner: string, address: string): Promise<boolean>;
  /** Has this process run crawls that any node may run; `open` says with what, by the `terms` that one was begun with. */
  handleCrawls(open: OpenCrawl): void;
  /** Runs that are under way are interrupted. */
  close(): Promise<void>;
}

/** What a node runs the crawl of another one's caller with. */
export type OpenCrawl = (owner: string, terms: string) => Pick<IndexOptions, 'read' | 'mayFetch'>;

/** What a crawl is made with. */
export interface CrawlOptions extends Pick<IndexOptions, 'read' | 'mayFetch'> {
  /** What another node needs to know of the caller; without it, the crawl ends with this process. */
  readonly terms?: string | undefined;
  /** Of the caller who begins it: aborted before its first page was read, it ends. */
  readonly signal: AbortSignal;
  /** Links from the start that are followed. */
  readonly depth: number;
}

/** A crawl that runs in this process, or at any node. */
export interface CrawlRun {
  /** It ran already. */
  readonly joined: boolean;
  /** Resolves when it has ended, or after so many milliseconds. Rejects with the signal's reason. */
  wait(ms: number, signal: AbortSignal, progress: (message: string) => void): Promise<void>;
  /** Resolves when it has ended. */
  stop(): Promise<void>;
}

export interface IndexListing extends PageUsage {
  readonly bounds: { readonly pages: number; readonly bytes: number };
  readonly sources: readonly CrawlReport[];
  readonly hosts: readonly HostCount[];
}

/** A job of all nodes as the crawl that it is about. */
export interface JobOfCrawl {
  readonly id: string;
  readonly owner: string;
  readonly source: string;
}

/** Fills an owner's local index, lists what it contains and deletes from it. */
export interface Indexer {
  /**
   * Reads a folder, a site, a sitemap or a feed into the index; what the source contains decides which of these it is.
   * An interrupted run is continued. AppError `bad_request` names what is wrong with the source.
   */
  indexSource(owner: string, source: string, options: IndexOptions): Promise<IndexSummary>;
  listIndex(owner: string): Promise<IndexListing>;
  /** The owner's crawls and indexed folders, newest first; with a source that one alone, where there is one. */
  readCrawls(owner: string, source?: string): Promise<CrawlReport[]>;
  /** Asks whichever process runs the crawl to stop; false where none does. */
  askToStop(owner: string, source: string): Promise<boolean>;
  /** Ends the hold of a job's last run, which any process may do that ends the job. */
  endRunOf(job: JobOfCrawl, state: 'stopped' | 'interrupted' | 'finished'): Promise<void>;
  /** Whether a run of the job has written its end, and nothing is left to do. */
  isDone(job: JobOfCrawl): Promise<boolean>;
  /** Deletes what is known of the oldest crawls of the web beyond these bounds. Their pages stay. */
  trimCrawls(owner: string, keep: CrawlBounds): Promise<void>;
  /** Deletes the pages at and under an address or folder, or with 'all' everything; resolves with how many. */
  forgetSource(owner: string, source: string): Promise<number>;
}
