import type { DataSchema, FittedData } from './extracting/structured.ts';
import type { Page, PageLink, RawPage } from './reading/page.ts';
import type { Dropped } from './sections/addresses.ts';
import type { LinkList } from './sections/links.ts';
import type { Listed } from './sections/listed-addresses.ts';

/** The face of this room: its interface, what it takes and what it returns. Types alone. */

export type { DataSchema, FittedData } from './extracting/structured.ts';
export type { Page, PageLink, RawPage } from './reading/page.ts';

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** The user for whom: no one has all readers, and the page may be kept for that user by the rules of HTTP. */
  readonly owner?: string;
  /** The page as it is now: neither read from what is kept, nor kept. */
  readonly fresh?: boolean;
  /** What was read for the owner a few minutes ago serves again. */
  readonly recent?: boolean;
  /** What the page says for programs is wanted too: its `structured`. */
  readonly structured?: boolean;
  /** The time limit of this page as a multiple of the usual one. Default 1. */
  readonly patience?: number;
  /** The call that wants it reads pages already: this one goes before pages of the user's calls that have begun with none. */
  readonly goesOn?: boolean;
  /** Called as the reading comes to each stage; a page that was read before comes to the last one at once. */
  onStage?(stage: ReadingStage): void;
}

/** Where the reading of a page is: on its way from the site, come and waiting for a reader, or with one. */
export type ReadingStage = 'fetching' | 'waiting' | 'reading';

/** A call that has texts worked on. */
export interface TextWork {
  readonly signal: AbortSignal;
  /** The user for whom: no one has all workers. */
  readonly owner?: string;
}

/** What a text is ranked by. */
export interface Focus {
  /** The question; empty when the page itself is what is asked for. */
  readonly query: string;
  readonly title: string;
}

/** A text among several that share a number of words. */
export interface Share {
  readonly text: string;
  /** Its part of the words, in proportion to the others. */
  readonly weight: number;
  /** With a focus, the least relevant blocks are cut first, else the end. */
  readonly focus?: Focus;
}

/** A heading of a page. */
export interface Heading {
  /** Which one of the page's headings it is, from 1, whatever was left out of an outline. */
  readonly number: number;
  /** 1 to 6. */
  readonly level: number;
  readonly title: string;
}

/** A heading of an outline, with the part in which it begins, from 1. */
export interface OutlineEntry extends Heading {
  readonly part: number;
}

/** A page, or a section of one. */
export interface Section {
  /** The heading's, '' for a whole page. */
  readonly title: string;
  readonly markdown: string;
  /** The number of its first heading. */
  readonly first: number;
  /** How the heading was chosen; absent for a whole page. */
  readonly choice?: SectionChoice;
}

/** How a heading fits what was asked for. */
export interface SectionChoice {
  /** Whether it says just that, case, width and signs aside. */
  readonly exact: boolean;
  /** How many headings fit as well, this one included. */
  readonly fitting: number;
  /** The numbers of the first others. */
  readonly others: readonly number[];
}

/** Which parts of a text are wanted. */
export interface PortionWanted {
  /** What the text is a section of, if of anything. */
  readonly section: Pick<Section, 'title' | 'first'>;
  /** The title of the page, for the summaries. */
  readonly title: string;
  /** The first part, from 1, and how many. */
  readonly first: number;
  readonly count: number;
  /** How many of the parts get a summary. */
  readonly summaries: number;
  /** Whether links have numbers, and the addresses come beside each part. */
  readonly listed?: boolean;
  /** The last part that has more characters than this, with those before it, is cut to one more; no bound when left out. */
  readonly maxChars?: number;
}

export interface Portion {
  readonly parts: readonly {
    readonly text: string;
    readonly summary?: string;
    /** Where its links lead, where these have numbers. */
    readonly addresses?: Listed['addresses'];
  }[];
  /** Parts of the whole text. */
  readonly total: number;
  /** Headings of a text in several parts, with its first part only. */
  readonly outline: OutlineEntry[];
}

/** A passage of a page that answers a question. */
export interface Highlight {
  /** Plain words, some 60 at most. */
  readonly text: string;
  /** The heading that it stands under. */
  readonly section?: string;
}

/** What is made of a page that was found for a question. */
export interface DigestWanted extends Focus {
  /** Runs of words that the page is searched for, as they were quoted in the question. */
  readonly phrases: readonly string[];
  /** Characters of one block of its text; no text is wanted when left out. */
  readonly blockChars?: number;
}

