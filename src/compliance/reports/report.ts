import type { Assessment } from '../assessing/assessment.ts';
import type { Comparison } from '../assessing/comparison.ts';

export const FORMATS = ['json', 'markdown', 'html', 'pdf', 'oscal'] as const;
export type Format = (typeof FORMATS)[number];

/** What a report is written from. */
export interface ReportMatter {
  readonly assessment: Assessment;
  /** SHA-256 of the public key that the file will be signed with: 64 hex digits. */
  readonly key: string;
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
  /** Ed25519 over the bytes of the content: 64 bytes. */
  readonly signature: Uint8Array;
  readonly type: string;
  readonly fileName: string;
}

/** What a report file proves. */
export interface Verdict {
  /** `changed`: not what this key signed. `unknown_key`: the file names another key, so that nothing is known. */
  readonly state: 'genuine' | 'changed' | 'unknown_key';
  /** Fingerprint of the key that it was held against. */
  readonly key: string;
  /** Fingerprint of the key that the file names; undefined where it names none. */
  readonly named?: string | undefined;
  /** In plain words. */
  readonly reason: string;
}
