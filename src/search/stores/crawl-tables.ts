import type { Generated } from 'kysely';
import type { CrawlAddressState, SourceKind } from '../crawling/crawl-store.ts';

export interface CrawlTables {
  crawls: {
    id: Generated<number>;
    owner: string;
    source: string;
    kind: SourceKind;
    options: string;
    run: number;
    started_at: number;
    finished_at: number | null;
    runner: string | null;
    beat_at: number | null;
    stop: Generated<number>;
    ended_at: number | null;
    outcome: string | null;
  };
  crawl_addresses: {
    id: Generated<number>;
    crawl: number;
    url: string;
    run: number;
    depth: number;
    state: CrawlAddressState;
    etag: string | null;
    modified: string | null;
    digest: string | null;
  };
}
