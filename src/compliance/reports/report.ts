import type { Assessment } from '../assessing/assessment.ts';
import type { Comparison } from '../assessing/comparison.ts';

export const FORMATS = ['json', 'markdown', 'html', 'pdf', 'oscal'] as const;
export type Format = (typeof FORMATS)[number];

export interface ReportData {
  readonly assessment: Assessment;
  /** SHA-256 of the public key that verifies the report's signature, as 64 hex digits. */
  readonly key: string;
  readonly comparison?: Comparison;
}

export interface ReportForm {
  readonly format: Format;
  /** Media type of the format, without a charset. */
  readonly type: string;
  /** File extension of the format, without the dot. */
  readonly extension: string;
  write(matter: ReportData): Promise<string | Uint8Array>;
}

export interface Report {
  readonly content: string | Uint8Array;
  /** Ed25519 signature of the report's content: 64 bytes. */
  readonly signature: Uint8Array;
  readonly type: string;
  readonly fileName: string;
}

export interface VerificationResult {
  /** `changed`: the signature does not match this key. `unknown_key`: it cannot match, because the file names another key. */
  readonly state: 'genuine' | 'changed' | 'unknown_key';
  readonly key: string;
  readonly named?: string | undefined;
  readonly reason: string;
}
