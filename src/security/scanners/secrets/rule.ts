import type { Severity } from '../../../lib/severity.ts';

export interface TokenRule {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: string;
  /** Literals, one of which each token of this rule contains. Texts without any of them are skipped for this rule. */
  readonly keywords: readonly string[];
  /** Global pattern whose first group is the token. Its repetitions are bounded, so that a search takes linear time. */
  readonly pattern: RegExp;
  /** Minimum Shannon entropy of a token in bits per character. Without a minimum, each match counts. */
  readonly entropy?: number;
  readonly valid?: (secret: string) => boolean;
  /** Returns why the token is probably useless, such as an expiry. The finding shows this text and gets low severity. */
  readonly doubt?: (secret: string) => string | undefined;
  readonly danger: string;
  readonly revoke: string;
}
