import type { Assessment } from '../assessing/assessment.ts';
import type { AssessmentComparison } from '../assessing/comparison.ts';

export interface ReportData {
  readonly assessment: Assessment;
  readonly key: string;
  readonly comparison?: AssessmentComparison;
}

export type ReportWriter = (matter: ReportData) => Promise<string | Uint8Array>;

export interface VerificationResult {
  /** `changed`: the signature is not valid for this key. `unknown_key`: the report names a different key. */
  readonly state: 'genuine' | 'changed' | 'unknown_key';
  readonly key: string;
  readonly named?: string | undefined;
  readonly reason: string;
}

export const formatSeal = (fingerprint: string): string => `magpie-seal-2 key=${fingerprint}`;

export const findReportSealKey = (report: Uint8Array): string | undefined =>
  /magpie-seal-2 key=([0-9a-f]{64})/.exec(Buffer.from(report).toString('latin1'))?.[1];
