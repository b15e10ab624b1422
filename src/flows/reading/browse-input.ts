/** Version to compare with: the one that the caller read last, or the one at a time in ms since 1970. */
export type ComparisonTime = 'last' | number;
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
  readonly map?: boolean | undefined;
  readonly crawl?: number | CrawlCommand | undefined;
  readonly inputwindowwords?: number | undefined;
}
