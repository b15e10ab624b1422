import type { DataSchema, FittedData } from './extracting/structured.ts';
import type { Page, PageLink, RawPage } from './reading/page.ts';
import type { DroppedAddresses } from './sections/addresses.ts';
import type { LinkList } from './sections/links.ts';
import type { NumberedText } from './sections/numbered-addresses.ts';

export type { DataSchema, FittedData } from './extracting/structured.ts';
export type { Page, PageLink, RawPage } from './reading/page.ts';

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** User who reads the page. Pages are cached per user, and one user cannot occupy all reader processes. */
  readonly owner?: string;
  readonly fresh?: boolean;
  /** True if a cached page is accepted. The cache contains pages that the same user has read in the last few minutes. */
  readonly recent?: boolean;
  readonly structured?: boolean;
  /** Factor for the time limit of fetching the page. The default is 1. */
  readonly patience?: number;
  readonly goesOn?: boolean;
  /** Called at each stage of reading. For a cached page, it is called only with the last stage. */
  onStage?(stage: ReadingStage): void;
}

export type ReadingStage = 'fetching' | 'waiting' | 'reading';

export interface TextWorkOptions {
  readonly signal: AbortSignal;
  readonly owner?: string;
}

export interface RelevanceFocus {
  /** The question. If it is empty, the page's title is used instead. */
  readonly query: string;
  readonly title: string;
}

export interface WeightedText {
  readonly text: string;
  readonly weight: number;
  /** If a focus is given, the least relevant blocks are cut first. Otherwise the end of the text is cut. */
  readonly focus?: RelevanceFocus;
}

export interface Heading {
  /** Position among all headings of the page, from 1. */
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
  readonly choice?: SectionChoice;
}

export interface SectionChoice {
  /** True if the heading equals the request, apart from case, width and punctuation. */
  readonly exact: boolean;
  /** Number of headings that match the request equally well, including this one. */
  readonly fitting: number;
  readonly others: readonly number[];
}

export interface PortionRequest {
  readonly section: Pick<Section, 'title' | 'first'>;
  readonly title: string;
  /** `first`: number of the first part to return, from 1. `count`: number of parts to return. */
  readonly first: number;
  readonly count: number;
  readonly summaries: number;
  /** True if link addresses are replaced by numbers and listed with each part. */
  readonly listed?: boolean;
  /** Maximum characters of all parts together. A cut text has one character more, which shows the caller that it is cut. */
  readonly maxChars?: number;
}

export interface Portion {
  readonly parts: readonly {
    readonly text: string;
    readonly summary?: string;
    readonly addresses?: NumberedText['addresses'];
  }[];
  readonly total: number;
  /** Headings of the text, if it has several parts and the first part is returned. Otherwise empty. */
  readonly outline: OutlineEntry[];
}

export interface Highlight {
  /** The highlight as plain text of about 60 words at most. */
  readonly text: string;
  readonly section?: string;
}

export interface DigestRequest extends RelevanceFocus {
  /** Quoted phrases in the question. The digest says whether the page contains the phrases. */
  readonly phrases: readonly string[];
  /** Maximum number of characters of a block of text. Undefined if the digest should contain no text. */
  readonly blockChars?: number;
}

export interface PageDigest {
  readonly summary: string;
  /** Highlights of the page, the best first. */
  readonly highlights: readonly Highlight[];
  readonly sketch: Uint32Array;
  /** Estimates the share of four-word sequences that both texts have in common, 0 to 1. */
  likeness(other: Pick<PageDigest, 'sketch'>): number;
  readonly hasPhrases: boolean;
  /** Reduces the text of the page to a percentile of relevance. Undefined if no text was requested. */
  readonly reduced?: PercentileReducer;
  readonly within?: WordLimitReducer;
  readonly cut: number;
  /** Number of words of the text, 0 if no text was requested. Ten characters count as at least one word. */
  readonly words: number;
  /** Share of the question's words that occur in the highlights, 0 to 1. */
  readonly match: number;
}

export interface PageChange {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly section?: string;
  /** The added or removed text. For a changed block, the text that differs, with some words around it. */
  readonly text: string;
  /** For a changed block, the earlier version of `text`. */
  readonly before?: string;
}

export interface PageChanges {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** The first changes: added and changed blocks in page order, then removed blocks. */
  readonly list: readonly PageChange[];
}

export interface PageChangesLimits {
  readonly most: number;
  readonly chars: number;
  readonly words?: number;
}

/** Reduces a text to the blocks at or above a percentile of relevance. */
export type PercentileReducer = (percentile: number) => string;

export interface KeptText {
  readonly text: string;
  readonly words: number;
  /** True if the word limit left out some text that the percentile keeps. */
  readonly cut: boolean;
}

export type WordLimitReducer = (percentile: number, words: number) => KeptText;

export type PortionCutter = (percentile: number, wanted: PortionRequest) => Promise<Portion>;

/** Reads pages and shortens their texts. Long texts go to a worker, which throws AppError `timeout` after a time limit. */
export interface PageBrowser {
  /** Reads a page as Markdown. Throws AppError `upstream`, `timeout`, `unsupported`, `bad_request` or `forbidden`. */
  readPage(url: string, options: ReadOptions): Promise<Page>;
  /** Reads a file as Markdown. `raw.url` may be the name of the file. Throws AppError `unsupported`. */
  readBytes(raw: RawPage, signal: AbortSignal, owner?: string): Promise<Page>;
  digest(markdown: string, wanted: DigestRequest, work: TextWorkOptions): Promise<PageDigest>;
  /** Ranks the blocks of a text. Returns a function that cuts parts of the text by percentile. */
  createPortions(markdown: string, focus: RelevanceFocus, work: TextWorkOptions): Promise<PortionCutter>;
  /** Finds a section by its heading or number. Throws AppError `not_found` with the nearest headings. */
  findSection(markdown: string, wanted: string, work: TextWorkOptions): Promise<Section>;
  findSectionTitle(markdown: string, fragment: string, work: TextWorkOptions): Promise<string | undefined>;
  /** Returns the first `most` different links of the text and of `more`, and their total number. */
  listLinks(
    markdown: string,
    more: readonly PageLink[],
    most: number,
    work: TextWorkOptions,
  ): Promise<LinkList>;
  comparePages(
    before: string,
    after: string,
    wanted: PageChangesLimits,
    work: TextWorkOptions,
  ): Promise<PageChanges>;
  /** Returns the supported part of a caller's JSON schema. Throws AppError `bad_request` if the schema is invalid. */
  checkSchema(given: Readonly<Record<string, unknown>>): DataSchema;
  fitData(page: Page, schema: DataSchema, mostChars: number, work: TextWorkOptions): Promise<FittedData>;
  summarize(markdown: string, query: string, work: TextWorkOptions): Promise<string>;
  dropAddresses(markdown: string, dropped: DroppedAddresses, work: TextWorkOptions): Promise<string>;
  withList(text: string, addresses: NumberedText['addresses'], work: TextWorkOptions): Promise<string>;
  shareWords(shares: readonly WeightedText[], ceiling: number, work: TextWorkOptions): Promise<string[]>;
  close(): Promise<void>;
}