export interface Digest {
  readonly summary: string;
  /** Best first. */
  readonly highlights: readonly Highlight[];
  /** What it is compared by, see sketch.ts. */
  readonly sketch: Uint32Array;
  /** The share of both texts' runs of words that they have in common, 0 to 1. */
  likeness(other: Pick<Digest, 'sketch'>): number;
  /** Whether it has every phrase. */
  readonly hasPhrases: boolean;
  /** Its text without where links lead, where that is wanted. */
  readonly reduced?: Reducer;
  /** The same in so many words at most. */
  readonly within?: Within;
  /** Blocks whose end is left out of that. */
  readonly cut: number;
  /** Words of its text, ten characters counting as one at least; 0 where no text is wanted. */
  readonly words: number;
  /** The share of the question's words that its highlights have, 0 to 1. */
  readonly match: number;
}

/** A block of a page that it did not have before, no longer has, or has in other words. */
export interface Change {
  readonly kind: 'added' | 'removed' | 'changed';
  /** The heading that it stands or stood under. */
  readonly section?: string;
  /** What was added or removed; of what was changed, what is different, with some words around it. */
  readonly text: string;
  /** What was changed, as it was before. */
  readonly before?: string;
}

/** What differs between two texts of a page. */
export interface Changes {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** The first of them: as the page has them, and then those that are gone. */
  readonly list: readonly Change[];
}

/** How much of the changes is wanted. */
export interface ChangesWanted {
  readonly most: number;
  /** Characters of all of them, and words. */
  readonly chars: number;
  readonly words?: number;
}

/** Cuts a text to the blocks at or above a percentile of relevance. */
export type Reducer = (percentile: number) => string;

/** What is kept of a text. */
export interface Kept {
  readonly text: string;
  readonly words: number;
  /** Whether it is less than the percentile alone would keep. */
  readonly cut: boolean;
}

/** The same with at most so many words, the best blocks first; see within.ts. */
export type Within = (percentile: number, words: number) => Kept;

/** Cuts parts out of what a text has at or above a percentile of relevance, with their summaries and the outline. */
export type Portions = (percentile: number, wanted: PortionWanted) => Promise<Portion>;

/**
 * Reads pages, and shortens their texts. Work on a long text is done in a worker; AppError `timeout` when it takes
 * too long.
 */
export interface Browse {
  /**
   * The page at an address as Markdown. AppError: `upstream` and `timeout` begin with "Error fetching
   * content"; `unsupported` names the type; `bad_request` and `forbidden` name the address.
   */
  readPage(url: string, options: ReadOptions): Promise<Page>;
  /**
   * A file or an attachment as Markdown. `raw.url` may be an address or, where there is none, a name such
   * as `report.pdf`; `raw.contentType` may be ''. AppError `unsupported` names the type, or says what is
   * wrong with the file. Of an `owner` so many are read at once; left out, of all who leave it out.
   */
  readBytes(raw: RawPage, signal: AbortSignal, owner?: string): Promise<Page>;
  /** All that an answer to a question says of a page, from one reading of its text; see digest.ts. */
  digest(markdown: string, wanted: DigestWanted, work: TextWork): Promise<Digest>;
  /** Ranks a text once, for any number of portions; see parts.ts. */
  createPortions(markdown: string, focus: Focus, work: TextWork): Promise<Portions>;
  /** The section with a heading or number, see sections.ts. AppError `not_found` names the nearest headings. */
  findSection(markdown: string, wanted: string, work: TextWork): Promise<Section>;
  /** The title of the section that the fragment of an address names. */
  findSectionTitle(markdown: string, fragment: string, work: TextWork): Promise<string | undefined>;
  /** The first links of a text, then those of `more` that it does not have, and how many there are; see links.ts. */
  listLinks(markdown: string, more: readonly PageLink[], most: number, work: TextWork): Promise<LinkList>;
  /** What differs between an earlier text of a page and the present one, by blocks; see changes.ts. */
  comparePages(before: string, after: string, wanted: ChangesWanted, work: TextWork): Promise<Changes>;
  /** The part of a JSON schema that is used. AppError `bad_request` says what is wrong with it. */
  checkSchema(given: Readonly<Record<string, unknown>>): DataSchema;
  /**
   * What a page that was read as `structured` has of what a schema asks for, in so many characters at most; see fit-data.ts.
   */
  fitData(page: Page, schema: DataSchema, mostChars: number, work: TextWork): Promise<FittedData>;
  /** The sentences nearest to the query, see summarize.ts. */
  summarize(markdown: string, query: string, work: TextWork): Promise<string>;
  /** A text without where its pictures, or all of its links, lead; see addresses.ts. */
  dropAddresses(markdown: string, dropped: Dropped, work: TextWork): Promise<string>;
  /** A part with the list of the addresses that it still has links to; see listed-addresses.ts. */
  withList(text: string, addresses: Listed['addresses'], work: TextWork): Promise<string>;
  /** Cuts texts to a number of words together, see budget.ts. */
  shareWords(shares: readonly Share[], ceiling: number, work: TextWork): Promise<string[]>;
  close(): Promise<void>;
}
