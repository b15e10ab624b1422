import type { Severity } from '../../../lib/severity.ts';

export interface TokenRule {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: string;
  readonly keywords: readonly string[];
  /** Global pattern. Its first group is the token. Repetitions are bounded or cannot overlap, so matching takes linear time. */
  readonly pattern: RegExp;
  /** Minimum Shannon entropy of a token in bits per character. If undefined, each match counts. */
  readonly entropy?: number;
  readonly valid?: (secret: string) => boolean;
  /** Returns why the token is probably useless, for example expired. The finding then shows this text and has low severity. */
  readonly doubt?: (secret: string) => string | undefined;
  readonly danger: string;
  readonly revoke: string;
}
