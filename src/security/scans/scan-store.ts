import type { Component, Finding } from '../findings/finding.ts';
import type { Counts, FindingQuery, Scan, ScanReport, ScanRequest } from './scan.ts';

export interface StoredScan extends Scan {
  readonly owner: string;
  /** Id of the process that runs the scan; see lib/concurrency/runner.ts. */
  readonly runner: string;
  /** Time of that process's last heartbeat, in milliseconds. */
  readonly beatAt: number;
  readonly isShared: boolean;
}

export interface QueuedScan {
  readonly id: string;
  readonly request: ScanRequest;
  readonly runner: string;
  readonly createdAt: number;
  /** What another process needs to run the scan, as JSON; undefined if only `runner` can run it. */
  readonly terms?: string | undefined;
}

export interface CompletedScan {
  readonly report: ScanReport;
  readonly counts: Counts;
  readonly findings: readonly Finding[];
  readonly components: readonly Component[];
}

export interface ScanContents {
  readonly scan: StoredScan;
  readonly findings: readonly Finding[];
  readonly components: readonly Component[];
}

/** Store of scans and their findings, separate for each owner. A write is durable when it resolves. */
export interface ScanStore {
  /** Inserts a scan and removes the owner's oldest ended scans over `kept` in the same transaction. */
  insertScan(owner: string, scan: QueuedScan, kept: number): Promise<void>;
  /** Returns the request and terms of an unfinished scan that any process may run; undefined if there is none. */
  readTerms(
    id: string,
  ): Promise<{ readonly owner: string; readonly request: ScanRequest; readonly terms: string } | undefined>;
  /** Makes `runner` the only process that runs the scan; false if the scan has ended or was removed. */
  startScan(id: string, runner: string, at: number): Promise<boolean>;
  /** Stores progress; false if the scan has ended, was removed, or is run by another process. */
  recordHeartbeat(id: string, runner: string, message: string, at: number): Promise<boolean>;
  /** Stores the whole result or nothing. False if the scan has ended, was removed, or is run by another process. */
  completeScan(id: string, runner: string, result: CompletedScan, at: number): Promise<boolean>;
  /** Fails an unfinished scan, unless a heartbeat came after `silentSince` or another process than `runner` runs it. */
  failScan(
    id: string,
    reason: string,
    at: number,
    only?: { readonly silentSince?: number; readonly runner?: string },
  ): Promise<void>;
  readScan(owner: string, id: string): Promise<StoredScan | undefined>;
  /** Newest first. */
  listScans(owner: string): Promise<StoredScan[]>;
  listUnfinished(): Promise<StoredScan[]>;
  /** Sorted as in the result; empty if the scan has not completed. Undefined if the owner has no such scan. */
  listFindings(owner: string, id: string, query: FindingQuery): Promise<Finding[] | undefined>;
  /** Empty if the scan has not completed. Undefined if the owner has no such scan. */
  listComponents(owner: string, id: string): Promise<Component[] | undefined>;
  /** Undefined if the owner has no such scan; findings and components are empty if it has not completed. */
  readContents(owner: string, id: string): Promise<ScanContents | undefined>;
  /** False if the owner has no such scan. */
  removeScan(owner: string, id: string): Promise<boolean>;
}
