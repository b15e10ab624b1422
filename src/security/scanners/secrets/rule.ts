import type { Severity } from '../../../lib/severity.ts';

export interface TokenRule {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: string;
  /** Case-sensitive literals, searched for first. Every text with such a token contains at least one of them. */
  readonly keywords: readonly string[];
  /** Global pattern that takes linear time: each repetition is bounded or cannot overlap the next. Group 1 is the secret. */
  readonly pattern: RegExp;
  /** Minimum Shannon entropy of the secret, in bits per character; no minimum if absent. */
  readonly entropy?: number;
  /** Tests format and checksum of a token; sends nothing over the network. */
  readonly valid?: (secret: string) => boolean;
  /** Returns why the token is probably worthless (wrong checksum, expired); the finding is then low and says so. */
  readonly doubt?: (secret: string) => string | undefined;
  readonly danger: string;
  readonly revoke: string;
}
