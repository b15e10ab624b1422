import type { Assessment } from './assessment.ts';
import type { Comparison } from './comparison.ts';

export const FORMATS = ['json', 'markdown', 'html', 'pdf', 'oscal'] as const;
export type Format = (typeof FORMATS)[number];

/** What a report is written from. */
export interface ReportMatter {
  readonly assessment: Assessment;
  readonly seal: Seal;
  /** What changed since an earlier check. */
  readonly comparison?: Comparison;
}

/** One form of a report. */
export interface ReportForm {
  readonly format: Format;
  /** Media type, without a charset. */
  readonly type: string;
  /** Ending of a file, without its dot. */
  readonly extension: string;
  write(matter: ReportMatter): Promise<string | Uint8Array>;
}

/** A report as it is handed out. */
export interface Report {
  readonly content: string | Uint8Array;
  readonly type: string;
  readonly fileName: string;
}

/** What shows that a check's results are as this installation made them. */
export interface Seal {
  /** SHA-256 of the check as canonical JSON: 64 hex digits. */
  readonly digest: string;
  /** Ed25519 over `magpie-compliance-1 <id> <digest>`, as base64. */
  readonly signature: string;
  /** The installation's public key: SPKI in DER, as base64. */
  readonly key: string;
}

/** What a report file proves. */
export interface Verdict {
  readonly id: string;
  /** The signature is valid and was made with this installation's key. */
  readonly signed: boolean;
  /** `matches`: what the file says is what was signed. `differs`: it was changed. `absent`: only JSON carries it. */
  readonly evidence: 'matches' | 'differs' | 'absent';
  /** Whether the check that is stored here is the one that was signed; undefined where it is no longer stored. */
  readonly kept?: boolean;
  /** In plain words. */
  readonly reason: string;
}
