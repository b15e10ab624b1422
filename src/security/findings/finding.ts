import type { Severity } from '../../lib/severity.ts';

/** A version of a package. `ecosystem` is spelled as in the OSV database, such as `npm` or `crates.io`. */
export interface PackageVersion {
  readonly ecosystem: string;
  readonly name: string;
  readonly version: string;
}

export interface SoftwareComponent extends PackageVersion {
  readonly path: string;
  readonly development?: boolean;
  readonly direct?: boolean;
  /** True if the package is in the scanned repository or comes from git or a URL, not from a package registry. */
  readonly local?: boolean;
  readonly license?: string;
  /** Digests of the package's archives in hexadecimal. `alg` is the algorithm in CycloneDX's spelling. */
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  /** Packages that this package depends on, as `name@version`. */
  readonly needs?: readonly string[];
}

export interface DataFlowStep {
  readonly path: string;
  readonly line: number;
  readonly note: string;
}

/** What the findings of a rule have in common. `danger` is a sentence without its full stop. */
export interface RuleTexts {
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: string;
  readonly danger: string;
  readonly fix: string;
}

export interface RawFinding {
  /** Id of the rule, such as `secrets/aws-access-key`, or of the advisory, preferably its CVE id. */
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly severity: Severity;
  readonly title: string;
  readonly description: string;
  readonly fix: string;
  /** Path of the file from the root of the scanned tree, with the separator `/`. */
  readonly path: string;
  /** Line of the finding, counted from 1. `line` is undefined if the finding is about the whole file. */
  readonly line?: number;
  readonly endLine?: number;
  readonly package?: PackageVersion;
  /** Lowest version with a fix. A version within the declared version range is preferred. */
  readonly fixedIn?: string;
  readonly development?: boolean;
  readonly cwe?: readonly string[];
  readonly cvss?: { readonly score: number; readonly vector: string };
  readonly excerpt?: string;
  /** Text to compute the fingerprint from instead of the excerpt. Contains no line number and no secret. */
  readonly identity?: string;
  readonly trace?: readonly DataFlowStep[];
  /** Id of a commit, for a finding in the history. `commit` is undefined for a finding in current files. */
  readonly commit?: string;
}

export interface FindingPatch {
  readonly before: string;
  readonly after: string;
}

export interface Finding extends RawFinding {
  readonly scanners: readonly string[];
  /** Fingerprint of 32 hex digits that stays the same when lines move. */
  readonly fingerprint: string;
  readonly suppressed?: { readonly by: 'comment' | 'file' | 'baseline' | 'vex'; readonly reason: string };
  readonly patch?: FindingPatch;
}
