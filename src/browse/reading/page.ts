import type { Structured } from '../extracting/structured.ts';

/** What a page at an address says, once read. */
export interface Page extends PageFacts {
  /** The address after redirects. */
  readonly url: string;
  readonly title: string;
  /** The whole text as Markdown; links absolute. */
  readonly markdown: string;
  readonly kind: PageKind;
}

/** What a page can be; each has a reader, and a sample in test/browse/every-kind.test.ts. */
export const PAGE_KINDS = [
  'html',
  'pdf',
  'markdown',
  'text',
  'code',
  'json',
  'notebook',
  'csv',
  'xml',
  'feed',
  'email',
  'mbox',
  'epub',
  'docx',
  'xlsx',
  'pptx',
  'odt',
  'ods',
  'odp',
  'rtf',
] as const;
export type PageKind = (typeof PAGE_KINDS)[number];

/** Why a page was not read as a whole: that took too much time or memory, or broke its reader. */
export type OutlineCause = 'time' | 'memory' | 'broken';

/** What a page says about itself; each is there only where the page names it. */
export interface PageFacts {
  /** In what way less was read than the page has, where that is so; the same page always comes the same way. */
  readonly reduced?: string;
  readonly author?: string;
  /** ISO 8601: a date (`2026-11-21`), or a date with its time where the page gives one. */
  readonly published?: string;
  /** A BCP 47 tag as the page writes it: `en`, `pt-BR`. */
  readonly language?: string;
  /** The name of the site. */
  readonly site?: string;
  /** The address that the page wants to be known by; absolute. */
  readonly canonical?: string;
  readonly description?: string;
  /** The address of the next page, post or chapter, on the same host. */
  readonly next?: string;
  /** Links of the whole page, chrome included, in page order, each address once; absolute http(s). */
  readonly links?: readonly PageLink[];
  /** What the page says for programs, where that was asked for. */
  readonly structured?: Structured;
  /** What the page asks of robots; absent when it asks nothing. */
  readonly robots?: { readonly noindex: boolean; readonly nofollow: boolean };
}

export interface PageLink {
  readonly url: string;
  /** The visible words of the link, or the picture's alt text; may be ''. */
  readonly text: string;
}

/** What a reader finds in a page's bytes. */
export type Content = Omit<Page, 'url' | 'kind'> & {
  /** The same Markdown by slides, sheets or chapters, where the document has them. */
  readonly units?: readonly string[];
};

/** A page's bytes as they came, with what the server said about them. */
export interface RawPage {
  /** The address, or the name of a file that has none. */
  readonly url: string;
  /** The content-type header, or ''. */
  readonly contentType: string;
  readonly body: Uint8Array;
  /** Of an encrypted PDF. */
  readonly password?: string | undefined;
  /** What a page says for programs is wanted too. */
  readonly structured?: boolean;
}
