/** What a page at an address says, once read. */
export interface Page {
  /** The address after redirects. */
  readonly url: string;
  readonly title: string;
  /** The whole text as Markdown; links absolute. */
  readonly markdown: string;
  readonly kind: 'html' | 'pdf' | 'markdown' | 'text' | 'json' | 'csv' | 'xml' | 'feed';
}

/** A page's bytes as they came, with what the server said about them. */
export interface RawPage {
  readonly url: string;
  /** The content-type header, or ''. */
  readonly contentType: string;
  readonly body: Uint8Array;
}
