export type { ComplianceReportFormat as Format } from '../lib/compliance/report-formats.ts';
export type * from './assessing/assessment.ts';
export type { ComplianceStandardInfo as StandardName } from './assessing/catalogue.ts';
export type { AssessmentComparison as Comparison } from './assessing/comparison.ts';
export type * from './assessing/evidence.ts';
export type { ComplianceJob } from './assessing/job.ts';
export type * from './attesting/attestation.ts';
export type { AttestationsFileResult } from './attesting/attestations-file.ts';
export type { Compliance } from './compliance.ts';
