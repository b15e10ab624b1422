import type { Severity } from '../../../lib/severity.ts';

export interface TokenRule {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: string;
  /** Case-sensitive literals, searched for first. Every text with such a token contains at least one of them. */
  readonly keywords: readonly string[];
  /** Global, and linear: every repetition is bounded or cannot overlap the next. The first group is the secret. */
  readonly pattern: RegExp;
  /** Minimum Shannon entropy of the secret, in bits per character; no minimum if absent. */
  readonly entropy?: number;
  /** Checks format and checksum; sends nothing over the network. */
  readonly valid?: (secret: string) => boolean;
  /** Returns why the token is probably worthless (wrong checksum, expired); the finding is then low and says so. */
  readonly doubt?: (secret: string) => string | undefined;
  readonly danger: string;
  readonly revoke: string;
}
