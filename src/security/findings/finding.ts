import type { Severity } from '../../lib/severity.ts';

/** A package version; `ecosystem` is in OSV's spelling: npm, PyPI, crates.io, Go, Maven ... */
export interface PackageVersion {
  readonly ecosystem: string;
  readonly name: string;
  readonly version: string;
}

/** A package that the scanned source tree uses, for the bill of materials. */
export interface Component extends PackageVersion {
  readonly path: string;
  readonly development?: boolean;
  readonly direct?: boolean;
  /** True if the package is in the repository, or comes from git or a URL instead of a package registry. */
  readonly local?: boolean;
  /** License of the package: an SPDX expression or id. */
  readonly license?: string;
  /** Digests of the package's archives in hex, with algorithms in CycloneDX's spelling. */
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  /** Dependencies as `name@version`, from the same lockfile. */
  readonly needs?: readonly string[];
}

export interface DataFlowStep {
  readonly path: string;
  /** Line of the data flow's step, counted from 1. */
  readonly line: number;
  readonly note: string;
}

export interface RawFinding {
  /** Stable id of the rule (`secrets/aws-access-key`) or of the advisory (CVE before GHSA before others). */
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly severity: Severity;
  /** Title of a few words: `SQL injection`. */
  readonly title: string;
  /** Describes the danger in plain words, without any secret. */
  readonly description: string;
  readonly fix: string;
  /** Path of the file from the root of the scanned tree, with the separator `/`. */
  readonly path: string;
  /** Line of the finding, counted from 1; undefined if it is about the whole file. */
  readonly line?: number;
  readonly endLine?: number;
  /** The vulnerable package; the finding's location is then `name@version` in the lockfile. */
  readonly package?: PackageVersion;
  /** The lowest fixed version within the declared range. If the range has none, the lowest fixed version of all. */
  readonly fixedIn?: string;
  readonly development?: boolean;
  /** Weakness ids such as `CWE-89`. */
  readonly cwe?: readonly string[];
  readonly cvss?: { readonly score: number; readonly vector: string };
  /** Text of the lines, at most 300 characters, with secrets masked. */
  readonly excerpt?: string;
  /** Line-independent text for the fingerprint: code or a secret's keyed digest, never the secret. The default is the excerpt. */
  readonly identity?: string;
  readonly trace?: readonly DataFlowStep[];
  /** Id of the commit with the finding, if the finding is no longer in the tree. */
  readonly commit?: string;
}

/** A fix that changes one line of a finding: the line's text without line feed, before and after. */
export interface Patch {
  readonly before: string;
  readonly after: string;
}

export interface Finding extends RawFinding {
  readonly scanners: readonly string[];
  /** Fingerprint of 32 hex digits that stays the same when lines move. */
  readonly fingerprint: string;
  readonly suppressed?: { readonly by: 'comment' | 'file' | 'baseline'; readonly reason: string };
  /** A fix that Magpie knows for this finding and that changes nothing else. */
  readonly patch?: Patch;
}
