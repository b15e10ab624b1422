import type { StructuredData } from '../extracting/structured.ts';

export interface Page extends PageMetadata {
  readonly url: string;
  readonly title: string;
  /** The whole text of the page as Markdown, with absolute links. */
  readonly markdown: string;
  readonly kind: PageKind;
}

/** All kinds of pages. Each kind has a reader, and a sample in test/browse/every-kind.test.ts. */
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
  'calendar',
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

export type OutlineCause = 'time' | 'memory' | 'broken';

export interface PageMetadata {
  /** Describes what is missing if the page was not read completely. */
  readonly reduced?: string;
  readonly author?: string;
  /** Publication date in ISO 8601: `2026-11-21`, or with a time if the page has one. */
  readonly published?: string;
  /** Language as BCP 47 tag, as written in the page: `en`, `pt-BR`. */
  readonly language?: string;
  readonly site?: string;
  readonly canonical?: string;
  readonly description?: string;
  /** Address of the next page, post or chapter, on the same host. */
  readonly next?: string;
  /** Absolute http(s) links of the whole page, including navigation, in page order. Each address occurs once. */
  readonly links?: readonly PageLink[];
  readonly structured?: StructuredData;
  readonly robots?: { readonly noindex: boolean; readonly nofollow: boolean };
}

export interface PageLink {
  readonly url: string;
  /** Visible words of the link, or the alt text of its picture; may be ''. */
  readonly text: string;
}

export type PageContent = Omit<Page, 'url' | 'kind'> & {
  /** The Markdown of each slide, sheet or chapter. Undefined for documents without such units. */
  readonly units?: readonly string[];
};

export interface RawPage {
  /** Address of the page, or a file name if there is no address. */
  readonly url: string;
  readonly contentType: string;
  readonly body: Uint8Array;
  readonly password?: string | undefined;
  readonly structured?: boolean;
}
