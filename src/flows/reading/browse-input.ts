/** The last time that the caller read a page, or a time in milliseconds since 1970. */
export type Since = 'last' | number;

/** `status` and `stop` are of the crawl of an address, `list` of all. */
export type CrawlWord = 'status' | 'stop' | 'list';

/** What a call of the browse family asks for. */
export interface WebBrowse {
  readonly q: string;
  readonly percentile: number;
  readonly numofpages: number;
  readonly paging?: number | undefined;
  readonly section?: string | undefined;
  readonly links?: boolean | undefined;
  /** Where addresses of links stand in the text: in their place, as a list under each part, or nowhere. */
  readonly addresses?: 'inline' | 'list' | 'none' | undefined;
  readonly since?: Since | undefined;
  /** A JSON schema of the data that is wanted of the page. */
  readonly extract?: Readonly<Record<string, unknown>> | undefined;
  /** The pages of the site in the place of the text. */
  readonly map?: boolean | undefined;
  /** A depth to which the site is read into the local index, or a word on such crawls. */
  readonly crawl?: number | CrawlWord | undefined;
  readonly inputwindowwords?: number | undefined;
}
