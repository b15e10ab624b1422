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
  /** True if the package comes from the scanned repository, from git or from a URL, not from a registry. */
  readonly local?: boolean;
  readonly license?: string;
  /** Hexadecimal digests of the package's archives. `alg` is spelled as in CycloneDX, such as `SHA-256`. */
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  /** Packages that this package depends on, as `name@version`. */
  readonly needs?: readonly string[];
}

export interface DataFlowStep {
  readonly path: string;
  readonly line: number;
  readonly note: string;
}

/** Properties that all findings of a rule share. `danger` is a sentence without the full stop at its end. */
export interface RuleTexts {
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: string;
  readonly danger: string;
  readonly fix: string;
}

export interface RawFinding {
  /** Id of the rule, such as `secrets/aws-access-key`. For an advisory, its CVE id or else another id. */
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
  /** Lowest fixed version in the declared version range, or else the lowest fixed version of all. */
  readonly fixedIn?: string;
  readonly development?: boolean;
  readonly cwe?: readonly string[];
  readonly cvss?: { readonly score: number; readonly vector: string };
  readonly excerpt?: string;
  /** Replaces the excerpt in the fingerprint. Contains no line number and no secret. */
  readonly identity?: string;
  readonly trace?: readonly DataFlowStep[];
  /** Id of the commit that contains the finding. `commit` is undefined for a finding in the current files. */
  readonly commit?: string;
}

export interface FindingPatch {
  readonly before: string;
  readonly after: string;
}

export interface Finding extends RawFinding {
  readonly scanners: readonly string[];
  /** Hash (32 hex digits) that identifies the finding. It stays the same if only the line number changes. */
  readonly fingerprint: string;
  readonly suppressed?: { readonly by: 'comment' | 'file' | 'baseline' | 'vex'; readonly reason: string };
  readonly patch?: FindingPatch;
}
