/** The room as tools, flows, commands and the server know it: types alone. */

import type { Baseline } from './findings/baseline.ts';
import type { Component, Finding } from './findings/finding.ts';
import type { Vulnerability } from './findings/vulnerability.ts';
import type { CheckedRules } from './own-rules/own-rules-job.ts';
import type { OwnRules } from './scanners/source/rules/own.ts';
import type { FindingQuery, Progress, Scan, ScanRequest } from './scans/scan.ts';
import type { Contents } from './trees/contents-tree.ts';
import type { Tree } from './trees/tree.ts';

export type { Baseline } from './findings/baseline.ts';
export type { Component, Finding } from './findings/finding.ts';
export type { Vulnerability } from './findings/vulnerability.ts';
export type { CheckedRules } from './own-rules/own-rules-job.ts';
export type {
  UpdateRequest,
  UpdateResult,
  UpdateWatch,
} from './scanners/dependencies/advisories/update.ts';
export type { Ecosystem } from './scanners/dependencies/ecosystem.ts';
export type { OwnRules } from './scanners/source/rules/own.ts';
export type { Gap, GapKind } from './scans/omissions.ts';
export type {
  Counts,
  FindingQuery,
  Progress,
  Scan,
  ScanReport,
  ScanRequest,
  ScanState,
} from './scans/scan.ts';
export type { Contents } from './trees/contents-tree.ts';
export type { Tree, TreeFile } from './trees/tree.ts';

/** What of a scan concerns this call alone, and is not kept. */
export interface ScanTerms {
  /** Any folder of this machine may be named. */
  readonly anyFolder?: boolean;
  /** Folders that the caller works in: they and what lies in them may be named. */
  readonly folders?: readonly string[];
  /** This is scanned in place of the repository. */
  readonly contents?: Contents;
  /** The operator has listed this very repository; see `TreeRequest`. */
  readonly listed?: boolean;
  /** Findings that were known before do not count. */
  readonly baseline?: Baseline;
  /**
   * A branch, tag or commit: what it has does not count, or of a repository on this machine what its last commit has that
   * it shares with HEAD.
   */
  readonly since?: string | undefined;
  /** Rules that a user brought; see `readRules`. */
  readonly rules?: OwnRules;
  /** Services are asked whether tokens that were found are live: each token is sent to the service that its form names. */
  readonly verify?: boolean;
  /** Reads the tree that was scanned before it is closed, so that it is fetched once; the scan fails by what it throws. */
  readonly use?: (tree: Tree, signal: AbortSignal) => Promise<void>;
}

/** How a caller follows a scan, and stops it. */
export interface Watch {
  readonly signal: AbortSignal;
  progress(progress: Progress): void;
}

/**
 * Scans repositories and keeps what was found. Every method takes the owner: the scans of other users do not exist for it.
 * Methods that take the id of a scan throw AppError `not_found` where the owner has no such scan.
 */
export interface Security {
  /**
   * Scans and waits for the end. Throws what fetching throws (`bad_request`, `not_found`, `forbidden`, `upstream`,
   * `too_large`), `rate_limited` when too many wait, `timeout` over the limit, and the signal's reason.
   */
  scan(owner: string, request: ScanRequest, terms: ScanTerms, watch: Watch): Promise<Scan>;
  /** Scans in the background; resolves with the queued scan. Throws `rate_limited` when too many wait. */
  startScan(owner: string, request: ScanRequest, terms?: ScanTerms): Promise<Scan>;
  readScan(owner: string, id: string): Promise<Scan>;
  /** Newest first. */
  listScans(owner: string): Promise<Scan[]>;
  /** Worst first, suppressed ones last; none as long as the scan has not completed. */
  listFindings(owner: string, id: string, query?: FindingQuery): Promise<Finding[]>;
  /** The same in the contract's shape. */
  listVulnerabilities(owner: string, id: string, query?: FindingQuery): Promise<Vulnerability[]>;
  /** Packages that the tree uses. */
  listComponents(owner: string, id: string): Promise<Component[]>;
  /**
   * Opens the tree that a scan would read for as long as `use` takes, with the earlier commits where it is `deep`. Throws
   * what fetching throws, and the signal's reason.
   */
  readTree<T>(
    owner: string,
    request: Pick<ScanRequest, 'repository' | 'branch' | 'deep'>,
    terms: Pick<ScanTerms, 'anyFolder' | 'folders'>,
    signal: AbortSignal,
    use: (tree: Tree, signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  /** A completed scan as SARIF 2.1.0. AppError `bad_request` for one that has not completed. */
  writeSarif(owner: string, id: string): Promise<string>;
  /** The packages of a completed scan as CycloneDX 1.6, with their vulnerabilities. AppError `bad_request` as above. */
  writeCycloneDx(owner: string, id: string): Promise<string>;
  /** The findings of a completed scan, as known ones. AppError `bad_request` as above. */
  baselineOfScan(owner: string, id: string): Promise<Baseline>;
  /** The findings in a file that was written from a scan. AppError `bad_request` for any other file. */
  baselineOfFile(text: string, fileName: string): Baseline;
  /**
   * Reads a user's rules, of a folder or a file of YAML. AppError `bad_request` with the file, line and rule of each mistake.
   */
  readRules(path: string, signal: AbortSignal): Promise<OwnRules>;
  /** Reads them as above, and tries each on its samples. */
  checkRules(path: string, signal: AbortSignal): Promise<CheckedRules>;
  /** Stops the scan if it is running here, and removes it with its findings. */
  removeScan(owner: string, id: string): Promise<void>;
  /** Scans that are running fail, saying that Magpie was ended. */
  close(): Promise<void>;
}
