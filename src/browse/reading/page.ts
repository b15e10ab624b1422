import type { OrderWarning } from '../../lib/orders/order-warning.ts';
import type { StructuredData } from '../extracting/structured.ts';

export interface Page extends PageMetadata {
  readonly url: string;
  readonly title: string;
  readonly markdown: string;
  readonly kind: PageKind;
}

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
  readonly reduced?: string;
  /** True if the end of the page is missing. Such a page is not kept, since it would replace the whole page. */
  readonly isCut?: boolean;
  /** Visible passages that give orders to a language model. */
  readonly warnings?: OrderWarning[] | undefined;
  readonly author?: string;
  /** Date in ISO 8601, for example `2026-11-21`. Includes a time if the page states one. */
  readonly published?: string;
  /** Date of the newest of several mails. */
  readonly updated?: string;
  /** BCP 47 tag as in the page, for example `en` or `pt-BR`. */
  readonly language?: string;
  readonly site?: string;
  readonly canonical?: string;
  readonly description?: string;
  /** Address of the next page, post or chapter, on the same host. */
  readonly next?: string;
  /** Absolute http(s) links in page order, including navigation. No address occurs twice. */
  readonly links?: readonly PageLink[];
  readonly structured?: StructuredData;
  /** Counts of parts that are not in the text, by what they are, such as deleted messages of a mailbox. */
  readonly leftOut?: Readonly<Record<string, number>> | undefined;
  readonly robots?: { readonly noindex: boolean; readonly nofollow: boolean };
}

export interface PageLink {
  readonly url: string;
  /** Visible words of the link, or the alt text of a picture. May be ''. */
  readonly text: string;
}

export type PageContent = Omit<Page, 'url' | 'kind'> & { readonly units?: readonly string[] };

export interface RawPage {
  readonly url: string;
  readonly contentType: string;
  readonly body: Uint8Array;
  readonly password?: string | undefined;
  readonly structured?: boolean;
  readonly watched?: WatchedPart | undefined;
}

/** Part of a watched page. Without `selector` it is the page without its advertisements. */
export interface WatchedPart {
  readonly selector?: string | undefined;
}
