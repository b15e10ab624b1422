import type { PageVerdict, PageWatch, PageWatchTimes } from '../lib/watching/page-watch.ts';
import type { DataSchema, SchemaFittedData } from './extracting/structured.ts';
import type { Page, PageLink, RawPage, WatchedPart } from './reading/page.ts';
import type { DroppedAddresses } from './sections/addresses.ts';
import type { CountedLinks } from './sections/links.ts';
import type { NumberedText } from './sections/numbered-addresses.ts';

export type { DataSchema, SchemaFittedData as FittedData } from './extracting/structured.ts';
export type { Page, PageLink, RawPage } from './reading/page.ts';

export interface FetchAndReadOptions {
  readonly signal: AbortSignal;
  readonly owner?: string;
  readonly fresh?: boolean;
  /** True to use a copy of the page if the same user has read the page in the last ten minutes. */
  readonly recent?: boolean;
  readonly structured?: boolean;
  /** Reads a page that is compared later: without advertisements, or only the part that a selector names. */
  readonly watched?: WatchedPart;
  readonly patience?: number;
  readonly goesOn?: boolean;
  /** True to wait where the site asks for a short pause, within the time limit. */
  readonly waits?: boolean;
  onStage?(stage: ReadingStage): void;
}

export type ReadingStage = 'fetching' | 'waiting' | 'reading';

export interface TextWorkOptions {
  readonly signal: AbortSignal;
  readonly owner?: string;
}

export interface RelevanceFocus {
  readonly query: string;
  readonly title: string;
}

export interface WeightedText {
  readonly text: string;
  readonly weight: number;
  readonly focus?: RelevanceFocus;
}

export interface Heading {
  readonly number: number;
  readonly level: number;
  readonly title: string;
}

export interface OutlineEntry extends Heading {
  readonly part: number;
}

export interface Section {
  readonly title: string;
  readonly markdown: string;
  readonly first: number;
  readonly choice?: { readonly exact: boolean; readonly fitting: number; readonly others: readonly number[] };
}

export interface PortionRequest {
  readonly section: Pick<Section, 'title' | 'first'>;
  readonly title: string;
  /** Number of the first part to return, from 1. */
  readonly first: number;
  readonly count: number;
  readonly summaries: number;
  /** True to replace addresses by numbers and to list the addresses after each part. */
  readonly listed?: boolean;
  readonly maxChars?: number;
}

export interface TextPortion {
  readonly parts: readonly {
    readonly text: string;
    readonly summary?: string;
    readonly addresses?: NumberedText['addresses'];
  }[];
  readonly total: number;
  /** Headings of the text. Empty if it has one part or the portion does not begin with the first part. */
  readonly outline: OutlineEntry[];
}

export interface PageHighlight {
  readonly text: string;
  readonly section?: string;
}

export interface PageDigestRequest extends RelevanceFocus {
  readonly phrases: readonly string[];
  /** Maximum characters of a block of text. Undefined if the digest needs no text. */
  readonly blockChars?: number;
}

export interface PageDigest {
  readonly summary: string;
  readonly highlights: readonly PageHighlight[];
  readonly sketch: Uint32Array;
  likeness(other: Pick<PageDigest, 'sketch'>): number;
  readonly hasPhrases: boolean;
  readonly reduced?: PercentileReducer;
  readonly within?: WordLimitReducer;
  readonly cut: number;
  readonly words: number;
  /** Share of the question's words that occur in the highlights, 0 to 1. */
  readonly match: number;
}

export interface PageChange {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly section?: string;
  readonly text: string;
  readonly before?: string;
}

export interface PageChanges {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly list: readonly PageChange[];
}

export interface PageChangesLimits {
  readonly most: number;
  readonly chars: number;
  readonly words?: number;
}

export type PercentileReducer = (percentile: number) => string;

export interface KeptText {
  readonly text: string;
  readonly words: number;
  /** True if some text was removed only because of the word limit. */
  readonly cut: boolean;
}

export type WordLimitReducer = (percentile: number, words: number) => KeptText;
export type PortionCutter = (percentile: number, wanted: PortionRequest) => Promise<TextPortion>;

/** Reads pages and shortens their texts. Long texts go to a worker with a time limit. */
export interface PageBrowser {
  /** Throws AppError, for example `upstream`, `timeout`, `unsupported` or `too_large`. */
  readPage(url: string, options: FetchAndReadOptions): Promise<Page>;
  readBytes(raw: RawPage, signal: AbortSignal, owner?: string): Promise<Page>;
  digest(markdown: string, wanted: PageDigestRequest, work: TextWorkOptions): Promise<PageDigest>;
  createPortions(markdown: string, focus: RelevanceFocus, work: TextWorkOptions): Promise<PortionCutter>;
  /** Throws AppError `not_found`, which names the nearest headings. */
  findSection(markdown: string, wanted: string, work: TextWorkOptions): Promise<Section>;
  findSectionTitle(markdown: string, fragment: string, work: TextWorkOptions): Promise<string | undefined>;
  listLinks(
    markdown: string,
    more: readonly PageLink[],
    most: number,
    work: TextWorkOptions,
  ): Promise<CountedLinks>;
  comparePages(
    before: string,
    after: string,
    wanted: PageChangesLimits,
    work: TextWorkOptions,
  ): Promise<PageChanges>;
  /** Compares a watched page with `state`, and says what has changed. Throws AppError as `readPage` does. */
  watchPage(
    url: string,
    watch: PageWatch,
    state: string | undefined,
    work: PageWatchTimes & TextWorkOptions,
  ): Promise<PageVerdict>;
  /** Throws AppError `bad_request` for a watch that cannot be. */
  checkWatch(watch: PageWatch): Promise<void>;
  /** Returns the supported parts of a JSON schema. Throws AppError `bad_request` for an invalid schema. */
  checkSchema(given: Readonly<Record<string, unknown>>): DataSchema;
  fitData(
    page: Page,
    schema: DataSchema,
    mostChars: number,
    work: TextWorkOptions,
  ): Promise<SchemaFittedData>;
  summarize(markdown: string, query: string, work: TextWorkOptions): Promise<string>;
  dropAddresses(markdown: string, dropped: DroppedAddresses, work: TextWorkOptions): Promise<string>;
  withList(text: string, addresses: NumberedText['addresses'], work: TextWorkOptions): Promise<string>;
  shareWords(shares: readonly WeightedText[], ceiling: number, work: TextWorkOptions): Promise<string[]>;
  close(): Promise<void>;
}
