import type { Severity } from '../../../lib/severity.ts';

export interface TokenRule {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: string;
  /** Case-sensitive literals. Texts without any of them have no token of this rule and are skipped for it. */
  readonly keywords: readonly string[];
  /** Global pattern whose first group is the token. Repetitions are bounded or cannot overlap: it takes linear time. */
  readonly pattern: RegExp;
  /** Minimum Shannon entropy of a token in bits per character. Without a minimum, each match counts. */
  readonly entropy?: number;
  readonly valid?: (secret: string) => boolean;
  /** Returns why the token is probably useless, such as an expiry. The finding shows this text and gets low severity. */
  readonly doubt?: (secret: string) => string | undefined;
  readonly danger: string;
  readonly revoke: string;
}
