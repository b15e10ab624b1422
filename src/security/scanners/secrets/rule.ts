import type { Severity } from '../../../lib/severity.ts';

export interface TokenRule {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: string;
  /** Case-sensitive literals. Every text with a token of this rule contains at least one literal, so they are searched first. */
  readonly keywords: readonly string[];
  /** Global pattern that takes linear time, as each repetition is bounded or cannot overlap the next. Group 1 is the secret. */
  readonly pattern: RegExp;
  /** Minimum Shannon entropy of the secret, in bits per character. If absent, any entropy is enough. */
  readonly entropy?: number;
  /** Tests format and checksum of a token; sends nothing over the network. */
  readonly valid?: (secret: string) => boolean;
  /** Returns why the token is probably worthless (wrong checksum, expired). The finding then has low severity and says why. */
  readonly doubt?: (secret: string) => string | undefined;
  readonly danger: string;
  readonly revoke: string;
}
