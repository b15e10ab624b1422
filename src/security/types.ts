export type { FindingBaseline as Baseline } from './findings/baseline.ts';
export type { Finding } from './findings/finding.ts';
export type { Vulnerability } from './findings/vulnerability.ts';
export type { ReportFormat } from './reports/report-formats.ts';
export type {
  AdvisoryUpdateWatch as UpdateWatch,
  UpdateRequest,
} from './scanners/dependencies/advisories/update.ts';
export type { ScanGapKind as GapKind } from './scans/omissions.ts';
export type { ScanCounts, ScanReport, SecurityScan as Scan } from './scans/scan.ts';
export type { ScanProgressWatch, ScanTerms } from './scans/scan-terms.ts';
export type { SecurityService } from './security.ts';
export type { AssistantPart, InstalledAssistant } from './trees/assistants/installed-assistant.ts';
export type { GivenContents as Contents } from './trees/contents-tree.ts';
export type { FileTree as Tree } from './trees/tree.ts';
