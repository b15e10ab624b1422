import type { RateLimitStore } from '../access/limits/rate-store.ts';
import type { McpSessionStore } from '../access/session-store.ts';
import type { BlobStore } from '../documents/blob-store.ts';
import type { EntryStore } from '../knowledge/store.ts';
import type { CrawlJobStore } from '../search/crawling/crawl-job-store.ts';
import type { PageStore } from '../search/page-store.ts';
import type { SharedJobQueue } from '../storage/postgres/jobs/queue.ts';
import type { createSharedStores } from './shared-stores.ts';

export interface Stores extends ReturnType<typeof createSharedStores> {
  pages(): Promise<PageStore>;
  entries(): Promise<EntryStore>;
  blobs(): Promise<BlobStore>;
  /** Request counts shared by nodes. Returns undefined for a single server, which counts in memory. */
  rates?: () => Promise<RateLimitStore>;
  /** MCP sessions shared by nodes. Returns undefined for a single server, which has them in memory. */
  sessions?: () => Promise<McpSessionStore>;
  sharedJobs?: (() => Promise<SharedJobQueue>) & { made(): boolean };
  crawlJobs?: () => Promise<CrawlJobStore>;
  secret(): Promise<Buffer>;
  ready(): Promise<void>;
  findDamage(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
