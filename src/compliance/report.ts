import type { Assessment } from './assessment.ts';
import type { Comparison } from './compare.ts';
import type { Seal } from './seal.ts';

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
