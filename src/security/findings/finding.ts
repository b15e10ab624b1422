import type { Severity } from '../../lib/severity.ts';

/** A package as an ecosystem knows it; `ecosystem` in OSV's spelling: npm, PyPI, crates.io, Go, Maven ... */
export interface PackageVersion {
  readonly ecosystem: string;
  readonly name: string;
  readonly version: string;
}

/** A package that a tree uses, as a bill of materials lists it. */
export interface Component extends PackageVersion {
  /** Lockfile or manifest that names it. */
  readonly path: string;
  readonly development?: boolean;
  /** The project itself asks for it. */
  readonly direct?: boolean;
  /** A part of the repository, or from git or an address: no registry's. */
  readonly local?: boolean;
  /** SPDX expression or id. */
  readonly license?: string;
  /** Digests of its archive, or of its archives where it has several; algorithm as CycloneDX spells it, in hex. */
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  /** `name@version` of what it needs, out of the same lockfile. */
  readonly needs?: readonly string[];
}

/** One step of a data flow, from where data comes in to where it does harm. */
export interface Step {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** What happens there, in a few words. */
  readonly note: string;
}

/** What a scanner reports: one problem in one place. */
export interface RawFinding {
  /** Stable id of the rule (`secrets/aws-access-key`), or of the advisory (CVE before GHSA before others). */
  readonly id: string;
  /** Other ids of the same problem. */
  readonly aliases?: readonly string[];
  readonly severity: Severity;
  /** A few words: `SQL injection`. */
  readonly title: string;
  /** What the danger is, in plain words; no secret in it. */
  readonly description: string;
  /** What to do about it, in plain words. */
  readonly fix: string;
  /** From the tree's root, with `/`. */
  readonly path: string;
  /** From 1; left out where the whole file is meant. */
  readonly line?: number;
  /** Last line, when it is another. */
  readonly endLine?: number;
  /** The package that has the problem: the place is then `name@version` in the lockfile's path. */
  readonly package?: PackageVersion;
  /** The lowest version without this problem that the range in use can reach; else any. */
  readonly fixedIn?: string;
  /** Needed for development alone. */
  readonly development?: boolean;
  /** `CWE-89`. */
  readonly cwe?: readonly string[];
  readonly cvss?: { readonly score: number; readonly vector: string };
  /** The line or lines in question, at most 300 characters, with secrets masked. */
  readonly excerpt?: string;
  /**
   * What makes it this finding and no other whatever line it moves to: the normalised code, or a keyed digest of
   * the secret, never the secret. The excerpt when left out.
   */
  readonly identity?: string;
  /** From source to sink. */
  readonly trace?: readonly Step[];
  /** Where it was found when it is no longer in the tree: the commit's id. */
  readonly commit?: string;
}

/** A change of the line that a finding is in: the line as it is, up to its line feed, and as it would be. */
export interface Patch {
  readonly before: string;
  readonly after: string;
}

/** A finding as it is kept and shown. */
export interface Finding extends RawFinding {
  /** Which scanner, and the others that found the same. */
  readonly scanners: readonly string[];
  /** Stable over moved lines: 32 hex digits. */
  readonly fingerprint: string;
  /** Why it does not count: a comment in the code, the ignore file, or the baseline. */
  readonly suppressed?: { readonly by: 'comment' | 'file' | 'baseline'; readonly reason: string };
  /** What mends it and changes nothing else, where that is known. */
  readonly patch?: Patch;
}
