import type { Severity } from '../../lib/severity.ts';

/** A package version; `ecosystem` is in OSV's spelling: npm, PyPI, crates.io, Go, Maven ... */
export interface PackageVersion {
  readonly ecosystem: string;
  readonly name: string;
  readonly version: string;
}

/** A package that a tree uses, for the bill of materials. */
export interface Component extends PackageVersion {
  readonly path: string;
  readonly development?: boolean;
  readonly direct?: boolean;
  /** True if it is part of the repository, or comes from git or a URL instead of a registry. */
  readonly local?: boolean;
  /** SPDX expression or id. */
  readonly license?: string;
  /** Hex digests of its archives, with algorithms in CycloneDX's spelling. */
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  /** Dependencies as `name@version`, from the same lockfile. */
  readonly needs?: readonly string[];
}

export interface DataFlowStep {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly note: string;
}

export interface RawFinding {
  /** Stable id of the rule (`secrets/aws-access-key`) or of the advisory (CVE before GHSA before others). */
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly severity: Severity;
  /** A few words: `SQL injection`. */
  readonly title: string;
  /** The danger in plain words, without any secret. */
  readonly description: string;
  readonly fix: string;
  /** From the tree's root, with `/`. */
  readonly path: string;
  /** Counted from 1; undefined for the whole file. */
  readonly line?: number;
  readonly endLine?: number;
  /** The package with the problem; the location is then `name@version` in the lockfile. */
  readonly package?: PackageVersion;
  /** The lowest fixed version within the declared range, otherwise the lowest of any. */
  readonly fixedIn?: string;
  readonly development?: boolean;
  /** Ids such as `CWE-89`. */
  readonly cwe?: readonly string[];
  readonly cvss?: { readonly score: number; readonly vector: string };
  /** Text of the lines, at most 300 characters, with secrets masked. */
  readonly excerpt?: string;
  /** Independent of the line: normalised code or a keyed digest of a secret, never the secret. Default: the excerpt. */
  readonly identity?: string;
  readonly trace?: readonly DataFlowStep[];
  /** Id of the commit in which it was found, if it is no longer in the tree. */
  readonly commit?: string;
}

/** A fix of a finding's line: its text without the line feed, before and after. */
export interface Patch {
  readonly before: string;
  readonly after: string;
}

export interface Finding extends RawFinding {
  readonly scanners: readonly string[];
  /** 32 hex digits that stay the same when lines move. */
  readonly fingerprint: string;
  readonly suppressed?: { readonly by: 'comment' | 'file' | 'baseline'; readonly reason: string };
  /** A known fix that changes nothing else. */
  readonly patch?: Patch;
}
