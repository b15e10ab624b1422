import type { Severity } from '../../../lib/severity.ts';

/** A rule for a credential that is recognised by its format, whatever it is assigned to. */
export interface TokenRule {
  /** Identifier in the form `secrets/<kebab-name>`. */
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
  /** What the holder of the token can do; used in the description. */
  readonly danger: string;
  /** Where the token can be revoked. */
  readonly revoke: string;
}
