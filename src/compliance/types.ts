import type { Assessment, AssessmentSummary } from './assessing/assessment.ts';
import type { ComplianceStandardInfo } from './assessing/catalogue.ts';
import type { AssessmentComparison } from './assessing/comparison.ts';
import type { Evidence, RepositoryPractice, RepositoryView } from './assessing/evidence.ts';
import type { ComplianceJob } from './assessing/job.ts';
import type { Attestation, GivenAttestation } from './attesting/attestation.ts';
import type { AttestationsFileResult } from './attesting/attestations-file.ts';
import type { RepositoryFiles } from './evidence/read-technologies.ts';
import type { Technology } from './evidence/technologies.ts';
import type { ComplianceReportFormat, SignedReport, VerificationResult } from './reports/report.ts';

export type * from './assessing/assessment.ts';
export type { ComplianceStandardInfo as StandardName } from './assessing/catalogue.ts';
export type { AssessmentComparison as Comparison } from './assessing/comparison.ts';
export type * from './assessing/evidence.ts';
export type { ComplianceJob } from './assessing/job.ts';
export type * from './attesting/attestation.ts';
export type { AttestationsFileResult } from './attesting/attestations-file.ts';
export type { ComplianceReportFormat as Format } from './reports/report.ts';

export interface Compliance {
  listStandards(): readonly ComplianceStandardInfo[];
  resolveStandards(names: readonly string[]): readonly string[];
  readPractices(view: RepositoryView, subject: string, at: number): Promise<RepositoryPractice[]>;
  readTechnologies(view: RepositoryFiles, signal: AbortSignal): Promise<readonly Technology[]>;
  readAttestations(
    subject: string,
    content: (path: string) => Promise<Uint8Array | undefined>,
    signal: AbortSignal,
  ): Promise<AttestationsFileResult | undefined>;
  /** Validates judgements for a single check, without storing them. Throws AppError `bad_request`. */
  checkAttestations(
    given: readonly GivenAttestation[],
    scope: string,
    source: string,
  ): Promise<readonly Attestation[]>;
  /** Stores a judgement in place of an earlier one. Throws AppError `bad_request` for an invalid value. */
  attest(owner: string, given: GivenAttestation, scope: string, source: string): Promise<Attestation>;
  listAttestations(owner: string): Promise<readonly Attestation[]>;
  /** Throws AppError `not_found` for an unknown id. */
  retractAttestation(owner: string, id: string): Promise<void>;
  /** Assesses evidence and stored judgements. Throws AppError `bad_request` for unknown standards. */
  assessEvidence(owner: string, standards: readonly string[], evidence: Evidence): Promise<Assessment>;
  /** Starts a check in the background. Throws AppError `bad_request`, or `rate_limited` if too many checks run. */
  startCheck(
    owner: string,
    standards: readonly string[],
    scope: string,
    gather: GatherEvidence,
    /** Input with which any process can collect the evidence. Without `terms`, only this process can. */
    terms?: string,
  ): Promise<ComplianceJob>;
  handleChecks(gather: GatherSharedEvidence): void;
  readJob(owner: string, id: string): Promise<ComplianceJob | undefined>;
  listJobs(owner: string): Promise<readonly ComplianceJob[]>;
  /** Throws AppError `not_found` for an unknown check, `bad_request` for a check without results. */
  readCheck(owner: string, id: string): Promise<Assessment>;
  listChecks(owner: string): Promise<readonly AssessmentSummary[]>;
  /** Compares a check with `since`. Default: the previous check of the same scope. */
  compareChecks(owner: string, id: string, since?: string): Promise<AssessmentComparison | undefined>;
  writeReport(owner: string, id: string, format: ComplianceReportFormat): Promise<SignedReport>;
  publicKey(): string;
  /** `key` is a public key in PEM (default: this installation's). Throws `bad_request` if malformed. */
  verifyReport(report: Uint8Array, signature: Uint8Array, key?: string): VerificationResult;
  /** Stops a check and deletes its results. Throws AppError `not_found` for an unknown check. */
  removeCheck(owner: string, id: string): Promise<void>;
  close(): Promise<void>;
}

export type GatherEvidence = (signal: AbortSignal, progress: (message: string) => void) => Promise<Evidence>;
export type GatherSharedEvidence = (
  check: { readonly owner: string; readonly scope: string; readonly terms: string },
  ...how: Parameters<GatherEvidence>
) => Promise<Evidence>;
