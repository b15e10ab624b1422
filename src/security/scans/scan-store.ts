import type { Finding, SoftwareComponent } from '../findings/finding.ts';
import type { FindingQuery, ScanCounts, ScanRequest, ScanResult, SecurityScan } from './scan.ts';

export interface StoredScan extends SecurityScan {
  readonly owner: string;
  /** Id of the process that runs the scan; see lib/concurrency/runner.ts. */
  readonly runner: string;
  /** Time of the last heartbeat of the process that runs the scan, in milliseconds since 1970. */
  readonly beatAt: number;
  readonly isShared: boolean;
}

export interface QueuedScan extends Pick<StoredScan, 'id' | 'request' | 'runner' | 'createdAt'> {
  /** Options as JSON for another process that runs the scan. Undefined if only `runner` can run it. */
  readonly terms?: string | undefined;
}

export interface CompletedScan extends ScanResult {
  readonly counts: ScanCounts;
}

export interface ScanContents extends Pick<ScanResult, 'findings' | 'components'> {
  readonly scan: StoredScan;
}

/** Stores scans and their findings for each owner separately. A write is durable when its promise resolves. */
export interface ScanStore {
  /** Stores a new scan. Removes the owner's oldest ended scans if there are more than `kept` scans. */
  insertScan(owner: string, scan: QueuedScan, kept: number): Promise<void>;
  /** Returns the terms of an unfinished scan that any process may run. Returns undefined for other scans. */
  readTerms(
    id: string,
  ): Promise<{ readonly owner: string; readonly request: ScanRequest; readonly terms: string } | undefined>;
  /** Records that the process `runner` runs the scan. Returns false if the scan has ended or was removed. */
  startScan(id: string, runner: string, at: number): Promise<boolean>;
  /** Stores progress. Returns false if the scan has ended, was removed, or is run by another process. */
  recordHeartbeat(id: string, runner: string, message: string, at: number): Promise<boolean>;
  /** Stores the whole result atomically. Returns false if the scan ended, was removed or has another runner. */
  completeScan(id: string, runner: string, result: CompletedScan, at: number): Promise<boolean>;
  /** Marks an unfinished scan as failed. `only` restricts it by runner, or by time of the last heartbeat. */
  failScan(
    id: string,
    reason: string,
    at: number,
    only?: { readonly silentSince?: number; readonly runner?: string },
  ): Promise<void>;
  readScan(owner: string, id: string): Promise<StoredScan | undefined>;
  listScans(owner: string): Promise<StoredScan[]>;
  listUnfinished(): Promise<StoredScan[]>;
  /** Returns findings in stored order: an empty list before the scan's end, undefined for an unknown scan. */
  listFindings(owner: string, id: string, query: FindingQuery): Promise<Finding[] | undefined>;
  listComponents(owner: string, id: string): Promise<SoftwareComponent[] | undefined>;
  /** Returns a scan with findings and packages. Returns undefined for an unknown scan. */
  readContents(owner: string, id: string): Promise<ScanContents | undefined>;
  removeScan(owner: string, id: string): Promise<boolean>;
}
