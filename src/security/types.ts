import type { FindingBaseline } from './findings/baseline.ts';
import type { Finding, SoftwareComponent } from './findings/finding.ts';
import type { VexStatement } from './findings/vex.ts';
import type { Vulnerability } from './findings/vulnerability.ts';
import type { RuleCheckResult } from './own-rules/own-rules-job.ts';
import type { ReportFormat } from './reports/report-formats.ts';
import type { UserRules } from './scanners/source/rules/own.ts';
import type { FindingQuery, ScanProgress, ScanRequest, SecurityScan } from './scans/scan.ts';
import type { GivenContents } from './trees/contents-tree.ts';
import type { FileTree } from './trees/tree.ts';

export type { FindingBaseline as Baseline } from './findings/baseline.ts';
export type { Finding } from './findings/finding.ts';
export type { Vulnerability } from './findings/vulnerability.ts';
export type { ReportFormat } from './reports/report-formats.ts';
export type {
  AdvisoryUpdateResult as UpdateResult,
  AdvisoryUpdateWatch as UpdateWatch,
  UpdateRequest,
} from './scanners/dependencies/advisories/update.ts';
export type { ScanGapKind as GapKind } from './scans/omissions.ts';
export type { ScanCounts, ScanReport, SecurityScan as Scan } from './scans/scan.ts';
export type { AssistantPart, InstalledAssistant } from './trees/assistants/installed-assistant.ts';
export type { GivenContents as Contents } from './trees/contents-tree.ts';
export type { FileTree as Tree } from './trees/tree.ts';

export interface ScanTerms {
  readonly anyFolder?: boolean;
  /** Folders of the caller's workspace, which may be scanned with their subfolders. */
  readonly folders?: readonly string[];
  readonly contents?: GivenContents;
  /** Working folders of AI assistants. If set, this machine's assistants are scanned in place of a repository. */
  readonly assistantsIn?: readonly string[];
  readonly listed?: boolean;
  readonly baseline?: FindingBaseline;
  /** VEX statements about vulnerabilities. Findings that a statement calls harmless are suppressed. */
  readonly vex?: readonly VexStatement[] | undefined;
  /** A branch, tag or commit whose findings are suppressed. In a local repository, its merge base with HEAD is used. */
  readonly since?: string | undefined;
  readonly rules?: UserRules;
  /** If true, each found token is sent to the service that issued it, to check whether the token is valid. */
  readonly verify?: boolean;
  /** Called with the fetched files before they are removed. If the function throws, the scan fails. */
  readonly use?: (tree: FileTree, signal: AbortSignal) => Promise<void>;
}

export interface ScanProgressWatch {
  readonly signal: AbortSignal;
  progress(progress: ScanProgress): void;
}

/** The scan service. Owners can use only their own scans. Other scans cause AppError `not_found`. */
export interface SecurityService {
  /** Runs a scan to its end. Throws fetch errors, AppError `timeout`, or `rate_limited` for a full queue. */
  scan(
    owner: string,
    request: ScanRequest,
    terms: ScanTerms,
    watch: ScanProgressWatch,
  ): Promise<SecurityScan>;
  startScan(owner: string, request: ScanRequest, terms?: ScanTerms): Promise<SecurityScan>;
  readScan(owner: string, id: string): Promise<SecurityScan>;
  listScans(owner: string): Promise<SecurityScan[]>;
  /** Returns findings, worst first, then suppressed findings. Returns none before the scan is completed. */
  listFindings(owner: string, id: string, query?: FindingQuery): Promise<Finding[]>;
  listVulnerabilities(owner: string, id: string, query?: FindingQuery): Promise<Vulnerability[]>;
  listComponents(owner: string, id: string): Promise<SoftwareComponent[]>;
  /** Passes a repository to `use`, with history if `deep`. Rejects if fetching or `use` fails. */
  readTree<T>(
    owner: string,
    request: Pick<ScanRequest, 'repository' | 'branch' | 'deep'>,
    terms: Pick<ScanTerms, 'anyFolder' | 'folders'>,
    signal: AbortSignal,
    use: (tree: FileTree, signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  /** Returns a completed scan as JSON in a standard format. Throws AppError `bad_request` before the scan is completed. */
  writeReport(owner: string, id: string, format: ReportFormat): Promise<string>;
  /** Creates a baseline from the findings of a completed scan. Throws AppError `bad_request` before the scan is completed. */
  baselineOfScan(owner: string, id: string): Promise<FindingBaseline>;
  /** Creates a baseline from a saved report of a scan. Throws AppError `bad_request` for other files. */
  baselineOfFile(text: string, fileName: string): FindingBaseline;
  /** Reads statements of an OpenVEX or CycloneDX document. Throws AppError `bad_request` for other files. */
  readVex(text: string, fileName: string): VexStatement[];
  /** Reads rules from a YAML file or folder. Throws AppError `bad_request` with file, line and rule of each mistake. */
  readRules(path: string, signal: AbortSignal): Promise<UserRules>;
  /** Reads rules like `readRules` and tests each rule with the samples in its file. */
  checkRules(path: string, signal: AbortSignal): Promise<RuleCheckResult>;
  removeScan(owner: string, id: string): Promise<void>;
  /** Stops scans that only this process can run, and stores them as failed because of the shutdown. */
  close(): Promise<void>;
}
