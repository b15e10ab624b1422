import type { Severity } from '../../../lib/severity.ts';

/** A credential that is known by its form, whatever it is assigned to. */
export interface TokenRule {
  /** `secrets/<kebab-name>`. */
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: string;
  /** Literals of which one is in every text that has such a token, searched for first; case-sensitive. */
  readonly keywords: readonly string[];
  /** Global; linear: every repetition is bounded or cannot overlap the next. The first group, if any, is the secret. */
  readonly pattern: RegExp;
  /** Least entropy of the secret, in bits a character (Shannon); none when left out. */
  readonly entropy?: number;
  /** Judges by format and checksum; nothing is sent anywhere. */
  readonly valid?: (secret: string) => boolean;
  /** Why a token is likely worth nothing: a checksum that does not fit, an end that has passed. Its finding is low, and says so. */
  readonly doubt?: (secret: string) => string | undefined;
  /** What the holder of the token can do, for the description. */
  readonly danger: string;
  /** Where it is made invalid. */
  readonly revoke: string;
}
