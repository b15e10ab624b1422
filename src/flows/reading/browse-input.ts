/** Time to compare with: the caller's last reading of the page (`last`), or milliseconds since 1970. */
export type ComparisonTime = 'last' | number;

/** `status` and `stop` concern the crawl of an address; `list` lists all crawls. */
export type CrawlCommand = 'status' | 'stop' | 'list';

export interface BrowseInput {
  readonly q: string;
  readonly percentile: number;
  readonly numofpages: number;
  readonly paging?: number | undefined;
  readonly section?: string | undefined;
  readonly links?: boolean | undefined;
  readonly addresses?: 'inline' | 'list' | 'none' | undefined;
  readonly since?: ComparisonTime | undefined;
  readonly extract?: Readonly<Record<string, unknown>> | undefined;
  /** True to return the pages of the site instead of the text. */
  readonly map?: boolean | undefined;
  readonly crawl?: number | CrawlCommand | undefined;
  readonly inputwindowwords?: number | undefined;
}
