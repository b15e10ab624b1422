import type { DataSchema, FittedData } from './extracting/structured.ts';
import type { Page, PageLink, RawPage } from './reading/page.ts';
import type { DroppedAddresses } from './sections/addresses.ts';
import type { LinkList } from './sections/links.ts';
import type { NumberedText } from './sections/numbered-addresses.ts';

export type { DataSchema, FittedData } from './extracting/structured.ts';
export type { Page, PageLink, RawPage } from './reading/page.ts';

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** User of the call, who cannot occupy all readers. The page may be cached for this user by the rules of HTTP. */
  readonly owner?: string;
  readonly fresh?: boolean;
  /** True to accept a page that was read for the same owner a few minutes ago. */
  readonly recent?: boolean;
  readonly structured?: boolean;
  /** Factor for the usual time limit; the default is 1. */
  readonly patience?: number;
  readonly goesOn?: boolean;
  /** Called at each stage of the reading. For a cached page it is called only with the last stage. */
  onStage?(stage: ReadingStage): void;
}

export type ReadingStage = 'fetching' | 'waiting' | 'reading';

export interface TextWorkOptions {
  readonly signal: AbortSignal;
  readonly owner?: string;
}

export interface RelevanceFocus {
  /** The question. If it is empty, the page's title is used. */
  readonly query: string;
  readonly title: string;
}

export interface WeightedText {
  readonly text: string;
  readonly weight: number;
  /** With a focus, the least relevant blocks are cut first. Without a focus, the end of the text is cut. */
  readonly focus?: RelevanceFocus;
}

export interface Heading {
  /** Position among the page's headings, from 1. It does not change in an outline that leaves out headings. */
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
  /** Number of headings that match equally well, including this one. */
  readonly fitting: number;
  readonly others: readonly number[];
}

export interface PortionRequest {
  readonly section: Pick<Section, 'title' | 'first'>;
  readonly title: string;
  /** Number of the first part that is returned, from 1. `count` is the number of parts. */
  readonly first: number;
  readonly count: number;
  readonly summaries: number;
  /** True to replace the addresses of links by numbers and list them with each part. */
  readonly listed?: boolean;
  /** Maximum characters of all parts together; unlimited by default. The part that exceeds it is cut one character beyond it. */
  readonly maxChars?: number;
}

export interface Portion {
  readonly parts: readonly {
    readonly text: string;
    readonly summary?: string;
    readonly addresses?: NumberedText['addresses'];
  }[];
  readonly total: number;
  /** Headings of a text that has several parts. Only the first part has an outline. */
  readonly outline: OutlineEntry[];
}

export interface Highlight {
  /** Text of the highlight as plain text of about 60 words at most. */
  readonly text: string;
  readonly section?: string;
}

export interface DigestRequest extends RelevanceFocus {
  /** Quoted phrases of the question. The digest says whether the page contains them. */
  readonly phrases: readonly string[];
  /** Maximum number of characters of a block of text. If it is undefined, the digest contains no text. */
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
  /** Reduces the text, without link addresses, to a percentile. Missing if no text was requested. */
  readonly reduced?: PercentileReducer;
  readonly within?: WordLimitReducer;
  readonly cut: number;
  /** Number of words of the text, where ten characters count as at least one word; 0 if no text was requested. */
  readonly words: number;
  /** Share of the question's words that occur in the highlights, 0 to 1. */
  readonly match: number;
}

export interface PageChange {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly section?: string;
  /** The added or removed text. For a changed block, it is the differing part with some words around it. */
  readonly text: string;
  /** Earlier text of the differing part. */
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
  /** Maximum number of characters of all changes, and maximum number of words. */
  readonly chars: number;
  readonly words?: number;
}

/** Reduces a text to the blocks at or above a percentile of relevance. */
export type PercentileReducer = (percentile: number) => string;

export interface KeptText {
  readonly text: string;
  readonly words: number;
  /** True if the word limit left out a part of what the percentile keeps. */
  readonly cut: boolean;
}

/** Reduces a text to a percentile and to at most `words` words. The best blocks are kept. */
export type WordLimitReducer = (percentile: number, words: number) => KeptText;

/** Returns parts of the text that a percentile keeps, with summaries and outline. */
export type PortionCutter = (percentile: number, wanted: PortionRequest) => Promise<Portion>;

/** Reads pages and shortens their texts. Long texts go to a worker, which throws AppError `timeout` after a time limit. */
export interface PageBrowser {
  /** Reads a page as Markdown. Throws AppError `upstream`, `timeout`, `unsupported`, `bad_request` or `forbidden`. */
  readPage(url: string, options: ReadOptions): Promise<Page>;
  /** Reads a file; `raw.url` may be a name. Throws AppError `unsupported`. Concurrency is limited per `owner`. */
  readBytes(raw: RawPage, signal: AbortSignal, owner?: string): Promise<Page>;
  digest(markdown: string, wanted: DigestRequest, work: TextWorkOptions): Promise<PageDigest>;
  /** Ranks a text once, for any number of later portions. */
  createPortions(markdown: string, focus: RelevanceFocus, work: TextWorkOptions): Promise<PortionCutter>;
  /** Finds a section by its heading or number. Throws AppError `not_found` with the nearest headings. */
  findSection(markdown: string, wanted: string, work: TextWorkOptions): Promise<Section>;
  findSectionTitle(markdown: string, fragment: string, work: TextWorkOptions): Promise<string | undefined>;
  /** Lists the links of a text, then new links of `more`. It returns at most `most` links and the total number. */
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
  /** Copies the supported part of a JSON schema. Throws AppError `bad_request` if it is invalid. */
  checkSchema(given: Readonly<Record<string, unknown>>): DataSchema;
  /** Fills a schema from a page that was read with `structured`, up to `mostChars` characters. */
  fitData(page: Page, schema: DataSchema, mostChars: number, work: TextWorkOptions): Promise<FittedData>;
  summarize(markdown: string, query: string, work: TextWorkOptions): Promise<string>;
  dropAddresses(markdown: string, dropped: DroppedAddresses, work: TextWorkOptions): Promise<string>;
  withList(text: string, addresses: NumberedText['addresses'], work: TextWorkOptions): Promise<string>;
  shareWords(shares: readonly WeightedText[], ceiling: number, work: TextWorkOptions): Promise<string[]>;
  close(): Promise<void>;
}
