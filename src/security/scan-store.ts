import type { Component, Finding, RawFinding } from './finding.ts';
import type { Counts, FindingQuery, Scan, ScanReport, ScanRequest } from './scan.ts';

/** A scan as it is kept. */
export interface StoredScan extends Scan {
  readonly owner: string;
  /** The process that has it in hand; see runner.ts. */
  readonly runner: string;
  /** When that process last gave a sign, in milliseconds. */
  readonly beatAt: number;
}

/** Scans and their findings, each owner's apart. Every write is durable before it returns. */
export interface ScanStore {
  /** A queued scan; of more than `keep` scans of the owner the oldest that have ended are dropped. */
  add(owner: string, id: string, request: ScanRequest, runner: string, at: number, keep: number): void;
  start(id: string, at: number): void;
  /** A sign of life, with how far the scan is. */
  beat(id: string, message: string, at: number): void;
  /** All of it is there, or none. */
  complete(id: string, result: CompletedScan, at: number): Promise<void>;
  /** Does nothing to a scan that has ended. */
  fail(id: string, reason: string, at: number): void;
  get(owner: string, id: string): StoredScan | undefined;
  /** Newest first. */
  list(owner: string): StoredScan[];
  /** Worst first, those that count before the suppressed ones. */
  findings(owner: string, id: string, query: FindingQuery): Finding[];
  components(owner: string, id: string): Component[];
  remove(owner: string, id: string): boolean;
  /** Queued and running ones of all owners. */
  unfinished(): StoredScan[];
}

export interface CompletedScan {
  readonly report: ScanReport;
  readonly counts: Counts;
  readonly findings: readonly Finding[];
  readonly components: readonly Component[];
}

/** What one content gave under one set of scanners: by scanner. */
export type KeptFindings = readonly { readonly scanner: string; readonly findings: readonly RawFinding[] }[];

/**
 * Findings by content, so that what has not changed is not searched again. For each owner apart: that a content was
 * seen before would tell one user of another's.
 */
export interface KeptStore {
  get(owner: string, keys: readonly string[], at: number): Map<string, KeptFindings>;
  put(owner: string, entries: ReadonlyMap<string, KeptFindings>, at: number): void;
  /** Drops those not used for longest until the owner's are within the bounds. */
  trim(owner: string): void;
}
