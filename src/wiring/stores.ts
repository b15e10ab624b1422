import type { GrantStore } from '../access/grants/grant-store.ts';
import type { KeyStore } from '../access/keys/key-store.ts';
import type { RateLimitStore } from '../access/limits/rate-store.ts';
import type { McpSessionStore } from '../access/session-store.ts';
import type { McpTaskStore } from '../access/tasks/mcp-task.ts';
import type { UsageStore } from '../access/usage/usage-store.ts';
import type { AssessmentStore } from '../compliance/assessing/assessment-store.ts';
import type { ComplianceJobStore } from '../compliance/assessing/job.ts';
import type { AttestationStore } from '../compliance/attesting/attestation.ts';
import type { BlobStore } from '../documents/blob-store.ts';
import type { DocumentStore } from '../documents/document-store.ts';
import type { PassRevocations } from '../documents/pass-revocations.ts';
import type { EntryStore } from '../knowledge/store.ts';
import type { FolderStore } from '../knowledge/syncing/folder-store.ts';
import type { MonitorStores } from '../monitor/store.ts';
import type { SuspensionStore } from '../search/asking/suspension-store.ts';
import type { CrawlJobStore } from '../search/crawling/crawl-job-store.ts';
import type { CrawlStore } from '../search/crawling/crawl-store.ts';
import type { PageStore } from '../search/page-store.ts';
import type { FindingCache } from '../security/scans/finding-cache.ts';
import type { ScanStore } from '../security/scans/scan-store.ts';
import type { SharedJobQueue } from '../storage/postgres/jobs/queue.ts';

export interface Stores {
  pages(): Promise<PageStore>;
  crawls(): Promise<CrawlStore>;
  suspensions(): Promise<SuspensionStore>;
  entries(): Promise<EntryStore>;
  folders(): Promise<FolderStore>;
  documents(): Promise<DocumentStore>;
  passEnds(): Promise<PassRevocations>;
  blobs(): Promise<BlobStore>;
  scans(): Promise<ScanStore>;
  keptResults(): Promise<FindingCache>;
  monitors(): Promise<MonitorStores>;
  assessments(): Promise<AssessmentStore>;
  jobs(): Promise<ComplianceJobStore>;
  attestations(): Promise<AttestationStore>;
  keys(): Promise<KeyStore>;
  grants(): Promise<GrantStore>;
  usage(): Promise<UsageStore>;
  tasks(): Promise<McpTaskStore>;
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
