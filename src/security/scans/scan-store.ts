import type { Component, Finding } from '../findings/finding.ts';
import type { Counts, FindingQuery, Scan, ScanReport, ScanRequest } from './scan.ts';

export interface StoredScan extends Scan {
  readonly owner: string;
  /** Id of the process that runs the scan; see lib/concurrency/runner.ts. */
  readonly runner: string;
  /** When the process that runs the scan last sent a heartbeat, in milliseconds since 1970. */
  readonly beatAt: number;
  readonly isShared: boolean;
}

export interface QueuedScan {
  readonly id: string;
  readonly request: ScanRequest;
  readonly runner: string;
  readonly createdAt: number;
  /** Data with which another process can run the scan, as JSON; undefined if only `runner` can run it. */
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

/** Stores scans and their findings, separately for each owner. A write is durable when its promise resolves. */
export interface ScanStore {
  /** Inserts a scan and, in the same transaction, removes the owner's oldest ended scans above the number `kept`. */
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
  /** Returns the owner's scans, newest first. */
  listScans(owner: string): Promise<StoredScan[]>;
  listUnfinished(): Promise<StoredScan[]>;
  /** Returns findings in the result's order; empty until the scan completes, undefined if the owner has no such scan. */
  listFindings(owner: string, id: string, query: FindingQuery): Promise<Finding[] | undefined>;
  /** Returns the scan's packages; empty if it has not completed, undefined if the owner has no such scan. */
  listComponents(owner: string, id: string): Promise<Component[] | undefined>;
  /** Returns scan, findings and components (empty until it has completed); undefined if the owner has no such scan. */
  readContents(owner: string, id: string): Promise<ScanContents | undefined>;
  /** Removes a scan; false if the owner has no such scan. */
  removeScan(owner: string, id: string): Promise<boolean>;
}
