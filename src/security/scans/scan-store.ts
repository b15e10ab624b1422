import type { Component, Finding } from '../findings/finding.ts';
import type { Counts, FindingQuery, Scan, ScanReport, ScanRequest } from './scan.ts';

/** A scan as it is stored. */
export interface StoredScan extends Scan {
  readonly owner: string;
  /** The process that runs it; see lib/concurrency/runner.ts. */
  readonly runner: string;
  /** When that process last reported, in milliseconds. */
  readonly beatAt: number;
  /** Whether any process may run it. */
  readonly isShared: boolean;
}

/** A scan that waits to be run. */
export interface QueuedScan {
  readonly id: string;
  readonly request: ScanRequest;
  readonly runner: string;
  /** Milliseconds. */
  readonly createdAt: number;
  /** What a process needs that did not accept it; undefined where only `runner` can run it. */
  readonly terms?: string | undefined;
}

/** What a scan found, and the counts of it. */
export interface CompletedScan {
  readonly report: ScanReport;
  readonly counts: Counts;
  readonly findings: readonly Finding[];
  readonly components: readonly Component[];
}

/** A completed scan with all that it found, as it was at one moment. */
export interface ScanContents {
  readonly scan: StoredScan;
  readonly findings: readonly Finding[];
  readonly components: readonly Component[];
}

/** Scans and their findings, each owner's apart. A write is durable when it resolves. */
export interface ScanStore {
  /** Of more than `kept` scans of the owner the oldest that have ended are removed in the same step. */
  insertScan(owner: string, scan: QueuedScan, kept: number): Promise<void>;
  /** The request and terms of an unfinished scan that any process may run; undefined where there is none. */
  readTerms(
    id: string,
  ): Promise<{ readonly owner: string; readonly request: ScanRequest; readonly terms: string } | undefined>;
  /** The scan is run by `runner` from now on, and by no other; false where it has ended or was removed. */
  startScan(id: string, runner: string, at: number): Promise<boolean>;
  /** It still runs, and how far it is; false where it has ended, was removed, or is run by another. */
  recordHeartbeat(id: string, runner: string, message: string, at: number): Promise<boolean>;
  /** All of the result is there afterwards, or none. False where the scan has ended, was removed, or is run by another. */
  completeScan(id: string, runner: string, result: CompletedScan, at: number): Promise<boolean>;
  /**
   * Nothing where the scan has ended; with `silentSince`, nothing either where a heartbeat came after that, and with `runner`
   * where another one runs it.
   */
  failScan(
    id: string,
    reason: string,
    at: number,
    only?: { readonly silentSince?: number; readonly runner?: string },
  ): Promise<void>;
  readScan(owner: string, id: string): Promise<StoredScan | undefined>;
  /** In the order of their creation, newest first. */
  listScans(owner: string): Promise<StoredScan[]>;
  /** Queued and running ones of all owners. */
  listUnfinished(): Promise<StoredScan[]>;
  /** In the order of the result; none of a scan that has not completed. Undefined where the owner has no such scan. */
  listFindings(owner: string, id: string, query: FindingQuery): Promise<Finding[] | undefined>;
  /** None of a scan that has not completed. Undefined where the owner has no such scan. */
  listComponents(owner: string, id: string): Promise<Component[] | undefined>;
  /** Undefined where the owner has no such scan; without findings and components where it has not completed. */
  readContents(owner: string, id: string): Promise<ScanContents | undefined>;
  /** False where the owner has no such scan. */
  removeScan(owner: string, id: string): Promise<boolean>;
}
